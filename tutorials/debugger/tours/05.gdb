# The stops of lesson 05, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/05.gdb \
#         build/debug/tutorials/05_dot_product_attention

at-stop "05.1 arrows"
echo The product grows with the norm, as 2b shows; the cosine does not.\n
tensor arrows
expect products[2] == 10
expect cosines[1] == 0.71
expect cosines[2] == 0.71

at-stop "05.1 softmax"
echo One point of score less, and the weight is divided by e.\n
expect a[0] == 0.6439
expect a[1] == 0.2369
expect sum(a) == 1.0000

at-stop "05.2 by loops"
echo "it", the last of the four words, looks at "chicken" more than at itself.\n
attention right.weights
expect right.weights[3,1] == 0.57
expect right.weights[3,3] == 0.34
expect right.output[3,1] == 1.6517
echo With x_i in place of x_j nothing happens: what comes out is X.\n
compare wrong.output X
expect wrong.output[3,1] == 1.5000

at-stop "05.3 scores, weights, output"
echo Each score is the product of two rows of X, and each row of A sums to 1.\n
tensor S
expect S.shape == [4, 4]
expect S[3,1] == 3.0000
expect A[3,1] == 0.57
expect Y[3,1] == 1.6517

at-stop "05.4 which softmax"
echo A is the softmax of each row, B that of the whole matrix: no row of it sums to 1.\n
expect sum(A[0]) == 1.0000
expect sum(B[0]) == 0.0330
expect sum(B[1]) == 0.5901

at-stop "05.5 seven words"
echo Squared norms stand on the diagonal, and lead by far: the softmax will be saturated.\n
tensor S
expect X.shape == [7, 100]
expect S[0,0] == 37.4
expect S[4,6] == 20.9
echo At norm 1 no score is above 1, and the weights lie close together.\n
tensor cosines
expect largest(at_1) == 0.28

at-stop "05.8 one apple, two contexts"
echo The same row of the table, two rows of weights, two vectors.\n
attention at_office.A office
expect at_office.A[0,0] == 0.72
expect in_office[2] == 0.78
expect in_market[0] == 0.67

tour-end
