#include "tutorials/exercises/judges/02_9_write_a_gradcheck_mistakes.h"

namespace exercise {

std::vector<Mistake> mistakes_in_slopes() {
    const std::string paper = "Work out one entry of x³ at 1.5 on paper, with h = 0.1.";
    return {
        {"gc.no-half",
         "the difference was divided by h, not by 2h",
         {"How far apart are x + h and x - h?", paper}},
        {"gc.one-sided",
         "the difference was taken to one side only: f(x + h) - f(x)",
         {"What is the slope of |x| at 0, seen from the right only?",
          "At which two points is f called?"}},
        {"gc.no-G",
         "the changes of y were added up without G",
         {"By how much does L change when an entry of y does?", "Look for G in your loop."}},
        {"gc.mean",
         "the mean over y was taken, not the sum",
         {"Is L = Σ G·y a sum or a mean?", paper}},
        {"gc.first-output",
         "only the first entry of y was looked at",
         {"How many entries of y does one entry of an input reach?",
          "What is the shape of f(…) - f(…)?"}},
        {"gc.all-at-once",
         "all entries of the input were moved together",
         {"Whose slope is it, if several entries move?", "Which entries differ from the input's?"}},
        {"gc.not-put-back",
         "an entry stayed where it was moved to, while the next ones were measured",
         {"Where are the other entries while one is measured?",
          "Compare the inputs of the first call of f and of the last."}},
        {"gc.sign",
         "f(x - h) stood before the minus sign, f(x + h) after it",
         {"A rising line has which slope?", paper}},
        {"gc.large-h",
         "h was 0.01, too large for a curve that bends",
         {"How far does sin(20·x) get from its tangent within h?", "Try a smaller h."}},
    };
}

namespace {

std::vector<Mistake> mistakes_in_upstream() {
    return {
        {"gc.ones",
         "G was all ones",
         {"What do the weights of a softmax sum to, and how much does their sum change?",
          "Print your G."}},
        {"gc.one-number",
         "G was one number for all entries of y",
         {"What do the weights of a softmax sum to, and how much does their sum change?",
          "Print your G."}},
        {"gc.one-row",
         "G was the same in every row of y",
         {"If all rows of G are alike, how do their sum and 5 times the first row differ?",
          "Print your G."}},
    };
}

std::vector<Mistake> mistakes_in_comparing() {
    const std::string one_entry = "For which gradients of three entries is your condition true?";
    return {
        {"gc.first-input",
         "only the first input was checked, and the others were called right",
         {"How many verdicts come from a comparison?", "Follow i through your loop."}},
        {"gc.last-input",
         "only the last input was checked, and the others were called right",
         {"How many verdicts come from a comparison?", "Follow i through your loop."}},
        {"gc.together",
         "one wrong gradient made all inputs wrong",
         {"x·W + b: if ∂L/∂b is wrong, is ∂L/∂W?", "Where does a verdict begin anew?"}},
        {"gc.first-entry",
         "only the first entry of a gradient was compared",
         {"In which entry can a derivative be wrong?", one_entry}},
        {"gc.last-entry",
         "only the last entry of a gradient decided",
         {"In which entry can a derivative be wrong?", one_entry}},
        {"gc.any",
         "one right entry was enough",
         {"Must one entry be right, or all of them?", one_entry}},
        {"gc.sum",
         "only the sums of the gradients were compared",
         {"What have a matrix and its transpose in common?", one_entry}},
        {"gc.signed",
         "a gradient that is too small was called right",
         {"Is -1 below your tolerance?", "Look at the sign of the difference."}},
        {"gc.nan", "NaN was called right", {"Is NaN > 0.1 true? And NaN <= 0.1?", one_entry}},
        {"gc.shape",
         "a gradient of another shape was called right, because its numbers are",
         {"Can [3] and [1, 3] hold the same numbers?", "Where do you look at shapes?"}},
        {"gc.broadcast",
         "a gradient of another shape was called right where it broadcasts to the right one",
         {"What does [1, 3] - [3] give, and what [] - [3]?", "Where do you look at shapes?"}},
        {"gc.coarse",
         "the tolerance was so large that small errors passed",
         {"How large is an error of 0.0001, measured by your tolerance?",
          "Print the difference and what you allow."}},
        {"gc.absolute",
         "the tolerance was as small for large gradients as for small ones",
         {"How exact is a difference of numbers around 100000?",
          "Print the difference and what you allow."}},
        {"gc.relative",
         "the tolerance was 0 where the numerical gradient is 0",
         {"How exact is a difference that should be 0?",
          "Print the difference and what you allow."}},
        {"gc.largest",
         "one large entry made the tolerance of all the others larger",
         {"What is an error of 0.01 beside a slope of a million? And beside one of 1?",
          "Print the difference and what you allow."}},
        {"gc.inverted",
         "true and false were exchanged",
         {"Which of the two says that it is right?", one_entry}},
    };
}

}  // namespace

std::vector<Mistake> mistakes_in_checking() {
    std::vector<Mistake> all = mistakes_in_upstream();
    for (const Mistake& one : mistakes_in_comparing()) all.push_back(one);
    return all;
}

}  // namespace exercise
