# The stops of lesson 08, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/08.gdb \
#         build/debug/tutorials/08_causal_attention

at-stop "08.1 the scores"
echo Every word with every word, the future too.\n
tensor scores
expect X.shape == [3, 5]
expect scores[1,0] == 0.6233
expect scores[2,2] == 0.4097

at-stop "08.1 after the mask"
echo Where the mask has a dot, the score is -inf now.\n
print mask
tensor allowed
expect allowed[0,0] == 0.8860
expect allowed[0,1] == -inf
expect allowed[1,2] == -inf

at-stop "08.1 weights and output"
echo exp(-inf) is 0: no weight on the future, and each row sums to 1.\n
attention weights
expect weights[0,2] == 0.0000
expect weights[1,0] == 0.4684
expect weights[2,0] == 0.3263
expect sum(weights[2]) == 1.0000
expect output[2,1] == 0.6228

at-stop "08.2 one pass"
echo The last output of each beginning, read by itself, and all rows of one masked pass.\n
compare together apart
compare unmasked apart
expect together[0,0] == 0.4547
expect together[8,3] == 0.0762
expect apart[3,1] == -0.2757

at-stop "08.3 two futures"
echo The last word was exchanged. One row has changed with the mask: its own.\n
compare causal.output changed.output
expect with == 1
expect without == 9
expect causal.weights[8,8] == 0.12
expect causal.weights[0,8] == 0

at-stop "08.4 norms of gradients"
echo How strongly each output depends on each word: nothing above the diagonal.\n
tensor norms
expect norms[0,0] == 1.32
expect norms[0,1] == 0
expect norms[8,7] == 0.12
expect norms[7,8] == 0

at-stop "08.6 nothing to see"
echo The second query may attend to nothing: its weights and output are 0, and not NaN.\n
print mask
tensor defined.weights
expect largest(defined.weights[1]) == 0.0000
expect sum(defined.output[1]) == 0.0000
expect sum(defined.weights[2]) == 1.0000

at-stop "08.7 both masks"
echo A causal mask for all sentences, and one for the padding of each.\n
shapes
expect causal.shape == [9, 9]
expect padding.shape == [2, 1, 1, 9]
expect both.shape == [2, 1, 9, 9]

tour-end
