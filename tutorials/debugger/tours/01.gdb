# The stops of lesson 01, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/01.gdb \
#         build/debug/tutorials/01_tensors

at-stop "01.1 a list and a shape"
echo The same six numbers as a list and as two rows of three.\n
print list
tensor x
expect x.shape == [2, 3]
expect x[1,2] == 22
expect list[5] == 22

at-stop "01.2 the transpose"
echo Shapes and strides are exchanged, and the memory is one and the same.\n
shapes
expect x.strides == [3, 1]
expect xT.shape == [3, 2]
expect xT.strides == [1, 3]
expect xT[0,1] == 20

at-stop "01.3 three views"
echo Windows onto the same memory: another offset, other strides.\n
expect rows.shape == [2, 6]
expect rows.offset_ == 6
tensor every_second
expect every_second.strides == [6, 2]
expect every_second[3,2] == 22
expect column.shape == [4]
expect column[3] == 23

at-stop "01.4 a view and a transpose"
echo Both are [6, 4], and they are not the same.\n
compare viewed transposed
expect viewed[1,0] == 4
expect transposed[1,0] == 1

at-stop "01.5 broadcast"
echo A row for all rows: its stride along the new axis is 0, so no number is copied.\n
tensor sum
expect sum[0,0] == 111
expect sum[1,2] == 236
expect repeated.shape == [2, 3]
expect repeated.strides == [0, 1]

at-stop "01.6 centred rows"
echo kept has an axis of length 1, along which it is repeated when it is taken from x.\n
expect kept.shape == [2, 1]
expect kept[1,0] == 6
tensor centred
expect centred[1,2] == 3
expect sum(centred[1]) == 0

at-stop "01.7 the product"
echo C[0, 1] is row 0 of A against column 1 of B.\n
tensor A[0]
tensor B[:,1]
expect C.shape == [2, 2]
expect C[0,1] == 302

at-stop "01.8 all heads at once"
echo Axes by their names: Q has one for the heads and none for d_model. The scores pair heads.\n
shapes
expect x.shape == [2, 5, 6]
expect W_Q.shape == [3, 6, 4]
expect Q.shape == [2, 5, 3, 4]
expect scores.shape == [2, 3, 5, 5]

tour-end
