#include "tutorials/exercises/judges/lesson_14.h"
#include "tutorials/exercises/judging/kit.h"

#include "nn/losses.h"

#include <cmath>

using namespace heed;

namespace exercise {
namespace {
constexpr std::int64_t V = 50, B = 4, T = 24;
constexpr double instead_of_infinity = 1e9;

double ln(double x) { return tensor::log(tensor::of({x})).item(); }
double e_to(double x) { return tensor::exp(tensor::of({x})).item(); }

// With one logit `large` for token 7, and 0 for all others.
Tensor logits_of_7(double large) { return large * tensor::one_hot(IndexTensor({7}), V); }

Tensor logits_of_a_pair() {
    const BoolTensor others = tensor::arange(static_cast<double>(V)) >= 2;
    return tensor::masked_fill(tensor::zeros({1, V}), others, -infinity);
}

double loss_of(const Tensor& logits, std::int64_t right) {
    return cross_entropy(Variable(logits), IndexTensor(std::vector{right})).item();
}

// To two decimals, as the answers are. Infinity is a number, too, so that nothing is said of it
// that is not said of others.
double rounded(double number) {
    return std::isinf(number) ? instead_of_infinity : std::floor(number * 100 + 0.5) / 100;
}

auto of(std::function<double()> LossPredictions::*loss) {
    return [=](const LossPredictions& all) { return Value(rounded((all.*loss)())); };
}

const std::vector<std::string> of_mixtures = {
    "What does each of the two cases cost, and how often does it happen?",
    "Lesson 14.2: a loss is a mean over predictions",
    "Mean of -ln p over the predictions; then perplexity is e to this mean",
    "Write 100 predictions as a table: 50 with p = 1/2, 50 with p = 1/8"};
const std::vector<std::string> of_logits = {
    "Which 50 numbers does cross_entropy get here?",
    "Lesson 14.7 hands probabilities over, and logits",
    "-ln(e^z_right / Σ_j e^z_j) = ln(Σ_j e^z_j) - z_right",
    "Print cross_entropy(Variable(z), IndexTensor({0})).item() for a z [1, 50] of your own"};
const std::vector<std::string> of_sources = {
    "What does each word cost a model that knows the language, and how often does it come?",
    "Lesson 14.2 says what the least loss is, and 14.3 compares models with it",
    "Σ p·(-ln p) for one word; the mean over all tokens of a text for its loss",
    "Write down one sentence, and below each token its probability and its -ln p"};
const std::vector<std::string> of_tasks = {
    "At how many positions is there a target?", "Lesson 14.1",
    "Every position of every text predicts the token after it", "Count the entries of the targets"};

std::vector<Question<LossPredictions>> questions() {
    using P = LossPredictions;
    const Tensor p = tensor::of({0.5, 0.25, 0.125, 0.125});
    const double of_half_and_eighth = tensor::mean(-tensor::log(tensor::of({0.5, 0.125}))).item();
    const std::string definition = "The first lines of the file say what a loss is.";
    const std::string share = "Which probability has each token if all logits are equal?";
    const std::string one = "What is the loss of a single prediction with p = 1/2?";
    const std::string both = "Write down the losses of both predictions.";
    const std::string fraction = "Write the right token's softmax as a fraction, and then its -ln.";
    const std::string list = "Make a list: each word, its p, its -ln p.";
    const std::string text = "Write the first nine tokens of a text, and below each what it costs.";
    const std::string logits = "Write down the 50 numbers that cross_entropy is given.";
    const std::string task = "Lesson 14.1: which position has a target?";
    return {
        {{"the new model's loss", of(&P::new_model), rounded(loss_of(logits_of_7(0), 7)),
          definition},
         {{"loss.of-log2", rounded(ln(V) / ln(2)), "the loss was counted in bits",
           "Which logarithm is it?"},
          {"loss.of-log10", rounded(ln(V) / ln(10)), "the logarithm was that to base 10",
           "Which logarithm is it?"},
          {"loss.probability", rounded(1.0 / V), "the loss was the probability of the right token",
           share},
          {"loss.not-right", rounded(1 - 1.0 / V),
           "the loss was the probability of all other tokens", share},
          {"loss.no-minus", rounded(-ln(V)), "the loss was ln p without the minus",
           "Is ln p of a p below 1 positive?"},
          {"loss.divided-by-V", rounded(ln(V) / V), "the loss was a mean over the vocabulary",
           "Over what is the loss a mean: predictions or tokens of the vocabulary?"},
          {"loss.starts-at-0", rounded(0), "a model that knows nothing had no loss",
           "Which loss has a model that is always certain and right?"}}},
        {{"its perplexity", of(&P::new_models_perplexity), rounded(e_to(ln(V))), definition},
         {{"ppl.two-to-the-loss", rounded(e_to(ln(V) * ln(2))),
           "the perplexity was a power of 2, although the loss is in nats",
           "Of which number is the perplexity a power?"},
          {"ppl.is-the-loss", rounded(ln(V)), "the perplexity was the loss",
           "Among how many tokens does a new model waver?"},
          {"ppl.probability", rounded(1.0 / V), "the perplexity was the probability of a token",
           "Among how many tokens does a new model waver?"},
          {"ppl.squared", rounded(ln(V) * ln(V)), "the perplexity was the square of the loss",
           "What is a perplexity of the loss?"}}},
        {{"the loss of the pair", of(&P::uniform_pair), rounded(loss_of(logits_of_a_pair(), 1)),
          definition},
         {{"loss.pair-in-bits", rounded(1), "the loss was counted in bits",
           "Which logarithm is it?"},
          {"loss.pair-probability", rounded(0.5), "the loss was the probability",
           "Is a loss a probability?"},
          {"loss.pair-knows", rounded(0), "it was enough to know the two words",
           "Which probability does the right one of the two get?"},
          {"loss.pair-of-V", rounded(ln(V) / 2), "the loss was half of a new model's",
           "Do 50 tokens still matter if two share everything?"},
          {"loss.pair-of-25", rounded(ln(V / 2.0)), "half of the vocabulary was left",
           "Do 50 tokens still matter if two share everything?"}}},
        {{"the loss for 1/2 and 1/8", of(&P::half_and_eighth), rounded(of_half_and_eighth), both},
         {{"loss.of-mean-probability", rounded(-ln((0.5 + 0.125) / 2)),
           "the mean was taken of the probabilities, and not of their losses",
           "Of what is the loss a mean?"},
          {"loss.two-in-bits", rounded((1 + 3) / 2.0), "the loss was counted in bits",
           "Which logarithm is it?", definition},
          {"loss.two-added", rounded(ln(2) + ln(8)), "the losses were added up",
           "Is a loss a sum or a mean?"},
          {"loss.mean-probability", rounded((0.5 + 0.125) / 2), "the loss was the mean probability",
           one},
          {"loss.weighted-by-p", rounded(0.5 * ln(2) + 0.125 * ln(8)),
           "each loss was weighted with its own p", "How often does each of the two cases occur?"},
          {"loss.of-the-product-of-means", rounded(ln(2) * ln(8) / 2), "the losses were multiplied",
           "Is a loss a product or a mean?"}},
         "half_and_eighth",
         of_mixtures},
        {{"the perplexity for 1/2 and 1/8", of(&P::perplexity_of_these),
          rounded(e_to(of_half_and_eighth)), definition},
         {{"ppl.mean-of-both", rounded((2 + 8) / 2.0),
           "the perplexity was the mean of two perplexities",
           "Which comes first: the mean of the losses or the power?"},
          {"ppl.of-mean-probability", rounded(1 / ((0.5 + 0.125) / 2)),
           "the perplexity was one over the mean probability",
           "Which comes first: the mean of the losses or the power?"},
          {"ppl.product", rounded(2 * 8), "the perplexity was the product of two perplexities",
           "Is the loss of two predictions their sum?"},
          {"ppl.added", rounded(2 + 8), "the perplexity was the sum of two perplexities",
           "Is the loss of two predictions their sum?"},
          {"ppl.two-to-these", rounded(e_to(ln(4) * ln(2))),
           "the perplexity was a power of 2, although the loss is in nats",
           "Of which number is the perplexity a power?"},
          {"ppl.these-are-V", rounded(V), "the perplexity was always that of the vocabulary",
           "Does this model know no more than a new one?"}},
         "perplexity_of_these",
         of_mixtures},
        {{"the loss of the wrong prediction", of(&P::certain_and_wrong),
          rounded(loss_of(logits_of_7(30), 3)), fraction},
         {{"loss.wrong-is-infinite", rounded(infinity), "the right token had the probability 0",
           "Is e^0 over a large sum 0?"},
          {"loss.wrong-is-1", rounded(1), "a wrong prediction cost 1",
           "What is -ln of a small probability?"},
          {"loss.wrong-is-ln-V", rounded(ln(V)),
           "a wrong prediction cost as much as that of a new model",
           "Does the right token get 1/V?"},
          {"loss.wrong-is-0", rounded(0), "to be certain cost nothing, even if wrong",
           "Which token's probability counts?"},
          {"loss.wrong-and-ln-V", rounded(30 + ln(V - 1)), "the other tokens' share was added",
           "How much do the other tokens add to the softmax's sum?"},
          {"loss.negative-logit", rounded(-30), "the loss was minus the largest logit",
           "Can a loss be negative?"}},
         "certain_and_wrong",
         of_logits},
        {{"the entropy of the next word", of(&P::entropy_of_next_word),
          rounded(tensor::sum(p * -tensor::log(p)).item()), list},
         {{"entropy.in-bits", rounded(1.75), "the entropy was counted in bits",
           "Which logarithm is it?"},
          {"entropy.all-alike", rounded(ln(4)), "the four words were equally likely",
           "Does a word that comes half of the time surprise as much as the others?"},
          {"entropy.not-weighted", rounded(-tensor::mean(tensor::log(p)).item()),
           "all four words counted alike, however often they come",
           "How often is each -ln p paid?"},
          {"entropy.added-up", rounded(-tensor::sum(tensor::log(p)).item()),
           "all -ln p were added up, however often they come", "How often is each -ln p paid?"},
          {"entropy.one-eighth", rounded(tensor::sum(p * -tensor::log(p)).item() - 0.125 * ln(8)),
           "there was only one word with 1/8", "How many words are there?"},
          {"entropy.likeliest", rounded(ln(2)), "only the likeliest word counted",
           "Do the others never come?"},
          {"entropy.no-minus", rounded(tensor::sum(p * tensor::log(p)).item()),
           "the minus was forgotten", "Is ln p positive?"}},
         "entropy_of_next_word",
         of_sources},
        {{"the least loss on the sentences", of(&P::best_loss_on_sentences),
          rounded(tensor::mean(tensor::of({0, ln(6), 0})).item()), text},
         {{"source.noun-alone", rounded(ln(6)), "only the nouns counted",
           "Over which tokens is the loss a mean?"},
          {"source.zero", rounded(0), "a model could learn which noun comes next",
           "What can nobody know in this language?"},
          {"source.in-bits", rounded(ln(6) / ln(2) / 3), "the loss was counted in bits",
           "Which logarithm is it?"},
          {"source.all-tokens-alike", rounded(ln(8)),
           "all tokens of the language were equally likely everywhere",
           "What may come after a noun?"},
          {"source.no-first-token", rounded(ln(6) / 2),
           "there were two predictions for each sentence",
           "What comes after \".\", and is it predicted, too?"},
          {"source.third-of-V", rounded(ln(V) / 3), "any token could stand in a noun's place",
           "How many words may come after \"the\"?"},
          {"source.new-model", rounded(ln(V)), "a model learned nothing",
           "What can a model learn of this language?"}},
         "best_loss_on_sentences",
         of_sources},
        {{"the loss after two softmaxes", of(&P::softmax_twice),
          rounded(loss_of(softmax(Variable(logits_of_7(1000)), -1).value(), 7)), logits},
         {{"twice.nothing-happens", rounded(0), "a second softmax changed nothing",
           "What is the softmax of 0 and 1?"},
          {"twice.new-model", rounded(ln(V)),
           "everything was lost, so that it looked like a new model",
           "Are the 50 numbers all the same?"},
          {"twice.one", rounded(1), "the loss was the probability", "What does cross_entropy do?"},
          {"twice.no-minus", rounded(1 - ln(e_to(1) + V - 1)), "the minus was forgotten",
           "Can a loss be negative?"},
          {"twice.only-the-norm", rounded(ln(e_to(1) + V - 1)),
           "the right token's own logit was forgotten",
           "What stands over the line in the softmax of the right token?"}},
         "softmax_twice",
         of_logits},
        {{"the number of predictions", &P::predictions_at_once, B * T, task},
         {{"once.last-only", B, "only the last position of a text had a target",
           "What is a causal mask for in training?"},
          {"once.one-less", B * (T - 1), "the last position of a text had no target",
           "Are the targets as long as the inputs?"},
          {"once.one-text", T, "only one of the texts counted", "How many texts are there?"},
          {"once.one-pass", 1, "one pass was one prediction",
           "Over how many predictions does the loss take its mean?"},
          {"once.pairs", B * T * (T + 1) / 2, "each pair of a query and a key was a prediction",
           "How many outputs has a position?"},
          {"once.each-token-of-V", B * T * V,
           "each token of the vocabulary was a prediction of its own",
           "How many tokens are right at one position?"}},
         "predictions_at_once",
         of_tasks},
    };
}

Rules<LossPredictions> rules() {
    return predicting<LossPredictions>(
        {.number = "14.4",
         .title = "Predict losses",
         .hints =
             {"Which probability does the right token get?",
              "Lesson 14.3 prints the losses of models that know nothing, something and everything",
              "The loss of one prediction is -ln p; perplexity is e^loss",
              "Print cross_entropy(Variable(z), IndexTensor({0})).item() for a z [1, 50] of your "
              "own"}},
        questions());
}

}  // namespace

const Judge<LossPredictions> judge_14_4(rules);

}  // namespace exercise
