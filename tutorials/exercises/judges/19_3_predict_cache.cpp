#include "tutorials/exercises/judges/19_3_predict_cache.h"

#include "tutorials/exercises/judges/19_3_predict_cache_mistakes.h"
#include "tutorials/exercises/judges/common_steps.h"

using namespace heed;

namespace exercise {

namespace {

constexpr std::int64_t n = 40, blocks = 3, h = 4, d = 8, B = 5, prompt = 30;
constexpr std::int64_t triangle = n * (n + 1) / 2;

std::int64_t keys_anew(const Slips& slip) {
    if (slip("cache.all-from-the-start")) return n * n;
    if (slip("cache.anew-once")) return n;
    if (slip("cache.anew-without-new")) return triangle - n;
    if (slip("cache.anew-all-heads")) return h * triangle;
    return triangle;
}

std::int64_t keys_kept(const Slips& slip) {
    if (slip("cache.kept-computed-again")) return triangle;
    if (slip("cache.kept-one")) return 1;
    if (slip("cache.kept-all-heads")) return h * n;
    return n;
}

std::int64_t scores_anew(const Slips& slip) {
    if (slip("cache.last-row-only")) return n;
    if (slip("cache.masked-left-out")) return triangle;
    if (slip("cache.scores-of-all-steps")) return n * (n + 1) * (2 * n + 1) / 6;
    return n * n;
}

std::int64_t scores_kept(const Slips& slip) {
    if (slip("cache.old-queries-ask")) return n * n;
    if (slip("cache.new-with-itself")) return 1;
    if (slip("cache.not-with-itself")) return n - 1;
    return n;
}

std::int64_t all_scores_kept(const Slips& slip) {
    if (slip("cache.each-step-as-the-last")) return n * n;
    if (slip("cache.one-score-a-step")) return n;
    if (slip("cache.never-with-itself")) return triangle - n;
    if (slip("cache.all-queries-ask")) return n * (n + 1) * (2 * n + 1) / 6;
    return triangle;
}

Shape shape_of_scores(const Slips& slip) {
    if (slip("cache.shape-anew")) return {B, h, n, n};
    if (slip("cache.rows-are-keys")) return {B, h, n, 1};
    if (slip("cache.new-key-only")) return {B, h, 1, 1};
    if (slip("cache.no-heads")) return {B, 1, n};
    return {B, h, 1, n};
}

std::int64_t numbers(const Slips& slip) {
    if (slip("cache.keys-only")) return blocks * n * h * d;
    if (slip("cache.one-block")) return 2 * n * h * d;
    if (slip("cache.one-head")) return 2 * blocks * n * d;
    if (slip("cache.queries-too")) return 3 * blocks * n * h * d;
    if (slip("cache.one-number-each")) return 2 * blocks * n * h;
    return 2 * blocks * n * h * d;
}

std::int64_t numbers_shared(const Slips& slip) {
    if (slip("cache.sharing-saves-nothing")) return 2 * blocks * n * h * d;
    if (slip("cache.only-keys-shared")) return blocks * n * (d + h * d);
    if (slip("cache.halved")) return blocks * n * h * d;
    if (slip("cache.blocks-share-too")) return 2 * n * d;
    return 2 * blocks * n * d;
}

std::int64_t queries(const Slips& slip) {
    if (slip("cache.queries-kept")) return blocks * n * h * d;
    if (slip("cache.last-query-kept")) return blocks * h * d;
    if (slip("cache.queries-counted")) return n;
    return 0;
}

std::int64_t scores_with_prompt(const Slips& slip) {
    const std::int64_t one_by_one = triangle - prompt * (prompt + 1) / 2;
    if (slip("cache.prompt-masked-left-out")) return triangle;
    if (slip("cache.prompt-free")) return one_by_one;
    if (slip("cache.steps-as-the-last")) return prompt * prompt + (n - prompt) * n;
    if (slip("cache.steps-without-new")) return prompt * prompt + one_by_one - (n - prompt);
    if (slip("cache.prompt-row-only")) return prompt + one_by_one;
    return prompt * prompt + one_by_one;
}

CachePredictions slipping(const Slips& slip) {
    return {[=] { return keys_anew(slip); },       [=] { return keys_kept(slip); },
            [=] { return scores_anew(slip); },     [=] { return scores_kept(slip); },
            [=] { return all_scores_kept(slip); }, [=] { return shape_of_scores(slip); },
            [=] { return numbers(slip); },         [=] { return numbers_shared(slip); },
            [=] { return queries(slip); },         [=] { return scores_with_prompt(slip); }};
}

Steps steps(const CachePredictions& all) {
    return {
        [=] { return answer("keys_anew", all.keys_anew()); },
        [=] { return answer("keys_kept", all.keys_kept()); },
        [=] { return answer("scores_anew", all.scores_anew()); },
        [=] { return answer("scores_kept", all.scores_kept()); },
        [=] { return answer("all_scores_kept", all.all_scores_kept()); },
        [=] { return answer("shape_of_scores", all.shape_of_scores()); },
        [=] { return answer("numbers", all.numbers()); },
        [=] { return answer("numbers_shared", all.numbers_shared()); },
        [=] { return answer("queries", all.queries()); },
        [=] { return answer("scores_with_prompt", all.scores_with_prompt()); },
    };
}

// The hints of each question.
std::vector<Hole> holes() {
    const std::vector<std::string> of_keys = {
        "In this step, how many tokens are read?",
        "Lesson 19.2 counts multiplications for texts of other lengths, with and without a cache",
        "A call computes one key for each token that it reads",
        "Do it for a text of 4 tokens, step by step; then for 40"};
    const std::vector<std::string> of_scores = {
        "In this step, how many queries are there, and how many keys?",
        "Lesson 19.2 counts multiplications for texts of other lengths, with and without a cache",
        "The scores of a call are a grid: a row for each query of the call, a column for each key "
        "that there is by then",
        "Draw the grids of all steps for a text of 4 tokens; then count those of 40"};
    const std::vector<std::string> of_sizes = {
        "Of what does a later token need the numbers?", "Lesson 19.1 prints what is kept",
        "Whatever is kept has a number of tokens, a dimension, and a number of copies: how many "
        "heads and blocks have their own?",
        "Write down the shape of each tensor that one block keeps; then multiply"};
    return {{"keys_anew", {"keys_anew"}, of_keys},
            {"keys_kept", {"keys_kept"}, of_keys},
            {"scores_anew", {"scores_anew"}, of_scores},
            {"scores_kept", {"scores_kept"}, of_scores},
            {"all_scores_kept", {"all_scores_kept"}, of_scores},
            {"shape_of_scores",
             {"shape_of_scores"},
             {"In this step, how many queries are there, and how many keys?",
              "Exercise 09.2 has the scores of several heads",
              "The axes are texts, heads, queries and keys, each with its length",
              "For one text and one head it is a grid: count its rows and its columns first"}},
            {"numbers", {"numbers"}, of_sizes},
            {"numbers_shared", {"numbers_shared"}, of_sizes},
            {"queries", {"queries"}, of_sizes},
            {"scores_with_prompt", {"scores_with_prompt"}, of_scores}};
}

}  // namespace

Exercise predict_cache(const CachePredictions& predictions) {
    Exercise exercise;
    exercise.number = "19.3";
    exercise.title = "Predict what a cache saves";
    exercise.secret = true;
    exercise.cases = {in_order(
        "your predictions", [](const Slips& slip) { return steps(slipping(slip)); },
        steps(predictions))};
    exercise.mistakes = predict_cache_mistakes();
    exercise.hints = {
        "In this step, how many tokens are read, and how many keys are there?",
        "Lesson 19.2 counts multiplications for texts of other lengths, with and without a cache",
        "A call has a key for each token that it reads, and a score for each of its queries and "
        "each key that there is by then",
        "Count a small case by hand, with 4 tokens and 1 block, and look how it grows"};
    exercise.holes = holes();
    return exercise;
}

Trials predict_cache_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return predict_cache(slipping(slip)); };
    trials.right["worked out on paper"] = [] {
        return predict_cache({[] { return 820; }, [] { return 40; }, [] { return 1600; },
                              [] { return 40; }, [] { return 820; },
                              [] {
                                  return Shape{5, 4, 1, 40};
                              },
                              [] { return 7680; }, [] { return 1920; }, [] { return 0; },
                              [] { return 1255; }});
    };
    trials.right["counted step by step"] = [] {
        CachePredictions all = slipping({});
        const auto up = [](std::int64_t first) {
            std::int64_t sum = 0;
            for (std::int64_t t = first; t <= n; ++t) sum += t;
            return sum;
        };
        all.keys_anew = all.all_scores_kept = [=] { return up(1); };
        all.scores_with_prompt = [=] { return prompt * prompt + up(prompt + 1); };
        return predict_cache(all);
    };
    return trials;
}

}  // namespace exercise
