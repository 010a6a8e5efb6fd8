# The walk of lesson 19: tokens come one by one, and each finds the keys and values that were kept.
walk title "19 Generating" "Five tokens come one by one: each adds a key and a value to those kept."
walk "19_generating.cpp: Kept kept;" "19.1 keys and values" operations "the cache grows"
