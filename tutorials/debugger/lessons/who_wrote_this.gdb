# Which line wrote this number last? Records some lines of lesson 08 and runs them backwards.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/lessons/who_wrote_this.gdb \
#         build/debug/tutorials/08_causal_attention

set heed-recordable on
tbreak notes_matrix
run > /dev/null
until-stop 08.1 after the mask

echo \n--- Everything is recorded from here. One line makes the weights:\n
record
next
next
next
tensor weights
expect weights[2,1] == 0.3235

echo \n--- Who wrote weights[2,1]?\n
wrote weights[2,1]
echo \nThis line divides by the sum of the row. The program stands there now, back in time:\n
frame
print y[i]
print row_sum

echo \n--- And before that?\n
wrote
echo \nThis one took exp of the score less the largest in its row.\n
frame
print x[i] - row_max

echo \n--- Back to the present:\n
record goto end
frame function lesson
down
expect weights[2,1] == 0.3235
record stop
kill
