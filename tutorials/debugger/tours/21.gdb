# The stops of lesson 21, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/21.gdb \
#         build/debug/tutorials/21_leaving

at-stop "21.1 the file"
echo One of the weights, as it came back from the file: W_Q of the first block, [out, in].\n
tensor W_Q
expect W_Q.shape == [32, 32]

at-stop "21.2 the mean of gradients"
echo The gradient of the token table: of the whole batch, and as the mean of four processes.\n
tensor of_all
tensor of_four
expect of_all.shape == [19, 32]
expect of_four.shape == [19, 32]

at-stop "21.2 how far apart"
echo One process alone, the mean of four, the mean of unequal parts, the same weighted.\n
tensor apart
expect apart[0] == 1.572
expect apart[1] == 0.000
expect apart[2] == 0.345

tour-end
