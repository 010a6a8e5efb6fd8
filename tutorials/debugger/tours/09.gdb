# The stops of lesson 09, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/09.gdb \
#         build/debug/tutorials/09_multi_head_attention

at-stop "09.1 three ways"
echo A list of heads, named axes, one matrix for all: other shapes on the way, the same numbers.\n
shapes
compare list.weights one.weights
compare list.output named.output
expect list.Q.shape == [12, 20, 10]
expect named.Q.shape == [12, 20, 2, 10]
expect one.Q.shape == [12, 2, 20, 10]
expect list.weights.shape == [12, 2, 20, 20]
expect list.output[0,0,0] == 0.3338

at-stop "09.2 view and transpose"
echo Each number says where it stands, 100·token + column. Head 1 must begin with column 2.\n
tensor right[1]
tensor wrong[1]
expect right.shape == [2, 3, 2]
expect right[1,0,0] == 2
expect wrong[1,0,0] == 102

at-stop "09.5 one block for each head"
echo A head that gets a slice of the input has zeros in all other rows of its matrix.\n
tensor W
expect W.shape == [6, 6]
expect W[0,0] == 0.4370
expect W[0,2] == 0.0000
expect W[5,5] == -0.2934

at-stop "09.6 a mask that is ignored"
echo Both were given a causal mask.\n
attention its
attention ours
expect its[0,3] == 0.16
expect ours[0,0] == 1.00
expect sum(ours[0]) == 1.00

at-stop "09.7 keys from queries"
echo What 004's lines call keys are the queries once more, transposed and read across.\n
shapes
compare keys again
expect wide.num_heads == 4
expect X.shape == [2, 5, 16]

at-stop "09.8 cross-attention"
echo Five queries, seven keys, three heads.\n
expect cross.weights.shape == [3, 5, 7]
expect cross.output.shape == [5, 6]

at-stop "09.9 two heads"
echo Head 0 and head 1, drawn at random. Row 7 is "it", column 1 "animal".\n
attention head_0
compare head_0 head_1
expect head_0[7,1] == 0.02
expect head_1[7,1] == 0.03

tour-end
