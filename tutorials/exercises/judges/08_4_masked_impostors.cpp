#include "tutorials/exercises/judges/08_4_masked_impostors.h"

#include "tutorials/exercises/judges/common_masked.h"
#include "tutorials/exercises/judging/judge.h"

#include "heed/autograd/ops/arithmetic.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/ops/compare.h"

#include <cmath>

using namespace heed;
using namespace exercise::masked_walk;

namespace exercise {

namespace {

struct Impostor {
    std::string slip, who;
};

const std::vector<Impostor>& impostors() {
    static const std::vector<Impostor> all = {
        {"mask.absent", "no mask"},
        {"mask.upper", "the future kept and the past masked"},
        {"mask.strict", "no word sees itself"},
        {"mask.plus1", "each word sees the next"},
        {"mask.fill0", "scores of the future set to 0"},
        {"mask.fill-small", "scores of the future set to -1"},
        {"mask.after", "weights of the future set to 0 after the softmax"},
        {"mask.one-head", "only the first text masked"},
        {"sm.cols", "softmax over the queries"},
        {"sm.all", "one softmax over everything"},
        {"att.kq", "K·Qᵀ for Q·Kᵀ"},
        {"att.keys-from-queries", "Q·Qᵀ for Q·Kᵀ"},
        {"att.no-scale", "no √d"},
        {"att.scale-T", "the root of the number of words for √d"},
        {"att.values-from-keys", "the keys for the values"},
        {"att.weights-T", "the weights transposed"}};
    return all;
}

Tensor output_of(const Texts& texts, const Slips& slip) {
    const Variable Q(texts.Q), K(texts.K), V(texts.V);
    const std::int64_t T = texts.Q.dim(1), d = texts.Q.dim(2);
    const Variable scores = products(Q, K, V, slip) * scale(d, T, d, slip);
    const BoolTensor blocked = causal_blocked(T, slip) & BoolTensor::full(scores.shape(), true);
    const Variable weights = masked_weights(masked(scores, blocked, slip), blocked, d, slip);
    return context(weights, K, V, slip).value();
}

// Do they differ by more than fifty times the tolerance?
bool apart(const Tensor& a, const Tensor& b) {
    return !tensor::all_close(a, b, 50 * tolerance, 50 * tolerance);
}

std::string still_passing(const Texts& texts) {
    const Tensor honest = output_of(texts, {});
    std::string passing;
    std::size_t caught = 0;
    for (const Impostor& impostor : impostors()) {
        if (apart(output_of(texts, {impostor.slip}), honest)) {
            ++caught;
        } else {
            passing += (passing.empty() ? "" : "; ") + impostor.who;
        }
    }
    if (passing.empty()) return "";
    return "You caught " + std::to_string(caught) + " of " + std::to_string(impostors().size()) +
           "; these still pass: " + passing + ".";
}

std::string unusable(const Texts& texts) {
    const Shape& shape = texts.Q.shape();
    if (shape.rank() != 3) return "Q has shape " + shape.text() + ", not [texts, words, d].";
    if (!(texts.K.shape() == shape) || !(texts.V.shape() == shape)) {
        return "Q, K and V have shapes " + shape.text() + ", " + texts.K.shape().text() + ", " +
               texts.V.shape().text() + ", and should have the same.";
    }
    if (texts.Q.numel() == 0) return "There is no number in Q.";
    if (shape[0] > 5 || shape[1] > 5 || shape[2] > 4) {
        return "Q has shape " + shape.text() + "; at most 5 texts of 5 words, and d at most 4.";
    }
    for (const Tensor& x : {texts.Q, texts.K, texts.V}) {
        for (const Scalar entry : x.to_vector()) {
            if (std::fabs(entry) <= 2 && entry == std::floor(entry)) continue;
            return "There is an entry that is no whole number from -2 to 2.";
        }
    }
    return "";
}

bool equal_words(const Tensor& x) {
    return !apart(x, tensor::expand(tensor::slice(x, 1, 0, 1), x.shape()));
}

bool no_scores(const Texts& texts) {
    return (tensor::matmul(texts.Q, tensor::transpose(texts.K)) == 0).all();
}

using Property = bool (*)(const Texts&);

// If impostors still pass: is this property to blame?
Law trap(const std::function<Texts()>& texts, Property to_blame,
         const std::vector<Mistake>& mistake = {}) {
    return {"",
            [=]() -> std::string {
                const Texts its = texts();
                return to_blame(its) ? still_passing(its) : "";
            },
            mistake};
}

std::vector<Law> laws(const std::function<Texts()>& texts) {
    return {
        {"", [=] { return unusable(texts()); }},
        trap(texts, [](const Texts& t) { return t.Q.dim(1) == 1; },
             {{"catch.one-word",
               "the texts had one word each, which has no future",
               {"What can a mask do to one word?", "The middle number of Q's shape."}}}),
        trap(texts, [](const Texts& t) { return t.Q.dim(0) == 1; },
             {{"catch.one-text",
               "there was one text only, and whoever looks at the first alone has seen them all",
               {"Who takes no notice of a second text?", "The first number of Q's shape."}}}),
        trap(
            texts, [](const Texts& t) { return t.Q.dim(1) == t.Q.dim(2); },
            {{"catch.T-is-d",
              "a text had as many words as a word has numbers",
              {"Which roots are the same for your sizes?", "The last two numbers of Q's shape."}}}),
        trap(texts, [](const Texts& t) { return !apart(t.Q, t.K); },
             {{"catch.q-is-k",
               "queries and keys were the same, so that nobody is seen who takes one for the other",
               {"What is Q·Qᵀ for your texts, and what Q·Kᵀ?", "Compare your Q with your K."}}}),
        trap(texts, [](const Texts& t) { return !apart(t.K, t.V); },
             {{"catch.k-is-v",
               "keys and values were the same, so that nobody is seen who takes one for the other",
               {"What do the weights meet?", "Compare your K with your V."}}}),
        trap(texts, [](const Texts& t) { return equal_words(t.V); },
             {{"catch.equal-values",
               "all words of a text had the same value, and any mean of them is that",
               {"What does a weighted mean of equals depend on?", "The rows of your V."}}}),
        trap(texts, no_scores,
             {{"catch.no-scores",
               "all scores were 0, and no scale changes that",
               {"What are your scores? What are they divided by √d?", "Q·Kᵀ of your texts."}}}),
        trap(texts, [](const Texts&) { return true; }),
    };
}

// Pseudorandom integers from -2 to 2.
Tensor whole(const Shape& shape, std::int64_t seed) {
    std::vector<Scalar> numbers;
    for (std::int64_t i = 0; i < shape.numel(); ++i) {
        numbers.push_back(static_cast<Scalar>((seed * (i + 3) * (i + 7) + 5 * i) % 11 % 5 - 2));
    }
    return tensor::from_vector(numbers, shape);
}

Texts slipping(const Slips& slip) {
    Shape shape{2, 4, 3};
    if (slip("catch.one-word")) shape = {2, 1, 3};
    if (slip("catch.one-text")) shape = {1, 4, 3};
    if (slip("catch.T-is-d")) shape = {2, 3, 3};
    Texts texts{whole(shape, 2), whole(shape, 3), whole(shape, 4)};
    if (slip("catch.q-is-k")) texts.Q = texts.K;
    if (slip("catch.k-is-v")) texts.V = texts.K;
    if (slip("catch.equal-values")) {
        texts.V = tensor::expand(tensor::slice(texts.V, 1, 0, 1), shape);
    }
    if (slip("catch.no-scores")) texts.Q = tensor::zeros(shape);
    return texts;
}

}  // namespace

Exercise masked_impostors(const std::function<Texts()>& texts) {
    Exercise exercise;
    exercise.number = "08.4";
    exercise.title = "Catch the impostors of the mask";
    exercise.laws = laws(texts);
    exercise.hints = {
        "For which texts does this impostor give the same numbers as the honest one?",
        "Take the first that still passes, and work out its weights for word 0 and for the last",
        "More than one text, three words or more, d another number; Q, K and V all different, and "
        "no word like another",
        "Start from the solution's sizes, 2 texts of 3 words of 2 numbers, and avoid equal rows"};
    return exercise;
}

Trials masked_impostors_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return masked_impostors([=] { return slipping(slip); });
    };
    for (const Law& law : laws({})) {
        if (!law.mistake.empty()) trials.more_ids.push_back(law.mistake.front().id);
    }
    trials.right["other sizes"] = [] {
        return masked_impostors([] {
            return Texts{whole({3, 5, 2}, 6), whole({3, 5, 2}, 7), whole({3, 5, 2}, 8)};
        });
    };
    return trials;
}

}  // namespace exercise
