# The stops of lesson 16, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/16.gdb \
#         build/debug/tutorials/16_which_bar

at-stop "16.1 bar"
echo The row of bar in four sentences: of the table, always the same; after attention, not.\n
compare bar context
expect bar[0,0] == -0.1508
expect bar[3,0] == -0.1508
expect context[0,0] == -0.4270
expect context[3,0] == -0.0131

at-stop "16.2 padding"
echo Three sentences in one batch; 0 is [PAD].\n
tensor ids
expect ids[0,1] == 18
expect mask.shape == [3, 1, 1, 12]

at-stop "16.3 logits"
echo Logits are no probabilities; their softmax is.\n
compare logits probabilities
expect logits[0,1] == 0.1022
expect probabilities[0,1] == 0.3503

at-stop "16.4 accuracy"
echo The word alone, the bag of words, [CLS], the mean.\n
tensor torn
expect torn[1] == 0.50
expect clear[1] == 1.00

at-stop "16.5 weights"
echo Where bar looks in "the beer bar was near the piano", [CLS] first.\n
tensor of_bar
expect of_bar[2] == 0.98
expect of_bar[7] == 0.01

at-stop "16.6 flies"
echo Cosines of flies near time, near plane, near fruit: before the encoder, and after.\n
compare before after
expect before[0,2] == 1.00
expect after[0,2] == 0.11

tour-end
