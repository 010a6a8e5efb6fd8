#include "tutorials/exercises/judges/08_3_padding_and_causal.h"

#include "tutorials/exercises/judges/common_masked.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/autograd/ops.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/ops/compare.h"

#include <cmath>

using namespace heed;
using namespace exercise::masked_walk;

namespace exercise {

namespace {

// "xx..x": a dot is padding. One string per text.
BoolTensor padding(const std::vector<std::string>& texts) {
    std::vector<bool> entries;
    for (const std::string& text : texts) {
        for (const char c : text) entries.push_back(c == '.');
    }
    const auto B = static_cast<std::int64_t>(texts.size());
    return BoolTensor(entries, {B, static_cast<std::int64_t>(texts[0].size())});
}

// What the mask allows: [B, 1, T, T]
BoolTensor allowed_by(const BoolTensor& is_padding, const Slips& slip) {
    const std::int64_t B = is_padding.dim(0), T = is_padding.dim(1);
    BoolTensor past = !causal_blocked(T, slip);
    if (slip("mask.no-causal")) past = BoolTensor::full({T, T}, true);
    Tensor words = tensor::to_tensor(!is_padding);  // [B, T]
    if (slip("mask.inverted")) words = tensor::to_tensor(is_padding);
    if (slip("mask.no-padding")) words = tensor::ones({B, T});
    if (slip("mask.first-text")) {
        words = tensor::expand(tensor::slice(words, 0, 0, 1), words.shape());
    }
    Dims keys{B, 1, 1, T};
    if (slip("mask.pad-query-axis")) keys = {B, 1, T, 1};
    const BoolTensor known = tensor::reshape(words, keys) == 1;
    const BoolTensor all = BoolTensor::full({B, 1, T, T}, true);
    const BoolTensor allowed = slip("mask.or") ? all & (past | known) : all & (past & known);
    return slip("mask.complement") ? !allowed : allowed;
}

// Assigns the texts' masks to [b, h] as if the heads came first: h·B for B·h.
BoolTensor heads_first(const BoolTensor& blocked, std::int64_t h) {
    const std::int64_t B = blocked.dim(0), T = blocked.dim(2);
    const Tensor numbers = tensor::reshape(tensor::to_tensor(blocked), {1, B, T, T});
    const Tensor tiled = tensor::contiguous(tensor::expand(numbers, {h, B, T, T}));
    return tensor::reshape(tiled, {B, h, T, T}) == 1;
}

Variable with_nan_in_empty_rows(const Variable& weights, const BoolTensor& blocked) {
    const Tensor table = tensor::to_tensor(blocked);
    const BoolTensor empty = tensor::min(table, -1, keepdim) == 1;
    return masked_fill(weights, empty & BoolTensor::full(weights.shape(), true), std::nan(""));
}

WeightsAndOutput attended(const Variable& Q, const Variable& K, const Variable& V,
                          const BoolTensor& allowed, const Slips& slip) {
    const std::int64_t h = Q.dim(1), T = Q.dim(2), d_k = Q.dim(3);
    BoolTensor blocked = (!allowed) & BoolTensor::full({Q.dim(0), 1, T, T}, true);
    if (slip("mask.head-batch-order")) blocked = heads_first(blocked, h);
    const Variable scores = products(Q, K, V, slip) * scale(d_k, T, h * d_k, slip);
    Variable weights = masked_weights(masked(scores, blocked, slip), blocked, d_k, slip);
    if (slip("mask.empty-nan")) weights = with_nan_in_empty_rows(weights, blocked);
    return {weights, context(weights, K, V, slip)};
}

Stages as_stages(const BoolTensor& allowed, const WeightsAndOutput& given) {
    return {{"the mask, 1 where a query may attend,", tensor::to_tensor(allowed)},
            {"weights", given.weights.value()},
            {"output", given.output.value()}};
}

std::vector<Mistake> own_mistakes() {
    return {
        {"mask.no-causal",
         "only the padding had been masked",
         {"Which word may the first one of a text look at?", "Row 0 of your mask."}},
        {"mask.no-padding",
         "only the future had been masked, and the padding was seen",
         {"Do the masks of the two texts differ?", "The column of a key that is padding."}},
        {"mask.or",
         "a key had been allowed where either mask allows it",
         {"Which of the two masks may forbid?", "How your mask joins its two conditions."}},
        {"mask.inverted",
         "is_padding had been read as \"may be looked at\"",
         {"What does true mean in is_padding?", "The column of a key that is padding."}},
        {"mask.complement",
         "the mask had forbidden what it should allow, and allowed the rest",
         {"What does Mask::allowing take, and what Mask::blocking?", "Entry [0, 0, 4, 4]."}},
        {"mask.pad-query-axis",
         "the padding's rows had been masked and not its columns",
         {"Who must not be looked at: padded keys, or padded queries?",
          "With which index do you ask is_padding: that of the row, or of the column?"}},
        {"mask.first-text",
         "all texts had got the padding of the first",
         {"Do the masks of the two texts differ?", "The first index of is_padding."}},
        {"mask.head-batch-order",
         "the masks had been dealt out heads first, so that heads got those of other texts",
         {"Which text's mask has head 1 of text 0?",
          "Compare weights[0, 0] with weights[0, 1]: the zeros should stand in the same places."}},
        {"mask.empty-nan",
         "a softmax had been taken of a row of only -∞, which is 0/0",
         {"Which queries may look at nothing?", "Row 0 of the text that is padded at the front."}},
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
    const Tensor after = attention(Q, K_2, V_2, its).output.value();
    return but_for_rounding(before, after) ? "" : "Other padding gives other outputs.";
}

// The three words of the first text, which come after two padding tokens: [h, 3, d]
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
    if (but_for_rounding(its_words(padded).value(), alone)) return "";
    return "A text that is padded gets other outputs than alone.";
}

std::string rows_do_not_sum(const MaskOfBatch& mask, const MaskedAttention& attention) {
    const Batch batch;
    return sums_finding(
        attention(Variable(batch.Q), Variable(batch.K), Variable(batch.V), mask(batch.is_padding))
            .weights.value());
}

}  // namespace

Exercise padding_and_causal(const MaskOfBatch& mask_of_batch, const MaskedAttention& attention) {
    Exercise exercise;
    exercise.number = "08.3";
    exercise.title = "Padding and causal mask together";
    const auto add = [&](const std::string& name, const BoolTensor& is_padding, std::int64_t h,
                         std::int64_t d_k, std::int64_t d_v, std::uint64_t seed) {
        const std::int64_t B = is_padding.dim(0), T = is_padding.dim(1);
        const Variable Q(random({B, h, T, d_k}, seed)), K(random({B, h, T, d_k}, seed + 1));
        const Variable V(random({B, h, T, d_v}, seed + 2));
        exercise.cases.push_back({name,
                                  [=](const Slips& slip) {
                                      const BoolTensor allowed = allowed_by(is_padding, slip);
                                      return as_stages(allowed, attended(Q, K, V, allowed, slip));
                                  },
                                  [=] {
                                      const Mask mask = mask_of_batch(is_padding);
                                      return as_stages(mask.allowed(), attention(Q, K, V, mask));
                                  }});
    };
    add("..xxx and xxxx., 3 heads", padding({"..xxx", "xxxx."}), 3, 4, 2, 10);
    add("xxxxxx, .xxxx. and xx....", padding({"xxxxxx", ".xxxx.", "xx...."}), 2, 3, 3, 20);
    add(".xxx and xx.., 2 heads", padding({".xxx", "xx.."}), 2, 3, 5, 30);
    add("xxx and a text of padding alone", padding({"xxx", "..."}), 1, 2, 4, 40);
    exercise.laws = {
        {"what stands in the padding changes nothing",
         [=] { return padding_is_felt(mask_of_batch, attention); }},
        {"each row of weights sums to 1, or to 0 where nothing may be seen",
         [=] { return rows_do_not_sum(mask_of_batch, attention); }},
        {"padded or alone is the same", [=] { return differs_alone(mask_of_batch, attention); }},
    };
    exercise.mistakes =
        joined({own_mistakes(), without(triangle_mistakes(), {"mask.absent"}), fill_mistakes(),
                scale_mistakes(), product_mistakes(),
                without(softmax_mistakes(), {"sm.no-max", "sm.global-max"}), context_mistakes()});
    exercise.hints = {"Query i of text b: which keys j are its past, and which of them are words?",
                      "Print the mask (std::cout << mask): a row for each query; padding is a "
                      "column without an x",
                      "allowed[b, i, j] = j ≤ i and not is_padding[b, j]; weights = "
                      "softmax(scores with -∞ where not allowed) over j",
                      "allowed.push_back(j <= i && !is_padding(b, j)); and "
                      "masked_fill(scores, mask.blocked(), -infinity)"};
    exercise.cause_of_nan = "a softmax written out, of a row of only -∞: 0/0";
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
    trials.right["masked after the softmax, and divided by what is left"] = [] {
        const auto attention = [](const Variable& Q, const Variable& K, const Variable& V,
                                  const Mask& mask) {
            const double root = std::sqrt(static_cast<double>(Q.dim(-1)));
            const Variable all = softmax(matmul(Q, transpose(K)) / root, -1);
            const Variable kept = masked_fill(all, mask.blocked(), 0);
            const Variable total = sum(kept, -1, keepdim);
            const BoolTensor nothing = total.value() == 0;
            const Variable weights = kept / masked_fill(total, nothing, 1);
            return WeightsAndOutput{weights, matmul(weights, V)};
        };
        return padding_and_causal(
            [](const BoolTensor& p) { return Mask::allowing(allowed_by(p, {})); }, attention);
    };
    return trials;
}

}  // namespace exercise
