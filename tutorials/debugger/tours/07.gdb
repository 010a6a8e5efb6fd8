# The stops of lesson 07, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/07.gdb \
#         build/debug/tutorials/07_scaled_attention

at-stop "07.1 before measuring"
echo How many numbers a query may have, and how many queries and keys will be measured.\n
print sizes
expect N == 1000
expect sizes[5] == 1024

at-stop "07.2 overflow"
echo Divided by √64 the scores are still above 88.72, and exp of that is inf.\n
tensor at_the_edge
tensor divided
expect at_the_edge[1] == 88.72
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
expect test.X[0,0,8] == 0.59
expect test.X[0,0,9] == -1.22

at-stop "07.5 after training"
echo The weight on the item that was asked for, in 50 examples of four questions.\n
expect smallest(after) == 0.9724
expect loss == 0.0002

at-stop "07.6 what compares"
echo Rows 0 to 3 are what an item asks for, columns 4 to 7 what another is: the diagonal leads.\n
tensor M[0:4,4:8]
expect M.shape == [10, 10]
expect M[0,4] == 8.2
expect M[2,6] == 6.1
expect M[1,7] == -3.6

at-stop "07.7 three scores"
echo Without projections, with one for both sides, with two. The first two are symmetric.\n
tensor as_is[0]
compare as_is[0,0] as_is[0,:,0]
tensor tied[0]
compare tied[0,1] tied[0,:,1]
tensor separate[0]
expect found[1].loss == 0.8639
expect found[1].itself == 0.52
expect found[2].loss == 0.5598

tour-end
