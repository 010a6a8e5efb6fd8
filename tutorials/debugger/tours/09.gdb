# The stops of lesson 09, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/09.gdb \
#         build/debug/tutorials/09_multi_head_attention

at-stop "09.1 two questions"
echo What "gave" looks at: Mary is column 0, Susan column 2. One head shares its row, two do not.\n
attention one_head
attention two_heads
expect one_head[0,0] == 0.38
expect two_heads[0,0] == 0.99
expect two_heads[1,2] == 0.99

at-stop "09.2 three ways"
echo A list of heads, named axes, one matrix for all: other shapes on the way, the same numbers.\n
shapes
compare list.weights one.weights
compare list.output named.output
expect list.Q.shape == [12, 20, 10]
expect named.Q.shape == [12, 20, 2, 10]
expect one.Q.shape == [12, 2, 20, 10]
expect list.weights.shape == [12, 2, 20, 20]

at-stop "09.3 view and transpose"
echo Each number says where it stands, 100·token + column. Head 1 must begin with column 2.\n
tensor right[1]
tensor wrong[1]
expect right.shape == [2, 3, 2]
expect right[1,0,0] == 2
expect wrong[1,0,0] == 102

at-stop "09.4 cross-attention"
echo Five queries, seven keys, three heads.\n
expect cross.weights.shape == [3, 5, 7]
expect cross.output.shape == [5, 6]

at-stop "09.5 the sum over heads"
echo What the heads write, added, is the output. Only last bits differ, for the sum has another order.\n
compare sum one.output
expect from_0[0,2,0] == 0.0507
expect from_1[0,2,0] == 0.1254
expect sum[0,2,0] == 0.3298

at-stop "09.6 two heads"
echo Head 0 and head 1, drawn at random. Row 7 is "it", column 1 "animal".\n
attention head_0
compare head_0 head_1
expect head_0[7,1] == 0.06
expect head_1[7,1] == 0.06

at-stop "09.8 a mask that is ignored"
echo Both functions were given a causal mask.\n
attention ignored
attention applied
expect ignored[0,1] == 0.18
expect applied[0,0] == 1.00
expect sum(applied[0]) == 1.00

at-stop "09.9 keys from queries"
echo What is called keys are the queries once more, transposed and read across.\n
compare keys queries
expect keys[0,0,1] == 100
expect keys[0,1,0] == 101

tour-end
