// Answers to 02.3.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_02.h"

#include "autograd/ops/matmul.h"
#include "autograd/variable.h"
#include "tensor/einsum/einsum.h"
#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

using namespace heed;
using namespace exercise;

namespace {
Tensor right_x(const Tensor& W, const Tensor& G) { return tensor::matmul(G, tensor::transpose(W)); }

// One gradient for each text.
Tensor of_each_text(const Tensor& x, const Tensor& G) {
    return tensor::matmul(tensor::transpose(x), G);
}

Tensor merged(const Tensor& x) { return tensor::reshape(x, {-1, x.dim(-1)}); }

Tensor right_W(const Tensor& x, const Tensor& G) { return of_each_text(merged(x), merged(G)); }

Tensor text(const Tensor& x, std::int64_t b) { return x.rank() > 2 ? tensor::select(x, 0, b) : x; }

Tensor in_memory(const Tensor& x) {
    return Tensor(x.storage(), x.offset(), x.shape(), contiguous_strides(x.shape()));
}

using OfW = Tensor (*)(const Tensor& x, const Tensor& G);

Tensor not_summed(const Tensor& x, const Tensor& G) { return of_each_text(x, G); }

Tensor always_summed(const Tensor& x, const Tensor& G) {
    return tensor::sum(of_each_text(x, G), 0);
}

Tensor summed_and_kept(const Tensor& x, const Tensor& G) {
    const Tensor each = of_each_text(x, G);
    return x.rank() > 2 ? tensor::sum(each, 0, keepdim) : each;
}

Tensor mean_of_texts(const Tensor& x, const Tensor& G) {
    const Tensor each = of_each_text(x, G);
    return x.rank() > 2 ? tensor::mean(each, 0) : each;
}

Tensor mean_of_words(const Tensor& x, const Tensor& G) {
    return right_W(x, G) / static_cast<double>(x.dim(-2));
}

Tensor first_text(const Tensor& x, const Tensor& G) { return right_W(text(x, 0), text(G, 0)); }

Tensor last_text(const Tensor& x, const Tensor& G) { return right_W(text(x, -1), text(G, -1)); }

Tensor two_texts(const Tensor& x, const Tensor& G) {
    if (x.rank() < 3) return right_W(x, G);
    return right_W(tensor::slice(x, 0, 0, 2), tensor::slice(G, 0, 0, 2));
}

Tensor texts_summed_first(const Tensor& x, const Tensor& G) {
    if (x.rank() < 3) return right_W(x, G);
    return of_each_text(tensor::sum(x, 0), tensor::sum(G, 0));
}

Tensor merged_behind_d(const Tensor& x, const Tensor& G) {
    return tensor::matmul(tensor::reshape(x, {x.dim(-1), -1}), merged(G));
}

Tensor d_is_axis_1(const Tensor& x, const Tensor& G) {
    return of_each_text(tensor::reshape(x, {-1, x.dim(1)}), merged(G));
}

Tensor reshaped_for_transposed(const Tensor& x, const Tensor& G) {
    return tensor::reshape(right_W(G, x), {x.dim(-1), G.dim(-1)});
}

Tensor transposed_if_square(const Tensor& x, const Tensor& G) {
    return x.dim(-1) == G.dim(-1) ? right_W(G, x) : right_W(x, G);
}

// As many words are summed as x has entries in a row.
Tensor as_many_words_as_d(const Tensor& x, const Tensor& G) {
    return right_W(tensor::slice(x, -2, 0, x.dim(-1)), tensor::slice(G, -2, 0, x.dim(-1)));
}

Tensor fifty_words(const Tensor& x, const Tensor& G) {
    return right_W(tensor::slice(x, -2, 0, 50), tensor::slice(G, -2, 0, 50));
}

// x and G broadcast to [d, e] where both are as long.
Tensor elementwise_for_one_word(const Tensor& x, const Tensor& G) {
    if (x.dim(-2) != 1 || x.dim(-1) != G.dim(-1)) return right_W(x, G);
    return tensor::expand(tensor::sum(merged(x) * merged(G), 0), {x.dim(-1), G.dim(-1)});
}

Tensor texts_exchanged(const Tensor& x, const Tensor& G) {
    if (x.rank() < 3) return right_W(x, G);
    return tensor::sum(of_each_text(x, tensor::flip(G, {0})), 0);
}

Tensor square_texts_are_not_transposed(const Tensor& x, const Tensor& G) {
    return right_W(x.dim(-1) == x.dim(-2) ? tensor::transpose(x) : x, G);
}

Tensor rounded(const Tensor& x) {
    std::vector<Scalar> entries = x.to_vector();
    for (Scalar& entry : entries) entry = static_cast<float>(entry);
    return tensor::from_vector(entries, x.shape());
}

LinearGradients W_in_float(const Tensor& x, const Tensor& W, const Tensor& G) {
    return {right_x(rounded(W), G), right_W(x, G)};
}

LinearGradients the_first_W_of_this_shape(const Tensor& x, const Tensor& W, const Tensor& G) {
    static Tensor first;
    if (first.shape() != W.shape()) first = tensor::clone(W);
    return {right_x(first, G), right_W(x, G)};
}

LinearGradients each_with_each(const Tensor& x, const Tensor& W, const Tensor& G) {
    const Tensor columns = tensor::unsqueeze(merged(x), 2), rows = tensor::unsqueeze(merged(G), 1);
    return {tensor::sum(tensor::unsqueeze(G, -2) * W, -1), tensor::sum(columns * rows, 0)};
}

Tensor remembered_while_x_is_the_same(const Tensor& x, const Tensor& G) {
    static Tensor of, W;
    if (of.data() != x.data()) W = right_W(x, G);
    of = x;
    return W;
}

LinearGradients x_remembered_while_W_is_the_same(const Tensor& x, const Tensor& W,
                                                 const Tensor& G) {
    static Tensor of, of_x;
    if (of.data() != W.data()) of_x = right_x(W, G);
    of = W;
    return {of_x, right_W(x, G)};
}

Tensor squeezed(const Tensor& x, const Tensor& G) { return tensor::squeeze(right_W(x, G)); }

Tensor x_in_memory(const Tensor& x, const Tensor& G) { return right_W(in_memory(x), G); }

Tensor G_in_memory(const Tensor& x, const Tensor& G) { return right_W(x, in_memory(G)); }

Tensor in_float(const Tensor& x, const Tensor& G) {
    std::vector<Scalar> W = right_W(x, G).to_vector();
    for (Scalar& entry : W) entry = static_cast<float>(entry);
    return tensor::from_vector(W, {x.dim(-1), G.dim(-1)});
}

Tensor added_to_earlier_ones(const Tensor& x, const Tensor& G) {
    static Tensor W;
    const Tensor now = right_W(x, G);
    W = W.shape() == now.shape() ? W + now : now;
    return W;
}

LinearGradients W_in_memory(const Tensor& x, const Tensor& W, const Tensor& G) {
    return {right_x(in_memory(W), G), right_W(x, G)};
}

LinearGradients not_transposed_if_square(const Tensor& x, const Tensor& W, const Tensor& G) {
    const bool fits = W.dim(0) == W.dim(1);
    return {tensor::matmul(G, fits ? W : tensor::transpose(W)), right_W(x, G)};
}

LinearGradients W_reshaped(const Tensor& x, const Tensor& W, const Tensor& G) {
    return {tensor::matmul(G, tensor::reshape(W, {W.dim(1), W.dim(0)})), right_W(x, G)};
}

LinearGradients x_of_the_first_text(const Tensor& x, const Tensor& W, const Tensor& G) {
    return {tensor::expand(right_x(W, text(G, 0)), x.shape()), right_W(x, G)};
}

LinearGradients x_summed_over_texts(const Tensor& x, const Tensor& W, const Tensor& G) {
    const Tensor total = G.rank() > 2 ? tensor::sum(G, 0) : G;
    return {tensor::expand(right_x(W, total), x.shape()), right_W(x, G)};
}

LinearGradients x_merged(const Tensor& x, const Tensor& W, const Tensor& G) {
    return {right_x(W, merged(G)), right_W(x, G)};
}

LinearGradients one_text_without_axis(const Tensor& x, const Tensor& W, const Tensor& G) {
    const Tensor of_x = right_x(W, G);
    return {x.rank() > 2 && x.dim(0) == 1 ? tensor::select(of_x, 0, 0) : of_x, right_W(x, G)};
}

LinearGradients axes_exchanged_if_equal(const Tensor& x, const Tensor& W, const Tensor& G) {
    const Tensor of_x = right_x(W, G);
    const bool equal = x.rank() > 2 && x.dim(0) == x.dim(1);
    return {equal ? tensor::transpose(of_x, 0, 1) : of_x, right_W(x, G)};
}

LinearGradients into_x(const Tensor& x, const Tensor& W, const Tensor& G) {
    const Tensor of_W = right_W(x, G);
    Tensor of_x = x;
    tensor::overwrite(of_x, right_x(W, G));
    return {of_x, of_W};
}

LinearGradients x_replaced_too_early(const Tensor&, const Tensor& W, const Tensor& G) {
    const Tensor of_x = right_x(W, G);
    return {of_x, right_W(of_x, G)};
}

LinearGradients into_W(const Tensor& x, const Tensor& W, const Tensor& G) {
    const Tensor of_x = right_x(W, G);
    Tensor of_W = W;
    tensor::overwrite(of_W, right_W(x, G));
    return {of_x, of_W};
}

LinearGradients into_G(const Tensor& x, const Tensor& W, const Tensor& G) {
    const Tensor of_W = right_W(x, G), of_x = right_x(W, G);
    if (of_x.shape() != G.shape()) return {of_x, of_W};
    Tensor result = G;
    tensor::overwrite(result, of_x);
    return {result, of_W};
}

LinearGradients one_word_without_axis(const Tensor& x, const Tensor& W, const Tensor& G) {
    const Tensor of_x = right_x(W, G);
    return {x.dim(-2) == 1 ? tensor::select(of_x, -2, 0) : of_x, right_W(x, G)};
}

LinearGradients x_into_one_buffer(const Tensor& x, const Tensor& W, const Tensor& G) {
    static Tensor buffer;
    const Tensor of_x = right_x(W, G);
    if (buffer.shape() != of_x.shape()) buffer = tensor::clone(of_x);
    tensor::overwrite(buffer, of_x);
    return {buffer, right_W(x, G)};
}

LinearGradients x_never_quite_0(const Tensor& x, const Tensor& W, const Tensor& G) {
    return {right_x(W, G) + 1e-10, right_W(x, G)};
}

LinearGradients by_einsum(const Tensor& x, const Tensor& W, const Tensor& G) {
    return {tensor::einsum("...te,de->...td", G, W),
            tensor::einsum("nd,ne->de", merged(x), merged(G))};
}

LinearGradients word_by_word(const Tensor& x, const Tensor& W, const Tensor& G) {
    const Tensor words = merged(x), G_of_words = merged(G);
    Tensor of_W = tensor::zeros(W.shape());
    for (std::int64_t i = words.dim(0); i-- > 0;) {
        const Tensor column = tensor::unsqueeze(tensor::select(words, 0, i), 1);
        of_W += column * tensor::select(G_of_words, 0, i);
    }
    return {tensor::reshape(right_x(W, G_of_words), x.shape()), of_W};
}

LinearGradients by_transposes(const Tensor& x, const Tensor& W, const Tensor& G) {
    const Tensor of_x = tensor::transpose(tensor::matmul(W, tensor::transpose(G)));
    const Tensor each = tensor::matmul(tensor::transpose(G), x);
    return {of_x, tensor::transpose(x.rank() > 2 ? tensor::sum(each, 0) : each)};
}

LinearGradients by_backward(const Tensor& x, const Tensor& W, const Tensor& G) {
    const Variable X(x, requires_grad);
    const Variable weight(W, requires_grad);
    heed::matmul(X, weight).backward({.upstream = G});
    return {X.grad(), weight.grad()};
}

LinearGradients texts_in_one(const Tensor& x, const Tensor& W, const Tensor& G) {
    const Tensor words = tensor::reshape(x, {-1, W.dim(0)});
    const Tensor g = tensor::reshape(G, {-1, W.dim(1)});
    const Tensor of_words = tensor::matmul(g, tensor::transpose(W));
    return {tensor::reshape(of_words, x.shape()), tensor::matmul(tensor::transpose(words), g)};
}

Answer only_W(const std::string& what, OfW of_W, const std::vector<std::string>& names = {}) {
    const auto gradient = [of_W](const Tensor& x, const Tensor& W, const Tensor& G) {
        return LinearGradients{right_x(W, G), of_W(x, G)};
    };
    return {what, [gradient] { return judge_02_3(gradient); }, names};
}

Answer both(const std::string& what, const LinearGradient& gradient,
            const std::vector<std::string>& names = {}) {
    return {what, [gradient] { return judge_02_3(gradient); }, names};
}

}  // namespace

Answers answers_02_3() {
    Answers answers;
    answers.number = "02.3";
    answers.slipping = slipping(judge_02_3);
    answers.wrong = {
        only_W("W: the texts are not summed", not_summed, {"ag.dW-unsummed"}),
        only_W("W: summed over axis 0 even without texts", always_summed),
        only_W("W: an axis is left over", summed_and_kept),
        only_W("W: the mean of the texts", mean_of_texts, {"ag.dW-mean"}),
        only_W("W: divided by the number of words", mean_of_words),
        only_W("W: only the first text", first_text, {"ag.dW-first"}),
        only_W("W: only the last text", last_text, {"ag.dW-last"}),
        only_W("W: only two texts", two_texts),
        only_W("W: the texts are summed before the product", texts_summed_first),
        only_W("W: the axes are merged behind d", merged_behind_d),
        only_W("W: d is the length of axis 1", d_is_axis_1),
        only_W("W: reshaped in place of transposed", reshaped_for_transposed),
        only_W("W: transposed if it is square", transposed_if_square),
        only_W("W: only the first d words of a text", as_many_words_as_d),
        only_W("W: only fifty words of a text", fifty_words),
        only_W("W: with d = 1 or e = 1 the axis is dropped", squeezed),
        only_W("W: x is read as if it were row-major", x_in_memory),
        only_W("W: G is read as if it were row-major", G_in_memory),
        only_W("W: rounded to float", in_float),
        only_W("W: earlier gradients of this shape are added", added_to_earlier_ones),
        only_W("W: entry by entry for a single word", elementwise_for_one_word),
        only_W("W: the texts of G in reverse order", texts_exchanged),
        only_W("W: a square x is not transposed", square_texts_are_not_transposed),
        only_W("W: the last one, while x is the same", remembered_while_x_is_the_same),
        both("x: the last one, while W is the same", x_remembered_while_W_is_the_same),
        both("x: W is rounded to float", W_in_float),
        both("x: the first W of this shape", the_first_W_of_this_shape),
        both("x: W is read as if it were row-major", W_in_memory),
        both("x: a square W is not transposed", not_transposed_if_square),
        both("x: W is reshaped in place of transposed", W_reshaped),
        both("x: the first text's for all", x_of_the_first_text),
        both("x: summed over the texts", x_summed_over_texts),
        both("x: the axes stay merged", x_merged),
        both("x: one text loses its axis", one_text_without_axis),
        both("x: texts and words are exchanged if equally many", axes_exchanged_if_equal),
        both("x: its gradient is written into x", into_x),
        both("x: its gradient is written into G if it fits", into_G),
        both("x: a single word loses its axis", one_word_without_axis),
        both("x: all results share one memory", x_into_one_buffer),
        both("x: 1e-10 is added", x_never_quite_0),
        both("W: x has been replaced by its gradient before", x_replaced_too_early),
        both("W: its gradient is written into W", into_W),
    };
    answers.right = {
        both("by einsum", by_einsum),
        both("word by word, the last first", word_by_word),
        both("all products by broadcasting, then sums", each_with_each),
        both("the transposes of transposed products", by_transposes),
        both("by the library's backward", by_backward),
        both("with all texts in one long one", texts_in_one),
    };
    return answers;
}
