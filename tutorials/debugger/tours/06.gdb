# The stops of lesson 06, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/06.gdb \
#         build/debug/tutorials/06_soft_dictionary_lookup

at-stop "06.1 keys and values"
echo The dictionary: a key and a value for cat, hen, bee and spider.\n
shapes
expect K.shape == [4, 3]
expect K[2,1] == 0.6000
expect V[2,0] == 6

at-stop "06.2 scores and weights"
echo A bat is most like a cat, but a little like each.\n
tensor scores
tensor weights
expect scores[0] == 0.8000
expect weights[0] == 0.3434
expect sum(weights) == 1 within 1e-6
expect output[0] == 4.4972

at-stop "06.2 equal scores"
echo A query of zeros: equal scores, equal weights, the plain mean of the values.\n
expect equal[3] == 0.2500
expect mean[0] == 5.0000

at-stop "06.3 the keys ask themselves"
echo At temperature 0 a key finds its own value, as in an exact dictionary.\n
attention own_weights
expect own_weights[1,1] == 1.00
expect own_weights[1,2] == 0.00
expect found[2,0] == 6
expect found[2,1] == 4

at-stop "06.4 three widths"
echo Asked for hours 4, 10, 13.5 and 23, a column for each width.\n
tensor answers
expect answers[1,0] == 13.0
expect answers[2,0] == 19.0
expect answers[3,2] == 14.8

at-stop "06.6 a large query"
echo A query 100 times as large: the dot product gives all weight to one key, the additive score does not.\n
compare dot additive
expect dot[0,0] == 1.000
expect dot[0,1] == 0.000
expect additive[0,0] == 0.250
expect additive[0,3] == 0.250

tour-end
