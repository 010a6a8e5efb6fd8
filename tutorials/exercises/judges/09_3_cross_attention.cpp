#include "tutorials/exercises/judges/common_heads.h"
#include "tutorials/exercises/judging/kit.h"
#include "tutorials/exercises/judging/solved.h"

#include "nn/attention/head_axes.h"

using namespace heed;

namespace exercise {
namespace {
struct Given {
    Variable decoder, encoder;
    HeadsParameters parameters;
    std::int64_t h;
    BoolTensor is_padding;  // [B, T_k]
};

struct Sizes {
    std::int64_t T_q, d_model, d_source, h, d_head;
};

Given random_input(const Sizes& its, const std::vector<std::string>& texts, std::uint64_t seed,
                   double deviation = 1) {
    const BoolTensor is_padding = padding(texts);
    const Shape decoder{is_padding.dim(0), its.T_q, its.d_model};
    const Shape encoder{is_padding.dim(0), is_padding.dim(1), its.d_source};
    return {leaf(random(decoder, seed, deviation)), leaf(random(encoder, seed + 1, deviation)),
            random_heads(its.d_model, its.d_source, its.h * its.d_head, seed + 2), its.h,
            is_padding};
}

std::vector<Leaf> leaves_of(const Given& in) {
    return leaves_of({{"decoder", in.decoder}, {"encoder", in.encoder}}, in.parameters);
}

Stages given(const Given& in) { return values_of(leaves_of(in)); }

HeadsStages walked(const Given& a, const Slips& slip) {
    const Variable& decoder = a.decoder;
    const Variable encoder = slip("train.encoder-detached") ? a.encoder.detach() : a.encoder;
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

std::vector<Mistake> own_mistakes() {
    return {
        {"cross.self", "the decoder's text asked itself: keys and values came from it too",
         "Who answers the queries?", "What you multiply by W_K."},
        {"cross.encoder", "the encoder's text asked itself: the queries came from it too",
         "Who asks?", "What you multiply by W_Q."},
        {"cross.swapped", "the encoder's text asked and the decoder's answered",
         "Who asks, and who answers?", "What you multiply by W_Q, and what by W_K."},
        {"cross.values-from-decoder", "the values came from the decoder's text",
         "Whose words does a query take home?", "What you multiply by W_V."},
        {"cross.causal",
         "there was a causal mask too, so that a word sees only the beginning of the source",
         "Is any part of the source unknown while it is translated?", "Row 0 of your weights."},
        {"mask.no-padding", "the padding was attended to", "Which keys are no words?",
         "The row of weights of a text with padding."},
        {"mask.inverted", "is_padding was read as \"may be attended to\"",
         "What does true mean in is_padding?", "The row of weights of a text with padding."},
        {"mask.pad-query-axis", "the padding's rows were masked and not its columns",
         "Is it queries or keys that are padded?", "The shape you give is_padding."},
        {"mask.first-text", "all texts had the padding of the first",
         "Do the masks of two texts differ?", "The shape you give is_padding."},
        {"train.encoder-detached",
         "the encoder's text was a constant, used through .value() or .detach()",
         "From where does the encoder learn?", "The lines of K and V."},
    };
}

Given far_below_0() {
    Given in = random_input({4, 5, 3, 1, 4}, {"x.x", ".xx"}, 60);
    in.parameters = with_scores_far_below_0(in.parameters);
    return in;
}

// Word 2 of the encoder's texts is zeros and no padding.
Given a_word_of_zeros() {
    Given in = random_input({3, 5, 4, 2, 3}, {".xxx", "xxx."}, 70);
    const BoolTensor third = tensor::reshape(tensor::arange(4), {4, 1}) == 2;
    const Tensor encoder = tensor::masked_fill(in.encoder.value(), third, 0);
    in.encoder = leaf(encoder);
    in.parameters = with_keys_unbiased(in.parameters);
    return in;
}

// Word 1 of the encoder's texts, which is padding, has a huge number; that makes its keys and
// nothing else.
Given huge_padding() {
    Given in = random_input({3, 5, 4, 2, 3}, {"x.xx", "..xx"}, 100);
    in.encoder = leaf(with_a_huge_feature_0(in.encoder.value(), 1));
    in.parameters.W_V = without_feature_0(in.parameters.W_V);
    return in;
}

Inputs<Given> inputs() {
    const Given first = random_input({3, 6, 6, 3, 2}, {"x.xx.", ".xx.x"}, 10);
    Given second = random_input({2, 6, 6, 3, 2}, {"xxxxx", "xxx.."}, 20);
    second.parameters = first.parameters;  // so that no key may be kept for its matrix
    return {
        {"3 words asking 5, some of them padding", first},
        {"2 words asking 5, with other padding", second},
        {"4 words asking 4, vectors of the same size",
         random_input({4, 6, 6, 2, 3}, {"xxxx", "..xx", "x.x."}, 30)},
        {"5 words asking 3, which have smaller vectors",
         random_input({5, 6, 4, 2, 5}, {"xx.", ".xx"}, 40)},
        {"large numbers", random_input({3, 4, 5, 2, 3}, {"xx.x", ".x.x"}, 50, 60)},
        {"3 words asking 4, no padding", random_input({3, 4, 5, 2, 3}, {"xxxx", "xxxx"}, 105)},
        {"large numbers, no padding", random_input({3, 4, 5, 2, 3}, {"xxxx", "xxxx"}, 110, 60)},
        {"padding of huge numbers", huge_padding()},
        {"one head, with scores far below zero", far_below_0()},
        {"a word of zeros among the encoder's", a_word_of_zeros()},
        {"2 words asking 60",
         random_input({2, 3, 3, 2, 1}, {"." + std::string(50, 'x') + "." + std::string(8, 'x')},
                      90)},
        {"one word asking 5, some of them padding",
         random_input({1, 5, 3, 2, 3}, {"x..x.", ".xxx."}, 130)},
        {"3 words asking one", random_input({3, 5, 4, 2, 3}, {"x", "x"}, 140)},
        {"one word asking one", random_input({1, 3, 2, 2, 2}, {"x"}, 80)},
    };
}

HeadsStages asked(const CrossAttention& attention, const Given& in) {
    return attention(in.decoder, in.encoder, in.parameters, in.h, in.is_padding);
}

Stages stages(const CrossAttention& attention, const Solved<Given>& solved) {
    return as_stages(asked(attention, solved.in), leaves_of(solved.in), solved.right);
}

Stages right(const Given& in) { return values_of(walked(in, {})); }

std::string padding_is_felt(const CrossAttention& attention) {
    Given in = random_input({3, 6, 4, 3, 2}, {"x.xx.", ".xx.x"}, 300);
    const Tensor before = asked(attention, in).output.value();
    const BoolTensor rows = in.is_padding.reshape({2, 5, 1});
    in.encoder = Variable(tensor::where(rows, random({2, 5, 4}, 310), in.encoder.value()));
    const std::string change = first_change(before, asked(attention, in).output.value());
    return change.empty() ? "" : "Other padding gives another output " + change + ".";
}

std::string padding_has_weight(const CrossAttention& attention) {
    const Given in = random_input({3, 6, 4, 3, 2}, {"x.xx.", ".xx.x"}, 300);
    return leak_finding(asked(attention, in).weights.value(), in.is_padding.reshape({2, 1, 1, 5}));
}

std::string other_words_are_felt(const CrossAttention& attention) {
    Given in = random_input({4, 6, 4, 3, 2}, {"x.xx.", ".xx.x"}, 320);
    const Tensor before = asked(attention, in).output.value();
    in.decoder = Variable(with_other_last_row(in.decoder.value()));
    const Tensor after = asked(attention, in).output.value();
    const std::string change = first_change(rows_before(before, 3), rows_before(after, 3));
    if (change.empty()) return "";
    return "Another last word of the decoder changes the output of another word, " + change + ".";
}

std::string order_is_felt(const CrossAttention& attention) {
    Given in = random_input({3, 6, 5, 3, 2}, {"xxxx"}, 330);
    const Tensor before = asked(attention, in).output.value(), x = in.encoder.value();
    in.encoder =
        Variable(tensor::concatenate({tensor::slice(x, 1, 2), tensor::slice(x, 1, 0, 2)}, 1));
    const std::string change = first_change(before, asked(attention, in).output.value());
    if (change.empty()) return "";
    return "With the encoder's words in another order, and no padding, the output changes at " +
           change + ".";
}

CrossAttention reference(const Slips& slip) {
    return [=](const Variable& decoder, const Variable& encoder, const HeadsParameters& p,
               std::int64_t h, const BoolTensor& is_padding) {
        return walked({decoder, encoder, p, h, is_padding}, slip);
    };
}

Rules<CrossAttention> rules() {
    return {
        .number = "09.3",
        .title = "Cross-attention",
        .reference = reference,
        .cases = on_each(stages, solved(inputs(), right)),
        .laws = {{"padding changes nothing", padding_is_felt},
                 {"padding has weight 0", padding_has_weight},
                 {"each word asks by itself", other_words_are_felt},
                 {"the order of those who answer does not matter", order_is_felt}},
        .mistakes =
            joined(own_mistakes(), heads_mistakes(), product_mistakes(), scale_mistakes(),
                   fill_mistakes(), softmax_mistakes(), context_mistakes(), detached_mistakes()),
        .hints = {"Which text makes the queries, which the keys, and which the values?",
                  "The scores should be [B, h, T_q, T_k], a row for each word of the decoder",
                  "Q = decoder·W_Q + b_Q, K = encoder·W_K + b_K, V = encoder·W_V + b_V",
                  "s.K = split_heads(matmul(encoder, P.W_K) + P.b_K, h); the mask is "
                  "is_padding.reshape({B, 1, 1, T_k})"},
    };
}

}  // namespace

const Judge<CrossAttention> judge_09_3(rules);

}  // namespace exercise
