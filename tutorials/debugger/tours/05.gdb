# The stops of lesson 05, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/05.gdb \
#         build/debug/tutorials/05_dot_product_attention

at-stop "05.1 by loops"
echo "it", the last of the four words, looks at "chicken" more than at itself.\n
attention right.weights
expect right.weights[3,1] == 0.57
expect right.weights[3,3] == 0.34
expect right.output[1,1] == 1.9640
echo With x_i in place of x_j nothing happens: what comes out is X.\n
compare wrong.output X
expect wrong.output[3,1] == 1.5000

at-stop "05.2 scores before and after the mask"
echo What lies ahead becomes -inf; the other scores stay.\n
print mask
tensor back
expect back.shape == [4, 4]
expect back[0,1] == -inf
expect back[3,1] == 3.0000

at-stop "05.2 weights and output"
echo exp(-inf) is 0, and each row sums to 1.\n
attention A
expect A[0,0] == 1.00
expect A[3,1] == 0.57
expect Y[3,1] == 1.6517

at-stop "05.3 which softmax"
echo A is the softmax of each row, B that of the whole matrix: no row of it sums to 1.\n
expect sum(A[0]) == 1.0000
expect B[1,1] == 0.4201
expect sum(B[0]) == 0.0330
expect sum(B[1]) == 0.5901

at-stop "05.4 counted vectors"
echo 33 words, each counted with each. Who keeps the same company is alike.\n
expect C.shape == [33, 33]

at-stop "05.5 scores of real words"
echo Squared lengths stand on the diagonal, and lead by far: the softmax will be saturated.\n
tensor S
expect X.shape == [7, 100]
expect S[0,0] == 37.4
expect S[4,6] == 20.9

at-stop "05.6 at length one"
echo At length 1 no score is above 1, and the weights lie close together.\n
tensor cosines
expect cosines[0,1] == 0.75
expect largest(at_1) == 0.28

at-stop "05.9 queries, keys, values"
echo Four queries and six keys; a value has two numbers.\n
shapes
expect Q.shape == [4, 3]
expect K.shape == [6, 3]
expect weights.shape == [4, 6]
expect output[0,1] == -0.5067

tour-end
