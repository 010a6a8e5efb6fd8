# The stops of lesson 18, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/18.gdb \
#         build/debug/tutorials/18_translation

at-stop "18.1 cross-attention"
echo A row for each English word, a column for each Spanish one.\n
attention weights
expect memory.shape == [5, 8]
expect weights[0,0] == 0.2115
expect weights[5,4] == 0.2505

at-stop "18.2 logits"
echo Three sentences; only the longest is the same without masks.\n
compare with_mask without
expect with_mask.shape == [3, 14, 68]
expect without.shape == [3, 14, 68]

at-stop "18.3 right"
echo Sinusoids, a bias within each language, a bias everywhere: at 22 to 24 words, and at 10 to 12.\n
tensor right
expect right[2] == 0.63
expect right_at_12[1] == 0.61

at-stop "18.4 weights"
echo The mean of the four heads; row 3 is "white", column 3 "blanco".\n
tensor weights
expect weights[3,3] == 0.53
expect weights[0,0] == 0.32

at-stop "18.5 logits"
echo Word by word with kept keys and values, and all at once: no bit apart.\n
compare one_by_one at_once
expect one_by_one.shape == [29, 68]
expect at_once.shape == [29, 68]

at-stop "18.6 found"
echo The mean log P of what greedy and four beams found, by the first model.\n
tensor log_p
expect log_p[0] == -0.65
expect log_p[1] == -0.43

tour-end
