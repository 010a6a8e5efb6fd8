#include "tutorials/exercises/judges/14_4_predict_losses.h"

#include "tutorials/exercises/judges/14_4_predict_losses_mistakes.h"
#include "tutorials/exercises/judges/common_steps.h"

#include "autograd/ops/softmax.h"
#include "nn/losses.h"
#include "tensor/ops.h"

#include <cmath>
#include <limits>

using namespace heed;

namespace exercise {

namespace {

constexpr std::int64_t V = 50, B = 4, T = 24;
constexpr double instead_of_infinity = 1e9;
constexpr double infinite = std::numeric_limits<double>::infinity();

double ln(double x) { return tensor::log(tensor::of({x})).item(); }
double e_to(double x) { return tensor::exp(tensor::of({x})).item(); }

// With one logit `large` for token 7, and 0 for all others.
Tensor logits_of_7(double large) { return large * tensor::one_hot(IndexTensor({7}), V); }

double loss_of(const Tensor& logits, std::int64_t right) {
    return cross_entropy(Variable(logits), IndexTensor(std::vector{right})).item();
}

double new_model(const Slips& slip) {
    if (slip("loss.of-log2")) return ln(V) / ln(2);
    if (slip("loss.of-log10")) return ln(V) / ln(10);
    if (slip("loss.probability")) return 1.0 / V;
    if (slip("loss.not-right")) return 1 - 1.0 / V;
    if (slip("loss.no-minus")) return -ln(V);
    if (slip("loss.divided-by-V")) return ln(V) / V;
    if (slip("loss.starts-at-0")) return 0;
    return loss_of(logits_of_7(0), 7);
}

double new_models_perplexity(const Slips& slip) {
    const double loss = ln(V);
    if (slip("ppl.two-to-the-loss")) return e_to(loss * ln(2));
    if (slip("ppl.is-the-loss")) return loss;
    if (slip("ppl.probability")) return 1.0 / V;
    if (slip("ppl.squared")) return loss * loss;
    return e_to(loss);
}

double uniform_pair(const Slips& slip) {
    if (slip("loss.pair-in-bits")) return 1;
    if (slip("loss.pair-probability")) return 0.5;
    if (slip("loss.pair-knows")) return 0;
    if (slip("loss.pair-of-V")) return ln(V) / 2;
    if (slip("loss.pair-of-25")) return ln(V / 2.0);
    const Tensor logits = tensor::masked_fill(
        tensor::zeros({1, V}), tensor::arange(static_cast<double>(V)) >= 2, -infinity);
    return loss_of(logits, 1);
}

double half_and_eighth(const Slips& slip) {
    if (slip("loss.of-mean-probability")) return -ln((0.5 + 0.125) / 2);
    if (slip("loss.two-in-bits")) return (1 + 3) / 2.0;
    if (slip("loss.two-added")) return ln(2) + ln(8);
    if (slip("loss.mean-probability")) return (0.5 + 0.125) / 2;
    if (slip("loss.weighted-by-p")) return 0.5 * ln(2) + 0.125 * ln(8);
    if (slip("loss.of-the-product-of-means")) return ln(2) * ln(8) / 2;
    return tensor::mean(-tensor::log(tensor::of({0.5, 0.125}))).item();
}

double perplexity_of_these(const Slips& slip) {
    if (slip("ppl.mean-of-both")) return (2 + 8) / 2.0;
    if (slip("ppl.of-mean-probability")) return 1 / ((0.5 + 0.125) / 2);
    if (slip("ppl.product")) return 2 * 8;
    if (slip("ppl.added")) return 2 + 8;
    if (slip("ppl.two-to-these")) return e_to(ln(4) * ln(2));
    if (slip("ppl.these-are-V")) return V;
    return e_to(tensor::mean(-tensor::log(tensor::of({0.5, 0.125}))).item());
}

double certain_and_wrong(const Slips& slip) {
    if (slip("loss.wrong-is-infinite")) return infinite;
    if (slip("loss.wrong-is-1")) return 1;
    if (slip("loss.wrong-is-ln-V")) return ln(V);
    if (slip("loss.wrong-is-0")) return 0;
    if (slip("loss.wrong-and-ln-V")) return 30 + ln(V - 1);
    if (slip("loss.negative-logit")) return -30;
    return loss_of(logits_of_7(30), 3);
}

double entropy_of_next_word(const Slips& slip) {
    const Tensor p = tensor::of({0.5, 0.25, 0.125, 0.125});
    if (slip("entropy.in-bits")) return 1.75;
    if (slip("entropy.all-alike")) return ln(4);
    if (slip("entropy.not-weighted")) return -tensor::mean(tensor::log(p)).item();
    if (slip("entropy.added-up")) return -tensor::sum(tensor::log(p)).item();
    if (slip("entropy.one-eighth")) return tensor::sum(p * -tensor::log(p)).item() - 0.125 * ln(8);
    if (slip("entropy.likeliest")) return ln(2);
    if (slip("entropy.no-minus")) return tensor::sum(p * tensor::log(p)).item();
    return tensor::sum(p * -tensor::log(p)).item();
}

double best_loss_on_sentences(const Slips& slip) {
    if (slip("source.noun-alone")) return ln(6);
    if (slip("source.zero")) return 0;
    if (slip("source.in-bits")) return ln(6) / ln(2) / 3;
    if (slip("source.all-tokens-alike")) return ln(8);
    if (slip("source.no-first-token")) return ln(6) / 2;
    if (slip("source.third-of-V")) return ln(V) / 3;
    if (slip("source.new-model")) return ln(V);
    return tensor::mean(tensor::of({0, ln(6), 0})).item();
}

double softmax_twice(const Slips& slip) {
    if (slip("twice.nothing-happens")) return 0;
    if (slip("twice.new-model")) return ln(V);
    if (slip("twice.one")) return 1;
    if (slip("twice.no-minus")) return 1 - ln(e_to(1) + V - 1);
    if (slip("twice.fifty-others")) return ln(e_to(1) + V) - 1;
    if (slip("twice.only-the-norm")) return ln(e_to(1) + V - 1);
    const Variable probabilities = softmax(Variable(logits_of_7(1000)), -1);
    return loss_of(probabilities.value(), 7);
}

std::int64_t predictions_at_once(const Slips& slip) {
    if (slip("once.last-only")) return B;
    if (slip("once.one-less")) return B * (T - 1);
    if (slip("once.one-text")) return T;
    if (slip("once.one-pass")) return 1;
    if (slip("once.pairs")) return B * T * (T + 1) / 2;
    if (slip("once.each-token-of-V")) return B * T * V;
    return B * T;
}

LossPredictions slipping(const Slips& slip) {
    return {[=] { return new_model(slip); },
            [=] { return new_models_perplexity(slip); },
            [=] { return uniform_pair(slip); },
            [=] { return half_and_eighth(slip); },
            [=] { return perplexity_of_these(slip); },
            [=] { return certain_and_wrong(slip); },
            [=] { return entropy_of_next_word(slip); },
            [=] { return best_loss_on_sentences(slip); },
            [=] { return softmax_twice(slip); },
            [=] { return predictions_at_once(slip); }};
}

// Rounded to two decimals, as the answers are. Infinity is a number, too, so that nothing is said
// of it that is not said of others.
Stages answer(const std::string& question, double number) {
    const double rounded = std::floor(number * 100 + 0.5) / 100;
    return {{question, tensor::of({std::isinf(number) ? instead_of_infinity : rounded})}};
}

Steps steps(const LossPredictions& all) {
    return {
        [=] { return answer("the new model's loss", all.new_model()); },
        [=] { return answer("its perplexity", all.new_models_perplexity()); },
        [=] { return answer("the loss of the pair", all.uniform_pair()); },
        [=] { return answer("the loss for 1/2 and 1/8", all.half_and_eighth()); },
        [=] { return answer("the perplexity for 1/2 and 1/8", all.perplexity_of_these()); },
        [=] { return answer("the loss of the wrong prediction", all.certain_and_wrong()); },
        [=] { return answer("the entropy of the next word", all.entropy_of_next_word()); },
        [=] { return answer("the least loss on the sentences", all.best_loss_on_sentences()); },
        [=] { return answer("the loss after two softmaxes", all.softmax_twice()); },
        [=] {
            return answer("the number of predictions",
                          static_cast<double>(all.predictions_at_once()));
        },
    };
}

// Hints for the questions of one kind.
std::vector<Hole> holes() {
    const std::vector<std::string> of_mixtures = {
        "What does each of the two cases cost, and how often does it happen?",
        "Lesson 14.2: a loss is a mean over predictions",
        "Mean of -ln p over the predictions; then perplexity is e to this mean",
        "Write 100 predictions as a table: 50 with p = 1/2, 50 with p = 1/8"};
    const std::vector<std::string> of_logits = {
        "Which 50 numbers does cross_entropy get here?",
        "Lesson 14.5 hands probabilities over, and logits",
        "-ln(e^z_right / Σ_j e^z_j) = ln(Σ_j e^z_j) - z_right",
        "Print cross_entropy(Variable(z), IndexTensor({0})).item() for a z [1, 50] of your own"};
    const std::vector<std::string> of_sources = {
        "What does each word cost a model that knows the language, and how often does it come?",
        "Lesson 14.1 tells what the least loss is, and 14.2 compares models with it",
        "Σ p·(-ln p) for one word; the mean over all tokens of a text for its loss",
        "Write down one sentence, and below each token its probability and its -ln p"};
    const std::vector<std::string> of_tasks = {
        "At how many positions is there a target?", "Lesson 14.1",
        "Every position of every text predicts the token after it",
        "Count the entries of the targets"};
    return {{"half_and_eighth", {"the loss for 1/2 and 1/8"}, of_mixtures},
            {"perplexity_of_these", {"the perplexity for 1/2 and 1/8"}, of_mixtures},
            {"certain_and_wrong", {"the loss of the wrong prediction"}, of_logits},
            {"softmax_twice", {"the loss after two softmaxes"}, of_logits},
            {"entropy_of_next_word", {"the entropy of the next word"}, of_sources},
            {"best_loss_on_sentences", {"the least loss on the sentences"}, of_sources},
            {"predictions_at_once", {"the number of predictions"}, of_tasks}};
}

}  // namespace

Exercise predict_losses(const LossPredictions& predictions) {
    Exercise exercise;
    exercise.number = "14.4";
    exercise.title = "Predict losses";
    exercise.secret = true;
    exercise.cases = {in_order(
        "your predictions", [](const Slips& slip) { return steps(slipping(slip)); },
        steps(predictions))};
    exercise.mistakes =
        joined(predict_losses_mistakes_of_models(), predict_losses_mistakes_of_sources());
    exercise.hints = {
        "Which probability does the right token get?",
        "Lesson 14.2 prints the losses of models that know nothing, something and everything",
        "The loss of one prediction is -ln p; perplexity is e^loss",
        "Print cross_entropy(Variable(z), IndexTensor({0})).item() for a z [1, 50] of your own"};
    exercise.holes = holes();
    return exercise;
}

Trials predict_losses_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return predict_losses(slipping(slip)); };
    trials.right["with two decimals"] = [] {
        return predict_losses({[] { return 3.91; }, [] { return 50; }, [] { return 0.69; },
                               [] { return 1.39; }, [] { return 4; }, [] { return 30; },
                               [] { return 1.21; }, [] { return 0.6; }, [] { return 2.95; },
                               [] { return 96; }});
    };
    trials.right["with six"] = [] {
        return predict_losses({[] { return 3.912023; }, [] { return 50.0; },
                               [] { return 0.693147; }, [] { return 1.386294; }, [] { return 4.0; },
                               [] { return 30.000001; }, [] { return 1.213008; },
                               [] { return 0.597253; }, [] { return 2.945811; },
                               [] { return 96; }});
    };
    return trials;
}

}  // namespace exercise
