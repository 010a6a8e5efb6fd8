#include "tutorials/exercises/judges/19_3_predict_cache_mistakes.h"

#include "tutorials/exercises/judges/common_steps.h"

namespace exercise {

namespace {

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
        {"cache.all-queries-ask",
         "the old tokens asked once more in each step",
         {"Whose queries are computed in step 40?", draw}},
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
         "either a key was one number, or the keys of one head in each block were all that is kept",
         {"What does each head of a block keep for a token, and how many numbers is that?", table}},
        {"cache.sharing-saves-nothing",
         "there were as many numbers as before",
         {"How many different keys does a token have now, in a block?", table}},
        {"cache.only-keys-shared",
         "either the keys or the values were not shared",
         {"What do the four heads share?", table}},
        {"cache.halved",
         "sharing left half of the numbers",
         {"How many heads of keys were there before, and how many are there now?", table}},
        {"cache.blocks-share-too",
         "one block was counted, or the blocks shared their keys and values too",
         {"Has each block keys and values of its own?", table}},
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

std::vector<Mistake> predict_cache_mistakes() {
    return joined(mistakes_of_counts(), mistakes_of_sizes());
}

}  // namespace exercise
