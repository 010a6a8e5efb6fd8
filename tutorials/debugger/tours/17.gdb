# The stops of lesson 17, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/17.gdb \
#         build/debug/tutorials/17_pixels

at-stop "17.1 patches"
echo 64 rows of 64 pixels become 64 tokens of 192 numbers.\n
shapes
expect pixels.shape == [1, 64, 64, 3]
expect patches.shape == [1, 64, 192]

at-stop "17.2 found"
echo Accuracy of the red patch alone, of the mean, of a head; its weight on yellow, on the poncho.\n
tensor found
expect found[0] == 0.25
expect found[2] == 1.00
expect found[4] == 0.00

at-stop "17.3 weights"
echo Patch 13 is the yellow one, patch 10 the red one itself.\n
expect weights[13] == 1.00
expect weights[10] == 0.00

at-stop "17.4 shuffled"
compare shuffled expected
expect shuffled.shape == [400, 4]
expect expected.shape == [400, 4]

tour-end
