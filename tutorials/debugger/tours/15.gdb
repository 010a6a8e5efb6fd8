# The stops of lesson 15, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/15.gdb \
#         build/debug/tutorials/15_induction

at-stop "15.1 two layers"
echo Layer 0 looks one place back; layer 1 at what followed. The second a is torn between two keys.\n
attention first
attention second
expect first[3,2] == 1.00
expect second[4,0] == 0.50
expect second[6,3] == 1.00

at-stop "15.2 with a first token"
echo With a first token the second a knows where to look.\n
attention rested
expect rested[5,2] == 1.00
expect rested[1,0] == 0.50

at-stop "15.3 two layers"
echo Accuracy, weight on the token before, weight on what followed.\n
tensor found
expect found[0] == 0.99
expect found[2] == 0.98

tour-end
