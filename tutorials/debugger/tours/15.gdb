# The stops of lesson 15, each with something to look at.
#     gdb -q -batch -x tutorials/debugger/init.gdb -x tutorials/debugger/tours/15.gdb \
#         build/debug/tutorials/15_induction

at-stop "15.1 two layers"
echo Layer 0 looks one place back; layer 1 at what followed. The second a is torn between two keys.\n
attention first
attention second
expect first[3,2] == 1.00
expect second[4,0] == 0.50
expect second[6,3] == 1.00

at-stop "15.2 with a first token"
echo With a first token the second a knows where to look.\n
attention rested
expect rested[5,2] == 1.00
expect rested[1,0] == 0.50

at-stop "15.3 two layers"
echo Accuracy, weight on the token before, weight on what followed: medians of five models.\n
tensor found
expect found[0] == 0.97
expect found[2] == 0.97

at-stop "15.5 knocked out"
echo Induction of all, without the head for the token before, and without the other head.\n
tensor left
expect left[0] == 0.97
expect left[1] == 0.12
expect left[2] == 0.97

at-stop "15.6 in gpt-2"
echo The head in which the second "the" looks most at "spaceship", and how much others do.\n
attention most
expect most[5,2] == 0.68
expect most[4,2] == 0.42

tour-end
