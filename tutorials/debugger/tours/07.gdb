# The stops of lesson 07, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/07.gdb \
#         build/debug/tutorials/07_scaled_attention

at-stop "07.1 before measuring"
echo So many numbers has a query, so many pairs will be measured.\n
print sizes
expect N == 4000
expect sizes[5] == 1024

at-stop "07.2 overflow"
echo Divided by √64 the scores are above 88 all the same, and exp of that is inf.\n
tensor divided
expect scores[0] == 1000
expect divided.shape == [3]

at-stop "07.4 queries"
echo X·W^Q: each word's own query.\n
shapes
expect X.shape == [5, 4]
expect W_Q.shape == [4, 3]
expect Q.shape == [5, 3]

at-stop "07.4 weights on the left"
echo Only the last word changed. On the left the weights mix the words, so every row changed.\n
compare Q Q_apple
compare mixed mixed_apple
expect mixed.shape == [5, 4]

at-stop "07.5 before training"
echo Drawn at random: what is asked for has no more weight than the others.\n
tensor W.W_Q
tensor test.X[0]
expect test.X[0,0,8] == -0.23

at-stop "07.5 after training"
echo The weight on the item that was asked for, in 50 examples of four questions.\n
expect smallest(after) == 0.9720
expect loss == 0.0002

at-stop "07.6 what compares"
echo Rows 0 to 3 are what an item asks for, columns 4 to 7 what another is: the diagonal leads.\n
tensor M[0:4,4:8]
expect M.shape == [10, 10]
expect M[0,4] == 7.5
expect M[2,6] == 8.1
expect M[1,4] == -7.8

at-stop "07.7 the same by nn"
echo The layer of nn with the same three matrices: the same weights, to the last bit.\n
compare by_hand.weights by_head.weights
print head
expect by_hand.weights.shape == [3, 4, 4]
expect by_hand.output.shape == [3, 4, 2]

tour-end
