# The stops of lesson 12, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/12.gdb \
#         build/debug/tutorials/12_the_block

at-stop "12.1 feed-forward"
echo Four times as wide in the middle, and as wide as x at the end.\n
shapes
tensor y
expect y[0,0] == -0.3275
expect y[4,5] == 0.2024

at-stop "12.2 one row"
echo Mean 0 and variance 1 before scale and shift, and no longer after them.\n
tensor normed
tensor y
expect normed[0] == -1.3416
expect y[2] == 1.4472

at-stop "12.3 dropout"
echo Two calls drop different entries; the others are x divided by 0.75.\n
tensor first
tensor second
expect first[1] == 2.6667
expect second[0] == 1.3333

at-stop "12.4 a block"
echo By hand, and by nn: no bit apart.\n
compare ours nns
expect ours[0,0] == -0.9456
expect nns[0,0] == -0.9456

at-stop "12.5 the residual stream"
echo After twelve layers: the norm after each keeps √d, the norm before lets it grow.\n
tensor at_end
expect at_end[0] == 5.657
expect at_end[1] == 7.603

at-stop "12.5 gradients"
echo With neither residual connection nor norm, nothing reaches the first layer.\n
tensor of_first
tensor of_last
expect of_last[0] == 0.014
expect of_first[1] == 0.505

at-stop "12.6 trained"
echo Neither, norms only, residual only, both: the medians of three runs.\n
tensor medians
expect medians[0] == 0.17
expect medians[3] == 0.97

at-stop "12.7 at a hundredth"
echo The norm after, the same with warmup, the norm before.\n
tensor at_1e2
expect at_1e2[0] == 0.17
expect at_1e2[2] == 1.00

at-stop "12.8 one part less"
tensor accuracy
expect accuracy[0] == 1.00
expect accuracy[4] == 0.61

at-stop "12.9 norm after"
echo PyTorch's numbers, and those of the layer here.\n
compare y pytorch
expect y[0,0] == -0.1464
expect pytorch[2,3] == 0.4977

at-stop "12.9 norm before"
compare y pytorch
expect y[1,0] == 2.5360
expect pytorch[0,3] == -0.5504

tour-end
