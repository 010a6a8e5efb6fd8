// Answers to 08.2.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_08.h"

#include "nn/heed.h"

#include <cmath>
#include <map>
#include <vector>

using namespace heed;
using namespace exercise;

namespace {
using P = AttentionParameters;
using Stages = AttentionStages;

Variable ones(const Shape& shape) { return Variable(tensor::ones(shape), requires_grad); }
Variable zeros(const Shape& shape) { return Variable(tensor::zeros(shape), requires_grad); }

P construct(std::int64_t h, std::int64_t d, std::int64_t d_h) {
    return {ones({h, d, d_h}), ones({h, d, d_h}), ones({h, d, d_h}), ones({h, d_h, d}),
            zeros({h, d_h}),   zeros({h, d_h}),   zeros({h, d_h}),   zeros({d})};
}

// The steps of a correct forward; a wrong one takes another in its place.

Variable project(const Variable& x, const Variable& W, const Variable& b) {
    return einsum("batch posn d_model, nheads d_model d_head -> batch posn nheads d_head", x, W) +
           b;
}

void projections(const P& p, const Variable& x, Stages& s) {
    s.q = project(x, p.W_Q, p.b_Q);
    s.k = project(x, p.W_K, p.b_K);
    s.v = project(x, p.W_V, p.b_V);
}

Variable scores_of(const Variable& q, const Variable& k) {
    return einsum("batch posn_Q nheads d_head, batch posn_K nheads d_head -> "
                  "batch nheads posn_Q posn_K",
                  q, k);
}

double root(std::int64_t n) { return std::sqrt(static_cast<double>(n)); }
BoolTensor future(const Variable& x) { return Mask::causal(x.dim(1)).blocked(); }

void mask_and_softmax(const Variable& scaled, Stages& s) {
    s.attn_scores_masked = masked_fill(scaled, future(s.q), -infinity);
    s.attn_pattern = softmax(s.attn_scores_masked, -1);
}

Variable weighted_sum(const Variable& pattern, const Variable& v) {
    return einsum("batch nheads posn_Q posn_K, batch posn_K nheads d_head -> "
                  "batch posn_Q nheads d_head",
                  pattern, v);
}

Variable heads_together(const P& p, const Variable& z) {
    return einsum("batch posn nheads d_head, nheads d_head d_model -> batch posn d_model", z,
                  p.W_O);
}

void output(const P& p, Stages& s) {
    s.z = weighted_sum(s.attn_pattern, s.v);
    s.attn_out = heads_together(p, s.z) + p.b_O;
}

// From the scores on, with another divisor.
void from_scores(const P& p, Stages& s, double divisor) {
    s.attn_scores = scores_of(s.q, s.k);
    mask_and_softmax(s.attn_scores / divisor, s);
    output(p, s);
}

Stages with_divisor(const P& p, const Variable& x, double divisor) {
    Stages s;
    projections(p, x, s);
    from_scores(p, s, divisor);
    return s;
}

Stages forward(const P& p, const Variable& x) { return with_divisor(p, x, root(p.W_Q.dim(2))); }

// Constructors.

P W_O_like_the_others(std::int64_t h, std::int64_t d, std::int64_t d_h) {
    P p = construct(h, d, d_h);
    p.W_O = ones({h, d, d_h});
    return p;
}

P b_O_for_each_head(std::int64_t h, std::int64_t d, std::int64_t d_h) {
    P p = construct(h, d, d_h);
    p.b_O = zeros({h, d});
    return p;
}

P biases_of_ones(std::int64_t h, std::int64_t d, std::int64_t d_h) {
    P p = construct(h, d, d_h);
    p.b_Q = ones({h, d_h});
    p.b_K = ones({h, d_h});
    p.b_V = ones({h, d_h});
    return p;
}

P biases_are_constants(std::int64_t h, std::int64_t d, std::int64_t d_h) {
    P p = construct(h, d, d_h);
    for (Variable* b : {&p.b_Q, &p.b_K, &p.b_V, &p.b_O}) *b = b->detach();
    return p;
}

// One leaf under three names, so one gradient for all.
P one_leaf_for_three_weights(std::int64_t h, std::int64_t d, std::int64_t d_h) {
    P p = construct(h, d, d_h);
    p.W_K = p.W_V = p.W_Q;
    return p;
}

// Three leaves, but an update in place of one changes all.
P one_storage_for_three_biases(std::int64_t h, std::int64_t d, std::int64_t d_h) {
    P p = construct(h, d, d_h);
    const Tensor shared = tensor::zeros({h, d_h});
    for (Variable* b : {&p.b_Q, &p.b_K, &p.b_V}) *b = Variable(shared, requires_grad);
    return p;
}

// Every object of the class has the same b_O.
P one_b_O_for_all_objects(std::int64_t h, std::int64_t d, std::int64_t d_h) {
    static const Tensor shared = tensor::zeros({d});
    P p = construct(h, d, d_h);
    if (shared.dim(0) == d) p.b_O = Variable(shared, requires_grad);
    return p;
}

// Divisors.

Stages root_of_dim_model(const P& p, const Variable& x) {
    return with_divisor(p, x, root(p.W_Q.dim(1)));
}

Stages whole_root(const P& p, const Variable& x) {
    const std::int64_t whole = static_cast<std::int64_t>(root(p.W_Q.dim(2)));
    return with_divisor(p, x, static_cast<double>(whole));
}

// One stage is wrong, the others are right.

Stages scores_already_scaled(const P& p, const Variable& x) {
    Stages s = forward(p, x);
    s.attn_scores = s.attn_scores / root(p.W_Q.dim(2));
    return s;
}

Stages masked_scores_not_scaled(const P& p, const Variable& x) {
    Stages s = forward(p, x);
    s.attn_scores_masked = masked_fill(s.attn_scores, future(x), -infinity);
    return s;
}

Stages pattern_before_the_mask(const P& p, const Variable& x) {
    Stages s = forward(p, x);
    s.attn_pattern = softmax(s.attn_scores / root(p.W_Q.dim(2)), -1);
    return s;
}

// A key's bias adds one number to a row of scores: the pattern stays what it was.
Stages scores_without_the_keys_bias(const P& p, const Variable& x) {
    Stages s = forward(p, x);
    s.attn_scores = scores_of(s.q, s.k - p.b_K);
    mask_and_softmax(s.attn_scores / root(p.W_Q.dim(2)), s);
    return s;
}

Stages finite_mask(const P& p, const Variable& x) {
    Stages s = forward(p, x);
    s.attn_scores_masked = masked_fill(s.attn_scores / root(p.W_Q.dim(2)), future(x), -1e4);
    s.attn_pattern = softmax(s.attn_scores_masked, -1);
    output(p, s);
    return s;
}

// All later stages follow the fault.

Stages pattern_summed_over_queries(const P& p, const Variable& x) {
    Stages s = forward(p, x);
    s.z = weighted_sum(transpose(s.attn_pattern), s.v);
    s.attn_out = heads_together(p, s.z) + p.b_O;
    return s;
}

Stages b_O_from_every_head(const P& p, const Variable& x) {
    Stages s = forward(p, x);
    s.attn_out = heads_together(p, s.z) + p.b_O * static_cast<double>(p.W_Q.dim(0));
    return s;
}

Stages masks_one_head(const P& p, const Variable& x) {
    Stages s = forward(p, x);
    const Variable scaled = s.attn_scores / root(p.W_Q.dim(2));
    s.attn_scores_masked =
        concatenate({slice(s.attn_scores_masked, 1, 0, 1), slice(scaled, 1, 1)}, 1);
    s.attn_pattern = softmax(s.attn_scores_masked, -1);
    output(p, s);
    return s;
}

Stages mask_of_its_first_text(const P& p, const Variable& x) {
    static const BoolTensor first = future(x);
    Stages s = forward(p, x);
    s.attn_scores_masked = masked_fill(s.attn_scores / root(p.W_Q.dim(2)), first, -infinity);
    s.attn_pattern = softmax(s.attn_scores_masked, -1);
    output(p, s);
    return s;
}

// Right numbers, wrong gradients.

Stages values_of_a_constant_x(const P& p, const Variable& x) {
    Stages s = forward(p, x);
    s.v = project(x.detach(), p.W_V, p.b_V);
    output(p, s);
    return s;
}

Stages queries_without_gradient(const P& p, const Variable& x) {
    Stages s;
    projections(p, x, s);
    s.q = s.q.detach();
    from_scores(p, s, root(p.W_Q.dim(2)));
    return s;
}

Stages W_O_as_a_constant(const P& p, const Variable& x) {
    P frozen = p;
    frozen.W_O = p.W_O.detach();
    return forward(frozen, x);
}

Stages pattern_without_gradient(const P& p, const Variable& x) {
    Stages s = forward(p, x);
    s.z = weighted_sum(s.attn_pattern.detach(), s.v);
    s.attn_out = heads_together(p, s.z) + p.b_O;
    return s;
}

// The sum under the fraction is a constant.
Stages pattern_with_detached_sum(const P& p, const Variable& x) {
    Stages s = forward(p, x);
    const Variable e = exp(s.attn_scores_masked - max(s.attn_scores_masked, -1, keepdim));
    s.attn_pattern = e / sum(e, -1, keepdim).detach();
    output(p, s);
    return s;
}

// Only the stage that is handed out is a constant.
Stages detached_masked_scores(const P& p, const Variable& x) {
    Stages s = forward(p, x);
    s.attn_scores_masked = s.attn_scores_masked.detach();
    return s;
}

Stages without_b_V(const P& p, const Variable& x) {
    Stages s = forward(p, x);
    s.v = project(x, p.W_V, p.b_V * 0);
    output(p, s);
    return s;
}

// A query of zeros has only scores of 0.
Stages zero_scores_are_masked(const P& p, const Variable& x) {
    Stages s = forward(p, x);
    const Variable lower = tril(s.attn_scores / root(p.W_Q.dim(2)));
    s.attn_scores_masked = masked_fill(lower, lower.value() == 0, -infinity);
    s.attn_pattern = softmax(s.attn_scores_masked, -1);
    output(p, s);
    return s;
}

Stages maximum_from_0(const P& p, const Variable& x) {
    Stages s = forward(p, x);
    const Variable largest = maximum(max(s.attn_scores_masked, -1, keepdim), 0).detach();
    const Variable e = exp(s.attn_scores_masked - largest);
    s.attn_pattern = e / (sum(e, -1, keepdim) + 1e-30);
    output(p, s);
    return s;
}

Stages parameter_changes(const P& p, const Variable& x) {
    const Stages s = forward(p, x);
    Tensor place = p.b_O.value();
    tensor::overwrite(place, place + 1);
    return s;
}

P one_number_for_W_Q(std::int64_t h, std::int64_t d, std::int64_t d_h) {
    P p = construct(h, d, d_h);
    p.W_Q = Variable(tensor::expand(tensor::ones({1}), {h, d, d_h}), requires_grad);
    return p;
}

// The constructor returns the same handles for the same sizes.
P kept_for_its_sizes(std::int64_t h, std::int64_t d, std::int64_t d_h) {
    static std::map<std::vector<std::int64_t>, P> kept;
    return kept.try_emplace({h, d, d_h}, construct(h, d, d_h)).first->second;
}

Stages freezes_x(const P& p, const Variable& x) {
    const Stages s = forward(p, x);
    Variable same = x;
    if (same.requires_grad()) same.set_requires_grad(false);
    return s;
}

Stages freezes_b_K(const P& p, const Variable& x) {
    const Stages s = forward(p, x);
    Variable b = p.b_K;
    if (b.requires_grad()) b.set_requires_grad(false);
    return s;
}

// Right numbers, twice the gradient.
Stages pattern_counted_twice(const P& p, const Variable& x) {
    Stages s = forward(p, x);
    s.attn_pattern = s.attn_pattern * 2 - s.attn_pattern.value();
    output(p, s);
    return s;
}

// Right.

// Slices of one buffer, as fast optimizers like them.
P slices_of_one_buffer(std::int64_t h, std::int64_t d, std::int64_t d_h) {
    P p = construct(h, d, d_h);
    const Tensor buffer = tensor::ones({3, h, d, d_h});
    p.W_Q = Variable(tensor::select(buffer, 0, 0), requires_grad);
    p.W_K = Variable(tensor::select(buffer, 0, 1), requires_grad);
    p.W_V = Variable(tensor::select(buffer, 0, 2), requires_grad);
    return p;
}

Stages head_by_head(const P& p, const Variable& x) {
    std::vector<Variable> q, k, v, scores, masked, patterns, z;
    Variable out = p.b_O;
    for (std::int64_t h = 0; h < p.W_Q.dim(0); ++h) {
        q.push_back(matmul(x, select(p.W_Q, 0, h)) + select(p.b_Q, 0, h));  // [batch, posn, d_head]
        k.push_back(matmul(x, select(p.W_K, 0, h)) + select(p.b_K, 0, h));
        v.push_back(matmul(x, select(p.W_V, 0, h)) + select(p.b_V, 0, h));
        scores.push_back(matmul(q.back(), transpose(k.back())));
        masked.push_back(masked_fill(scores.back() / root(p.W_Q.dim(2)), future(x), -infinity));
        patterns.push_back(softmax(masked.back(), -1));
        z.push_back(matmul(patterns.back(), v.back()));
        out = out + matmul(z.back(), select(p.W_O, 0, h));
    }
    return {stack(q, 2),      stack(k, 2),        stack(v, 2), stack(scores, 1),
            stack(masked, 1), stack(patterns, 1), stack(z, 2), out};
}

// The root in the queries, and the mask as a number that is added.
Stages queries_scaled_first(const P& p, const Variable& x) {
    Stages s;
    projections(p, x, s);
    s.attn_scores = scores_of(s.q, s.k);
    const Variable scaled = scores_of(s.q / root(p.W_Q.dim(2)), s.k);
    s.attn_scores_masked = tril(scaled) + tensor::where(future(x), -infinity, 0.0);
    s.attn_pattern = exp(log_softmax(s.attn_scores_masked, -1));
    output(p, s);
    return s;
}

using Construct = decltype(AttentionClass::construct);
using Forward = decltype(AttentionClass::forward);

// The least score less 50, for the pattern: its weight is small, not 0.
Stages future_far_below(const P& p, const Variable& x) {
    Stages s = forward(p, x);
    const Variable scaled = s.attn_scores / root(p.W_Q.dim(2));
    const double low = static_cast<double>(tensor::min(scaled.value()).item()) - 50;
    s.attn_pattern = softmax(masked_fill(scaled, future(x), low), -1);
    output(p, s);
    return s;
}

Stages one_maximum_for_all(const P& p, const Variable& x) {
    Stages s = forward(p, x);
    const Variable powers = exp(s.attn_scores_masked - tensor::max(s.attn_scores_masked.value()));
    s.attn_pattern = powers / sum(powers, -1, keepdim);
    output(p, s);
    return s;
}

// b [heads, dim_head] is added to [batch, heads, posn, dim_head] where that fits.
Stages biases_by_position(const P& p, const Variable& x) {
    const auto projected = [&](const Variable& W, const Variable& b) {
        const Variable by_head = matmul(unsqueeze(x, 1), W);
        if (by_head.dim(1) == by_head.dim(2)) return transpose(by_head + b, 1, 2);
        return transpose(by_head, 1, 2) + b;
    };
    Stages s;
    s.q = projected(p.W_Q, p.b_Q);
    s.k = projected(p.W_K, p.b_K);
    s.v = projected(p.W_V, p.b_V);
    s.attn_scores = scores_of(s.q, s.k);
    mask_and_softmax(s.attn_scores / root(p.W_Q.dim(2)), s);
    output(p, s);
    return s;
}

Answer constructed(const char* what, const Construct& by,
                   const std::vector<std::string>& names = {}) {
    return {what, [by] { return judge_08_2({by, forward}); }, names};
}

Answer answer(const char* what, const Forward& by, const std::vector<std::string>& names = {}) {
    return {what, [by] { return judge_08_2({construct, by}); }, names};
}

Stages with_einsum(const P& p, const Variable& x) {
    Stages s;
    s.q = einsum("bpm,hmd->bphd", x, p.W_Q) + p.b_Q;
    s.k = einsum("bpm,hmd->bphd", x, p.W_K) + p.b_K;
    s.v = einsum("bpm,hmd->bphd", x, p.W_V) + p.b_V;
    s.attn_scores = einsum("bqhd,bkhd->bhqk", s.q, s.k);
    const Tensor below = tensor::tril(tensor::ones({x.dim(1), x.dim(1)}));
    s.attn_scores_masked =
        where(below == 1, s.attn_scores / root(p.W_Q.dim(2)), Variable(tensor::of(-infinity)));
    s.attn_pattern = softmax(s.attn_scores_masked, -1);
    s.z = einsum("bkhd,bhqk->bqhd", s.v, s.attn_pattern);
    s.attn_out = einsum("bqhd,hdm->bqm", s.z, p.W_O) + p.b_O;
    return s;
}

}  // namespace

Answers answers_08_2() {
    Answers answers;
    answers.number = "08.2";
    answers.slipping = slipping(judge_08_2);
    answers.wrong = {
        constructed("W_O has the shape of the others", W_O_like_the_others, {"par.WO-like-WQ"}),
        constructed("b_O has a row for each head", b_O_for_each_head, {"par.bO-each-head"}),
        constructed("biases of ones", biases_of_ones),
        constructed("biases do not require grad", biases_are_constants),
        constructed("three weights are one leaf", one_leaf_for_three_weights),
        constructed("three biases share their storage", one_storage_for_three_biases),
        answer("√dim_model", root_of_dim_model, {"att.scale-dmodel"}),
        answer("a whole number for √dim_head", whole_root),
        answer("attn_scores are scaled", scores_already_scaled),
        answer("attn_scores_masked are not scaled", masked_scores_not_scaled),
        answer("attn_pattern is that without a mask", pattern_before_the_mask),
        answer("attn_scores lack b_K", scores_without_the_keys_bias),
        answer("-10000 for -∞", finite_mask),
        answer("z adds up over the queries", pattern_summed_over_queries, {"att.weights-T"}),
        answer("b_O is added for each head", b_O_from_every_head, {"mha.bias-twice"}),
        answer("only the first head is masked", masks_one_head),
        answer("the mask is that of the first call", mask_of_its_first_text),
        answer("x gets no gradient through v", values_of_a_constant_x),
        answer("q gets no gradient", queries_without_gradient),
        answer("W_O gets no gradient", W_O_as_a_constant),
        answer("z has no gradient for the pattern", pattern_without_gradient,
               {"att.detached-weights"}),
        constructed("one b_O for all objects", one_b_O_for_all_objects),
        answer("the sum of the pattern is detached", pattern_with_detached_sum,
               {"sm.detached-sum-only"}),
        answer("attn_scores_masked is a constant", detached_masked_scores),
        answer("b_V is not added", without_b_V),
        answer("scores of exactly 0 are masked", zero_scores_are_masked, {"mask.zero-score"}),
        answer("a maximum that starts at 0", maximum_from_0),
        answer("b_O changes after its use", parameter_changes),
        constructed("W_Q is one number, expanded", one_number_for_W_Q),
        constructed("objects of the same sizes are one", kept_for_its_sizes),
        answer("x is frozen", freezes_x),
        answer("b_K is frozen", freezes_b_K),
        answer("the pattern hands on twice its gradient", pattern_counted_twice),
        answer("the least score less 50 for the future", future_far_below),
        answer("one maximum for all rows", one_maximum_for_all, {"sm.global-max"}),
        answer("biases fall on positions if as many as heads", biases_by_position),
    };
    answers.right = {
        answer("head by head", head_by_head),
        answer("queries scaled, exp of log_softmax", queries_scaled_first),
        constructed("three weights are slices of one buffer", slices_of_one_buffer),
        answer("with einsum, as the note has it", with_einsum),
    };
    return answers;
}
