#include "tutorials/exercises/judges/lesson_19.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
constexpr std::int64_t n = 40, blocks = 3, h = 4, d = 8, B = 5, prompt = 30;
constexpr std::int64_t triangle = n * (n + 1) / 2;
constexpr std::int64_t squares = n * (n + 1) * (2 * n + 1) / 6;  // 1·1 + 2·2 + ... + n·n
constexpr std::int64_t one_by_one = triangle - prompt * (prompt + 1) / 2;  // after the prompt

const std::vector<std::string> of_keys = {
    "In this step, how many tokens are read?",
    "Lesson 19.2 counts multiplications for texts of other lengths, with and without a cache",
    "A call computes one key for each token that it reads",
    "Do it for a text of 4 tokens, step by step; then for 40"};
const std::vector<std::string> of_scores = {
    "In this step, how many queries are there, and how many keys?",
    "Lesson 19.2 counts multiplications for texts of other lengths, with and without a cache",
    "The scores of a call are a grid: a row for each query of the call, a column for each key that "
    "there is by then",
    "Draw the grids of all steps for a text of 4 tokens; then count those of 40"};
const std::vector<std::string> of_sizes = {
    "Of what does a later token need the numbers?", "Lesson 19.1 prints what is kept",
    "Whatever is kept has a number of tokens, a dimension, and a number of copies: how many heads "
    "and blocks have their own?",
    "Write down the shape of each tensor that one block keeps; then multiply"};
const std::vector<std::string> of_the_shape = {
    "In this step, how many queries are there, and how many keys?",
    "Exercise 09.2 has the scores of several heads",
    "The axes are texts, heads, queries and keys, each with its length",
    "For one text and one head it is a grid: count its rows and its columns first"};

std::vector<Question<CachePredictions>> questions() {
    using P = CachePredictions;
    const std::string draw = "Draw the steps for a text of 4 tokens: what is computed in each?";
    const std::string grid = "Draw the scores of a call as a grid: a row for each query.";
    const std::string axes = "Name the axes: text, head, query, key.";
    const std::string table = "Write down the shape of K in one head of one block.";
    const std::string kept = "Lesson 19.1 prints what is kept.";
    const std::string prompt_and_rest = "Count the call with the prompt by itself, then the rest.";
    return {
        {{"keys_anew", &P::keys_anew, triangle, draw},
         {{"cache.all-from-the-start", n * n, "each step read as many tokens as the last",
           "How many tokens are there in step 1?"},
          {"cache.anew-once", n, "each token was read once, although there is no cache",
           "Who remembers the keys from one step to the next?"},
          {"cache.anew-without-new", triangle - n, "a step did not read its new token",
           "How many tokens does step 1 read?"},
          {"cache.anew-all-heads", h * triangle, "the keys of all heads of a block were counted",
           "For how many heads is this asked?"}},
         "keys_anew",
         of_keys},
        {{"keys_kept", &P::keys_kept, n, draw},
         {{"cache.kept-computed-again", triangle,
           "the old keys were computed again, although they are kept", "What is a cache for?"},
          {"cache.kept-one", 1, "only one step was counted", "For how many steps is this asked?"},
          {"cache.kept-all-heads", h * n, "the keys of all heads of a block were counted here",
           "For how many heads is this asked?"}},
         "keys_kept",
         of_keys},
        {{"scores_anew", &P::scores_anew, n * n, grid},
         {{"cache.last-row-only", n, "only the new token's query was there, as with a cache",
           "How many queries are there in a call that reads the whole text?"},
          {"cache.masked-left-out", triangle,
           "the scores that the mask takes away were not computed",
           "What is said of those scores at the top of the file?"},
          {"cache.scores-of-all-steps", squares, "the scores of all steps were added up",
           "For how many steps is this asked?"}},
         "scores_anew",
         of_scores},
        {{"scores_kept", &P::scores_kept, n, grid},
         {{"cache.old-queries-ask", n * n, "the old tokens asked once more",
           "Whose queries are computed in step 40?"},
          {"cache.new-with-itself", 1, "the new token met its own key only",
           "Which keys does the new query meet?"},
          {"cache.not-with-itself", n - 1, "the new token met all keys but its own",
           "May a token look at itself?"}},
         "scores_kept",
         of_scores},
        {{"all_scores_kept", &P::all_scores_kept, triangle, draw},
         {{"cache.each-step-as-the-last", n * n, "each step had as many scores as the last one",
           "How many keys are there in step 1?"},
          {"cache.one-score-a-step", n, "each step had one score",
           "Which keys does the new query meet?"},
          {"cache.all-queries-ask", squares, "the old tokens asked once more in each step",
           "Whose queries are computed in step 40?"},
          {"cache.never-with-itself", triangle - n, "no token met its own key",
           "May a token look at itself?"}},
         "all_scores_kept",
         of_scores},
        {{"shape_of_scores", &P::shape_of_scores, Shape{B, h, 1, n}, axes},
         {{"cache.shape-anew", Shape{B, h, n, n}, "all tokens asked, as without a cache",
           "Whose queries are there in step 40?"},
          {"cache.rows-are-keys", Shape{B, h, n, 1}, "there was a row for each key",
           "Does a row of the scores belong to a query, or to a key?"},
          {"cache.new-key-only", Shape{B, h, 1, 1}, "the new query met its own key only",
           "Which keys does the new query meet?"},
          {"cache.no-heads", Shape{B, 1, n}, "there was one head",
           "How many heads does a block have?"}},
         "shape_of_scores",
         of_the_shape},
        {{"numbers", &P::numbers, 2 * blocks * n * h * d, table},
         {{"cache.keys-only", blocks * n * h * d, "only keys were kept, and no values",
           "What is added up with the weights?"},
          {"cache.one-block", 2 * n * h * d, "one block was counted",
           "Has each block keys and values of its own?"},
          {"cache.one-head", 2 * blocks * n * d, "one head of each block was counted",
           "Has each head keys and values of its own?"},
          {"cache.queries-too", 3 * blocks * n * h * d, "queries were kept too",
           "Who needs an old query once more?"},
          {"cache.one-number-each", 2 * blocks * n * h,
           "either a key was one number, or the keys of one head in each block were all that is "
           "kept",
           "What does each head of a block keep for a token, and how many numbers is that?"}},
         "numbers",
         of_sizes},
        {{"numbers_shared", &P::numbers_shared, 2 * blocks * n * d, table},
         {{"cache.sharing-saves-nothing", 2 * blocks * n * h * d,
           "there were as many numbers as before",
           "How many different keys does a token have now, in a block?"},
          {"cache.only-keys-shared", blocks * n * (d + h * d),
           "either the keys or the values were not shared", "What do the four heads share?"},
          {"cache.halved", blocks * n * h * d, "sharing left half of the numbers",
           "How many heads of keys were there before, and how many are there now?"},
          {"cache.blocks-share-too", 2 * n * d,
           "one block was counted, or the blocks shared their keys and values too",
           "Has each block keys and values of its own?"}},
         "numbers_shared",
         of_sizes},
        {{"queries", &P::queries, 0, kept},
         {{"cache.queries-kept", blocks * n * h * d, "the cache held a query for each token",
           "What does a later token need of an earlier one?"},
          {"cache.last-query-kept", blocks * h * d, "the cache held the last query",
           "What does the next token need of this one?"},
          {"cache.queries-counted", n, "the cache held one number for each query",
           "What does a later token need of an earlier one?"}},
         "queries",
         of_sizes},
        {{"scores_with_prompt", &P::scores_with_prompt, prompt * prompt + one_by_one,
          prompt_and_rest},
         {{"cache.prompt-masked-left-out", triangle,
           "the prompt was read a token at a time, or its masked scores were not computed",
           "How many queries does the call with the prompt have, and how many keys?"},
          {"cache.prompt-free", one_by_one, "the call with the prompt computed no scores",
           "How do the outputs for the prompt come about?"},
          {"cache.steps-as-the-last", prompt * prompt + (n - prompt) * n,
           "each step after the prompt had as many scores as the last one",
           "How many keys are there in the first step after the prompt?"},
          {"cache.steps-without-new", prompt * prompt + one_by_one - (n - prompt),
           "the tokens after the prompt did not meet their own keys",
           "How many keys are there in the first step after the prompt?"},
          {"cache.prompt-row-only", prompt + one_by_one, "only the last token of the prompt asked",
           "How many queries does the call with the prompt have?"}},
         "scores_with_prompt",
         of_scores},
    };
}

Rules<CachePredictions> rules() {
    return predicting<CachePredictions>(
        {.number = "19.3",
         .title = "Predict what a cache saves",
         .hints = {"In this step, how many tokens are read, and how many keys are there?",
                   "Lesson 19.2 counts multiplications for texts of other lengths, with and "
                   "without a cache",
                   "A call has a key for each token that it reads, and a score for each of its "
                   "queries and each key that there is by then",
                   "Count a small case by hand, with 4 tokens and 1 block, and look how it "
                   "grows"}},
        questions());
}

}  // namespace

const Judge<CachePredictions> judge_19_3(rules);

}  // namespace exercise
