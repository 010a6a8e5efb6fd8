// Lesson 19: ways to choose the next token: temperature, top-k, top-p (19.4).
#include "tutorials/19_generating/parts.h"

#include "nn/heed.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/14_language_model/source.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/plot.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/several.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <set>

using namespace heed;
using tutorial::check;
using tutorial::median_and_range;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;
using tutorial::Several;
using tutorial::several;

namespace {

std::string per_cent(double probability) { return fixed(100 * probability, 1); }

IndexTensor ids_of(const std::vector<std::string>& words) {
    std::vector<std::int64_t> ids;
    for (const std::string& word : words) ids.push_back(id_of(word));
    return IndexTensor(ids);
}

Tensor logits_after(const Gpt& gpt, const std::vector<std::string>& words) {
    return tutorial::row(gpt(ids_of(words)).value(), -1);  // [V]
}

// sampling_probabilities() with top_p, by hand.
Tensor nucleus(const Tensor& logits, double p) {
    const Tensor P = tensor::softmax(logits, -1);                  // [V]
    const IndexTensor order = tensor::argsort(P, -1, descending);  // [V]
    const Tensor sorted = tensor::index_select(P, 0, order);       // [V]
    const Tensor before = tensor::cumsum(sorted, 0) - sorted;      // [V]
    const Tensor kept = tensor::where(before < p, sorted, 0);      // [V]
    const Tensor back = tensor::scatter(tensor::zeros_like(P), 0, order, kept);
    return back / tensor::sum(back);
}

void print_choice(const char* how, const Tensor& P) {
    const auto of = [&P](const char* word) { return static_cast<double>(P(id_of(word))); };
    const double others = 1 - of("to") - of("are") - of("is");
    print_row(std::cout, how,
              {per_cent(of("to")), per_cent(of("are")), per_cent(of("is")),
               per_cent(others > 0 ? others : 0)},
              26, 10);
}

void one_step(const Gpt& gpt) {
    say("The model gives a probability to every token: $softmax(l)_i = exp(l_i)/Σ_j exp(l_j)$, "
        "with the logits l. Which one comes next? Greedy takes the likeliest. Drawing takes each "
        "as often as it is likely. A temperature τ divides the logits first, $softmax(l/τ)$: below "
        "1 likely tokens become likelier, above 1 all become more alike, and texts more varied. "
        "Two rules cut off what is unlikely: top-k leaves the k likeliest tokens. Top-p sorts "
        "them, likeliest first, and leaves the smallest set whose probabilities sum to at least p. "
        "What is left is divided by its sum. After \"the keys\", in per cent:");
    const Tensor logits = logits_after(gpt, {"the", "keys"});  // [V]
    const Tensor plain = sampling_probabilities(logits);
    const Tensor cold = sampling_probabilities(logits, {.temperature = 0.5});
    const Tensor hot = sampling_probabilities(logits, {.temperature = 2});
    const Tensor three = sampling_probabilities(logits, {.temperature = 2, .top_k = 3});
    const Tensor most = sampling_probabilities(logits, {.temperature = 2, .top_p = 0.8});
    stop("19.4 one step", {{"logits", logits}, {"plain", plain}, {"hot", hot}, {"most", most}});
    print_row(std::cout, "", {"to", "are", "is", "all others"}, 26, 10);
    print_choice("as the model has it", plain);
    print_choice("temperature 0.5", cold);
    print_choice("temperature 2", hot);
    print_choice("temperature 2, top-k 3", three);
    print_choice("temperature 2, top-p 0.8", most);
    std::cout << "\n";
    const double to = hot(id_of("to")), are = hot(id_of("are"));
    say("Top-p by hand: " + per_cent(std::max(to, are)) + " is less than 80, " +
        per_cent(std::max(to, are)) + " + " + per_cent(std::min(to, are)) + " = " +
        per_cent(to + are) + (to + are >= 0.8 ? " is enough" : " is not yet enough") +
        "; what is left is divided by its sum.");
    check(plain(id_of("to")) > 0.35 && plain(id_of("are")) > 0.35,
          "the grammar has \"to\" or \"are\" here, half of the time each, and so has the model");
    check(tutorial::difference(Variable(nucleus(logits / 2, 0.8)), Variable(most)) < 1e-6,
          "top-p by hand gives the last row: sorted, added up, cut, divided");
}

std::int64_t left_by(const Tensor& logits, const SamplingOptions& sampling) {
    return (sampling_probabilities(logits, sampling) > 0).count();
}

void how_many_are_left(const Gpt& gpt) {
    say("The difference between the two: k is the same at each step, while top-p leaves few tokens "
        "where the model is sure and many where it is not. How many are left at temperature 2, and "
        "how many the grammar has:");
    struct Beginning {
        const char* last;
        std::vector<std::string> words;
        int in_grammar;
    };
    const std::vector<Beginning> beginnings = {
        {"the ...", {"the"}, 6},
        {"the keys ...", {"the", "keys"}, 2},
        {"the keys to the ...", {"the", "keys", "to", "the"}, 4},
        {"the keys to the door are ...", {"the", "keys", "to", "the", "door", "are"}, 1}};
    std::vector<std::int64_t> of_p;
    bool always_three = true;
    print_row(std::cout, "", {"grammar", "top-k 3", "top-p 0.8"}, 30, 10);
    for (const Beginning& one : beginnings) {
        const Tensor logits = logits_after(gpt, one.words);
        const std::int64_t by_k = left_by(logits, {.temperature = 2, .top_k = 3});
        of_p.push_back(left_by(logits, {.temperature = 2, .top_p = 0.8}));
        always_three = always_three && by_k == 3;
        print_row(
            std::cout, one.last,
            {std::to_string(one.in_grammar), std::to_string(by_k), std::to_string(of_p.back())}, 30,
            10);
    }
    std::cout << "\n";
    check(always_three, "top-k 3 leaves three everywhere: too few after \"the\", too many after a "
                        "verb");
    check(of_p[0] >= 5 && of_p[3] <= 2, "top-p leaves many after \"the\" and few after the verb");
}

struct Spoken {
    Several right;      // the part that the grammar could have said
    Several different;  // sentences
};

// 200 sentences of each model that begin with "the".
Spoken print_spoken(const std::vector<Gpt>& gpts, const char* how, const SamplingOptions& sampling,
                    Random& random) {
    const FastKernels fast;
    const std::int64_t B = 200;
    const std::vector<std::int64_t> begin(static_cast<std::size_t>(B), id_of("the"));
    std::vector<double> rights, differents;
    for (const Gpt& gpt : gpts) {
        GptSteps steps(gpt);
        std::set<std::string> different;
        int right = 0;
        for (std::vector<std::int64_t> text :
             generate(steps, IndexTensor(begin, {B, 1}), random,
                      {.max_new_tokens = 12, .sampling = sampling, .end_token = id_of(".")})) {
            text.insert(text.begin(), id_of("the"));
            different.insert(words_of(text));
            right += is_sentence(text);
        }
        rights.push_back(right / static_cast<double>(B));
        differents.push_back(static_cast<double>(different.size()));
    }
    const Spoken spoken = {several(rights), several(differents)};
    print_row(std::cout, how,
              {median_and_range(spoken.right, 2), median_and_range(spoken.different, 0)}, 28, 16);
    return spoken;
}

void draw_spoken(const std::vector<std::pair<std::string, std::vector<Spoken>>>& ways) {
    if (!tutorial::page_is_written()) return;
    tutorial::Plot plot{.title = "Right against different",
                        .x = {.label = "different sentences of 200, median", .covers = {0, 200}},
                        .y = {.label = "right, median of three models", .covers = {0, 1}}};
    for (const auto& [name, settings] : ways) {
        tutorial::Series series{.name = name, .x = {}, .y = {}};
        for (const Spoken& spoken : settings) {
            series.x.push_back(spoken.different.median);
            series.y.push_back(spoken.right.median);
        }
        plot.series.push_back(series);
    }
    tutorial::draw(tutorial::plot_svg(plot));
}

void at_equal_variety(const std::vector<Gpt>& gpts, Random& random) {
    say("Now 200 sentences each way, of three GPTs trained from three seeds: which part of them "
        "the grammar could have said, and how many are different; it has 90. Median and range. A "
        "rule that always says the same sentence is never wrong, so compare rules that give about "
        "equally many different sentences:");
    tutorial::predict_choice("Which way says the same whatever the seed?",
                             {"greedy", "temperature 1", "top-p"}, "greedy", "Nothing is drawn.");
    print_row(std::cout, "", {"right", "different"}, 28, 16);
    const Spoken greedy = print_spoken(gpts, "greedy", {.temperature = 0}, random);
    const Spoken drawn = print_spoken(gpts, "temperature 1", {}, random);
    const Spoken trimmed = print_spoken(gpts, "temperature 1, top-p 0.95", {.top_p = 0.95}, random);
    const Spoken wild = print_spoken(gpts, "temperature 2", {.temperature = 2}, random);
    const struct {
        const char *of_k, *of_p;
        std::int64_t k;
        double p;
    } pairs[] = {{"temperature 2, top-k 2", "temperature 2, top-p 0.5", 2, 0.5},
                 {"temperature 2, top-k 3", "temperature 2, top-p 0.8", 3, 0.8},
                 {"temperature 2, top-k 4", "temperature 2, top-p 0.9", 4, 0.9}};
    bool as_varied = true, more_right = true;
    std::vector<Spoken> by_k, by_p;
    for (const auto& pair : pairs) {
        const Spoken of_k =
            print_spoken(gpts, pair.of_k, {.temperature = 2, .top_k = pair.k}, random);
        const Spoken of_p =
            print_spoken(gpts, pair.of_p, {.temperature = 2, .top_p = pair.p}, random);
        as_varied = as_varied && std::fabs(of_p.different.median - of_k.different.median) < 30;
        more_right = more_right && of_p.right.median > of_k.right.median;
        by_k.push_back(of_k);
        by_p.push_back(of_p);
    }
    std::cout << "\n";
    draw_spoken({{"greedy", {greedy}},
                 {"temperature 1", {drawn}},
                 {"1, top-p 0.95", {trimmed}},
                 {"temperature 2", {wild}},
                 {"2, top-k 2, 3, 4", by_k},
                 {"2, top-p 0.5, 0.8, 0.9", by_p}});
    check(greedy.right.least == 1 && greedy.different.most == 1,
          "greedy is right and always says the same");
    check(drawn.right.median > 0.8 && drawn.different.median > 40,
          "drawing is mostly right, and says many different sentences");
    check(trimmed.right.median > 0.95 && trimmed.different.median > 40,
          "without the last 5 % of probability next to nothing is wrong, and many are different");
    check(wild.right.median < drawn.right.median - 0.2,
          "a high temperature lets in what does not belong");
    check(as_varied && more_right,
          "at about equal variety, top-p is right more often than top-k, in all three pairs");
    say("One k for every step is the mistake: any k is too small for the six subjects or too large "
        "for the one verb. p follows what the model knows. And what is cut at temperature 2 was "
        "let in by the temperature: at 1, where the probabilities are the model's own, little has "
        "to be cut.");
}

}  // namespace

void choosing(const std::vector<Gpt>& gpts, Random& random) {
    section("19.4 Choosing the next token");
    const NoGrad no_grad;
    one_step(gpts[0]);
    how_many_are_left(gpts[0]);
    at_equal_variety(gpts, random);
}
