#include "tutorials/exercises/judges/19_3_predict_cache.h"

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

Stages answer(const std::string& question, std::int64_t number) {
    return {{question, exercise::numbers({number})}};
}

// All shapes have the same form, so that not even the number of axes is revealed.
Stages answer(const std::string& question, const Shape& shape) {
    std::vector<std::int64_t> dims;
    for (int axis = 0; axis < shape.rank(); ++axis) dims.push_back(shape[axis]);
    dims.resize(static_cast<std::size_t>(max_rank), -1);
    return {{question, exercise::numbers(dims)}};
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

std::vector<Mistake> mistakes_of_counts() {
    const std::string draw = "Draw the steps for a text of 4 tokens: what is computed in each?";
    const std::string grid = "Draw the scores of a call as a grid: a row for each query.";
    return {
        {"cache.all-from-the-start",
         "each step read as many tokens as the last",
         {"How many tokens are there in step 1?", draw}},
        {"cache.anew-once",
         "each token was read once, although there is no cache",
         {"Who remembers the keys from one step to the next?", draw}},
        {"cache.anew-without-new",
         "a step did not read its new token",
         {"How many tokens does step 1 read?", draw}},
        {"cache.anew-all-heads",
         "the keys of all heads of a block were counted",
         {"For how many heads is this asked?", draw}},
        {"cache.kept-computed-again",
         "the old keys were computed again, although they are kept",
         {"What is a cache for?", draw}},
        {"cache.kept-one",
         "only one step was counted",
         {"For how many steps is this asked?", draw}},
        {"cache.kept-all-heads",
         "the keys of all heads of a block were counted here",
         {"For how many heads is this asked?", draw}},
        {"cache.last-row-only",
         "only the new token's query was there, as with a cache",
         {"How many queries are there in a call that reads the whole text?", grid}},
        {"cache.masked-left-out",
         "the scores that the mask takes away were not computed",
         {"What is said of those scores at the top of the file?", grid}},
        {"cache.scores-of-all-steps",
         "the scores of all steps were added up",
         {"For how many steps is this asked?", grid}},
        {"cache.old-queries-ask",
         "the old tokens asked once more",
         {"Whose queries are computed in step 40?", grid}},
        {"cache.new-with-itself",
         "the new token met its own key only",
         {"Which keys does the new query meet?", grid}},
        {"cache.not-with-itself",
         "the new token met all keys but its own",
         {"May a token look at itself?", grid}},
        {"cache.each-step-as-the-last",
         "each step had as many scores as the last one",
         {"How many keys are there in step 1?", draw}},
        {"cache.one-score-a-step",
         "each step had one score",
         {"Which keys does the new query meet?", draw}},
        {"cache.never-with-itself",
         "no token met its own key",
         {"May a token look at itself?", draw}},
    };
}

std::vector<Mistake> mistakes_of_sizes() {
    const std::string table = "Write down the shape of K in one head of one block.";
    const std::string axes = "Name the axes: text, head, query, key.";
    const std::string prompt_and_rest = "Count the call with the prompt by itself, then the rest.";
    return {
        {"cache.shape-anew",
         "all tokens asked, as without a cache",
         {"Whose queries are there in step 40?", axes}},
        {"cache.rows-are-keys",
         "there was a row for each key",
         {"Does a row of the scores belong to a query, or to a key?", axes}},
        {"cache.new-key-only",
         "the new query met its own key only",
         {"Which keys does the new query meet?", axes}},
        {"cache.no-heads", "there was one head", {"How many heads does a block have?", axes}},
        {"cache.keys-only",
         "only keys were kept, and no values",
         {"What is added up with the weights?", table}},
        {"cache.one-block",
         "one block was counted",
         {"Has each block keys and values of its own?", table}},
        {"cache.one-head",
         "one head of each block was counted",
         {"Has each head keys and values of its own?", table}},
        {"cache.queries-too",
         "queries were kept too",
         {"Who needs an old query once more?", table}},
        {"cache.one-number-each",
         "a key was one number",
         {"What is the dimension of a key?", table}},
        {"cache.sharing-saves-nothing",
         "there were as many numbers as before",
         {"How many different keys does a token have now, in a block?", table}},
        {"cache.only-keys-shared",
         "the keys were shared, and the values not",
         {"What do the four heads share?", table}},
        {"cache.halved",
         "sharing left half of the numbers",
         {"How many heads of keys were there before, and how many are there now?", table}},
        {"cache.blocks-share-too",
         "the blocks shared their keys and values too",
         {"What do the blocks share?", table}},
        {"cache.queries-kept",
         "the cache held a query for each token",
         {"What does a later token need of an earlier one?", "Lesson 19.1 prints what is kept."}},
        {"cache.last-query-kept",
         "the cache held the last query",
         {"What does the next token need of this one?", "Lesson 19.1 prints what is kept."}},
        {"cache.queries-counted",
         "the cache held one number for each query",
         {"What does a later token need of an earlier one?", "Lesson 19.1 prints what is kept."}},
        {"cache.prompt-masked-left-out",
         "the prompt was read a token at a time, or its masked scores were not computed",
         {"How many queries does the call with the prompt have, and how many keys?",
          prompt_and_rest}},
        {"cache.prompt-free",
         "the call with the prompt computed no scores",
         {"How do the outputs for the prompt come about?", prompt_and_rest}},
        {"cache.steps-as-the-last",
         "each step after the prompt had as many scores as the last one",
         {"How many keys are there in the first step after the prompt?", prompt_and_rest}},
        {"cache.steps-without-new",
         "the tokens after the prompt did not meet their own keys",
         {"How many keys are there in the first step after the prompt?", prompt_and_rest}},
        {"cache.prompt-row-only",
         "only the last token of the prompt asked",
         {"How many queries does the call with the prompt have?", prompt_and_rest}},
    };
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
    exercise.mistakes = joined(mistakes_of_counts(), mistakes_of_sizes());
    exercise.hints = {
        "In this step, how many tokens are read, and how many keys are there?",
        "Lesson 19.2 counts multiplications for texts of other lengths, with and without a cache",
        "Keys computed: one for each token read. Scores: queries of this call times keys there "
        "are. Kept: keys and values, of each token, head and block",
        "Count a small case by hand, with 4 tokens and 1 block, and look how it grows"};
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
