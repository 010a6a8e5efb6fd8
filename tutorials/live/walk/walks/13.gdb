# The walk of lesson 13: a step of the encoder, then what a step of the decoder looks at.
walk title "13 Alignment" "One word is read by a gated unit; then one step of a decoder looks back at all words."
walk "13_alignment.cpp: const GatedStep step = gated_step(cell.weights, x, h)" "13_alignment.cpp: by_nn = cell(x, by_nn)" operations "one word is read"
walk "13_alignment.cpp: const BilinearScore f(d, d, random)" "13_alignment.cpp: const AdditiveScore additive(d, d, d, random)" operations "one decoder step looks back"
