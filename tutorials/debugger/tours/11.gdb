# The stops of lesson 11, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/11.gdb \
#         build/debug/tutorials/11_known_jobs

at-stop "11.1 the word before"
echo A 1 below the diagonal: each word looks at the one before; the first has none, and spreads.\n
attention before
expect before[1,0] == 1.00
expect before[0,3] == 0.20

at-stop "11.2 the same word"
echo Both "the" share their row.\n
attention same_word
expect same_word[0,3] == 0.50
expect same_word[4,4] == 1.00

at-stop "11.3 sorting"
echo The score falls with the distance above, and is -inf below.\n
tensor scores
attention weights
expect weights[0,1] == 1.00
expect found[6,0] == 6.
expect found[0,0] == 1.

at-stop "11.4 who gave what"
echo Three rows keep three words apart; one row mixes them.\n
tensor three
tensor one
expect three[0,0] == 1.00
expect one[0,2] == 0.33

at-stop "11.6 a place to rest"
echo The last column is the zero key.\n
expect solved.median == 0.000053
expect absent.median == 0.980
expect present.median == 0.005

at-stop "11.7 in gpt-2"
echo Head 4.11 looks at the word before, head 0.1 at the same word.\n
attention word_before
attention same_word
expect word_before[2,1] == 1.00
expect same_word[5,1] == 0.54
expect same_word[5,5] == 0.46

tour-end
