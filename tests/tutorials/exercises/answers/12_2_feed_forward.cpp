// Answers to 12.2, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_12.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

using namespace heed;
using namespace exercise;

namespace {
using V = const Variable&;
using W = const FeedForwardParameters&;

Variable right_gelu(V z) { return z * (1 + erf(z / std::sqrt(2.0))) / 2; }

FeedForwardStages right_layer(W w, V x) {
    const Variable hidden = right_gelu(matmul(x, w.W_1) + w.b_1);
    return {hidden, matmul(hidden, w.W_2) + w.b_2};
}

using Function = Variable (*)(V z);
using Layer = FeedForwardStages (*)(W w, V x);

// The learner's layer calls the learner's gelu.
std::function<Exercise()> with_gelu(Function function) {
    return [function] {
        const auto layer = [function](W w, V x) -> FeedForwardStages {
            const Variable hidden = function(matmul(x, w.W_1) + w.b_1);
            return {hidden, matmul(hidden, w.W_2) + w.b_2};
        };
        return judge_12_2({function, layer});
    };
}

std::function<Exercise()> with_layer(Layer layer) {
    return [layer] { return judge_12_2({right_gelu, layer}); };
}

Variable short_root(V z) { return z * (1 + erf(z / 1.414)) / 2; }
Variable by_tanh(V z) {
    return 0.5 * z * (1 + tanh(std::sqrt(2 / std::numbers::pi) * (z + 0.044715 * z * z * z)));
}
Variable root_of_int(V z) { return z * (1 + erf(z / static_cast<int>(std::sqrt(2.0)))) / 2; }
Variable integer_half(V z) { return z * (1 + erf(z / std::sqrt(2.0))) * (1 / 2); }
Variable half_of_erf(V z) { return z * (1 + erf(z / std::sqrt(2.0)) / 2); }
Variable Phi_of_numbers(V z) { return z * (1 + erf(z.detach() / std::sqrt(2.0))) / 2; }
Variable z_by_its_numbers(V z) { return z.value() * ((1 + erf(z / std::sqrt(2.0))) / 2); }
Variable cut_off(V z) { return maximum(right_gelu(z), -0.1); }
Variable zero_below(V z) { return masked_fill(right_gelu(z), z.value() < -3.0, 0); }
Variable by_a_quotient(V z) {
    return z * z * (1 + erf(z / std::sqrt(2.0))) / (2 * z);  // NaN at 0
}
Variable by_infinite_powers(V z) {
    // exact enough nearby, and infinity over infinity far from 0
    const Variable e = exp(1.702 * z);
    return z * e / (e + 1);
}
Variable one_at_a_time(V z) {
    Variable all = Variable(tensor::zeros(z.shape()));
    return z.rank() == 0 ? z : all + right_gelu(z);
}

// GELU.
Variable scalar_as_vector(V z) {
    return z.rank() == 0 ? right_gelu(reshape(z, {1})) : right_gelu(z);
}

Variable zero_is_zero(V z) { return masked_fill(right_gelu(z), z.value() == 0, 0); }

Variable by_relu(V z) {  // what lies below Φ is above 1 - Φ
    const Variable tail = (1 - erf(abs(z) * std::sqrt(0.5))) * 0.5;
    return relu(z) - abs(z) * tail;
}

Variable cut_at_3(V z) {
    return where(z.value() > 3, z, masked_fill(right_gelu(z), z.value() < -3, 0));
}

Variable root_of_pi(V z) { return z * (1 + erf(z / std::sqrt(M_PI))) / 2; }

// Abramowitz and Stegun, 7.1.25.
Variable own_erf(V z) {
    const Variable u = abs(z) / std::sqrt(2.0);
    const Variable t = 1 / (1 + 0.47047 * u);
    const Variable e = 1 - t * (0.3480242 - t * (0.0958798 - t * 0.7478556)) * exp(-(u * u));
    return z * (1 + where(z.value() < 0, -e, e)) / 2;
}

// Abramowitz and Stegun 7.1.26, right to 1.5e-7.
Variable longer_own_erf(V z) {
    const Variable u = abs(z) / std::sqrt(2.0);
    const Variable t = 1 / (1 + 0.3275911 * u);
    const Variable above = 1.421413741 + t * (-1.453152027 + t * 1.061405429);
    const Variable e = 1 - t * (0.254829592 + t * (-0.284496736 + t * above)) * exp(-(u * u));
    return z * (1 + where(z.value() < 0, -e, e)) / 2;
}

Variable six_digits_of_the_root(V z) { return z * (1 + erf(z / 1.41421)) / 2; }
Variable nine_digits_of_the_root(V z) { return z * (1 + erf(z / 1.41421356)) / 2; }

Variable sigmoid_1702(V z) { return z * sigmoid(1.702 * z); }

Variable half_open(V z) { return z * erf(z / std::sqrt(2.0)) / 2; }

Variable of_matrix(V z) {
    if (z.rank() < 3) return right_gelu(z);
    return right_gelu(reshape(z, -1, z.dim(-1)));
}

Variable of_last_axis(V z) {  // z scaled as a vector first
    return right_gelu(z - mean(z, -1, keepdim));
}

FeedForwardStages gelu_twice(W w, V x) {
    const Variable hidden = right_gelu(right_gelu(matmul(x, w.W_1) + w.b_1));
    return {hidden, matmul(hidden, w.W_2) + w.b_2};
}

FeedForwardStages bias_late(W w, V x) {
    const Variable hidden = right_gelu(matmul(x, w.W_1)) + w.b_1;
    return {hidden, matmul(hidden, w.W_2) + w.b_2};
}

FeedForwardStages with_relu(W w, V x) {
    const Variable hidden = relu(matmul(x, w.W_1) + w.b_1);
    return {hidden, matmul(hidden, w.W_2) + w.b_2};
}

FeedForwardStages hidden_apart(W w, V x) {
    const FeedForwardStages right = right_layer(w, x);
    return {right.hidden, matmul(relu(matmul(x, w.W_1) + w.b_1), w.W_2) + w.b_2};
}

FeedForwardStages residual(W w, V x) {
    const FeedForwardStages right = right_layer(w, x);
    return {right.hidden, right.y + x};
}

FeedForwardStages bias_by_numbers(W w, V x) {
    const Variable hidden = right_gelu(matmul(x, w.W_1) + w.b_1.value());
    return {hidden, matmul(hidden, w.W_2) + w.b_2};
}

FeedForwardStages detached_hidden(W w, V x) {
    const FeedForwardStages right = right_layer(w, x);
    return {right.hidden, matmul(right.hidden.detach(), w.W_2) + w.b_2};
}

FeedForwardStages as_in_pytorch(W w, V x) {
    const Variable hidden = right_gelu(matmul(x, transpose(w.W_1)) + w.b_1);
    return {hidden, matmul(hidden, transpose(w.W_2)) + w.b_2};
}

FeedForwardStages only_W_2_turned(W w, V x) {
    const Variable hidden = right_gelu(matmul(x, w.W_1) + w.b_1);
    const bool square = w.W_2.dim(0) == w.W_2.dim(1);
    return {hidden, matmul(hidden, square ? transpose(w.W_2) : w.W_2) + w.b_2};
}

FeedForwardStages bias_of_the_first_position(W w, V x) {
    const Variable hidden = right_gelu(matmul(x, w.W_1) + w.b_1);
    const Variable y = matmul(hidden, w.W_2);
    if (x.rank() < 2) return {hidden, y + w.b_2};
    const Variable first = slice(y, -2, 0, 1) + w.b_2;
    return {hidden, x.dim(-2) == 1 ? first : concatenate({first, slice(y, -2, 1, x.dim(-2))}, -2)};
}

FeedForwardStages mixes_positions(W w, V x) {
    const Variable hidden = right_gelu(matmul(x, w.W_1) + w.b_1);
    if (hidden.rank() < 2) return {hidden, matmul(hidden, w.W_2) + w.b_2};
    const Variable mixed = hidden + 0.01 * mean(hidden, -2, keepdim);
    return {hidden, matmul(mixed, w.W_2) + w.b_2};
}

FeedForwardStages first_text_for_all(W w, V x) {
    if (x.rank() < 3) return right_layer(w, x);
    const FeedForwardStages right = right_layer(w, x);
    return {right.hidden, slice(right.y, 0, 0, 1) + 0 * right.y};
}

FeedForwardStages widest_50(W w, V x) {
    const std::int64_t d_ff = std::min<std::int64_t>(50, w.b_1.dim(0));
    const Variable hidden = right_gelu(matmul(x, w.W_1) + w.b_1);
    return {hidden, matmul(slice(hidden, -1, 0, d_ff), slice(w.W_2, 0, 0, d_ff)) + w.b_2};
}

FeedForwardStages keeps_W_2(W w, V x) {
    static std::map<std::string, Variable> kept;
    const Variable W_2 = kept.try_emplace(w.W_2.shape().text(), w.W_2).first->second;
    const Variable hidden = right_gelu(matmul(x, w.W_1) + w.b_1);
    return {hidden, matmul(hidden, W_2) + w.b_2};
}

FeedForwardStages scales_W_1(W w, V x) {
    const FeedForwardStages right = right_layer(w, x);
    Tensor W_1 = w.W_1.value();
    tensor::overwrite(W_1, W_1 * 0.5);
    return right;
}

FeedForwardStages scaled_by_width(W w, V x) {
    const FeedForwardStages right = right_layer(w, x);
    const double root = std::sqrt(static_cast<double>(x.dim(-1)));
    return {right.hidden, matmul(right.hidden, w.W_2) / root + w.b_2};
}

// Feed-forward.
FeedForwardStages before_gelu(W w, V x) {
    FeedForwardStages s = right_layer(w, x);
    s.hidden = matmul(x, w.W_1) + w.b_1;
    return s;
}

FeedForwardStages swapped_biases(W w, V x) {
    FeedForwardParameters other = w;
    if (w.b_1.shape() == w.b_2.shape()) std::swap(other.b_1, other.b_2);
    return right_layer(other, x);
}

FeedForwardStages swapped_if_they_fit(W w, V x) {
    FeedForwardParameters other = w;
    if (w.W_1.shape() == w.W_2.shape()) std::swap(other.W_1, other.W_2);
    return right_layer(other, x);
}

FeedForwardStages tied(W w, V x) {
    FeedForwardParameters other = w;
    other.W_2 = transpose(w.W_1);
    return right_layer(other, x);
}

FeedForwardStages four_d(W w, V x) {
    const std::int64_t d_ff = std::min(4 * w.W_1.dim(0), w.W_1.dim(1));
    return right_layer(
        {slice(w.W_1, 1, 0, d_ff), slice(w.b_1, 0, 0, d_ff), slice(w.W_2, 0, 0, d_ff), w.b_2}, x);
}

FeedForwardStages squeezed(W w, V x) {
    FeedForwardStages s = right_layer(w, x);
    return {squeeze(s.hidden), squeeze(s.y)};
}

FeedForwardStages vector_as_row(W w, V x) {
    return right_layer(w, x.rank() == 1 ? unsqueeze(x, 0) : x);
}

FeedForwardStages as_matrix(W w, V x) {
    FeedForwardStages s = right_layer(w, reshape(x, -1, x.dim(-1)));
    return {s.hidden, reshape(s.y, x.shape())};
}

FeedForwardStages y_of_gelu(W w, V x) {
    FeedForwardStages s = right_layer(w, x);
    return {s.hidden, right_gelu(s.y)};
}

FeedForwardStages b_2_twice(W w, V x) {
    FeedForwardStages s = right_layer(w, x);
    return {s.hidden, s.y + (w.b_2 - w.b_2.detach())};
}

FeedForwardStages x_new_leaf(W w, V x) {
    return right_layer(w, Variable(x.value(), requires_grad));
}

FeedForwardStages no_graph_without_x(W w, V x) {
    if (x.requires_grad()) return right_layer(w, x);
    const NoGrad none;
    return right_layer(w, x);
}

FeedForwardStages added_in_place(W w, V x) {
    const FeedForwardStages s = right_layer(w, x);
    Tensor raw = x.value();
    if (raw.is_contiguous()) {
        const std::vector<Scalar> y = s.y.value().to_vector();
        for (std::size_t n = 0; n < y.size(); ++n) raw.writable_data()[n] += y[n];
    }
    return s;
}

FeedForwardStages at_most_rank_3(W w, V x) {
    if (x.rank() < 4) return right_layer(w, x);
    return right_layer(w, flatten(x, 0, 1));
}

FeedForwardStages tanh_in_layer(W w, V x) {
    FeedForwardStages s;
    s.hidden = gelu_tanh(matmul(x, w.W_1) + w.b_1);
    s.y = matmul(s.hidden, w.W_2) + w.b_2;
    return s;
}

// Unusual and right.

FeedForwardStages word_by_word(W w, V x) {
    std::vector<Variable> hidden, y;
    for (const Variable& word : unbind(reshape(x, -1, x.dim(-1)), 0)) {
        const FeedForwardStages s = right_layer(w, word);
        hidden.push_back(s.hidden);
        y.push_back(s.y);
    }
    return {reshape(stack(hidden), x.shape().with(-1, w.b_1.dim(0))), reshape(stack(y), x.shape())};
}

FeedForwardStages hidden_has_no_graph(W w, V x) {
    FeedForwardStages s = right_layer(w, x);
    return {s.hidden.detach(), s.y};
}

Variable symmetric(V z) { return (z + abs(z) * erf(abs(z) * std::sqrt(0.5))) / 2; }

FeedForwardStages with_a_column_of_ones(W w, V x) {
    const auto affine = [](V in, V weight, V bias) {
        const Variable rows = reshape(in, {-1, in.dim(-1)});
        const Variable ones(tensor::ones({rows.dim(0), 1}));
        return matmul(concatenate({rows, ones}, 1), concatenate({weight, unsqueeze(bias, 0)}, 0));
    };
    const Variable hidden = right_gelu(affine(x, w.W_1, w.b_1));
    std::vector<std::int64_t> wide;
    for (int axis = 0; axis + 1 < x.rank(); ++axis) wide.push_back(x.dim(axis));
    wide.push_back(w.b_1.dim(0));
    return {reshape(hidden, Dims(wide)), reshape(affine(hidden, w.W_2, w.b_2), x.shape())};
}

FeedForwardStages by_the_library(W w, V x) {
    const Variable hidden = gelu(linear(x, transpose(w.W_1), w.b_1));
    return {hidden, linear(hidden, transpose(w.W_2), w.b_2)};
}

Variable by_the_library_alone(V z) { return gelu(z); }

FeedForwardStages by_a_part_of_the_layer(W w, V x) {
    const Variable hidden = activate(Activation::gelu, matmul(x, w.W_1) + w.b_1);
    return {hidden, matmul(hidden, w.W_2) + w.b_2};
}

// Hidden unit by hidden unit, each with a part of its own in y.
FeedForwardStages unit_by_unit(W w, V x) {
    std::vector<Variable> hidden;
    Variable y = w.b_2;
    for (std::int64_t i = 0; i < w.b_1.dim(0); ++i) {
        const Variable unit =
            right_gelu(sum(x * select(w.W_1, 1, i), -1, keepdim) + slice(w.b_1, 0, i, i + 1));
        hidden.push_back(unit);
        y = y + unit * select(w.W_2, 0, i);
    }
    return {concatenate(hidden, -1), y};
}

Variable gelu_from_below(V z) { return z - z * (1 - erf(z * std::sqrt(0.5))) / 2; }

}  // namespace

Answers answers_12_2() {
    Answers answers;
    answers.number = "12.2";
    answers.slipping = slipping(judge_12_2);
    answers.wrong = {
        {"1.414 for the root of 2", with_gelu(short_root)},
        {"GELU by tanh", with_gelu(by_tanh), {"gelu.tanh"}},
        {"the root of 2 as a whole number", with_gelu(root_of_int), {"gelu.no-root"}},
        {"1 / 2 of integers", with_gelu(integer_half)},
        {"only erf divided by 2", with_gelu(half_of_erf)},
        {"Φ without its gradient", with_gelu(Phi_of_numbers), {"gelu.const-Phi"}},
        {"the factor z by its numbers", with_gelu(z_by_its_numbers)},
        {"never below -0.1", with_gelu(cut_off)},
        {"0 below -3", with_gelu(zero_below)},
        {"divided by z, NaN at 0", with_gelu(by_a_quotient)},
        {"a sigmoid of exponentials that overflow", with_gelu(by_infinite_powers)},
        {"a single number handed back", with_gelu(one_at_a_time)},
        {"a number becomes a vector", with_gelu(scalar_as_vector)},
        {"at 0 a constant 0", with_gelu(zero_is_zero)},
        {"by relu and |z|, which have derivative 0 at 0", with_gelu(by_relu)},
        {"relu beyond 3", with_gelu(cut_at_3)},
        {"√π for √2", with_gelu(root_of_pi)},
        {"erf from a table of formulas", with_gelu(own_erf)},
        {"erf from a longer formula", with_gelu(longer_own_erf)},
        {"six digits of the root of 2", with_gelu(six_digits_of_the_root)},
        {"by sigmoid", with_gelu(sigmoid_1702), {"gelu.sigmoid"}},
        {"1 is not added", with_gelu(half_open), {"gelu.no-one"}},
        {"as a matrix", with_gelu(of_matrix)},
        {"centred first", with_gelu(of_last_axis)},
        {"gelu twice", with_layer(gelu_twice)},
        {"b_1 after gelu", with_layer(bias_late), {"ff.b1-after"}},
        {"relu, as in 2017", with_layer(with_relu), {"ff.relu"}},
        {"y from another hidden than the one returned", with_layer(hidden_apart)},
        {"with the residual connection", with_layer(residual), {"ff.residual"}},
        {"b_1 by its numbers", with_layer(bias_by_numbers), {"ff.const-b_1"}},
        {"y from a detached hidden", with_layer(detached_hidden), {"ff.const-hidden"}},
        {"transposed matrices", with_layer(as_in_pytorch), {"ff.transposed"}},
        {"W_2 transposed if it is square", with_layer(only_W_2_turned)},
        {"b_2 for the first position only", with_layer(bias_of_the_first_position)},
        {"a little of the other positions", with_layer(mixes_positions)},
        {"the first text's y for all", with_layer(first_text_for_all)},
        {"50 hidden units at most", with_layer(widest_50)},
        {"keeps the first W_2 of a shape", with_layer(keeps_W_2)},
        {"halves W_1 in place", with_layer(scales_W_1)},
        {"divided by the root of d", with_layer(scaled_by_width)},
        {"hidden before gelu", with_layer(before_gelu), {"ff.hidden-before"}},
        {"biases swapped if they fit", with_layer(swapped_biases)},
        {"matrices swapped if they fit", with_layer(swapped_if_they_fit)},
        {"W_2 is W_1 transposed", with_layer(tied)},
        {"at most 4 d", with_layer(four_d)},
        {"axes of length 1 squeezed", with_layer(squeezed)},
        {"a vector becomes a row", with_layer(vector_as_row)},
        {"hidden as a matrix", with_layer(as_matrix)},
        {"gelu of y", with_layer(y_of_gelu), {"ff.activation-last"}},
        {"the gradient of b_2 twice", with_layer(b_2_twice)},
        {"x a new leaf", with_layer(x_new_leaf), {"ff.const-x"}},
        {"no graph where x needs none", with_layer(no_graph_without_x)},
        {"y is added to x in place", with_layer(added_in_place)},
        {"the library's gelu",
         [] {
             return judge_12_2({[](V z) { return gelu(z); }, by_the_library});
         },
         {"gelu.library"}},
        {"the library's gelu in gelu_of", with_gelu(by_the_library_alone), {"gelu.library"}},
        {"the library's gelu in the layer", with_layer(by_the_library), {"ff.library"}},
        {"what the library's layer calls", with_layer(by_a_part_of_the_layer), {"ff.library"}},
        {"rank 4 is flattened", with_layer(at_most_rank_3)},
        {"tanh in the layer", with_layer(tanh_in_layer), {"ff.gelu-tanh"}},
    };
    answers.right = {
        {"by absolute values", with_gelu(symmetric)},
        {"nine digits of the root of 2", with_gelu(nine_digits_of_the_root)},
        {"the biases as a row more of the matrices", with_layer(with_a_column_of_ones)},
        {"word by word", with_layer(word_by_word)},
        {"hidden without a graph", with_layer(hidden_has_no_graph)},
        {"unit by unit, gelu from below",
         [] {
             return judge_12_2({gelu_from_below, unit_by_unit});
         }},
    };
    return answers;
}
