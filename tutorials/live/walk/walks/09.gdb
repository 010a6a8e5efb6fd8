# The walk of lesson 09: columns into heads and back, on numbers that say where they stand, then in
# one projection for all heads.
walk title "09 Multi-head attention" "One matrix for all heads: its columns are split into heads, and merged again."
walk one_projection "09.2 three ways" operations "one projection"
walk "09_multi_head_attention.cpp: const Variable x = tutorial::numbered(T, h * d)" "09.3 view and transpose" operations "the split, number by number"
