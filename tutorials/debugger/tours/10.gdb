# The stops of lesson 10, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/10.gdb \
#         build/debug/tutorials/10_order

at-stop "10.1 both orders"
echo The sentence backwards: the same rows, in the other order.\n
tensor y
tensor y_backwards
expect y[0,0] == -0.3660
expect y_backwards[2,0] == -0.3660
expect y_backwards[0,0] == -0.1881

at-stop "10.2 with a table"
echo With a row of the table added, no word's vector is what it was.\n
compare placed backwards
expect placed.shape == [3, 4]
expect change == 4.3483

at-stop "10.3 the table"
echo One row for each position: the first columns turn fast, the last ones hardly move.\n
tensor PE
expect PE[1,0] == 0.8415
expect PE[1,1] == 0.5403

at-stop "10.5 turned products"
echo Equal along each diagonal: the product knows the distance only.\n
tensor q_k
expect q_k[0,0] == -1.2536
expect q_k[4,4] == -1.2536
expect q_k[4,0] == -3.0415

at-stop "10.7 weight by distance"
echo In texts four times as long as it learned from, the heads with rotary positions find the place.\n
tensor weights
expect weights[3] == 0.83
expect weights[0] == 0.00

tour-end
