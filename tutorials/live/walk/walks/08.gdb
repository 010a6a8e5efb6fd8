# The walk of lesson 08: one entry of a product, then mask and softmax, row by row.
walk title "08 Causal attention" "Three words of five numbers look backwards: scores, mask, softmax, output."
walk "08_causal_attention.cpp: const Variable scores = matmul(X, transpose(X))" "autograd/ops/matmul.cpp: return record<Matmul>({&A, &B}, site, A, B)" operations "the product X·Xᵀ"
skip -rfu 'kernels::(math::|plain::(sum|all_minus_infinity)[(])'
walk kernels::plain::matmul "plain.cpp: task.C[i * task.C_row + j]" kernels "one entry of it: three loops"
walk here "plain.cpp: Scalar sum = 0" kernels
walk "08.1 the scores" "autograd/ops/softmax.cpp: return record<Softmax>({&x}, site, axis)" operations
walk kernels::plain::softmax "plain_softmax.cpp: y[i] = y[i] / row_sum" kernels "softmax of row 0"
walk kernels::plain::softmax "plain_softmax.cpp: y[i] = y[i] / row_sum" kernels "softmax of row 1"
walk kernels::plain::softmax "plain_softmax.cpp: y[i] = y[i] / row_sum" kernels "softmax of row 2"
walk "08_causal_attention.cpp: const Variable output = matmul(weights, X)" "08.1 weights and output" operations "the output"
