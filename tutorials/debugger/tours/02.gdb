# The stops of lesson 02, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/02.gdb \
#         build/debug/tutorials/02_autograd

at-stop "02.1 the chain rule"
echo Plain numbers: u = a·b, v = u + c, y = v².\n
info locals
expect y == 16
expect dy_da == -24

at-stop "02.2 two uses of one entry"
echo b = a + a uses a twice. In reverse topological order both arrive before a is done.\n
print squares
expect of_squares.in_order == 24
expect of_squares.at_once == 36
expect of_squares.first_come == 12

at-stop "02.3 before backward"
echo Each variable knows what made it, and on which line. No variable has a gradient yet.\n
graph y
expect y == 24

at-stop "02.3 after backward"
echo x was used three times, and x.grad() is the sum of what came from each: 3x² + 4x³.\n
grad x
expect x.grad == 44

at-stop "02.4 the second backward"
echo backward() adds: 2x of the first call and 10 of the second.\n
grad x
expect x.grad[0] == 12
expect x.grad[2] == 16

at-stop "02.5 two gradients"
echo A gradient has the shape of its variable. That of A is G·Bᵀ.\n
shapes
expect A.shape == [2, 3]
grad A
expect A.grad[0,0] == 0.6951
expect A.grad[1,1] == -1.6302
expect B[0,0] == -0.3058
expect G[0,0] == -0.0473

at-stop "02.6 the third derivative"
echo Derivatives are variables too, made by operations.\n
graph y1
expect y1 == 80
expect y2 == 160
expect y3 == 240

at-stop "02.8 the derivative of softmax"
echo The weights, their derivatives by each score, and what came back for G.\n
tensor J
grad s
expect y[2] == 0.6652
expect J[0,0] == 0.0819
expect J[2,1] == -0.1628
expect s.grad[0] == -0.0450

tour-end
