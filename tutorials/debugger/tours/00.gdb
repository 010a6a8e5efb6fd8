# The stops of lesson 00, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/00.gdb \
#         build/debug/tutorials/00_first_look

at-stop "00.1 a sentence"
echo Nine words, a vector of 100 numbers for each, and who looks at whom.\n
shapes
attention weights
expect X.shape == [9, 100]
expect weights[2,0] == 0.28
expect weights[4,3] == 0.20
expect weights[8,6] == 0.18

at-stop "00.2 flies"
echo One vector in the table, two after attention: closer to plane, closer to insects.\n
tensor time.weights
expect before[1] == 0.63
expect in_time[0] == 0.65
expect in_fruit[1] == 0.67

at-stop "00.2 it"
echo Tired or wide, it makes no difference: the weight goes to small words. Column 1 is animal.\n
compare tired.weights wide.weights
expect tired.weights[1] == 0.02
expect tired.weights[3] == 0.13
expect if_tired[0] == 0.46

at-stop "00.3 the matrix"
echo Three words, five numbers each. X will be query, key and value at once.\n
tensor X
expect X.shape == [3, 5]
expect X[0,4] == 0.9474

at-stop "00.4 the weights"
echo A row for each query. The first word sees itself alone, the last one all three.\n
attention attention.weights
expect attention.weights.shape == [3, 3]
expect attention.weights[0,0] == 1.0000
expect attention.weights[0,1] == 0.0000
expect attention.weights[1,0] == 0.4684
expect attention.weights[2,2] == 0.3501

at-stop "00.4 the output"
echo Each row is the sum of the rows of X with these weights: the first is X's own.\n
tensor attention.output
expect attention.output[0,0] == 0.8505
expect attention.output[1,2] == 0.3542
expect attention.output[2,3] == 0.3903

at-stop "00.5 the gradient"
echo How a change of each number of X moves y[2, 0]: by autograd, and one of them measured.\n
tensor dy_dX
expect dy_dX.shape == [3, 5]
expect dy_dX[2,3] == -0.0837
expect measured == -0.0837
expect dy_dX[2,0] == 0.3800

tour-end
