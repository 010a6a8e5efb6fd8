# The stops of lesson 20, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/20.gdb \
#         build/debug/tutorials/20_other_peoples_weights

at-stop "20.3 the numbers"
echo The six numbers of wte.weight, as they came from the file.\n
tensor wte
expect wte[0,0] == -6.5
expect wte[0,1] == 0.1

at-stop "20.4 before the call"
echo The ids of "time flies like an arrow"; from here: until-layer model->blocks[1].attention\n
tensor ids
expect ids[0] == 278
expect ids[4] == 281

at-stop "20.4 layer 0, head 8"
echo The query of "arrow", the key of "time", and what each entry speaks for.\n
tensor products
expect q[0] == 0.63
expect k[0] == 0.13
expect products[2] == 1.14
expect scores[1] == 2.46

at-stop "20.4 all layers and heads"
echo Layer 0, head 8: each token sees itself and those before it. Then layer 1.\n
attention weights[0,8]
attention weights[1,8]
expect weights.shape == [2, 12, 5, 5]
expect weights[0,8,4,1] == 0.85
expect sum(weights[1,8,4]) == 1.00

at-stop "20.5 how far off"
echo As it is, c_proj turned, the other gelu, other pairs, another eps, other norms.\n
tensor apart
expect apart[1] == 10.5463
expect apart[2] == 0.0011

tour-end
