#include "tutorials/exercises/judges/14_4_predict_losses_mistakes.h"

namespace exercise {

namespace {

const std::string definition = "The first lines of the file say what a loss is.";

std::vector<Mistake> of_a_new_model() {
    const std::string share = "Which probability has each token if all logits are equal?";
    return {
        {"loss.of-log2", "the loss was counted in bits", {"Which logarithm is it?", definition}},
        {"loss.of-log10",
         "the logarithm was that to base 10",
         {"Which logarithm is it?", definition}},
        {"loss.probability",
         "the loss was the probability of the right token",
         {share, definition}},
        {"loss.not-right", "the loss was the probability of all other tokens", {share, definition}},
        {"loss.no-minus",
         "the loss was ln p without the minus",
         {"Is ln p of a p below 1 positive?", definition}},
        {"loss.divided-by-V",
         "the loss was a mean over the vocabulary",
         {"Over what is the loss a mean: predictions or tokens of the vocabulary?", definition}},
        {"loss.starts-at-0",
         "a model that knows nothing had no loss",
         {"Which loss has a model that is always certain and right?", definition}},
        {"ppl.two-to-the-loss",
         "the perplexity was a power of 2, although the loss is in nats",
         {"Of which number is the perplexity a power?", definition}},
        {"ppl.is-the-loss",
         "the perplexity was the loss",
         {"Among how many tokens does a new model waver?", definition}},
        {"ppl.probability",
         "the perplexity was the probability of a token",
         {"Among how many tokens does a new model waver?", definition}},
        {"ppl.squared",
         "the perplexity was the square of the loss",
         {"What is a perplexity of the loss?", definition}},
    };
}

std::vector<Mistake> of_probabilities() {
    const std::string one = "What is the loss of a single prediction with p = 1/2?";
    const std::string both = "Write down the losses of both predictions.";
    return {
        {"loss.pair-in-bits",
         "the loss was counted in bits",
         {"Which logarithm is it?", definition}},
        {"loss.pair-probability",
         "the loss was the probability",
         {"Is a loss a probability?", definition}},
        {"loss.pair-knows",
         "it was enough to know the two words",
         {"Which probability does the right one of the two get?", definition}},
        {"loss.pair-of-V",
         "the loss was half of a new model's",
         {"Do 50 tokens still matter if two share everything?", definition}},
        {"loss.pair-of-25",
         "half of the vocabulary was left",
         {"Do 50 tokens still matter if two share everything?", definition}},
        {"loss.of-mean-probability",
         "the mean was taken of the probabilities, and not of their losses",
         {"Of what is the loss a mean?", both}},
        {"loss.two-in-bits",
         "the loss was counted in bits",
         {"Which logarithm is it?", definition}},
        {"loss.two-added", "the losses were added up", {"Is a loss a sum or a mean?", both}},
        {"loss.mean-probability", "the loss was the mean probability", {one, both}},
        {"loss.weighted-by-p",
         "each loss was weighted with its own p",
         {"How often does each of the two cases occur?", both}},
        {"loss.of-the-product-of-means",
         "the losses were multiplied",
         {"Is a loss a product or a mean?", both}},
        {"ppl.mean-of-both",
         "the perplexity was the mean of two perplexities",
         {"Which comes first: the mean of the losses or the power?", definition}},
        {"ppl.of-mean-probability",
         "the perplexity was one over the mean probability",
         {"Which comes first: the mean of the losses or the power?", definition}},
        {"ppl.product",
         "the perplexity was the product of two perplexities",
         {"Is the loss of two predictions their sum?", definition}},
        {"ppl.added",
         "the perplexity was the sum of two perplexities",
         {"Is the loss of two predictions their sum?", definition}},
        {"ppl.two-to-these",
         "the perplexity was a power of 2, although the loss is in nats",
         {"Of which number is the perplexity a power?", definition}},
        {"ppl.these-are-V",
         "the perplexity was always that of the vocabulary",
         {"Does this model know no more than a new one?", definition}},
    };
}

std::vector<Mistake> of_a_wrong_one() {
    const std::string fraction = "Write the right token's softmax as a fraction, and then its -ln.";
    return {
        {"loss.wrong-is-infinite",
         "the right token had the probability 0",
         {"Is e^0 over a large sum 0?", fraction}},
        {"loss.wrong-is-1",
         "a wrong prediction cost 1",
         {"What is -ln of a small probability?", fraction}},
        {"loss.wrong-is-ln-V",
         "a wrong prediction cost as much as that of a new model",
         {"Does the right token get 1/V?", fraction}},
        {"loss.wrong-is-0",
         "to be certain cost nothing, even if wrong",
         {"Which token's probability counts?", fraction}},
        {"loss.wrong-and-ln-V",
         "the other tokens' share was added",
         {"How much do the other tokens add to the softmax's sum?", fraction}},
        {"loss.negative-logit",
         "the loss was minus the largest logit",
         {"Can a loss be negative?", fraction}},
    };
}

}  // namespace

std::vector<Mistake> predict_losses_mistakes_of_models() {
    std::vector<Mistake> all = of_a_new_model();
    for (const std::vector<Mistake>& some : {of_probabilities(), of_a_wrong_one()}) {
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

namespace {

std::vector<Mistake> of_sources() {
    const std::string list = "Make a list: each word, its p, its -ln p.";
    const std::string text = "Write the first nine tokens of a text, and below each what it costs.";
    return {
        {"entropy.in-bits", "the entropy was counted in bits", {"Which logarithm is it?", list}},
        {"entropy.all-alike",
         "the four words were equally likely",
         {"Does a word that comes half of the time surprise as much as the others?", list}},
        {"entropy.not-weighted",
         "all four words counted alike, however often they come",
         {"How often is each -ln p paid?", list}},
        {"entropy.added-up",
         "all -ln p were added up, however often they come",
         {"How often is each -ln p paid?", list}},
        {"entropy.one-eighth",
         "there was only one word with 1/8",
         {"How many words are there?", list}},
        {"entropy.likeliest",
         "only the likeliest word counted",
         {"Do the others never come?", list}},
        {"entropy.no-minus", "the minus was forgotten", {"Is ln p positive?", list}},
        {"source.noun-alone",
         "only the nouns counted",
         {"Over which tokens is the loss a mean?", text}},
        {"source.zero",
         "a model could learn which noun comes next",
         {"What can nobody know in this language?", text}},
        {"source.in-bits", "the loss was counted in bits", {"Which logarithm is it?", text}},
        {"source.all-tokens-alike",
         "all tokens of the language were equally likely everywhere",
         {"What may come after a noun?", text}},
        {"source.no-first-token",
         "there were two predictions for each sentence",
         {"What comes after \".\", and is it predicted, too?", text}},
        {"source.third-of-V",
         "any token could stand in a noun's place",
         {"How many words may come after \"the\"?", text}},
        {"source.new-model",
         "a model learned nothing",
         {"What can a model learn of this language?", text}},
    };
}

std::vector<Mistake> of_softmax_twice() {
    const std::string logits = "Write down the 50 numbers that cross_entropy is given.";
    return {
        {"twice.nothing-happens",
         "a second softmax changed nothing",
         {"What is the softmax of 0 and 1?", logits}},
        {"twice.new-model",
         "everything was lost, so that it looked like a new model",
         {"Are the 50 numbers all the same?", logits}},
        {"twice.one", "the loss was the probability", {"What does cross_entropy do?", logits}},
        {"twice.no-minus", "the minus was forgotten", {"Can a loss be negative?", logits}},
        {"twice.fifty-others",
         "there were as many wrong tokens as tokens",
         {"How many tokens are not the right one?", logits}},
        {"twice.only-the-norm",
         "the right token's own logit was forgotten",
         {"What stands over the line in the softmax of the right token?", logits}},
    };
}

std::vector<Mistake> of_the_count() {
    const std::string task = "Lesson 14.1: which position has a target?";
    return {
        {"once.last-only",
         "only the last position of a text had a target",
         {"What is a causal mask for in training?", task}},
        {"once.one-less",
         "the last position of a text had no target",
         {"Are the targets as long as the inputs?", task}},
        {"once.one-text", "only one of the texts counted", {"How many texts are there?", task}},
        {"once.one-pass",
         "one pass was one prediction",
         {"Over how many predictions does the loss take its mean?", task}},
        {"once.pairs",
         "each pair of a query and a key was a prediction",
         {"How many outputs has a position?", task}},
        {"once.each-token-of-V",
         "each token of the vocabulary was a prediction of its own",
         {"How many tokens are right at one position?", task}},
    };
}

}  // namespace

std::vector<Mistake> predict_losses_mistakes_of_sources() {
    std::vector<Mistake> all = of_sources();
    for (const std::vector<Mistake>& some : {of_softmax_twice(), of_the_count()}) {
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

}  // namespace exercise
