# The stops of lesson 03, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/03.gdb \
#         build/debug/tutorials/03_training

at-stop "03.1 the network"
echo 200 points go through two layers. Only the last axis changes.\n
shapes
expect x.shape == [200, 2]
expect h.shape == [200, 16]
expect y.shape == [200, 1]

at-stop "03.2 after backward"
echo The loss, and which way is up for each of the two weights.\n
expect before == 1.0214
grad layer.weight
expect layer.weight.grad[0,0] == -0.2198
expect layer.weight.grad[0,1] == -0.9555

at-stop "03.2 after the step"
echo The weights went the other way, by 0.1 times the gradient, and the loss fell.\n
compare w layer.weight
expect w[0,0] == -0.4762
expect layer.weight[0,0] == -0.4542
expect after == 0.8530

at-stop "03.3 two ways to train"
echo Both begin alike. With gradients cleared every step lowers the loss; without, it swings.\n
print right[67]
print wrong[67]
expect times_up == 32
expect turns == 16

at-stop "03.4 logits and probabilities"
echo The probabilities sum to 1 and keep the order; shares without exp can be negative.\n
tensor p
expect p[0] == 0.7054
expect sum(p) == 1 within 1e-6
expect shares[2] == -0.5000

at-stop "03.5 three gradients"
echo Probability minus truth, the library's gradient, and the measured one.\n
compare G measured
grad Z
expect G[0,1] == -0.3703
expect Z.grad[1,2] == -0.3333
expect measured[0,0] == 0.3527

at-stop "03.6 three steps"
echo Gradients differ in size, but the first step moves each weight by 0.02.\n
compare w weight
expect g[0,0] == 0.1087
expect g[1,1] == 0.2631
expect first[0,0] == -0.0200
expect w[0,1] == -0.6385

at-stop "03.7 after learning"
echo 200 training points, or 20 of them: then the held-out loss rises again.\n
print course.network
expect lowest == 0.37
expect last == 0.85

tour-end
