#include "tutorials/exercises/judges/12_2_feed_forward_mistakes.h"

#include "tutorials/exercises/judges/common_steps.h"

namespace exercise {

std::vector<Mistake> gelu_mistakes() {
    const std::string three = "What are gelu(-100), gelu(0) and gelu(100), and what are yours?";
    const std::string at_1 = "Compute gelu(1) by hand: Φ(1) is 0.8413.";
    return {
        {"gelu.tanh",
         "gelu_of was the approximation by tanh",
         {"Which of the two formulas in use is exact?", "Look for tanh in your code."}},
        {"gelu.relu", "gelu_of was relu", {"What is gelu(-1)?", at_1}},
        {"gelu.silu", "gelu_of was z·sigmoid(z), which is SiLU", {"What is Φ?", at_1}},
        {"gelu.sigmoid",
         "gelu_of was the approximation z·sigmoid(1.702·z)",
         {"Which of the formulas in use is exact?", at_1}},
        {"gelu.Phi", "gelu_of was Φ(z), without the factor z", {three, at_1}},
        {"gelu.no-half", "Φ was not divided by 2", {three, at_1}},
        {"gelu.no-one", "the 1 was missing in Φ", {three, at_1}},
        {"gelu.no-root", "erf was given z and not z/√2", {"What does erf integrate?", at_1}},
        {"gelu.times-root",
         "erf was given z·√2 and not z/√2",
         {"Which is wider: the bell of erf, e^(-t²), or the normal one, e^(-t²/2)?", at_1}},
        {"gelu.density",
         "the density of the normal distribution took the place of Φ",
         {three, at_1}},
        {"gelu.const-Phi",
         "no gradient passed through Φ",
         {"In how many places is z in z·Φ(z)?", "Look for value() and detach() in your code."}},
    };
}

namespace {

std::vector<Mistake> activation_mistakes() {
    const std::string one_by_one = "Which are the three steps, in order?";
    return {
        {"ff.no-activation",
         "nothing stood between the two linear maps, so that they were one",
         {"What are two linear maps, one after the other?", one_by_one}},
        {"ff.relu",
         "relu stood between the two linear maps, as in 2017, and not gelu",
         {"Which function does this exercise ask for?", "The line of hidden."}},
        {"ff.gelu-tanh",
         "hidden was made with the approximation by tanh, and not with gelu_of",
         {"Which function does this exercise ask for?", "The line of hidden."}},
        {"ff.activation-first",
         "gelu was applied to x, before the first linear map",
         {"What is gelu applied to?", one_by_one}},
        {"ff.activation-last", "gelu was applied to y, too", {"Can your y be -3?", one_by_one}},
        {"ff.b1-after",
         "b_1 was added after gelu",
         {"What is gelu applied to?", "The line of hidden."}},
        {"ff.hidden-before",
         "hidden was returned as it is before gelu",
         {"Which numbers does W_2 multiply?", "Look at what you return."}},
    };
}

std::vector<Mistake> sum_mistakes() {
    return {
        {"ff.no-b1", "b_1 was left out", {"What is hidden if x is 0?", "The line of hidden."}},
        {"ff.no-b2", "b_2 was left out", {"What is y if hidden is 0?", "The line of y."}},
        {"ff.residual",
         "x was added to y",
         {"Whose business is the residual connection?", "The line of y."}},
        {"ff.transposed",
         "both matrices were transposed, as in PyTorch's Linear",
         {"Which axis of W_1 is d?", "Write the shapes beside your products."}},
    };
}

std::vector<Mistake> gradient_mistakes() {
    const std::string look = "Look for value() and detach() in your code.";
    const auto unreached = [&](const std::string& id, const std::string& what) {
        return Mistake{id,
                       "no gradient reached " + what,
                       {"Which way does a gradient take from y to " + what + "?", look}};
    };
    return {
        unreached("ff.const-x", "x"),
        unreached("ff.const-W_1", "W_1"),
        unreached("ff.const-b_1", "b_1"),
        unreached("ff.const-W_2", "W_2"),
        unreached("ff.const-b_2", "b_2"),
        {"ff.const-hidden",
         "no gradient passed through hidden",
         {"Which way does a gradient take from y to W_1?", look}},
    };
}

}  // namespace

std::vector<Mistake> feed_forward_mistakes() {
    return joined(joined(activation_mistakes(), sum_mistakes()), gradient_mistakes());
}

}  // namespace exercise
