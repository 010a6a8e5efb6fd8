#include "tutorials/exercises/judges/09_3_cross_attention.h"

#include "tutorials/exercises/judges/common_masked.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/autograd/ops.h"
#include "heed/nn/attention/head_axes.h"
#include "heed/tensor/mask.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/ops/compare.h"

#include <cmath>

using namespace heed;
using namespace exercise::masked_walk;

namespace exercise {

namespace {

// The inputs of the cases and laws: the decoder's text and the encoder's, of which the last b + 1
// words are padding in text b, but never the first.
struct Asked {
    Tensor decoder, encoder;
    HeadsParameters parameters;
    std::int64_t h;
    BoolTensor is_padding;
};

BoolTensor padding(std::int64_t B, std::int64_t T) {
    std::vector<bool> entries;
    for (std::int64_t b = 0; b < B; ++b) {
        for (std::int64_t j = 0; j < T; ++j) entries.push_back(j > 0 && j + b + 1 >= T);
    }
    return BoolTensor(entries, {B, T});
}

Asked asked(const Shape& decoder, const Shape& encoder, std::int64_t h, std::int64_t d_head,
            std::uint64_t seed) {
    return {random(decoder, seed), random(encoder, seed + 1),
            random_heads(decoder[2], encoder[2], h * d_head, seed + 2), h,
            padding(encoder[0], encoder[1])};
}

HeadsStages walked(const Asked& a, const Slips& slip) {
    const Variable decoder(a.decoder), encoder(a.encoder);
    const std::int64_t B = encoder.dim(0), T_q = decoder.dim(1), T_k = encoder.dim(1);
    Tensor padded = tensor::to_tensor(a.is_padding);
    if (slip("mask.inverted")) padded = 1 - padded;
    if (slip("mask.no-padding")) padded = tensor::zeros({B, T_k});
    if (slip("mask.first-text")) padded = tensor::expand(tensor::slice(padded, 0, 0, 1), {B, T_k});
    Dims keys{B, 1, 1, T_k};
    if (slip("mask.pad-query-axis")) keys = {B, 1, T_k, 1};
    BoolTensor blocked = tensor::reshape(padded, keys) == 1;
    if (slip("cross.causal")) blocked = blocked | Mask::causal(T_q, T_k).blocked();
    if (slip("cross.self")) return heads_walk(decoder, decoder, a.parameters, a.h, blocked, slip);
    if (slip("cross.encoder")) {
        return heads_walk(encoder, encoder, a.parameters, a.h, blocked, slip);
    }
    if (slip("cross.swapped")) {
        return heads_walk(encoder, decoder, a.parameters, a.h, blocked, slip);
    }
    HeadsStages s = heads_walk(decoder, encoder, a.parameters, a.h, blocked, slip);
    if (!slip("cross.values-from-decoder")) return s;
    s.V = heads_walk(decoder, decoder, a.parameters, a.h, blocked, {}).V;
    s.heads = matmul(s.weights, s.V);
    s.concat = merge_heads(s.heads);
    s.output = matmul(s.concat, a.parameters.W_O) + a.parameters.b_O;
    return s;
}

HeadsStages given(const CrossAttention& attention, const Asked& a) {
    return attention(Variable(a.decoder), Variable(a.encoder), a.parameters, a.h, a.is_padding);
}

std::vector<Mistake> own_mistakes() {
    return {
        {"cross.self",
         "the decoder's text had asked itself: keys and values from there too",
         {"Who answers the queries?", "What you multiply with W_K."}},
        {"cross.encoder",
         "the encoder's text had asked itself: the queries from there too",
         {"Who asks?", "What you multiply with W_Q."}},
        {"cross.swapped",
         "the encoder's text had asked and the decoder's had answered",
         {"Who asks, and who answers?", "What you multiply with W_Q, and what with W_K."}},
        {"cross.values-from-decoder",
         "the values had come from the decoder's text",
         {"Whose words does a query take home?", "What you multiply with W_V."}},
        {"cross.causal",
         "a causal mask had been laid on, so that a word sees only the beginning of the sentence",
         {"Is the sentence that is translated unknown at any time?", "Row 0 of your weights."}},
        {"mask.no-padding",
         "the padding had been looked at",
         {"Which keys are no words?", "The last columns of weights[1]."}},
        {"mask.inverted",
         "is_padding had been read as \"may be looked at\"",
         {"What does true mean in is_padding?", "The last columns of weights[1]."}},
        {"mask.pad-query-axis",
         "the padding's rows had been masked and not its columns",
         {"Is it queries or keys that are padded?", "The shape you give is_padding."}},
        {"mask.first-text",
         "all sentences had got the padding of the first",
         {"Do the masks of two sentences differ?", "The shape you give is_padding."}},
    };
}

std::string padding_is_felt(const CrossAttention& attention) {
    Asked a = asked({2, 3, 6}, {2, 5, 4}, 3, 2, 300);
    const Tensor before = given(attention, a).output.value();
    const BoolTensor rows = a.is_padding.reshape({2, 5, 1});
    a.encoder = tensor::where(rows, random({2, 5, 4}, 310), a.encoder);
    const Tensor after = given(attention, a).output.value();
    const bool kept = but_for_rounding(before, after);
    return kept ? "" : "Other padding gives other outputs.";
}

std::string other_words_are_felt(const CrossAttention& attention) {
    Asked a = asked({2, 4, 6}, {2, 5, 4}, 3, 2, 320);
    const Tensor before = given(attention, a).output.value();
    a.decoder = with_other_last_row(a.decoder);
    const Tensor after = given(attention, a).output.value();
    if (but_for_rounding(rows_before(before, 3), rows_before(after, 3))) return "";
    return "Another last word of the decoder changes outputs of others.";
}

std::string order_is_felt(const CrossAttention& attention) {
    Asked a = asked({1, 3, 6}, {1, 4, 5}, 3, 2, 330);
    a.is_padding = BoolTensor::full({1, 4}, false);
    const Tensor before = given(attention, a).output.value();
    a.encoder =
        tensor::concatenate({tensor::slice(a.encoder, 1, 2), tensor::slice(a.encoder, 1, 0, 2)}, 1);
    const Tensor after = given(attention, a).output.value();
    if (but_for_rounding(before, after)) return "";
    return "The encoder's words in another order, without padding, give another output.";
}

std::string no_gradient(const CrossAttention& attention) {
    const Asked a = asked({2, 3, 6}, {2, 5, 4}, 3, 2, 340);
    return without_gradient(a.parameters, given(attention, a).output);
}

}  // namespace

Exercise cross_attention(const CrossAttention& attention) {
    Exercise exercise;
    exercise.number = "09.3";
    exercise.title = "Cross-attention";
    const auto add = [&](const std::string& name, const Asked& a) {
        exercise.cases.push_back({name,
                                  [=](const Slips& slip) { return as_stages(walked(a, slip)); },
                                  [=] { return as_stages(given(attention, a)); }});
    };
    add("3 words ask 5, 3 heads of 2", asked({2, 3, 6}, {2, 5, 6}, 3, 2, 10));
    add("4 words ask 4, vectors of the same size", asked({3, 4, 6}, {3, 4, 6}, 2, 3, 20));
    add("5 words ask 3, which have smaller vectors", asked({2, 5, 6}, {2, 3, 4}, 2, 5, 30));
    add("one word asks one", asked({1, 1, 3}, {1, 1, 2}, 2, 2, 40));
    exercise.laws = {
        {"what stands in the padding changes nothing", [=] { return padding_is_felt(attention); }},
        {"each word asks by itself", [=] { return other_words_are_felt(attention); }},
        {"the order of those who answer does not matter", [=] { return order_is_felt(attention); }},
        {"the gradient arrives at every parameter",
         [=] { return no_gradient(attention); },
         {detached()}},
    };
    exercise.mistakes =
        joined({own_mistakes(), heads_mistakes(), product_mistakes(), scale_mistakes(),
                without(fill_mistakes(), {"mask.fill-large"}),
                without(softmax_mistakes(), {"sm.no-max", "sm.global-max"}), context_mistakes()});
    exercise.hints = {"Which text makes the queries, which the keys, and which the values?",
                      "The scores should be [B, h, T_q, T_k], a row for each word of the decoder",
                      "Q = decoder·W_Q + b_Q, K = encoder·W_K + b_K, V = encoder·W_V + b_V",
                      "s.K = split_heads(matmul(encoder, P.W_K) + P.b_K, h); the mask is "
                      "is_padding.reshape({B, 1, 1, T_k})"};
    return exercise;
}

Trials cross_attention_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return cross_attention([=](const Variable& decoder, const Variable& encoder,
                                   const HeadsParameters& p, std::int64_t h,
                                   const BoolTensor& is_padding) {
            return walked({decoder.value(), encoder.value(), p, h, is_padding}, slip);
        });
    };
    trials.more_ids = {"train.detached"};
    trials.right["masked after exp, and divided by what is left"] = [] {
        const auto attention = [](const Variable& decoder, const Variable& encoder,
                                  const HeadsParameters& p, std::int64_t h,
                                  const BoolTensor& is_padding) {
            const auto cut = [&](const Variable& x) { return stack(chunk(x, h, -1), 1); };
            HeadsStages s;
            s.Q = cut(matmul(decoder, p.W_Q) + p.b_Q);
            s.K = cut(matmul(encoder, p.W_K) + p.b_K);
            s.V = cut(matmul(encoder, p.W_V) + p.b_V);
            const double root = std::sqrt(static_cast<double>(s.Q.dim(-1)));
            s.scores = einsum("bhqd,bhkd->bhqk", s.Q / root, s.K);
            const Tensor words = tensor::to_tensor(!is_padding);
            const Variable seen(tensor::reshape(words, {words.dim(0), 1, 1, words.dim(1)}));
            const Variable powers = exp(s.scores - max(s.scores, -1, keepdim)) * seen;
            s.weights = powers / sum(powers, -1, keepdim);
            s.heads = einsum("bhqk,bhkd->bhqd", s.weights, s.V);
            s.concat = reshape(transpose(s.heads, 1, 2), {decoder.dim(0), decoder.dim(1), -1});
            s.output = matmul(s.concat, p.W_O) + p.b_O;
            return s;
        };
        return cross_attention(attention);
    };
    return trials;
}

}  // namespace exercise
