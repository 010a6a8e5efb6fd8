#include "tutorials/exercises/judges/19_1_sampling_mistakes.h"

#include "tensor/factories.h"
#include "tensor/ops.h"

#include <algorithm>
#include <numeric>

using namespace heed;

namespace exercise {

namespace {

using Ids = std::vector<std::int64_t>;
using Numbers = std::vector<double>;

double at(const Numbers& list, std::int64_t i) { return list[static_cast<std::size_t>(i)]; }

Numbers numbers_of(const Tensor& x) {
    const std::vector<Scalar> entries = x.to_vector();
    return Numbers(entries.begin(), entries.end());
}

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
Ids ranked(const Numbers& x, const Slips& slip) {
    Ids ids(x.size());
    std::iota(ids.begin(), ids.end(), 0);
    if (slip("samp.ties-higher")) std::reverse(ids.begin(), ids.end());
    std::stable_sort(ids.begin(), ids.end(), [&](std::int64_t a, std::int64_t b) {
        return slip("samp.least-likely") ? at(x, a) < at(x, b) : at(x, a) > at(x, b);
    });
    return ids;
}

std::size_t kept_by_k(const Numbers& x, const Ids& ids, std::int64_t k, const Slips& slip) {
    if (slip("samp.k-ignored")) return ids.size();
    if (slip("samp.k-one-more")) ++k;
    std::size_t n = std::min(static_cast<std::size_t>(k), ids.size());
    if (slip("samp.k-ties-stay")) {
        while (n < ids.size() && at(x, ids[n]) == at(x, ids[n - 1])) ++n;
    }
    return n;
}

// How many of the first n stay, which have the probability `whole` together.
std::size_t kept_by_p(const Numbers& P, const Ids& ids, std::size_t n, double p, double whole,
                      const Slips& slip) {
    if (slip("samp.p-ignored") || (p == 1 && !slip("samp.p-1-by-sum"))) return n;
    std::size_t stay = 0;
    double together = 0;
    while (stay < n && (slip("samp.p-exactly") ? together <= p : together < p)) {
        together += at(P, ids[stay++]) / whole;
    }
    if (slip("samp.p-one-more")) stay = std::min(stay + 1, n);
    if (slip("samp.p-crossing-out") && together > p) stay = std::max<std::size_t>(stay - 1, 1);
    return stay;
}

double sum_of(const Numbers& P, const Ids& ids, std::size_t n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += at(P, ids[i]);
    return sum;
}

}  // namespace

Tensor probabilities_walk(const Tensor& logits, const Cut& cut, const Slips& slip) {
    const bool late = slip("samp.temperature-last");
    const Tensor x = late ? logits : scaled(logits, cut.temperature, slip);
    const Numbers all = numbers_of(x), P = numbers_of(softmaxed(x, slip));
    const Ids ids = ranked(all, slip);
    const std::size_t of_k = kept_by_k(all, ids, cut.k, slip);
    const double whole = slip("samp.p-before-k") ? 1 : sum_of(P, ids, of_k);
    const std::size_t n = kept_by_p(P, ids, of_k, cut.p, whole, slip);
    if (slip("samp.not-renormalised")) {
        Tensor left = tensor::zeros(logits.shape());
        for (std::size_t i = 0; i < n; ++i) left.writable_data()[ids[i]] = at(P, ids[i]);
        return left;
    }
    const double out = slip("samp.fill0") ? 0 : -infinity;
    Tensor kept = tensor::full(logits.shape(), out);
    const Numbers last = numbers_of(late ? scaled(logits, cut.temperature, {}) : x);
    for (std::size_t i = 0; i < n; ++i) kept.writable_data()[ids[i]] = at(last, ids[i]);
    return softmaxed(kept, slip);
}

std::int64_t choice_walk(const Tensor& P, double u, const Slips& slip) {
    const Numbers all = numbers_of(P);
    const std::int64_t V = P.dim(0);
    Ids order(all.size());
    std::iota(order.begin(), order.end(), 0);
    if (slip("samp.from-the-end")) std::reverse(order.begin(), order.end());
    if (slip("samp.likeliest-first") || slip("samp.greedy")) order = ranked(all, {});
    if (slip("samp.greedy")) return order.front();
    if (slip("samp.uniform")) return static_cast<std::int64_t>(u * static_cast<double>(V));
    std::int64_t possible = 0;
    double together = 0;
    for (const std::int64_t i : order) {
        if (at(all, i) > 0) possible = i;
        together += at(all, i);
        if (slip("samp.at-least") ? together >= u : together > u) {
            return slip("samp.one-late") ? std::min(i + 1, V - 1) : i;
        }
    }
    return slip("samp.past-the-end") ? V - 1 : possible;
}

namespace {

std::vector<Mistake> mistakes_of_probabilities() {
    const std::string stays = "Print the ids that stay after each step.";
    const std::string reached = "Try four equal logits, with p = 0.5 and with p = 0.6.";
    return {
        {"samp.temperature-multiplied",
         "the logits were multiplied by the temperature",
         {"Shall a high temperature make tokens more alike, or less?", "The first step."}},
        {"samp.temperature-ignored",
         "the temperature was not used",
         {"What does the temperature change?", "The first step."}},
        {"samp.temperature-last",
         "the cuts were made at temperature 1, and the temperature came after them",
         {"Which of the steps is the first?", stays}},
        {"samp.k-ignored", "top-k cut nothing", {"How many tokens may stay at most?", stays}},
        {"samp.k-one-more",
         "one token more than k stayed",
         {"How many tokens may stay at most?", stays}},
        {"samp.k-ties-stay",
         "all tokens as likely as the k-th stayed too",
         {"How many tokens may stay at most, if all are equally likely?", stays}},
        {"samp.ties-higher",
         "of equally likely tokens the higher id stayed",
         {"Which of two equal tokens counts as likelier?", "Try four equal logits, with k = 1."}},
        {"samp.least-likely",
         "the least likely tokens stayed",
         {"At which end of the order do you begin?", stays}},
        {"samp.p-ignored",
         "top-p cut nothing",
         {"What is left for p = 0.01?", "The step of top-p."}},
        {"samp.p-crossing-out",
         "the token that passes p was cut off",
         {"Do those that stay have at least p together?", reached}},
        {"samp.p-one-more",
         "one token more than needed stayed",
         {"Are all of those that stay needed?", reached}},
        {"samp.p-exactly",
         "a token more was taken where exactly p had been reached",
         {"Is it enough to have exactly p?", reached}},
        {"samp.p-1-by-sum",
         "for p = 1 the sum was taken to be 1 before the last token, where rounding made it so",
         {"Which tokens may go if p = 1?", "Add 10^-18 to 1 and print whether it is 1."}},
        {"samp.p-before-k",
         "top-p added up the probabilities from before top-k",
         {"What do the probabilities sum to after top-k?", "Try k = 2, with p = 0.9."}},
        {"samp.not-renormalised",
         "what stayed did not sum to 1 again",
         {"What is the sum of your result?", "The last step."}},
        {"samp.fill0",
         "the logits of those cut off were set to 0, which is a logit like any other",
         {"What is exp(0)?", "What you put where a token is cut off."}},
        {"samp.no-max",
         "exp was taken of the logits as they are, which overflows where they are large",
         {"What is exp(1000)?", "The case with logits around ±1000."}},
    };
}

std::vector<Mistake> mistakes_of_choice() {
    const std::string line = "Draw a line from 0 to 1 with a piece for each token, and mark u.";
    return {
        {"samp.at-least",
         "the sum only had to reach u, and not to pass it",
         {"Which token is it for P = [0, 1] and u = 0?", line}},
        {"samp.greedy", "the likeliest token was taken whatever u is", {"What is u for?", line}},
        {"samp.uniform",
         "all tokens were taken as equally likely",
         {"How long is the piece of a likely token?", line}},
        {"samp.likeliest-first",
         "the probabilities were added up from the likeliest token on",
         {"In which order are the tokens added up?", line}},
        {"samp.from-the-end",
         "the probabilities were added up from the last token on",
         {"Which token is it for u = 0?", line}},
        {"samp.one-late",
         "the token after the right one was taken",
         {"Which token is it for u = 0?", line}},
        {"samp.past-the-end",
         "the last token was taken where rounding leaves the sum below u, although its "
         "probability is 0",
         {"What is 0.1 added ten times, in the computer?", line}},
    };
}

}  // namespace

std::vector<Mistake> sampling_mistakes() {
    std::vector<Mistake> all = mistakes_of_probabilities();
    for (const Mistake& mistake : mistakes_of_choice()) all.push_back(mistake);
    return all;
}

}  // namespace exercise
