# Gradient accumulation: watches one number of a gradient change, once for each use of x.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/lessons/accumulation.gdb \
#         build/debug/tutorials/02_autograd

tbreak accumulation
run > /dev/null

echo \n--- x·x uses x twice. The first use hands its gradient on: G·b, with b = x.\n
tbreak Multiply::gradient
continue
tbreak BackwardPass::add_to
continue
finish
echo \nThat is what has arrived for x, so far the total:\n
tensor gradients_[0]
expect gradients_[0][1] == 2

echo \n--- Now the number for x[1] is watched. The second use adds the same again:\n
watch-number gradients_[0][1]
continue

echo \n--- With that, x.grad is complete: 2x. The second backward() adds to the same cell:\n
continue
watch-number
tbreak heed::stop
continue
grad x
expect x.grad[0] == 12
expect x.grad[1] == 14
expect x.grad[2] == 16
kill
