# The stops of lesson 19, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/19.gdb \
#         build/debug/tutorials/19_generating

at-stop "19.1 keys and values"
echo Five keys and five values; one row of the triangle came with each token.\n
attention triangle
expect K.shape == [5, 4]
expect V.shape == [5, 4]
expect triangle[0,0] == 1.00
expect triangle[2,1] == 0.38
expect triangle[4,4] == 0.19

at-stop "19.4 one step"
echo Token 1 is "to", token 4 "are": the model is torn, a temperature of 2 lets others in, top-p cuts them.\n
tensor plain
tensor hot
tensor most

at-stop "19.6 losses"
echo With counted positions, with positions that start again, and the surprise of these texts.\n
tensor losses
expect losses[0] == 0.536
expect losses[1] == 1.145

tour-end
