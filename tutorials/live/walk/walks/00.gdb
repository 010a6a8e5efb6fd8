# The walk of lesson 00: attention, as the notes have it, on three words.
walk title "00 First look" "Attention of three words of five numbers: scores, mask, weights, output."
walk "00.3 the matrix" attend operations
walk here "00.4 the output" operations "attend"
