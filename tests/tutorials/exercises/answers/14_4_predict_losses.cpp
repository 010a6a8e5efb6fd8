// Answers to 14.4, written from its file alone.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_14.h"

#include <cmath>
#include <limits>

using namespace exercise;

namespace {
using P = LossPredictions;

// The right answers, from which each wrong one differs in one.
P right() {
    return {[] { return 3.912; },     [] { return 50; },      [] { return 0.693; },
            [] { return 1.38629; },   [] { return 4; },       [] { return 30.0; },
            [] { return 1.2130076; }, [] { return 0.59725; }, [] { return 2.9458; },
            [] { return 96; }};
}

Answer wrong(const std::string& what, std::function<double()> P::*question, double number,
             const std::vector<std::string>& names = {}) {
    return {what,
            [=] {
                P all = right();
                all.*question = [=] { return number; };
                return judge_14_4(all);
            },
            names};
}

Answer at_once(const std::string& what, std::int64_t number,
               const std::vector<std::string>& names = {}) {
    return {what,
            [=] {
                P all = right();
                all.predictions_at_once = [=] { return number; };
                return judge_14_4(all);
            },
            names};
}

}  // namespace

Answers answers_14_4() {
    Answers answers;
    answers.number = "14.4";
    answers.slipping = slipping(judge_14_4);
    answers.wrong = {
        wrong("a new model: in bits", &P::new_model, 5.64, {"loss.of-log2"}),
        wrong("a new model: 1/50", &P::new_model, 0.02, {"loss.probability"}),
        wrong("a new model: one decimal", &P::new_model, 3.9),
        wrong("a new model: ln 49", &P::new_model, 3.89),
        wrong("its perplexity: 3.91", &P::new_models_perplexity, 3.91, {"ppl.is-the-loss"}),
        wrong("its perplexity: from a rounded loss", &P::new_models_perplexity, 49.9),
        wrong("its perplexity: one token is right already", &P::new_models_perplexity, 49),
        wrong("the pair: 1 bit", &P::uniform_pair, 1, {"loss.pair-in-bits"}),
        wrong("the pair: 1/2", &P::uniform_pair, 0.5, {"loss.pair-probability"}),
        wrong("the pair: both losses added", &P::uniform_pair, 1.39),
        wrong("1/2 and 1/8: of the mean probability", &P::half_and_eighth, 1.16,
              {"loss.of-mean-probability"}),
        wrong("1/2 and 1/8: the larger one only", &P::half_and_eighth, 2.08),
        wrong("1/2 and 1/8: in bits", &P::half_and_eighth, 2, {"loss.two-in-bits"}),
        wrong("their perplexity: the mean of 2 and 8", &P::perplexity_of_these, 5,
              {"ppl.mean-of-both"}),
        wrong("their perplexity: 1 over 0.3125", &P::perplexity_of_these, 3.2,
              {"ppl.of-mean-probability"}),
        wrong("a wrong one: infinity", &P::certain_and_wrong,
              std::numeric_limits<double>::infinity(), {"loss.wrong-is-infinite"}),
        wrong("a wrong one: 30 and ln 50", &P::certain_and_wrong, 33.91),
        wrong("a wrong one: e^30", &P::certain_and_wrong, 1.0686e13),
        wrong("a wrong one: ln 30", &P::certain_and_wrong, 3.4),
        wrong("entropy: in bits", &P::entropy_of_next_word, 1.75, {"entropy.in-bits"}),
        wrong("entropy: ln 4", &P::entropy_of_next_word, 1.39, {"entropy.all-alike"}),
        wrong("entropy: e to it", &P::entropy_of_next_word, 3.36),
        wrong("sentences: ln 6", &P::best_loss_on_sentences, 1.79, {"source.noun-alone"}),
        wrong("sentences: 0", &P::best_loss_on_sentences, 0, {"source.zero"}),
        wrong("sentences: one token in three is wrong", &P::best_loss_on_sentences, 0.33),
        wrong("softmax twice: 0", &P::softmax_twice, 0, {"twice.nothing-happens"}),
        wrong("softmax twice: ln 50", &P::softmax_twice, 3.91, {"twice.new-model"}),
        wrong("softmax twice: -ln(e/(e + 50))", &P::softmax_twice, 2.97, {"twice.fifty-others"}),
        wrong("softmax twice: not a number", &P::softmax_twice,
              std::numeric_limits<double>::quiet_NaN()),
        wrong("a new model: in powers of 10", &P::new_model, 1.7, {"loss.of-log10"}),
        wrong("a new model: the others' share", &P::new_model, 0.98, {"loss.not-right"}),
        wrong("a new model: ln p", &P::new_model, -3.91, {"loss.no-minus"}),
        wrong("its perplexity: 2 to the loss", &P::new_models_perplexity, 15.05,
              {"ppl.two-to-the-loss"}),
        wrong("its perplexity: e^50", &P::new_models_perplexity, 5.18e21),
        wrong("the pair: ln 25", &P::uniform_pair, 3.22, {"loss.pair-of-25"}),
        wrong("the pair: half of ln 2", &P::uniform_pair, 0.35),
        wrong("1/2 and 1/8: both added", &P::half_and_eighth, 2.77, {"loss.two-added"}),
        wrong("1/2 and 1/8: each times its p", &P::half_and_eighth, 0.61, {"loss.weighted-by-p"}),
        wrong("their perplexity: 2 times 8", &P::perplexity_of_these, 16, {"ppl.product"}),
        wrong("a wrong one: 30 and ln 49", &P::certain_and_wrong, 33.89, {"loss.wrong-and-ln-V"}),
        wrong("a wrong one: 30 less ln 49", &P::certain_and_wrong, 26.11),
        wrong("entropy: all four losses alike", &P::entropy_of_next_word, 1.56,
              {"entropy.not-weighted"}),
        wrong("entropy: one eighth left out", &P::entropy_of_next_word, 0.95,
              {"entropy.one-eighth"}),
        wrong("sentences: of two tokens", &P::best_loss_on_sentences, 0.9,
              {"source.no-first-token"}),
        wrong("sentences: ln 8 / 3", &P::best_loss_on_sentences, 0.69),
        wrong("sentences: cut off, not rounded", &P::best_loss_on_sentences, 0.59),
        wrong("softmax twice: a slip of rounding", &P::softmax_twice, 2.96),
        wrong("softmax twice: ln 50 - 1", &P::softmax_twice, 2.91),
        wrong("softmax twice: the norm alone", &P::softmax_twice, 3.95, {"twice.only-the-norm"}),
        at_once("at once: the last of each text", 4, {"once.last-only"}),
        at_once("at once: one less for each text", 92, {"once.one-less"}),
        at_once("at once: what each position sees", 4 * 24 * 25 / 2, {"once.pairs"}),
        at_once("at once: inputs and targets", 2 * 96),
    };
    answers.right = {
        {"with more decimals", [] { return judge_14_4(right()); }},
        {"by formulas",
         [] {
             P all = right();
             all.new_model = [] { return std::log(50.0); };
             all.new_models_perplexity = [] { return std::exp(std::log(50.0)); };
             all.half_and_eighth = [] { return (std::log(2.0) + std::log(8.0)) / 2; };
             all.certain_and_wrong = [] { return std::log(std::exp(30.0) + 49); };
             all.best_loss_on_sentences = [] { return std::log(6.0) / 3; };
             all.softmax_twice = [] { return std::log(std::exp(1.0) + 49) - 1; };
             return judge_14_4(all);
         }},
        {"with two decimals",
         [] {
             return judge_14_4({[] { return 3.91; }, [] { return 50; }, [] { return 0.69; },
                                [] { return 1.39; }, [] { return 4; }, [] { return 30; },
                                [] { return 1.21; }, [] { return 0.6; }, [] { return 2.95; },
                                [] { return 96; }});
         }},
        {"with six",
         [] {
             return judge_14_4({[] { return 3.912023; }, [] { return 50.0; },
                                [] { return 0.693147; }, [] { return 1.386294; },
                                [] { return 4.0; }, [] { return 30.000001; },
                                [] { return 1.213008; }, [] { return 0.597253; },
                                [] { return 2.945811; }, [] { return 96; }});
         }},
    };
    return answers;
}
