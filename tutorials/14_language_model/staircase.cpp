// Lesson 14: from pairs of words to a GPT, each trained from several seeds (14.3), and how they
// get there (14.4).
#include "tutorials/14_language_model/parts.h"

#include "nn/heed.h"
#include "tutorials/14_language_model/training.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/plot.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/several.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::median_and_range;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;
using tutorial::Several;
using tutorial::several;

namespace {

constexpr std::array<int, 5> steps_shown = {0, 25, 50, 100, 200};
using Seeds = std::array<std::uint64_t, 5>;

std::vector<std::vector<std::int64_t>> twenty_texts(const LanguageModel& model) {
    Random same_each_time(1);
    return texts_by(model, 20, same_each_time);
}

// Trains `model`, and adds it and what it was like on the way to `kind`.
template <class Model>
void learn(Kind& kind, Model model, const Texts& fresh, Random& random) {
    AdamW optimizer(parameters(model), {.lr = 1});
    std::vector<double> losses;
    for (std::size_t i = 0; i < steps_shown.size(); ++i) {
        const int to = steps_shown[i];
        if (i > 0) {
            train(kind.name + (" to step " + std::to_string(to)), model, optimizer, T,
                  {.from = steps_shown[i - 1], .to = to, .steps = steps_shown.back()}, random);
        }
        losses.push_back(loss_of(model, fresh));
        if (kind.models.empty()) kind.texts.push_back(twenty_texts(model));
    }
    kind.models.push_back(model);
    kind.losses.push_back(losses);
}

struct Result {
    Several loss, agreement;
};

Result print_result(const Kind& kind, const Texts& fresh) {
    std::vector<double> losses, agreements;
    for (const LanguageModel& model : kind.models) {
        losses.push_back(loss_of(model, fresh));
        agreements.push_back(agreement_of(model));
    }
    const Result result = {several(losses), several(agreements)};
    print_row(std::cout, kind.name,
              {median_and_range(result.loss, 3), fixed(perplexity(result.loss.median), 2),
               median_and_range(result.agreement, 2)},
              20, 19);
    return result;
}

void draw_staircase(const std::vector<Result>& results, double entropy) {
    if (!tutorial::page_is_written()) return;
    std::vector<Several> losses;
    for (const Result& result : results) losses.push_back(result.loss);
    const std::vector<double> steps{0, 1, 2, 3, 4};
    tutorial::Plot plot{.title = "The staircase of losses",
                        .x = {.label = "model, from plain to rich",
                              .covers = {-0.3, 4.3},
                              .ticks = steps,
                              .names = {"new", "pairs", "one head", "X + one head", "a GPT"}},
                        .y = {.label = "loss, in nats; median and range of five", .covers = {0}},
                        .series = {tutorial::series_of("on fresh texts", steps, losses)},
                        .references = {{"ln 19", ln_19}, {"the texts' surprise", entropy}}};
    plot.series[0].line = false;
    tutorial::draw(tutorial::plot_svg(plot));
}

void draw_learning(const std::vector<tutorial::Series>& series, double entropy) {
    if (!tutorial::page_is_written()) return;
    tutorial::draw(tutorial::plot_svg(
        {.title = "While they learn",
         .x = {.label = "step"},
         .y = {.label = "loss, in nats; median and range of five", .covers = {0}},
         .series = series,
         .references = {{"ln 19", ln_19}, {"the texts' surprise", entropy}}}));
}

}  // namespace

Trained staircase(const Texts& fresh, Random& random) {
    section("14.3 The staircase of losses");
    say("Five models, each a little richer. Pairs of words: how often each word followed each "
        "other one in 1000 texts, counted, with no training. One head: attention on the vectors of "
        "words and positions, X, then a linear layer. X + one head: the same with a residual "
        "connection (lesson 12). And a GPT of two blocks with two heads each. Each is made five "
        "times, from five seeds; trained ones take 200 steps. The losses are on the 200 texts, "
        "drawn afresh; but of the 90 sentences of this grammar all occur in training, so what is "
        "learned is how probable each is. Median and range, and the median's perplexity.");
    say("Agreement is measured after \"the keys to the cabinet\" and in all 12 such sentences, in "
        "which the second noun has another number than the subject: of the probability given to "
        "\"is\" or \"are\", the share on the verb that agrees with the subject.");
    tutorial::predict_choice("Which of these cannot know whether the keys or the cabinet \"are\"?",
                             {"pairs", "one head", "GPT"}, "pairs",
                             "It sees the word before only.");
    Trained all{{"a new GPT", {}, {}, {}}, {"pairs of words", {}, {}, {}},
                {"one head", {}, {}, {}},  {"X + one head", {}, {}, {}},
                {"a GPT", {}, {}, {}},     fresh};
    Seeds seeds;
    for (std::uint64_t& seed : seeds) seed = random.next();
    for (const std::uint64_t seed : seeds) {
        Random own(seed);
        const Gpt gpt(
            {.vocab_size = V(), .limit = T, .d_model = 32, .num_layers = 2, .num_heads = 2}, own);
        all.untrained.models.push_back(gpt);
        all.pairs.models.push_back(count_pairs(random_texts(1000, T, own)));
        learn(all.head, OneHead(T, false, own), fresh, own);
        learn(all.head_and_X, OneHead(T, true, own), fresh, own);
        learn(all.gpt, gpt, fresh, own);
    }
    print_row(std::cout, "", {"loss", "perplexity", "agreement"}, 20, 19);
    const Result first = print_result(all.untrained, fresh);
    const Result pairs = print_result(all.pairs, fresh);
    const Result head = print_result(all.head, fresh);
    const Result head_and_X = print_result(all.head_and_X, fresh);
    const Result gpt = print_result(all.gpt, fresh);
    print_row(std::cout, "the texts' surprise",
              {fixed(fresh.entropy, 3), fixed(perplexity(fresh.entropy), 2), "1.00"}, 20, 19);
    std::cout << "\n";
    draw_staircase({first, pairs, head, head_and_X, gpt}, fresh.entropy);
    const Tensor losses = tensor::of({first.loss.median, pairs.loss.median, head.loss.median,
                                      head_and_X.loss.median, gpt.loss.median, fresh.entropy});
    stop("14.3 the staircase", {{"losses", losses}});
    check(std::fabs(first.loss.least - ln_19) < 0.1 && std::fabs(first.loss.most - ln_19) < 0.1,
          "a new model's loss is about $ln 19 = 2.944$");
    check(first.loss.median > pairs.loss.median && pairs.loss.median > head.loss.median &&
              head.loss.median > head_and_X.loss.median && head_and_X.loss.median > gpt.loss.median,
          "each model has a lower median than the one above it");
    check(std::min(head_and_X.loss.least, gpt.loss.least) > fresh.entropy - 0.003,
          "no run gets below the surprise of the texts");
    check(gpt.loss.most < fresh.entropy + 0.05, "every GPT comes within 0.05 of it");
    check(std::fabs(pairs.agreement.median - 0.5) < 0.1,
          "a pair of words does not know the subject, and tosses a coin");
    check(gpt.agreement.median > 0.95, "a GPT agrees");
    check(std::min(head.agreement.least, head_and_X.agreement.least) < gpt.agreement.least,
          "the worst of the ten single heads agrees less than the worst GPT");
    return all;
}

void while_it_learns(const Trained& trained) {
    section("14.4 While it learns");
    say("The same losses on the way, the median of the five runs after so many steps:");
    std::vector<std::string> labels;
    for (const int step : steps_shown) labels.push_back(std::to_string(step));
    print_row(std::cout, "step", labels, 20, 6);
    bool falls = true;
    const std::vector<double> steps(steps_shown.begin(), steps_shown.end());
    std::vector<tutorial::Series> drawn;
    std::vector<double> medians;
    for (const Kind* kind : {&trained.head, &trained.head_and_X, &trained.gpt}) {
        medians.clear();
        std::vector<Several> found;
        std::vector<std::string> cells;
        for (std::size_t i = 0; i < steps_shown.size(); ++i) {
            std::vector<double> losses;
            for (const std::vector<double>& run : kind->losses) losses.push_back(run[i]);
            found.push_back(several(losses));
            medians.push_back(found.back().median);
            cells.push_back(fixed(medians.back(), 3));
            falls = falls && (i == 0 || medians[i] < medians[i - 1]);
        }
        print_row(std::cout, kind->name, cells, 20, 6);
        drawn.push_back(tutorial::series_of(kind->name, steps, found));
    }
    std::cout << "\n";
    draw_learning(drawn, trained.fresh.entropy);
    check(falls, "each falls from one column to the next");
    check(medians[2] < 0.75, "after 50 steps the GPT is below the pairs");
    say("Now let the first GPT write: twenty texts that begin with \"the\", each further token "
        "drawn as often as the model finds it likely, with the same random numbers each time. One "
        "of them, and how many of the twenty are sentences of the grammar:");
    std::cout << "step  right  a text\n";
    std::vector<int> right;
    for (std::size_t i = 0; i < steps_shown.size(); ++i) {
        const std::vector<std::vector<std::int64_t>>& texts = trained.gpt.texts[i];
        right.push_back(static_cast<int>(std::count_if(texts.begin(), texts.end(), is_sentence)));
        const std::string of_twenty = std::to_string(right[i]);
        std::cout << tutorial::fit(labels[i], 6) << tutorial::fit(of_twenty, 7)
                  << words_of(texts[0]) << "\n";
    }
    std::cout << "\n";
    check(right.front() < 3 && right.back() > 14,
          "the new model says next to no sentence, the trained one nearly always one");
}
