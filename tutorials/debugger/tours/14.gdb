# The stops of lesson 14, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/14.gdb \
#         build/debug/tutorials/14_language_model

at-stop "14.1 shifted by one"
echo The same ids, the targets one further on.\n
tensor inputs
tensor targets
expect inputs.shape == [1, 8]
expect targets.shape == [1, 8]

at-stop "14.3 the staircase"
echo Each step lowers the loss; the last number is the surprise of these texts, which none gets below.\n
tensor losses
expect losses[0] == 2.969
expect losses[4] == 0.528
expect losses[5] == 0.525

at-stop "14.6 not shifted"
echo Repeating is easy, and of no use: the loss for the next token is far above ln 19.\n
tensor losses
expect losses[0] == 0.001

at-stop "14.7 handed over"
echo Probabilities lie between 0 and 1: a second softmax makes them nearly uniform.\n
expect right == 0.000
expect wrong == 2.031

tour-end
