# The walk of lesson 13: a step of the encoder and a look back with four numbers, then a step of the
# decoder that is trained.
walk title "13 Alignment" "One word is read, one step looks back, and then one step of the translator's decoder."
walk "13_alignment.cpp: const GatedStep step = gated_step(cell.weights, x, h)" "13_alignment.cpp: by_nn = cell(x, by_nn)" operations "one word is read"
walk "13_alignment.cpp: const BilinearScore f(d, d, random)" "13.2 context" operations "one step looks back"
tbreak measured.cpp:121
continue
walk Translator::next "translator.cpp: return {s, c, alpha};" operations "one decoder step"
