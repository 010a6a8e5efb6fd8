# The stops of lesson 13, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/13.gdb \
#         build/debug/tutorials/13_alignment

at-stop "13.1 states"
echo A row for each word; the last one is all that a decoder without attention gets.\n
tensor H
expect H[0,0] == -0.3307
expect H[3,3] == 0.1214

at-stop "13.2 context"
echo Scores, weights, and the weighted sum of the states.\n
compare a alpha
expect a[0,0] == -0.1627
expect alpha[0,3] == 0.2629
expect c[0,3] == 0.1326

at-stop "13.4 curve"
echo The share of right translations of 22 to 24 words: one vector, attention, and with its place.\n
tensor longest
expect longest[0] == 0.00
expect longest[2] == 1.00

at-stop "13.5 looked"
echo Row 1 is "black", which comes from "negra", and row 2 "cow", from "vaca": the crossing.\n
attention weights
expect weights[1,2] == 0.99
expect weights[2,1] == 1.00

at-stop "13.6 chains"
echo Operations that wait for each other, for 24 words: GRU, and one head.\n
tensor chains
expect chains[0] == 218
expect chains[1] == 6

tour-end
