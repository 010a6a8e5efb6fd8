# The walk of lesson 07: one head that has learned to look up, by hand and as nn has it.
walk title "07 Scaled attention" "One head, trained to look up: by hand, then nn's AttentionHead."
walk "learned_lookup.cpp: const Attention by_hand = attend(W, X)" "learned_lookup.cpp: and so does AttentionHead with these matrices" operations "one head"
