# The stops of lesson 20, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/20.gdb \
#         build/debug/tutorials/20_other_peoples_weights

at-stop "20.3 the numbers"
echo The six numbers of wte.weight, as they came from the file.\n
tensor wte
expect wte[0,0] == -6.5
expect wte[2,1] == 1024

at-stop "20.4 layer 0, head 8"
echo The query of "arrow", the key of "time", and what each entry speaks for.\n
tensor products
expect q.shape == [4]
expect scores.shape == [5]

at-stop "20.4 a layer"
echo Head 8 of layer 0: each token sees itself and those before it.\n
attention weights[8]
expect weights.shape == [12, 5, 5]
expect sum(weights[8,4]) == 1.00

at-stop "20.4 a layer"
echo The same head number of layer 1.\n
attention weights[8]
expect weights[8,0,0] == 1.00
expect sum(weights[8,4]) == 1.00

at-stop "20.5 how far off"
echo As it is, c_proj turned, the other gelu, other pairs, another eps, other norms.\n
tensor apart
expect apart[0] == 0
expect apart.shape == [6]

tour-end
