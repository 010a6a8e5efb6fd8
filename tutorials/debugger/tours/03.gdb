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
expect before == 1.5332
grad layer.weight
expect layer.weight.grad[0,0] == 1.3541
expect layer.weight.grad[0,1] == -0.9616

at-stop "03.2 after the step"
echo The weights went the other way, by 0.1 times the gradient, and the loss fell.\n
compare w layer.weight
expect w[0,0] == 0.0557
expect layer.weight[0,0] == -0.0797
expect after == 1.2784

at-stop "03.3 two ways to train"
echo Both begin alike. Without clearing the loss is lower for a while, and then rises.\n
expect right[0] == 1.0306
expect wrong[0] == 1.0306
expect right[26] == 0.4692
expect wrong[26] == 0.7376

at-stop "03.4 at the start"
echo The network that is to learn, layer by layer, and the points.\n
print network
expect moons.points.shape == [200, 2]

at-stop "03.4 after learning"
echo 400 steps later. Of the 200 points each is on its side.\n
expect first_loss == 1.0373
expect last_loss == 0.0061

tour-end
