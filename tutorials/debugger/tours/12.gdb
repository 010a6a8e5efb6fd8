# The stops of lesson 12, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/12.gdb \
#         build/debug/tutorials/12_the_block

at-stop "12.1 feed-forward"
echo Four times as wide in the middle, and as wide as x at the end.\n
shapes
tensor y
expect y[0,0] == -0.3275
expect y[4,5] == 0.2024

at-stop "12.2 a block"
echo By hand, and by nn: no bit apart.\n
compare ours nns
expect ours[0,0] == -3.0462
expect nns[0,0] == -3.0462

at-stop "12.3 the residual stream"
echo After twelve layers: the norm after each keeps √d, the norm before lets it grow.\n
tensor at_end
expect at_end[0] == 5.657
expect at_end[1] == 8.094

at-stop "12.4 gradients"
echo With neither residual connection nor norm, nothing reaches the first layer.\n
tensor of_first
tensor of_last
expect of_last[0] == 0.016
expect of_first[1] == 0.460

at-stop "12.5 one part less"
tensor accuracy
expect accuracy[0] == 1.00
expect accuracy[4] == 0.51

at-stop "12.6 norm after"
echo PyTorch's numbers, and those of the layer here.\n
compare y pytorch
expect y[0,0] == -0.1464
expect pytorch[2,3] == 0.4977

at-stop "12.6 norm before"
compare y pytorch
expect y[1,0] == 2.5360
expect pytorch[0,3] == -0.5504

tour-end
