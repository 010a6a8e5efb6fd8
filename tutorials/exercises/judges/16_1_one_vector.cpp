#include "tutorials/exercises/judges/16_1_one_vector.h"

#include "tutorials/exercises/judges/16_1_one_vector_walk.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/grad.h"
#include "autograd/ops.h"
#include "tensor/ops.h"

#include <limits>
#include <stdexcept>

using namespace heed;
using namespace exercise::one_vector_walk;

namespace exercise {

namespace {

Case pooling(const std::string& name, const std::string& stage, const Tensor& x,
             const Places& texts, const one_vector_walk::Walk& walk, const Pooling& pool) {
    const Variable leaf(x, requires_grad);
    const auto stages = [=](const Variable& result) {
        return with_gradients({{stage, result.value()}}, result, {{"x through " + stage, leaf}});
    };
    return {name,
            [=](const Slips& slip) { return stages(walk(leaf, texts, slip)); },
            [=] { return stages(pool(leaf, mask_of(texts))); },
            {{"x", x}}};
}

struct Input {
    std::string name;
    Tensor x;
    Places texts;
};

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

std::vector<Input> inputs() {
    const Places everywhere = {"x.xx.", ".x..x", "xx...", "..xxx"};
    const Places one = {"..x.", "x...", "...x"};
    const Places long_text = {std::string(70, '.') + std::string(30, 'x'),
                              std::string(90, 'x') + std::string(10, '.')};
    const Tensor turned = tensor::transpose(random({6, 5, 3}, 11), 0, 2);  // [3, 5, 6]
    const Tensor zeros =
        padded(random({4, 5, 2}, 9), {"xxxxx", "xxxxx", ".xxxx", "xxxxx"}, tensor::zeros({1}));
    return {
        {"3 texts with padding at the end", random({3, 5, 4}, 1), {"xxxxx", "xx...", "xxx.."}},
        {"3 texts with padding in front", random({3, 4, 2}, 2), {".xxx", "xxxx", "...x"}},
        {"4 texts with padding anywhere", random({4, 5, 3}, 3), everywhere},
        {"texts of one token", random({3, 4, 5}, 4), one},
        {"texts without padding", random({2, 3, 4}, 5), {"xxx", "xxx"}},
        {"one text of one token", random({1, 1, 3}, 6), {"x"}},
        {"one text with padding", random({1, 5, 3}, 18), {".x.x."}},
        {"as many texts as tokens and numbers", random({3, 3, 3}, 7), {".xx", "x.x", "xx."}},
        {"padding that holds NaN and infinity",
         padded(random({4, 5, 4}, 8), everywhere, odd_numbers()), everywhere},
        {"padding that holds large numbers",
         padded(random({4, 5, 3}, 10), everywhere, tensor::of({1e6, -3e6, 2e6})), everywhere},
        {"zeros in tokens and padding",
         padded(zeros, everywhere, tensor::zeros({1})),
         {"xx.xx", ".xx.x", "xxxx.", ".x.xx"}},
        {"first tokens that hold NaN", with_nan_in(Token::first, random({4, 5, 3}, 15), everywhere),
         everywhere},
        {"last tokens that hold NaN", with_nan_in(Token::last, random({4, 5, 3}, 17), everywhere),
         everywhere},
        {"tokens of very different sizes", growing(random({4, 5, 3}, 16)), everywhere},
        {"x that is a view", turned, {"xxx..", ".x.x.", "..xxx"}},
        {"texts of 100 places", random({2, 100, 2}, 12), long_text},
        {"tokens around 1000", random({2, 4, 3}, 13, 1000), {"x.x.", ".xxx"}},
        {"other numbers of the first shape", random({3, 5, 4}, 14), {"x....", ".xxxx", "x.x.x"}}};
}

// What stands in the padding, and what a gradient brings there.
std::string felt(const Pooling& pool) {
    const Places texts = {"x.xx.", ".x..x", "xx..."};
    const Tensor x = random({3, 5, 4}, 21);
    const Tensor others = padded(x, texts, random({3, 5, 4}, 22, 1e8));
    const Tensor before = tensor::clone(pool(Variable(tensor::clone(x)), mask_of(texts)).value());
    const Tensor after = pool(Variable(others), mask_of(texts)).value();
    if (!identical(before, after)) {
        return "With other numbers in the padding, the result differs " +
               worst_entry(after, before) + ".";
    }
    return "";
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
        const Tensor x = random({static_cast<std::int64_t>(texts.size()),
                                 static_cast<std::int64_t>(texts[0].size()), 2},
                                25);
        bool refused = false;
        try {
            pool(Variable(x), mask_of(texts));
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        if (!refused) {
            return "It took a batch of " + std::to_string(texts.size()) +
                   (texts.size() == 1 ? " text" : " texts") + ", one of padding alone.";
        }
    }
    return "";
}

// With T = 7 and 49, too: x/T·T is not always x.
std::string not_the_only_one(const Pooling& pool) {
    const Places long_texts = {std::string(20, '.') + 'x' + std::string(28, '.'),
                               std::string(48, '.') + 'x', 'x' + std::string(48, '.')};
    for (const Places& texts :
         {Places{"..x.", "x...", "...x"}, Places{"..x....", "x......", "......x"}, long_texts}) {
        const Tensor x = random({3, static_cast<std::int64_t>(texts[0].size()), 5}, 26);
        const Tensor only = first_walk(Variable(tensor::clone(x)), texts, {}).value();
        const Tensor yours = pool(Variable(x), mask_of(texts)).value();
        if (!identical(yours, only)) return "It differs " + worst_entry(yours, only) + ".";
    }
    return "";
}

void add_laws(Exercise& exercise, const std::string& name, const Pooling& pool) {
    exercise.laws.push_back(
        {"other numbers in the padding change no bit of " + name, [=] { return felt(pool); }});
    exercise.laws.push_back({"the gradient that " + name + " brings to padding is exactly 0",
                             [=] { return moved(pool); }});
    exercise.laws.push_back(
        {"of a text of one token, " + name + " is that token's vector, bit for bit",
         [=] { return not_the_only_one(pool); }});
    exercise.laws.push_back({name + " refuses a text of padding alone with std::invalid_argument",
                             [=] { return not_refused(pool); }});
}

}  // namespace

Exercise one_vector(const OneVector& answer) {
    Exercise exercise;
    exercise.number = "16.1";
    exercise.title = "From tokens to one vector";
    for (const Input& in : inputs()) {
        exercise.cases.push_back(
            pooling(in.name, "first_of", in.x, in.texts, first_walk, answer.first_of));
    }
    for (const Input& in : inputs()) {
        exercise.cases.push_back(
            pooling(in.name, "mean_of", in.x, in.texts, mean_walk, answer.mean_of));
    }
    add_laws(exercise, "first_of", answer.first_of);
    add_laws(exercise, "mean_of", answer.mean_of);
    exercise.mistakes = mistakes_of_first();
    for (const Mistake& mistake : mistakes_of_mean()) exercise.mistakes.push_back(mistake);
    exercise.hints = {
        "Which entries of the mask belong to text b, and what does true mean there?",
        "tensor/mask.h: allows and allowed; lesson 16.2 makes such a mask",
        "Write down x, its mask and both results for one text of two tokens and one padding",
        "Try first_of and mean_of by themselves, on a batch of two texts with d = 1"};
    exercise.holes = {
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
    return exercise;
}

namespace {

void refuse_padding_alone(const Mask& mask) {
    const Shape keys = mask.shape();
    const Tensor counts =
        tensor::sum(tensor::to_tensor(mask.allowed().reshape({keys[0], keys[3]})), 1);
    if ((counts == 0).any()) throw std::invalid_argument("padding alone");
}

// Text by text, from slices.
Variable by_texts(const Variable& x, const Mask& mask, const Slips& which) {
    std::vector<Variable> results;
    for (std::int64_t b = 0; b < x.dim(0); ++b) {
        std::vector<Variable> tokens;
        for (std::int64_t t = 0; t < x.dim(1); ++t) {
            if (mask.allows({b, 0, 0, t})) tokens.push_back(select(select(x, 0, b), 0, t));
        }
        if (tokens.empty()) throw std::invalid_argument("no tokens");
        results.push_back(which("mean") ? mean(stack(tokens), 0) : tokens.front());
    }
    return stack(results);
}

// A product with a row of weights for each text, after all that is not read has become 0.
Variable by_weights(const Variable& x, const Mask& mask, const Slips& which) {
    refuse_padding_alone(mask);
    const std::int64_t B = x.dim(0), T = x.dim(1);
    const BoolTensor real = mask.allowed().reshape({B, T});
    Tensor weights =
        tensor::softmax(tensor::masked_fill(tensor::zeros({B, T}), !real, -infinity), -1);
    if (!which("mean")) weights = tensor::one_hot(tensor::argmax(weights, -1), T);
    const Variable tokens = where(tensor::reshape(weights, {B, T, 1}) > 0, x, 0);
    return squeeze(matmul(Variable(tensor::unsqueeze(weights, 1)), tokens), 1);
}

}  // namespace

Trials one_vector_trials() {
    const auto of_walk = [](const one_vector_walk::Walk& walk, const Slips& slip) {
        return [=](const Variable& x, const Mask& mask) {
            refuse_padding_alone(mask);
            Places texts;
            for (std::int64_t b = 0; b < x.dim(0); ++b) {
                std::string text;
                for (std::int64_t t = 0; t < x.dim(1); ++t) {
                    text += mask.allows({b, 0, 0, t}) ? 'x' : '.';
                }
                texts.push_back(text);
            }
            return walk(x, texts, slip);
        };
    };
    Trials trials;
    trials.slipping = [=](const Slips& slip) {
        return one_vector({of_walk(first_walk, slip), of_walk(mean_walk, slip)});
    };
    const auto both = [](Variable (*pool)(const Variable&, const Mask&, const Slips&)) {
        return one_vector(
            {[=](const Variable& x, const Mask& mask) { return pool(x, mask, {}); },
             [=](const Variable& x, const Mask& mask) { return pool(x, mask, {"mean"}); }});
    };
    trials.right["text by text"] = [=] { return both(by_texts); };
    trials.right["with rows of weights"] = [=] { return both(by_weights); };
    return trials;
}

}  // namespace exercise
