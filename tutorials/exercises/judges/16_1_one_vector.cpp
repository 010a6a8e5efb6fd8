#include "tutorials/exercises/judges/lesson_16.h"
#include "tutorials/exercises/judging/kit.h"

#include "autograd/grad.h"

#include <limits>

using namespace heed;

namespace exercise {
namespace {
// For each text a string with a letter for each place: "x" for a token, "." for padding.
using Places = std::vector<std::string>;

// 1 where the letter is `which`, else 0: [B, T].
Tensor marked(const Places& texts, char which = 'x') {
    std::vector<Scalar> marks;
    for (const std::string& text : texts) {
        for (const char letter : text) marks.push_back(letter == which);
    }
    return tensor::from_vector(marks, {std::ssize(texts), std::ssize(texts[0])});
}

Mask mask_of(const Places& texts) { return Mask::allowing_keys(marked(texts) == 1); }

// Error: a text has no token (std::invalid_argument).
Places places_in(const Mask& mask) {
    Places texts;
    for (std::int64_t b = 0; b < mask.shape()[0]; ++b) {
        std::string text;
        for (std::int64_t t = 0; t < mask.T_k(); ++t) text += mask.allows({b, 0, 0, t}) ? 'x' : '.';
        if (text.find('x') == text.npos) throw std::invalid_argument("padding alone");
        texts.push_back(text);
    }
    return texts;
}

std::int64_t tokens_in(const std::string& places) {
    return std::count(places.begin(), places.end(), 'x');
}

std::int64_t place_of_first(const std::string& text, const Slips& slip) {
    const std::int64_t T = static_cast<std::int64_t>(text.size());
    const std::int64_t first = static_cast<std::int64_t>(text.find('x'));
    if (slip("pool.row-0")) return 0;
    const std::size_t padding = text.find('.');
    if (slip("pool.first-padding") && padding != text.npos) {
        return static_cast<std::int64_t>(padding);
    }
    if (slip("pool.second-token")) return std::min(first + 1, T - 1);
    if (slip("pool.last-token")) return static_cast<std::int64_t>(text.rfind('x'));
    if (slip("pool.last-row")) return T - 1;
    if (slip("pool.counted-from-the-end")) return T - tokens_in(text);
    return first;
}

// What is added up for each text: [B, T, d].
Variable summands(const Variable& x, const Places& texts, const Slips& slip) {
    Places counted = texts;
    for (std::string& text : counted) {
        const std::size_t tokens = static_cast<std::size_t>(tokens_in(text));
        if (slip("pool.tokens-in-front")) {
            text = std::string(tokens, 'x') + std::string(text.size() - tokens, '.');
        }
        if (slip("pool.without-the-first")) text[text.find('x')] = '.';
    }
    if (slip("pool.places-of-text-0")) counted.assign(texts.size(), texts[0]);
    if (slip("pool.all") || slip("pool.all-by-count")) return x;
    const char which = slip("pool.padding-only") ? '.' : 'x';
    const Tensor marks = tensor::unsqueeze(marked(counted, which), -1);  // [B, T, 1]
    if (slip("pool.times-0")) return x * marks;
    return where(marks == 1, x, 0);
}

Variable first_walk(const Variable& x, const Places& texts, const Slips& slip) {
    std::vector<Variable> rows;
    for (std::size_t b = 0; b < texts.size(); ++b) {
        const Variable text = select(x, 0, static_cast<std::int64_t>(b));
        const std::size_t whose = slip("pool.place-of-text-0") ? 0 : b;
        rows.push_back(select(text, 0, place_of_first(texts[whose], slip)));
    }
    return slip("pool.first-constant") ? stack(rows).detach() : stack(rows);
}

Variable mean_walk(const Variable& given, const Places& texts, const Slips& slip) {
    const Variable x = slip("pool.mean-constant") ? given.detach() : given;
    const double T = static_cast<double>(x.dim(1));
    const Variable total = sum(summands(x, texts, slip), 1);  // [B, d]
    if (slip("pool.sum")) return total;
    if (slip("pool.all") || slip("pool.by-T")) return total / T;
    if (slip("pool.largest")) {
        return max(where(tensor::unsqueeze(marked(texts), -1) == 1, x, -infinity), 1);
    }
    const Tensor all = marked(texts, slip("pool.padding-only") ? '.' : 'x');
    if (slip("pool.mean-length")) return total / (tensor::mean(tensor::sum(all, 1)));
    const Tensor counts = tensor::sum(all, 1, keepdim);  // [B, 1]
    if (slip("pool.without-the-first")) return total / (counts - 1);
    if (slip("pool.by-count-plus-1")) return total / (counts + 1);
    if (slip("pool.by-root")) return total / tensor::sqrt(counts);
    return total / counts;
}

std::vector<Mistake> mistakes() {
    const std::string draw = "Write the mask of one text as x and dots, with dots in front.";
    const std::string small = "Take one text of two tokens and one padding, with d = 1.";
    return {
        {"pool.row-0", "row 0 of each text was read, also where it is padding",
         "What stands in row 0 of a text that is padded in front?", draw},
        {"pool.first-padding", "the first padding was read, and not the first token",
         "What does the mask allow: tokens or padding?", draw},
        {"pool.second-token", "the vector after the first token's was read",
         "Does your count start at 0?", draw},
        {"pool.last-token", "the last token was read", "Where does [CLS] stand?", draw},
        {"pool.last-row", "the last row was read", "Where does [CLS] stand?", draw},
        {"pool.counted-from-the-end",
         "the tokens were counted, and the place of the first was T less their number",
         "Does padding only stand in front?", draw},
        {"pool.place-of-text-0", "the place of the first token was that of text 0 in all texts",
         "Which entries of the mask belong to text 1?", "The mask is [B, 1, 1, T]."},
        {"pool.first-constant",
         "the first token's vector was a constant, so that the encoder would not learn",
         "Does the graph know where the vector comes from?", "Look for value() and detach()."},
        {"pool.all", "padding counted as a token, in the sum and in the number of tokens",
         "What would a longer sentence in the batch change for a shorter one?", small},
        {"pool.all-by-count",
         "padding was in the sum, which was then divided by the number of tokens",
         "What is in the sum?", small},
        {"pool.by-T", "padding was left out of the sum, which was then divided by all T",
         "By how many is a mean divided?", small},
        {"pool.sum", "the sum was not divided", "What makes a mean of a sum?", small},
        {"pool.by-count-plus-1", "the sum was divided by one more than the number of tokens",
         "By how many is a mean divided?", small},
        {"pool.by-root", "the sum was divided by the root of the number of tokens",
         "By how many is a mean divided?", small},
        {"pool.mean-length",
         "all sums were divided by the same number, the mean length of the texts",
         "How many tokens has each text?", "The shape of what you divide by."},
        {"pool.tokens-in-front",
         "the tokens were counted, and so many rows from the first on were taken",
         "Does padding only stand at the end?", small},
        {"pool.without-the-first", "the first token was left out", "Is [CLS] a token like others?",
         small},
        {"pool.places-of-text-0", "the places of text 0's tokens were used for all texts",
         "Which entries of the mask belong to text 1?", "The mask is [B, 1, 1, T]."},
        {"pool.padding-only", "the mean was that of the padding",
         "What does the mask allow: tokens or padding?", small},
        {"pool.times-0", "padding was multiplied by 0, which leaves NaN and infinity as NaN",
         "What is 0 · NaN?", "autograd/ops/choose.h chooses without arithmetic."},
        {"pool.largest", "the largest number of each column was taken, and not the mean",
         "What is a mean?", small},
        {"pool.mean-constant", "the vectors were constants, so that the encoder would not learn",
         "Does the graph know where the vectors come from?", "Look for value() and detach()."},
    };
}

struct Input {
    Tensor x;
    Places texts;
};
Stages given(const Input& in) { return {{"x", in.x}}; }

// x where a token stands, `padding` elsewhere.
Tensor padded(const Tensor& x, const Places& texts, const Tensor& padding) {
    return tensor::where(tensor::unsqueeze(marked(texts), -1) == 1, x, padding);
}

Tensor odd_numbers() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return tensor::of({nan, infinity, -infinity, 1e300});
}

// One number of each text's first or last token becomes NaN: what padding is, its numbers do not
// tell, and what one token holds is no matter of another's.
enum class Token { first, last };

Tensor with_nan_in(Token token, const Tensor& x, const Places& texts) {
    Tensor odd = tensor::clone(x);
    for (std::size_t b = 0; b < texts.size(); ++b) {
        const std::size_t t = token == Token::first ? texts[b].find('x') : texts[b].rfind('x');
        const std::int64_t row = static_cast<std::int64_t>(b * texts[b].size() + t);
        odd.writable_data()[row * x.dim(2)] = std::numeric_limits<double>::quiet_NaN();
    }
    return odd;
}

// Each token is 1e8 times as large as the one before it: the smallest weight on it would show.
Tensor growing(const Tensor& x) {
    const Tensor t = tensor::arange(static_cast<double>(x.dim(1)));
    return x * tensor::unsqueeze(tensor::pow(1e8, t), -1);
}

Inputs<Input> inputs() {
    const Places everywhere = {"x.xx.", ".x..x", "xx...", "..xxx"};
    const Places one = {"..x.", "x...", "...x"};
    const Places long_text = {std::string(70, '.') + std::string(30, 'x'),
                              std::string(90, 'x') + std::string(10, '.')};
    const Tensor turned = tensor::transpose(random({6, 5, 3}, 11), 0, 2);  // [3, 5, 6]
    const Tensor zeros =
        padded(random({4, 5, 2}, 9), {"xxxxx", "xxxxx", ".xxxx", "xxxxx"}, tensor::zeros({1}));
    return {
        {"3 texts with padding at the end", {random({3, 5, 4}, 1), {"xxxxx", "xx...", "xxx.."}}},
        {"3 texts with padding in front", {random({3, 4, 2}, 2), {".xxx", "xxxx", "...x"}}},
        {"4 texts with padding anywhere", {random({4, 5, 3}, 3), everywhere}},
        {"texts of one token", {random({3, 4, 5}, 4), one}},
        {"texts without padding", {random({2, 3, 4}, 5), {"xxx", "xxx"}}},
        {"one text of one token", {random({1, 1, 3}, 6), {"x"}}},
        {"one text with padding", {random({1, 5, 3}, 18), {".x.x."}}},
        {"as many texts as tokens and numbers", {random({3, 3, 3}, 7), {".xx", "x.x", "xx."}}},
        {"padding that holds NaN and infinity",
         {padded(random({4, 5, 4}, 8), everywhere, odd_numbers()), everywhere}},
        {"padding that holds large numbers",
         {padded(random({4, 5, 3}, 10), everywhere, tensor::of({1e6, -3e6, 2e6})), everywhere}},
        {"zeros in tokens and padding",
         {padded(zeros, everywhere, tensor::zeros({1})), {"xx.xx", ".xx.x", "xxxx.", ".x.xx"}}},
        {"first tokens that hold NaN",
         {with_nan_in(Token::first, random({4, 5, 3}, 15), everywhere), everywhere}},
        {"last tokens that hold NaN",
         {with_nan_in(Token::last, random({4, 5, 3}, 17), everywhere), everywhere}},
        {"tokens of very different sizes", {growing(random({4, 5, 3}, 16)), everywhere}},
        {"x that is a view", {turned, {"xxx..", ".x.x.", "..xxx"}}},
        {"texts of 100 places", {random({2, 100, 2}, 12), long_text}},
        {"tokens around 1000", {random({2, 4, 3}, 13, 1000), {"x.x.", ".xxx"}}},
        {"other numbers of the first shape", {random({3, 5, 4}, 14), {"x....", ".xxxx", "x.x.x"}}},
    };
}

// What stands in the padding, and what a gradient brings there.
std::string felt(const Pooling& pool) {
    const Places texts = {"x.xx.", ".x..x", "xx..."};
    const Tensor x = random({3, 5, 4}, 21);
    const Tensor others = padded(x, texts, random({3, 5, 4}, 22, 1e8));
    const Tensor before = tensor::clone(pool(Variable(tensor::clone(x)), mask_of(texts)).value());
    const Tensor after = pool(Variable(others), mask_of(texts)).value();
    if (identical(before, after)) return "";
    return "With other numbers in the padding, the result differs " + worst_entry(after, before) +
           ".";
}

std::string moved(const Pooling& pool) {
    const Places texts = {"x.xx.", ".x..x", "xx..."};
    const Variable x(random({3, 5, 4}, 23), requires_grad);
    const Variable result = pool(x, mask_of(texts));
    if (!result.requires_grad()) return "";  // a case says so
    const Tensor of_x = grad(result, {x}, {.upstream = random({3, 4}, 24)}).value();
    const Tensor of_padding = padded(tensor::zeros({3, 5, 4}), texts, of_x);
    if ((of_padding == 0).all()) return "";
    return "It is not " + worst_entry(of_padding, tensor::zeros({3, 5, 4})) + ".";
}

std::string not_refused(const Pooling& pool) {
    for (const Places& texts : {Places{"...", "x.x"}, Places{"xxx", "..."}, Places{"."}}) {
        const Tensor x = random({std::ssize(texts), std::ssize(texts[0]), 2}, 25);
        try {
            pool(Variable(x), mask_of(texts));
        } catch (const std::invalid_argument&) {
            continue;
        }
        return "It took a batch of " + std::to_string(texts.size()) +
               (texts.size() == 1 ? " text" : " texts") + ", one of padding alone.";
    }
    return "";
}

// With T = 7 and 49, too: x/T·T is not always x.
std::string not_the_only_one(const Pooling& pool) {
    const Places long_texts = {std::string(20, '.') + 'x' + std::string(28, '.'),
                               std::string(48, '.') + 'x', 'x' + std::string(48, '.')};
    for (const Places& texts :
         {Places{"..x.", "x...", "...x"}, Places{"..x....", "x......", "......x"}, long_texts}) {
        const Tensor x = random({3, std::ssize(texts[0]), 5}, 26);
        const Tensor only = first_walk(Variable(tensor::clone(x)), texts, {}).value();
        const Tensor yours = pool(Variable(x), mask_of(texts)).value();
        if (!identical(yours, only)) return "It differs " + worst_entry(yours, only) + ".";
    }
    return "";
}

struct Asking {
    std::string name;
    Pooling OneVector::*pool;

    Stages operator()(const OneVector& f, const Input& in) const {
        const Variable x(in.x, requires_grad);
        const Variable result = (f.*pool)(x, mask_of(in.texts));
        return with_gradients({{name, result.value()}}, result, {{"x through " + name, x}});
    }
};

std::vector<LawOf<OneVector>> laws_of(const Asking& asking) {
    const std::string& name = asking.name;
    const auto law = [pool = asking.pool](const std::string& holds,
                                          std::string (*finding)(const Pooling&)) {
        return LawOf<OneVector>{holds, [=](const OneVector& f) { return finding(f.*pool); }};
    };
    return {
        law("other numbers in the padding change no bit of " + name, felt),
        law("the gradient that " + name + " brings to padding is exactly 0", moved),
        law("of a text of one token, " + name + " is that token's vector, bit for bit",
            not_the_only_one),
        law(name + " refuses a text of padding alone with std::invalid_argument", not_refused),
    };
}

std::vector<Hole> holes() {
    return {
        {"first_of",
         {"first_of", "the gradient of x through first_of"},
         {"At which place does text b begin, if the mask may begin with padding?",
          "tensor/mask.h: allows({b, 0, 0, t}); autograd/ops/gather.h reads rows by index",
          "In [B·T, d] the row of place t in text b is b·T + t",
          "Collect b·T + t of the first allowed t of each text, and hand these to index_select on "
          "the flattened x"}},
        {"mean_of",
         {"mean_of", "the gradient of x through mean_of"},
         {"What has to be added up, and by which number is it divided, for each text by itself?",
          "autograd/ops/choose.h: where; tensor/mask.h: allowed(), which reshapes to [B, T, 1]",
          "Σ_t real_t·x_t / Σ_t real_t, where real_t is 1 or 0, but 0·NaN is not 0",
          "where(real, x, 0), summed over axis 1, divided by the sum of real [B, 1]"}},
    };
}

Rules<OneVector> rules() {
    const Asking first = {"first_of", &OneVector::first_of};
    const Asking mean = {"mean_of", &OneVector::mean_of};
    return {
        .number = "16.1",
        .title = "From tokens to one vector",
        .reference = [](const Slips& slip) -> OneVector {
            return {[=](const Variable& x, const Mask& mask) {
                        return first_walk(x, places_in(mask), slip);
                    },
                    [=](const Variable& x, const Mask& mask) {
                        return mean_walk(x, places_in(mask), slip);
                    }};
        },
        .cases = joined(on_each<OneVector>(first, inputs()), on_each<OneVector>(mean, inputs())),
        .laws = joined(laws_of(first), laws_of(mean)),
        .mistakes = mistakes(),
        .hints =
            {"Which entries of the mask belong to text b, and what does true mean there?",
             "tensor/mask.h: allows and allowed; lesson 16.2 makes such a mask",
             "Write down x, its mask and both results for one text of two tokens and one padding",
             "Try first_of and mean_of by themselves, on a batch of two texts with d = 1"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<OneVector> judge_16_1(rules);

}  // namespace exercise
