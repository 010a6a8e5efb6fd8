#include "tutorials/exercises/judges/03_2_cross_entropy_mistakes.h"

#include <string>

namespace exercise {

namespace {

std::vector<Mistake> loss_mistakes() {
    const std::string place = "Look at what you divide the sum by.";
    const std::string values = "Look at the numbers just before you pick those of the targets.";
    return {
        {"ce.sum",
         "the losses were added up instead of averaged",
         {"Should the loss grow with the number of rows?", place}},
        {"ce.div-V",
         "the sum was divided by the number of classes",
         {"How many losses did you add up?", place}},
        {"ce.div-nV",
         "the sum was divided by the number of all logits",
         {"How many losses did you add up?", place}},
        {"ce.no-minus",
         "the minus was missing",
         {"Is the logarithm of a probability positive?", "Look at the sign of your loss."}},
        {"ce.no-log",
         "probabilities were averaged and not their logarithms",
         {"How bad is a probability of nearly 0 for the right class?", values}},
        {"ce.log2", "the logarithm had base 2", {"Which logarithm belongs to exp?", values}},
        {"ce.no-softmax",
         "the logits were taken as they are, without the softmax",
         {"Are logits probabilities?", values}},
        {"ce.double-softmax",
         "the logits went through softmax twice",
         {"What does log_softmax expect, scores or probabilities?", values}},
        {"ce.col-softmax",
         "softmax ran down the columns instead of along the rows",
         {"Whose probabilities sum to 1, those of a row or of a column?", values}},
        {"ce.no-stability",
         "softmax came first and the logarithm after it, which is -∞ where a probability is 0",
         {"What is log(0)?", "Look at what log is given where logits are around ±1000."}},
        {"ce.no-max",
         "exp was applied to the logits as they are, and overflows or gives 0",
         {"What is exp(1000)?", "Look at what exp is given where logits are around ±1000."}},
        {"ce.no-max-lse",
         "log Σ exp was computed from the logits as they are, where exp overflows or gives 0",
         {"What is exp(1000)?", "Look at what exp is given where logits are around ±1000."}},
        {"ce.target-shift",
         "each row was compared with the next row's target",
         {"Which target belongs to row 0?", "Look at the index you pick with."}},
        {"ce.argmax",
         "the likeliest class was taken for the right one",
         {"Who says which class is right?", "Look at the index you pick with."}},
        {"ce.all-classes",
         "the loss was the mean over all classes, right or wrong",
         {"How many numbers of a row count?", "Where do the targets come in?"}},
        {"ce.mse",
         "the loss was the mean squared distance of the probabilities from 0 and 1",
         {"What does cross-entropy do with a probability?", values}},
    };
}

std::vector<Mistake> gradient_mistakes() {
    const std::string row = "Add up row 0 of your gradient.";
    return {
        {"ceb.no-div-n",
         "the gradient was that of the sum of the losses instead of their mean",
         {"Is the loss a sum or a mean?", "Look at the last line of your gradient."}},
        {"ceb.div-V",
         "the gradient was divided by the number of classes",
         {"Over how many losses is the mean?", "Look at the last line of your gradient."}},
        {"ceb.sign",
         "the gradient had the opposite sign",
         {"Does the loss fall or rise with the right class's logit?",
          "Look at the sign at the targets."}},
        {"ceb.p-only",
         "the 1 at the target was not subtracted",
         {"What must a row of the gradient sum to?", row}},
        {"ceb.onehot-only",
         "the probabilities were left out of the gradient",
         {"What must a row of the gradient sum to?", row}},
        {"ceb.-1/p",
         "the gradient was taken with respect to the probabilities instead of the logits",
         {"Can the logit of a wrong class be moved without changing the loss?", row}},
        {"ceb.col-softmax",
         "softmax in the gradient ran down the columns",
         {"What must a row of the gradient sum to?", row}},
        {"ceb.no-max",
         "in the gradient, exp was applied to the logits as they are, and overflows or gives 0",
         {"What is exp(1000)?", "Look at what exp is given where logits are around ±1000."}},
        {"ceb.target-shift",
         "the 1 was subtracted at the next row's target",
         {"Which target belongs to row 0?", "Where in row 0 is the negative number?"}},
    };
}

}  // namespace

std::vector<Mistake> cross_entropy_mistakes() {
    std::vector<Mistake> all = loss_mistakes();
    const std::vector<Mistake> of_the_gradient = gradient_mistakes();
    all.insert(all.end(), of_the_gradient.begin(), of_the_gradient.end());
    return all;
}

}  // namespace exercise
