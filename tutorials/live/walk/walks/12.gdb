# The walk of lesson 12: one block, by hand, with the norm after what is added.
walk title "12 The block" "Five words go through one block: attention, residual connection, norm, feed-forward."
walk Block::operator() LayerNorm::operator() operations "attention"
walk here FeedForward::operator() operations "added to x, and normed"
walk here TransformerEncoderLayer::operator() operations "feed-forward, added, and normed"
