# The walk of lesson 07: one head that has learned to look up, by hand and as nn has it.
walk title "07 Scaled attention" "One head, trained to look up: by hand, then nn's AttentionHead."
walk "learned_lookup.cpp: const Attention by_hand = attend(W, X)" "learned_lookup.cpp: const Attention by_function = scaled_dot_product_attention(Q, K, V)" operations "by hand"
walk here "learned_lookup.cpp: const Attention by_head = head.with_weights(X)" operations "as a function"
walk here "learned_lookup.cpp: and so does AttentionHead with these matrices" operations "as a layer"
