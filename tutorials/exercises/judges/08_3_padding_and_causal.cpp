#include "tutorials/exercises/judges/common_qkv.h"
#include "tutorials/exercises/judges/lesson_08.h"
#include "tutorials/exercises/judging/kit.h"

#include <optional>

using namespace heed;

namespace exercise {
namespace {
// What the mask of a batch allows, [B, 1, T, T].
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
    if (slip("mask.transposed")) {
        return tensor::transpose(tensor::to_tensor(allowed), -2, -1) == 1;
    }
    return slip("mask.complement") ? !allowed : allowed;
}

// Assigns the texts' masks to [b, h] as if the heads came first: h·B for B·h.
BoolTensor heads_first(const BoolTensor& blocked, std::int64_t h) {
    const std::int64_t B = blocked.dim(0), T_q = blocked.dim(2), T_k = blocked.dim(3);
    const Tensor numbers = tensor::reshape(tensor::to_tensor(blocked), {1, B, T_q, T_k});
    const Tensor tiled = tensor::contiguous(tensor::expand(numbers, {h, B, T_q, T_k}));
    return tensor::reshape(tiled, {B, h, T_q, T_k}) == 1;
}

WeightsAndOutput attended(const QueriesKeysValues& in, const Mask& mask, const Slips& slip) {
    const std::int64_t B = in.Q.dim(0), h = in.Q.dim(1), d_k = in.Q.dim(3);
    BoolTensor blocked = mask.blocked();
    const bool for_all_heads = blocked.dim(1) == 1 && blocked.dim(0) == B;
    if (slip("mask.head-batch-order") && for_all_heads) blocked = heads_first(blocked, h);
    const Attended s = attention(in, {.d_model = h * d_k, .blocked = blocked}, slip);
    if (slip("train.detached")) return {s.weights.detach(), s.output.detach()};
    return {s.weights, s.output};
}

std::vector<Mistake> own_mistakes() {
    return {
        {"mask.no-causal", "only the padding was masked",
         "Which word may the first one of a text look at?", "Row 0 of your mask."},
        {"mask.no-padding", "only the future was masked, and the padding was seen",
         "Do the masks of the two texts differ?", "The column of a key that is padding."},
        {"mask.or", "a key was allowed where either condition holds, and not only where both do",
         "May each of the two conditions block a key alone?",
         "How your mask joins its two conditions."},
        {"mask.inverted", "is_padding was read as \"may be looked at\"",
         "What does true mean in is_padding?", "The column of a key that is padding."},
        {"mask.complement", "the mask blocked what it should allow, and allowed the rest",
         "What does Mask::allowing take, and what Mask::blocking?", "Entry [0, 0, 4, 4]."},
        {"mask.transposed", "the mask was transposed, with a row for each key",
         "Who has a row in a mask, a query or a key?", "The order of your loops over i and j."},
        {"mask.pad-query-axis", "the rows of the padding were masked and not its columns",
         "Who must not be looked at: padded keys, or padded queries?",
         "With which index do you ask is_padding: that of the row, or of the column?"},
        {"mask.first-text", "all texts got the padding of the first",
         "Do the masks of the two texts differ?", "The first index of is_padding."},
        {"mask.head-batch-order",
         "the masks were laid out with the heads first, so that heads got those of other texts",
         "Which text's mask does head 1 of text 0 get?",
         "Compare weights[0, 0] with weights[0, 1]: the zeros should stand in the same places."},
        {"mask.unused", "the attention did not use its mask", "Which weights must be 0?",
         "Where your attention uses its last argument."},
        {"train.detached",
         "weights and output were computed from values, so that nothing is recorded",
         "Do weights and output know what they were computed from?",
         "Print output: which operation made it?"},
        {"mask.empty-nan", "a softmax was taken of a row of only -∞, which is 0/0",
         "Which queries may look at nothing?", "Row 0 of the text that is padded at the front."},
    };
}

// Scores between -10⁵ and 10⁵, those of one query within 100 of each other. Key 3 of text 0 gets
// about 90 more than the others from each query, so that if it is blocked, what is seen lies far
// below the largest.
QueriesKeysValues with_rows_far_apart(std::uint64_t seed) {
    const QueriesKeysValues x = random_attention_input({{4, 2}, 4, 4, 2, 3}, seed);
    const Tensor of_query = tensor::reshape(tensor::linspace(-99993, 99993, 32), {4, 2, 4, 1});
    const Tensor twos = tensor::full({4, 2, 4, 1}, 2);
    const BoolTensor text_0 = tensor::reshape(tensor::arange(4), {4, 1, 1, 1}) == 0;
    const BoolTensor key_3 = tensor::reshape(tensor::arange(4), {1, 1, 4, 1}) == 3;
    const Tensor more = tensor::where(text_0 & key_3, twos * 45, twos * 0);
    return {leaf(tensor::concatenate({of_query * 2, twos, x.Q.value()}, -1)),
            leaf(tensor::concatenate({twos / 2, more, x.K.value() * 0.5}, -1)), x.V};
}

BoolTensor without_key_3_of_text_0(const BoolTensor& allowed) {
    const BoolTensor text_0 = tensor::reshape(tensor::arange(4), {4, 1, 1, 1}) == 0;
    return allowed & !(text_0 & (tensor::arange(4) == 3));
}

// Queries of zeros, whose scores are all exactly 0.
QueriesKeysValues with_queries_of_zeros(std::int64_t T, std::uint64_t seed) {
    const QueriesKeysValues x = random_attention_input({{2, 2}, T, T, 3, 4}, seed);
    const BoolTensor odd = (tensor::arange(static_cast<double>(T)) > 1).reshape({1, 1, T, 1});
    return {leaf(tensor::masked_fill(x.Q.value(), !odd, 0)), x.K, x.V};
}

// The same numbers with another order in memory.
Variable turned(const Variable& x) {
    return leaf(tensor::transpose(tensor::clone(tensor::transpose(x.value(), 1, 2)), 1, 2));
}

BoolTensor random_mask(const Shape& shape, std::uint64_t seed) {
    return random(shape, seed) > -0.3;
}

// Query 1 of text 0 and query 2 of text 1 see nothing, the others all.
BoolTensor no_keys_for_query_1_or_2() {
    const Tensor its = tensor::of({{{{1}}}, {{{2}}}});
    return (tensor::reshape(tensor::arange(4), {1, 1, 4, 1}) != its) &
           BoolTensor::full({2, 1, 4, 4}, true);
}

// 60 words with padding here and there.
std::string long_text(std::size_t every) {
    std::string text(60, 'x');
    for (std::size_t i = every / 2; i < text.size(); i += every) text[i] = '.';
    return text;
}

enum class Compared { values, gradients_too };

// The mask is made of padding, or given.
struct Given {
    QueriesKeysValues x;
    BoolTensor allowed;
    std::optional<BoolTensor> is_padding = {};
    Compared what = Compared::gradients_too;
};

Stages given(const Given& in) { return given(in.x); }

Named<Given> of_texts(const std::vector<std::string>& texts, const QueriesKeysValues& x,
                      Compared what = Compared::gradients_too) {
    std::string name = texts.size() == 1 ? "the text " : "the texts ";
    for (const std::string& text : texts) name += (text == texts[0] ? "" : ", ") + text;
    const BoolTensor is_padding = padding(texts);
    return {name, {x, allowed_by(is_padding, {}), is_padding, what}};
}

Inputs<Given> inputs() {
    const QueriesKeysValues crossed = random_attention_input({{2, 3}, 3, 5, 4, 2}, 70);
    const QueriesKeysValues views = random_attention_input({{2, 3}, 4, 4, 5, 2}, 75);
    return {
        of_texts({"..xxx", "xxxx."}, random_attention_input({{2, 3}, 5, 5, 4, 2}, 10),
                 Compared::values),
        of_texts({"xxxxxx", ".xxxx.", "xx.x.x", "x.x..x"},
                 random_attention_input({{4, 2}, 6, 6, 3, 4}, 20)),
        of_texts({".xxx", "xx.."}, random_attention_input({{2, 2}, 4, 4, 3, 5}, 30)),
        of_texts({"xxx", "..."}, random_attention_input({{2, 1}, 3, 3, 2, 4}, 40)),
        of_texts({"x"}, random_attention_input({{1, 2}, 1, 1, 3, 2}, 50)),
        of_texts({".", "x"}, random_attention_input({{2, 1}, 1, 1, 2, 3}, 55)),
        of_texts({"x.xxx", "...xx"}, random_attention_input({{2, 3}, 5, 5, 4, 2}, 60)),
        {"3 queries and 5 keys, one mask for all", {crossed, random_mask({1, 1, 3, 5}, 73)}},
        {"a mask for each text and head", {crossed, random_mask({2, 3, 3, 5}, 74)}},
        {"5 queries and 2 keys, one mask for all queries",
         {random_attention_input({{3, 2}, 5, 2, 3, 4}, 77),
          BoolTensor({true, false, false, false, true, true}, {3, 1, 1, 2})}},
        {"one mask for all keys: a query sees all or nothing",
         {crossed, BoolTensor({true, false, true, false, true, true}, {2, 1, 3, 1})}},
        {"one query and 5 keys",
         {random_attention_input({{2, 3}, 1, 5, 4, 2}, 62), random_mask({2, 1, 1, 5}, 61)}},
        {"queries that see nothing, whose keys others see",
         {random_attention_input({{2, 2}, 4, 4, 3, 2}, 66), no_keys_for_query_1_or_2()}},
        {"everything may be seen, d_k = d_v",
         {random_attention_input({{2, 2}, 4, 4, 3, 3}, 65), BoolTensor::full({1, 1, 1, 1}, true)}},
        {"a mask for each head", {crossed, random_mask({1, 3, 3, 5}, 75)}},
        {"views that are not contiguous",
         {{turned(views.Q), turned(views.K), turned(views.V)}, random_mask({2, 1, 4, 4}, 76)}},
        {"queries with scores from -10⁵ to 10⁵",
         {with_rows_far_apart(80), without_key_3_of_text_0(random_mask({4, 1, 4, 4}, 83))}},
        // As many words of padding as in the first case, in the same shape.
        of_texts({".xxxx", "x..xx"}, with_queries_of_zeros(5, 90)),
        of_texts({long_text(7), long_text(11)}, random_attention_input({{2, 1}, 60, 60, 2, 1}, 95)),
    };
}

Stages stages(const PaddingAndCausal& yours, const Given& in) {
    Stages found;
    Mask mask = Mask::allowing(in.allowed);
    if (in.is_padding) {
        mask = yours.mask_of_batch(*in.is_padding);
        const Tensor allowed = tensor::to_tensor(mask.allowed());
        found = {{"the mask (1 where a query may attend)", allowed}};
        // With a wrong mask nothing can be said of the attention.
        if (!same(allowed, tensor::to_tensor(in.allowed))) return found;
    }
    const WeightsAndOutput given = yours.attention(in.x.Q, in.x.K, in.x.V, mask);
    found.push_back({"weights", given.weights.value()});
    found.push_back({"output", given.output.value()});
    if (in.what == Compared::values) return found;
    return with_gradients(found, side_by_side({given.weights, given.output}), leaves_of(in.x));
}

// A batch of two, the first padded at the front, the second at the end.
struct Batch {
    BoolTensor is_padding = padding({"..xxx", "xxxx."});
    QueriesKeysValues x = without_gradients(random_attention_input({{2, 3}, 5, 5, 4, 2}, 81));
};

Variable other_padding(const Variable& x, const BoolTensor& is_padding) {
    const BoolTensor rows = is_padding.reshape({is_padding.dim(0), 1, is_padding.dim(1), 1});
    return Variable(tensor::where(rows, random(x.shape(), 84), x.value()));
}

std::string padding_is_felt(const PaddingAndCausal& yours) {
    const auto& [is_padding, x] = Batch();
    const Mask its = yours.mask_of_batch(is_padding);
    const Tensor before = yours.attention(x.Q, x.K, x.V, its).output.value();
    const Variable K = other_padding(x.K, is_padding), V = other_padding(x.V, is_padding);
    const std::string changed = difference(yours.attention(x.Q, K, V, its).output.value(), before);
    if (changed.empty()) return "";
    return "With other keys and values in the padding, output " + changed + " as before.";
}

// The three words of the first text, which come after two padding tokens: [1, h, 3, d]
Variable its_words(const Variable& x) {
    return Variable(tensor::contiguous(tensor::slice(tensor::slice(x.value(), 0, 0, 1), 2, 2, 5)));
}

std::string differs_alone(const PaddingAndCausal& yours) {
    const auto& [is_padding, x] = Batch();
    const Mask its = yours.mask_of_batch(is_padding);
    const Variable padded = yours.attention(x.Q, x.K, x.V, its).output;
    const Mask mask = yours.mask_of_batch(padding({"xxx"}));
    const Tensor alone =
        yours.attention(its_words(x.Q), its_words(x.K), its_words(x.V), mask).output.value();
    const std::string changed = difference(its_words(padded).value(), alone);
    if (changed.empty()) return "";
    return "The output of xxx, when padded to ..xxx, " + changed + " as without padding.";
}

std::string rows_do_not_sum(const PaddingAndCausal& yours) {
    const auto& [is_padding, x] = Batch();
    const Mask its = yours.mask_of_batch(is_padding);
    return sums_finding(yours.attention(x.Q, x.K, x.V, its).weights.value());
}

std::string blocked_has_weight(const PaddingAndCausal& yours) {
    const auto& [is_padding, x] = Batch();
    const Mask its = yours.mask_of_batch(is_padding);
    return leak_finding(yours.attention(x.Q, x.K, x.V, its).weights.value(), its.blocked());
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

PaddingAndCausal reference(const Slips& slip) {
    return {
        [=](const BoolTensor& is_padding) { return Mask::allowing(allowed_by(is_padding, slip)); },
        [=](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
            return attended({Q, K, V}, mask, slip);
        }};
}

Rules<PaddingAndCausal> rules() {
    return {
        .number = "08.3",
        .title = "Padding and causal mask together",
        .reference = reference,
        .cases = on_each(stages, inputs()),
        .laws = {{"what stands in the padding changes nothing", padding_is_felt},
                 {"each row of weights sums to 1, or to 0 where nothing may be seen",
                  rows_do_not_sum},
                 {"what may not be seen has weight 0", blocked_has_weight},
                 {"padded or alone is the same", differs_alone}},
        .mistakes =
            joined(own_mistakes(), without(triangle_mistakes(), {"mask.absent"}), fill_mistakes(),
                   scale_mistakes(), product_mistakes(), softmax_mistakes(), context_mistakes(),
                   zero_score_mistakes(), gradient_mistakes()),
        .hints = {"Which of the two functions is to blame, the mask or the attention?",
                  "Print the mask of ..xxx and xxxx. (std::cout << mask) and compare it with "
                  "what each word may see",
                  "If the mask is right, give the attention a mask that allows everything: it "
                  "should do what exercise 07.1 does",
                  "Then block a single key for all queries: its column of weights should be 0, "
                  "and each row still sum to 1"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<PaddingAndCausal> judge_08_3(rules);

}  // namespace exercise
