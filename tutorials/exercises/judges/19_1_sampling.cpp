#include "tutorials/exercises/judges/lesson_19.h"
#include "tutorials/exercises/judging/kit.h"

#include <numeric>

using namespace heed;

namespace exercise {
namespace {
using Ids = std::vector<std::int64_t>;

constexpr std::int64_t all = std::int64_t{1} << 40;  // a k that cuts nothing

struct Cut {
    Tensor logits;
    double temperature;
    std::int64_t k;
    double p;
    bool who_stays = false;  // Is it asked, too, which tokens have a probability above 0?
};
Stages given(const Cut& in) { return {{"the logits", in.logits}}; }

struct Draw {
    Tensor P;
    std::vector<double> u;
};
Stages given(const Draw& in) { return {{"P", in.P}}; }

Tensor scaled(const Tensor& logits, double temperature, const Slips& slip) {
    if (slip("samp.temperature-ignored")) return logits;
    return slip("samp.temperature-multiplied") ? logits * temperature : logits / temperature;
}

Tensor softmaxed(const Tensor& x, const Slips& slip) {
    if (!slip("samp.no-max")) return tensor::softmax(x, -1);
    const Tensor exponentials = tensor::exp(x);
    return exponentials / tensor::sum(exponentials);
}

// Token ids, those to be kept first in front.
Ids ranked(const Tensor& x, std::int64_t k, const Slips& slip) {
    Ids ids(static_cast<std::size_t>(x.numel()));
    std::iota(ids.begin(), ids.end(), 0);
    const bool higher = slip("samp.ties-higher") || (k == 1 && slip("samp.ties-higher-of-one"));
    if (higher) std::reverse(ids.begin(), ids.end());
    std::stable_sort(ids.begin(), ids.end(), [&](std::int64_t a, std::int64_t b) {
        return slip("samp.least-likely") ? x(a) < x(b) : x(a) > x(b);
    });
    return ids;
}

std::size_t kept_by_k(const Tensor& x, const Ids& ids, std::int64_t k, const Slips& slip) {
    if (slip("samp.k-ignored")) return ids.size();
    if (slip("samp.k-one-more")) ++k;
    std::size_t n = std::min(static_cast<std::size_t>(k), ids.size());
    if (slip("samp.k-ties-stay")) {
        while (n < ids.size() && x(ids[n]) == x(ids[n - 1])) ++n;
    }
    return n;
}

// How many of the first n stay, which have the probability `whole` together.
std::size_t kept_by_p(const Tensor& P, const Ids& ids, std::size_t n, double p, double whole,
                      const Slips& slip) {
    if (slip("samp.p-ignored") || (p == 1 && !slip("samp.p-1-by-sum"))) return n;
    std::size_t stay = 0;
    double together = 0;
    while (stay < n && (slip("samp.p-exactly") ? together <= p : together < p)) {
        together += P(ids[stay++]) / whole;
    }
    if (slip("samp.p-one-more")) stay = std::min(stay + 1, n);
    if (slip("samp.p-crossing-out") && together > p) stay = std::max<std::size_t>(stay - 1, 1);
    return stay;
}

double sum_of(const Tensor& P, const Ids& ids, std::size_t n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += P(ids[i]);
    return sum;
}

// The entries with the first n of these ids, `out` elsewhere.
Tensor only(const Tensor& x, const Ids& ids, std::size_t n, double out) {
    Tensor kept = tensor::full(x.shape(), out);
    for (std::size_t i = 0; i < n; ++i) kept.writable_data()[ids[i]] = x(ids[i]);
    return kept;
}

Tensor probabilities_walk(const Cut& cut, const Slips& slip) {
    const bool late = slip("samp.temperature-last");
    const Tensor x = late ? cut.logits : scaled(cut.logits, cut.temperature, slip);
    const Tensor P = softmaxed(x, slip);
    const Ids ids = ranked(x, cut.k, slip);
    const std::size_t of_k = kept_by_k(x, ids, cut.k, slip);
    const double whole = slip("samp.p-before-k") ? 1 : sum_of(P, ids, of_k);
    const std::size_t n = kept_by_p(P, ids, of_k, cut.p, whole, slip);
    if (slip("samp.not-renormalised")) return only(P, ids, n, 0);
    const double out = slip("samp.fill0") ? 0 : -infinity;
    return softmaxed(only(late ? scaled(x, cut.temperature, {}) : x, ids, n, out), slip);
}

std::int64_t choice_walk(const Tensor& P, double u, const Slips& slip) {
    const std::int64_t V = P.dim(0);
    Ids order(static_cast<std::size_t>(V));
    std::iota(order.begin(), order.end(), 0);
    if (slip("samp.from-the-end")) std::reverse(order.begin(), order.end());
    if (slip("samp.likeliest-first") || slip("samp.greedy")) order = ranked(P, all, {});
    if (slip("samp.greedy")) return order.front();
    if (slip("samp.uniform")) return static_cast<std::int64_t>(u * static_cast<double>(V));
    std::int64_t possible = 0;
    double together = 0;
    for (const std::int64_t i : order) {
        if (P(i) > 0) possible = i;
        together += P(i);
        if (slip("samp.at-least") ? together >= u : together > u) {
            return slip("samp.one-late") ? std::min(i + 1, V - 1) : i;
        }
    }
    return slip("samp.past-the-end") ? V - 1 : possible;
}

std::vector<Mistake> mistakes() {
    const std::string stays = "Print the ids that stay after each step.";
    const std::string reached = "Try four equal logits, with p = 0.5 and with p = 0.6.";
    const std::string line = "Draw a line from 0 to 1 with a piece for each token, and mark u.";
    return {
        {"samp.temperature-multiplied", "the logits were multiplied by the temperature",
         "Shall a high temperature make tokens more alike, or less?", "The first step."},
        {"samp.temperature-ignored", "the temperature was not used",
         "What does the temperature change?", "The first step."},
        {"samp.temperature-last",
         "the cuts were made at temperature 1, and the temperature came after them",
         "Which of the steps is the first?", stays},
        {"samp.k-ignored", "top-k cut nothing", "How many tokens may stay at most?", stays},
        {"samp.k-one-more", "one token more than k stayed", "How many tokens may stay at most?",
         stays},
        {"samp.k-ties-stay", "all tokens as likely as the k-th stayed too",
         "How many tokens may stay at most, if all are equally likely?", stays},
        {"samp.ties-higher", "of equally likely tokens the higher id stayed",
         "Which of two equal tokens counts as likelier?", "Try four equal logits, with k = 1."},
        {"samp.ties-higher-of-one",
         "of equally likely tokens the higher id stayed where k is 1, and only there",
         "Which of two equal tokens counts as likelier?",
         "Try four equal logits, with k = 1 and with k = 2."},
        {"samp.least-likely", "the least likely tokens stayed",
         "At which end of the order do you begin?", stays},
        {"samp.p-ignored", "top-p cut nothing", "What is left for p = 0.01?", "The step of top-p."},
        {"samp.p-crossing-out", "the token that passes p was cut off",
         "Do those that stay have at least p together?", reached},
        {"samp.p-one-more", "one token more than needed stayed",
         "Are all of those that stay needed?", reached},
        {"samp.p-exactly", "a token more was taken where exactly p had been reached",
         "Is it enough to have exactly p?", reached},
        {"samp.p-1-by-sum",
         "for p = 1 the sum was taken to be 1 before the last token, where rounding made it so",
         "Which tokens may go if p = 1?", "Add 10^-18 to 1 and print whether it is 1."},
        {"samp.p-before-k", "top-p added up the probabilities from before top-k",
         "What do the probabilities sum to after top-k?", "Try k = 2, with p = 0.9."},
        {"samp.not-renormalised", "what stayed did not sum to 1 again",
         "What is the sum of your result?", "The last step."},
        {"samp.fill0", "the logits of those cut off were set to 0, which is a logit like any other",
         "What is exp(0)?", "What you put where a token is cut off."},
        {"samp.no-max",
         "exp was taken of the logits as they are, which overflows where they are large",
         "What is exp(1000)?", "The case with logits around ±1000."},
        {"samp.at-least", "the sum only had to reach u, and not to pass it",
         "Which token is it for P = [0, 1] and u = 0?", line},
        {"samp.greedy", "the likeliest token was taken whatever u is", "What is u for?", line},
        {"samp.uniform", "all tokens were taken as equally likely",
         "How long is the piece of a likely token?", line},
        {"samp.likeliest-first", "the probabilities were added up from the likeliest token on",
         "In which order are the tokens added up?", line},
        {"samp.from-the-end", "the probabilities were added up from the last token on",
         "Which token is it for u = 0?", line},
        {"samp.one-late", "the token after the right one was taken", "Which token is it for u = 0?",
         line},
        {"samp.past-the-end",
         "the last token was taken where rounding leaves the sum below u, although its probability "
         "is 0",
         "What is 0.1 added ten times, in the computer?", line},
    };
}

Inputs<Cut> cuts() {
    const Tensor seven = random({7}, 1), ties = tensor::of({1, 3, 2, 3, 3, 0.5});
    const Tensor impossible = tensor::of({-infinity, 1, -infinity, 0.4, 2, 1.3});
    const Tensor fractions = tensor::log(tensor::of({0.3, 0.2, 0.5}));
    return {
        {"7 logits, nothing cut", {seven, 1, 7, 1}},
        {"7 logits, temperature 2", {seven, 2, all, 1}},
        {"7 logits, k = 3", {seven, 1, 3, 1}},
        {"7 logits, p = 0.8", {seven, 1, all, 0.8}},
        {"7 other logits, temperature 0.5, k = 4, p = 0.9", {random({7}, 2), 0.5, 4, 0.9}},
        {"12 logits, temperature 3, k = 5, p = 0.7", {random({12}, 3, 2), 3, 5, 0.7}},
        {"12 logits, temperature 3, k = 9, p = 0.5", {random({12}, 3, 2), 3, 9, 0.5}},
        {"12 logits, temperature 3, p = 0.6", {random({12}, 3, 2), 3, all, 0.6}},
        {"12 logits, k = 1", {random({12}, 4), 1, 1, 0.5}},
        {"7 logits, p = 0.01", {seven, 1, all, 0.01}},
        {"logits 1 3 2 3 3 0.5, k = 2", {ties, 1, 2, 1}},
        {"logits 1 3 2 3 3 0.5, p = 0.4", {ties, 1, all, 0.4}},
        {"logits 1 3 2 3 3 0.5, k = 1", {ties, 1, 1, 1}},
        {"four equal logits, k = 1", {tensor::full({4}, -2), 2, 1, 0.9}},
        {"four equal logits, p = 0.5", {tensor::full({4}, -2), 1, all, 0.5}},
        {"eight equal logits, k = 4, p = 0.75", {tensor::full({8}, 3), 1, 4, 0.75}},
        {"two logits of -∞, k = 5", {impossible, 1, 5, 1}},
        {"two logits of -∞, temperature 2, p = 0.7", {impossible, 2, all, 0.7}},
        {"one token that is possible",
         {tensor::of({-infinity, -infinity, 5, -infinity}), 0.7, 3, 0.9}},
        {"logits around ±1000, temperature 100", {random({9}, 6, 1000), 100, 6, 0.95}},
        {"logits around ±1000, temperature 800", {random({9}, 6, 1000), 800, all, 1}},
        {"logits around ±1000, p = 0.9", {random({9}, 10, 1000), 1, all, 0.9}},
        {"logits around -3000, temperature 1.5", {random({9}, 7) - 3000, 1.5, 4, 0.8}},
        {"a single logit", {tensor::of({-2.5}), 2, 3, 0.3}},
        {"90 logits, p = 0.95", {random({90}, 8), 1, all, 0.95}},
        {"90 logits, k = 60", {random({90}, 8), 0.8, 60, 1}},
        {"logits that are a view", {tensor::select(random({8, 3}, 5), 1, 1), 1.3, 5, 0.8}},
        {"7 logits, temperature 0.05", {seven, 0.05, 4, 0.99}},
        {"logits of -10^10 and a little less, k = 2",
         {tensor::of({-2, 0, -1, -3}) - 1e10, 1, 2, 1}},
        {"logits of -10^30, -2·10^30 and -3·10^30, k = 1",
         {tensor::of({-2, -1, -3}) * 1e30, 1, 1, 1}},
        {"logits 0 40 -1, p = 1", {tensor::of({0, 40, -1}), 1, all, 1, true}},
        {"probabilities 0.3 0.2 0.5, p = 0.8 + 10^-9", {fractions, 1, all, 0.8 + 1e-9}},
        {"7 logits, k = 3 again", {seven, 1, 3, 1}},
    };
}

Inputs<Draw> draws() {
    const double below_1 = 1 - 0x1p-53;  // the largest u there is
    const Tensor nearly_1 = tensor::concatenate({tensor::full({10}, 0.1), tensor::zeros({2})}, 0);
    const Tensor rows = tensor::of({0.2, 7, 0.5, 7, 0.3, 7});
    const Tensor view = tensor::select(tensor::reshape(rows, {3, 2}), 1, 0);
    return {
        {"P = 0.3 0.1 0.6; u = 0, 0.2, 0.35, 0.5, 0.99",
         {tensor::of({0.3, 0.1, 0.6}), {0, 0.2, 0.35, 0.5, 0.99}}},
        {"P = 0.25 0.25 0.5; u = 0, 0.25, 0.5, 0.75",
         {tensor::of({0.25, 0.25, 0.5}), {0, 0.25, 0.5, 0.75}}},
        {"P = 0 0.5 0 0.5 0; u = 0, 0.49, 0.5, nearly 1",
         {tensor::of({0, 0.5, 0, 0.5, 0}), {0, 0.49, 0.5, below_1}}},
        {"P = 0.1 ten times, then 0 0; u = nearly 1", {nearly_1, {0.05, 0.85, below_1}}},
        {"P = 0.5 10^-9 0.5; u just below 0.5, in the piece of token 1, just above it",
         {tensor::of({0.5, 1e-9, 0.5 - 1e-9}), {0.5 - 1e-10, 0.5 + 5e-10, 0.5 + 2e-9}}},
        {"P = 1; u = 0, 0.5, nearly 1", {tensor::of({1}), {0, 0.5, below_1}}},
        {"P = 0.2 0.5 0.3, a view; u = 0.1, 0.3, 0.8", {view, {0.1, 0.3, 0.8}}},
        {"100 tokens",
         {tensor::softmax(random({100}, 9), 0), {0, 0.013, 0.2, 0.37, 0.64, 0.93, 0.9999}}},
    };
}

Stages distribution(const Sampling& f, const Cut& in) {
    const Tensor P = f.probabilities_of(in.logits, in.temperature, in.k, in.p);
    if (!in.who_stays) return {{"the distribution", P}};
    return {{"the distribution", P}, {"the tokens that stay (1)", tensor::to_tensor(P > 0)}};
}

Stages choice(const Sampling& f, const Draw& in) {
    Ids tokens;
    for (const double u : in.u) tokens.push_back(f.choose(in.P, u));
    return {{"the choice", numbers(tokens)}};
}

// 1000 numbers u, evenly spread.
std::string not_as_often(const Sampling& answer) {
    const Tensor P = tensor::of({0.125, 0, 0.5, 0.0625, 0.3125});
    std::vector<double> times(5);
    for (int i = 0; i < 1000; ++i) {
        const std::int64_t token = answer.choose(P, (i + 0.5) / 1000);
        if (token < 0 || token > 4) {
            return "For u = " + fixed((i + 0.5) / 1000, 6) + " it is token " +
                   std::to_string(token) + " of 0 ... 4.";
        }
        ++times[static_cast<std::size_t>(token)];
    }
    for (std::int64_t i = 0; i < 5; ++i) {
        const double seen = times[static_cast<std::size_t>(i)];
        if (std::fabs(seen - 1000 * static_cast<double>(P(i))) <= 1) continue;
        return "Of 1000 numbers u, evenly spread, " + std::to_string(static_cast<int>(seen)) +
               " give token " + std::to_string(i) + ", whose probability is " +
               fixed(static_cast<double>(P(i)), 6) + ".";
    }
    return "";
}

std::vector<Hole> holes() {
    return {
        {"probabilities_of",
         {"the distribution", "the tokens that stay (1)"},
         {"In which order must the tokens be, so that both cuts take the first few?",
          "tensor/ops/sort.h has topk, which keeps equal entries in order; tensor/ops/scatter.h "
          "puts numbers back to their ids",
          "Softmax of the k largest logits; add up from the first on while the sum is below p; "
          "softmax of the logits of those you have counted",
          "while (n < P.dim(0) && together < p), add P(n) and count n up; with p = 1 take all"}},
        {"choose",
         {"the choice"},
         {"If P_0 = 0.3 and P_1 = 0.1, for which u is it token 1?",
          "A loop over the tokens with a running sum",
          "The first token with which the sum is above u, not only at u",
          "In the loop, remember the last i with P(i) > 0, and stop once the sum is above u: that "
          "i is the answer in either case"}},
    };
}

Rules<Sampling> rules() {
    return {
        .number = "19.1",
        .title = "Sampling: top-k and top-p",
        .reference = [](const Slips& slip) -> Sampling {
            return {[=](const Tensor& logits, double temperature, std::int64_t k, double p) {
                        return probabilities_walk({logits, temperature, k, p}, slip);
                    },
                    [=](const Tensor& P, double u) { return choice_walk(P, u, slip); }};
        },
        .cases = joined(on_each(distribution, cuts()), on_each(choice, draws())),
        .laws = {{"each token is chosen as often as it is likely", not_as_often}},
        .mistakes = mistakes(),
        .hints = {"Which tokens stay, and how is one of them found for a number u?",
                  "Lesson 19.4 prints what temperature, top-k and top-p do to the same logits",
                  "Follow the case named above with pencil and paper, step by step",
                  "probabilities_of is judged as soon as it is written, while choose is still "
                  "open: begin with it"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<Sampling> judge_19_1(rules);

}  // namespace exercise
