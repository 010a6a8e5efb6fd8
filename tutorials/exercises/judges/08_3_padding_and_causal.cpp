#include "tutorials/exercises/judges/08_3_padding_and_causal.h"

#include "tutorials/exercises/judges/08_3_padding_and_causal_inputs.h"
#include "tutorials/exercises/judges/08_3_padding_and_causal_walk.h"
#include "tutorials/exercises/judges/common_masked.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops.h"
#include "tensor/ops.h"
#include "tensor/ops/compare.h"

#include <cmath>

using namespace heed;
using namespace exercise::masked_walk;
using namespace exercise::padding_inputs;
using namespace exercise::padding_walk;

namespace exercise {

namespace {

std::vector<Leaf> leaves_of(const Heads& x) {
    return {{"Q", Variable(x.Q, requires_grad)},
            {"K", Variable(x.K, requires_grad)},
            {"V", Variable(x.V, requires_grad)}};
}

enum class Compared { values, gradients_too };

Stages as_stages(const WeightsAndOutput& given, const std::vector<Leaf>& leaves, Compared what) {
    const Stages values = {{"weights", given.weights.value()}, {"output", given.output.value()}};
    if (what == Compared::values) return values;
    return with_gradients(values, side_by_side({given.weights, given.output}), leaves);
}

Stages as_stages(const BoolTensor& allowed) {
    return {{"the mask (1 where a query may attend)", tensor::to_tensor(allowed)}};
}

// The attention with the mask that is made of the padding.
Case of_texts(const std::vector<std::string>& texts, const Heads& heads, const MaskOfBatch& mask_of,
              const MaskedAttention& attention, Compared what = Compared::gradients_too) {
    std::string name = texts.size() == 1 ? "the text " : "the texts ";
    for (const std::string& text : texts) name += (text == texts[0] ? "" : ", ") + text;
    const BoolTensor is_padding = padding(texts);
    const std::vector<Leaf> leaves = leaves_of(heads);
    const Variable Q = leaves[0].variable, K = leaves[1].variable, V = leaves[2].variable;
    const auto joined = [=](Stages stages, const WeightsAndOutput& given) {
        const Stages more = as_stages(given, leaves, what);
        stages.insert(stages.end(), more.begin(), more.end());
        return stages;
    };
    const auto walk = [=](const Slips& slip) {
        const BoolTensor allowed = allowed_by(is_padding, slip);
        return joined(as_stages(allowed), attended(Q, K, V, allowed, slip));
    };
    // With a wrong mask nothing can be said of the attention.
    const auto learner = [=] {
        const Mask mask = mask_of(is_padding);
        const Stages first = as_stages(mask.allowed());
        if (!same(first, as_stages(allowed_by(is_padding, {})))) return first;
        return joined(first, attention(Q, K, V, mask));
    };
    return {name, walk, learner, values_of(leaves)};
}

// The attention with another mask.
Case of_mask(const std::string& name, const Heads& heads, const BoolTensor& allowed,
             const MaskedAttention& attention) {
    const std::vector<Leaf> leaves = leaves_of(heads);
    const Variable Q = leaves[0].variable, K = leaves[1].variable, V = leaves[2].variable;
    const auto stages = [=](const WeightsAndOutput& given) {
        return as_stages(given, leaves, Compared::gradients_too);
    };
    return {name, [=](const Slips& slip) { return stages(attended(Q, K, V, allowed, slip)); },
            [=] { return stages(attention(Q, K, V, Mask::allowing(allowed))); }, values_of(leaves)};
}

std::vector<Case> cases(const MaskOfBatch& mask, const MaskedAttention& attention) {
    const Heads crossed{random({2, 3, 3, 4}, 70), random({2, 3, 5, 4}, 71),
                        random({2, 3, 5, 2}, 72)};
    const Heads views = random_heads(2, 3, 4, 5, 2, 75);
    return {
        of_texts({"..xxx", "xxxx."}, random_heads(2, 3, 5, 4, 2, 10), mask, attention,
                 Compared::values),
        of_texts({"xxxxxx", ".xxxx.", "xx.x.x", "x.x..x"}, random_heads(4, 2, 6, 3, 4, 20), mask,
                 attention),
        of_texts({".xxx", "xx.."}, random_heads(2, 2, 4, 3, 5, 30), mask, attention),
        of_texts({"xxx", "..."}, random_heads(2, 1, 3, 2, 4, 40), mask, attention),
        of_texts({"x"}, random_heads(1, 2, 1, 3, 2, 50), mask, attention),
        of_texts({".", "x"}, random_heads(2, 1, 1, 2, 3, 55), mask, attention),
        of_texts({"x.xxx", "...xx"}, random_heads(2, 3, 5, 4, 2, 60), mask, attention),
        of_mask("3 queries and 5 keys, one mask for all", crossed, random_mask({1, 1, 3, 5}, 73),
                attention),
        of_mask("a mask for each text and head", crossed, random_mask({2, 3, 3, 5}, 74), attention),
        of_mask("5 queries and 2 keys, one mask for all queries",
                {random({3, 2, 5, 3}, 77), random({3, 2, 2, 3}, 78), random({3, 2, 2, 4}, 79)},
                BoolTensor({true, false, false, false, true, true}, {3, 1, 1, 2}), attention),
        of_mask("one mask for all keys: a query sees all or nothing", crossed,
                BoolTensor({true, false, true, false, true, true}, {2, 1, 3, 1}), attention),
        of_mask("one query and 5 keys",
                {random({2, 3, 1, 4}, 62), random({2, 3, 5, 4}, 63), random({2, 3, 5, 2}, 64)},
                random_mask({2, 1, 1, 5}, 61), attention),
        of_mask("queries that see nothing, whose keys others see", random_heads(2, 2, 4, 3, 2, 66),
                no_keys_for_query_1_or_2(), attention),
        of_mask("everything may be seen, d_k = d_v", random_heads(2, 2, 4, 3, 3, 65),
                BoolTensor::full({1, 1, 1, 1}, true), attention),
        of_mask("a mask for each head", crossed, random_mask({1, 3, 3, 5}, 75), attention),
        of_mask("views that are not contiguous",
                {turned(views.Q), turned(views.K), turned(views.V)}, random_mask({2, 1, 4, 4}, 76),
                attention),
        of_mask("queries with scores from -10⁵ to 10⁵", with_rows_far_apart(80),
                without_key_3_of_text_0(random_mask({4, 1, 4, 4}, 83)), attention),
        // As many words of padding as in the first case, in the same shape.
        of_texts({".xxxx", "x..xx"}, with_queries_of_zeros(5, 90), mask, attention),
        of_texts({long_text(7), long_text(11)}, random_heads(2, 1, 60, 2, 1, 95), mask, attention),
    };
}

// A batch of two, the first padded at the front, the second at the end.
struct Batch {
    BoolTensor is_padding = padding({"..xxx", "xxxx."});
    Tensor Q = random({2, 3, 5, 4}, 81), K = random({2, 3, 5, 4}, 82), V = random({2, 3, 5, 2}, 83);
};

Tensor other_padding(const Tensor& x, const BoolTensor& is_padding) {
    const BoolTensor rows = is_padding.reshape({is_padding.dim(0), 1, is_padding.dim(1), 1});
    return tensor::where(rows, random(x.shape(), 84), x);
}

std::string padding_is_felt(const MaskOfBatch& mask, const MaskedAttention& attention) {
    const Batch batch;
    const Mask its = mask(batch.is_padding);
    const Variable Q(batch.Q), K(batch.K), V(batch.V);
    const Variable K_2(other_padding(batch.K, batch.is_padding));
    const Variable V_2(other_padding(batch.V, batch.is_padding));
    const Tensor before = attention(Q, K, V, its).output.value();
    const std::string changed = difference(attention(Q, K_2, V_2, its).output.value(), before);
    if (changed.empty()) return "";
    return "With other keys and values in the padding, output " + changed + " as before.";
}

// The three words of the first text, which come after two padding tokens: [1, h, 3, d]
Variable its_words(const Tensor& x) {
    return Variable(tensor::contiguous(tensor::slice(tensor::slice(x, 0, 0, 1), 2, 2, 5)));
}

std::string differs_alone(const MaskOfBatch& mask, const MaskedAttention& attention) {
    const Batch batch;
    const Mask its = mask(batch.is_padding);
    const Tensor padded =
        attention(Variable(batch.Q), Variable(batch.K), Variable(batch.V), its).output.value();
    const Variable Q = its_words(batch.Q), K = its_words(batch.K), V = its_words(batch.V);
    const Tensor alone = attention(Q, K, V, mask(padding({"xxx"}))).output.value();
    const std::string changed = difference(its_words(padded).value(), alone);
    if (changed.empty()) return "";
    return "The output of xxx, when padded to ..xxx, " + changed + " as without padding.";
}

std::string rows_do_not_sum(const MaskOfBatch& mask, const MaskedAttention& attention) {
    const Batch batch;
    return sums_finding(
        attention(Variable(batch.Q), Variable(batch.K), Variable(batch.V), mask(batch.is_padding))
            .weights.value());
}

std::string blocked_has_weight(const MaskOfBatch& mask, const MaskedAttention& attention) {
    const Batch batch;
    const Mask its = mask(batch.is_padding);
    const Variable Q(batch.Q), K(batch.K), V(batch.V);
    return leak_finding(attention(Q, K, V, its).weights.value(), its.blocked());
}

std::vector<Hole> holes() {
    return {
        {"mask_of_batch",
         {"the mask (1 where a query may attend)"},
         {"Query i of text b: which keys j are not in its future, and which of them are words?",
          "Print the mask (std::cout << mask): a row for each query; padding is a column without "
          "an x",
          "allowed[b, i, j] = (j ≤ i and not is_padding[b, j])",
          "allowed.push_back(j <= i && !is_padding(b, j)); in loops over b, i and j, j innermost"}},
        {"attention",
         {"weights", "output", "the gradient of Q", "the gradient of K", "the gradient of V"},
         {"What weight must a blocked key get, and what are the weights of a query that may see "
          "nothing?",
          "The line that puts in -∞, and the softmax after it; tensor/mask.h has blocked()",
          "weights = softmax(Q·Kᵀ/√d_k with -∞ where blocked) over the keys, output = weights·V",
          "masked_fill(scores, mask.blocked(), -infinity), and the library's softmax, which gives "
          "0 for a row of only -∞"}},
    };
}

}  // namespace

Exercise padding_and_causal(const MaskOfBatch& mask_of_batch, const MaskedAttention& attention) {
    Exercise exercise;
    exercise.number = "08.3";
    exercise.title = "Padding and causal mask together";
    exercise.cases = cases(mask_of_batch, attention);
    exercise.laws = {
        {"what stands in the padding changes nothing",
         [=] { return padding_is_felt(mask_of_batch, attention); }},
        {"each row of weights sums to 1, or to 0 where nothing may be seen",
         [=] { return rows_do_not_sum(mask_of_batch, attention); }},
        {"what may not be seen has weight 0",
         [=] { return blocked_has_weight(mask_of_batch, attention); }},
        {"padded or alone is the same", [=] { return differs_alone(mask_of_batch, attention); }},
    };
    exercise.mistakes = mistakes();
    exercise.hints = {"Which of the two functions is to blame, the mask or the attention?",
                      "Print the mask of ..xxx and xxxx. (std::cout << mask) and compare it with "
                      "what each word may see",
                      "If the mask is right, give the attention a mask that allows everything: it "
                      "should do what exercise 07.1 does",
                      "Then block a single key for all queries: its column of weights should be 0, "
                      "and each row still sum to 1"};
    exercise.holes = holes();
    return exercise;
}

Trials padding_and_causal_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return padding_and_causal(
            [=](const BoolTensor& p) { return Mask::allowing(allowed_by(p, slip)); },
            [=](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
                return attended(Q, K, V, mask.allowed(), slip);
            });
    };
    trials.right["with the library's masks, zeroed after a finite fill"] = [] {
        const auto mask = [](const BoolTensor& p) {
            const std::int64_t B = p.dim(0), T = p.dim(1);
            return Mask::causal(T) & Mask::blocking(p.reshape({B, 1, 1, T}));
        };
        const auto attention = [](const Variable& Q, const Variable& K, const Variable& V,
                                  const Mask& mask) {
            const double root = std::sqrt(static_cast<double>(Q.dim(-1)));
            const Variable low = masked_fill(matmul(Q / root, transpose(K)), mask.blocked(), -1e9);
            const Variable weights = masked_fill(softmax(low, -1), mask.blocked(), 0);
            return WeightsAndOutput{weights, matmul(weights, V)};
        };
        return padding_and_causal(mask, attention);
    };
    trials.right["masked after the softmax, and divided again by what is left"] = [] {
        const auto attention = [](const Variable& Q, const Variable& K, const Variable& V,
                                  const Mask& mask) {
            const double root = std::sqrt(static_cast<double>(Q.dim(-1)));
            const Variable all = softmax(matmul(Q, transpose(K)) / root, -1);
            const Variable seen = masked_fill(all, mask.blocked(), 0);
            const Variable left = sum(seen, -1, keepdim);
            const Variable weights = seen / masked_fill(left, left.value() == 0, 1);
            return WeightsAndOutput{weights, matmul(weights, V)};
        };
        const auto mask = [](const BoolTensor& p) { return Mask::allowing(allowed_by(p, {})); };
        return padding_and_causal(mask, attention);
    };
    return trials;
}

}  // namespace exercise
