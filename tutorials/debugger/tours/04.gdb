# The stops of lesson 04, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/04.gdb \
#         build/debug/tutorials/04_tokens_and_embeddings

at-stop "04.1 words and ids"
echo "This is a test text", as numbers.\n
tensor ids
expect ids.shape == [5]
expect ids[3] == 15

at-stop "04.2 unknown words"
echo Words 3, 7 and 8 are not in the vocabulary: all of them have the id of [UNK].\n
tensor ids
expect ids[2] == 7
expect ids[3] == 0
expect ids[4] == 16

at-stop "04.3 rows of a table"
echo A product with one-hot rows picks rows of E, and so does the lookup.\n
shapes
compare by_product by_row
expect one_hot.shape == [5, 16]
expect E.shape == [16, 6]
expect by_row[0,0] == -0.0332
expect by_product[2,3] == 1.7499

at-stop "04.5 with positions"
echo "the" stands at 0, 3 and 11: one row of E, but three rows of X.\n
tensor tokens[0]
tensor tokens[3]
tensor X[0]
tensor X[3]
expect ids.shape == [14]
expect tokens[0,0] == 1.0382
expect tokens[3,0] == 1.0382
expect X[0,0] == -0.6982
expect X[3,0] == 0.9451
expect X[11,0] == 2.5659

at-stop "04.6 a sentence backwards"
echo Without positions all nine words keep their row, with positions only the one in the middle.\n
compare X[4] X_backwards[4]
compare X[0] X_backwards[8]
expect same_without == 9
expect same_with == 1

at-stop "04.7 the gradient of a row"
echo The gradient of a row counts how often its word was read: "the" three times, "nobody" never.\n
tensor counts
expect E.grad[0,0] == 3
expect E.grad[7,0] == 2
expect E.grad[11,5] == 0

at-stop "04.8 a batch"
echo Two sentences of five words. "flies" has the id 1 in both.\n
tensor ids
expect ids.shape == [2, 5]
expect ids[1,1] == 1
expect X.shape == [2, 5, 6]

at-stop "04.9 counted vectors"
echo 33 words, each counted with each. Words that keep the same company are similar.\n
expect C.shape == [33, 33]
expect cosines[0,4] == 0.61

tour-end
