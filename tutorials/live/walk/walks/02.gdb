# The walk of lesson 02: softmax forwards, then backward() through its derivative to the leaf.
walk title "02 Autograd" "A softmax of three scores, and backward() through its derivative to the leaf s."
walk "derivatives.cpp: const Variable y = softmax(s, -1)" "derivatives.cpp: y.backward({.upstream = G});" operations "softmax"
skip -rfu '^heed::f64::(tensor::|Operation::|record<|operator[-+*/]|(.anonymous namespace.::)?constant|TopologicalOrder::|Upstream::|upstream_or_one|Variable::detach|BackwardPass::(BackwardPass|want_leaves|mark_needed|call_hooks|check_))'
walk here "02.8 the derivative of softmax" tensor "backward()"
walk why s
