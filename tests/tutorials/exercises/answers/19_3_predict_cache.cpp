// Answers to 19.3, as people predict.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_19.h"

using namespace heed;
using namespace exercise;

namespace {
CachePredictions right() {
    return {[] { return 820; },  [] { return 40; },   [] { return 1600; },
            [] { return 40; },   [] { return 820; },  [] {
                return Shape{5, 4, 1, 40}; },
            [] { return 7680; }, [] { return 1920; }, [] { return 0; },
            [] { return 1255; }};
}

using Number = std::function<std::int64_t()> CachePredictions::*;

std::function<Exercise()> with(Number question, std::int64_t number) {
    return [=] {
        CachePredictions all = right();
        all.*question = [=] { return number; };
        return judge_19_3(all);
    };
}

std::function<Exercise()> with_shape(const Shape& shape) {
    return [=] {
        CachePredictions all = right();
        all.shape_of_scores = [=] { return shape; };
        return judge_19_3(all);
    };
}

}  // namespace

Answers answers_19_3() {
    using All = CachePredictions;
    Answers answers;
    answers.number = "19.3";
    answers.slipping = slipping(judge_19_3);
    answers.wrong = {
        {"40 keys in each of 40 steps", with(&All::keys_anew, 1600), {"cache.all-from-the-start"}},
        {"keys of all blocks", with(&All::keys_anew, 3 * 820)},
        {"39 keys, since the first is free", with(&All::keys_kept, 39)},
        {"keys and values", with(&All::keys_kept, 80)},
        {"the triangle of scores", with(&All::scores_anew, 820), {"cache.masked-left-out"}},
        {"40 scores of 4 heads", with(&All::scores_kept, 160)},
        {"a square of scores", with(&All::all_scores_kept, 1600), {"cache.each-step-as-the-last"}},
        {"all scores once more for the mask", with(&All::all_scores_kept, 1640)},
        {"heads before texts", with_shape({4, 5, 1, 40})},
        {"scores without a query axis", with_shape({5, 4, 40})},
        {"scores with one axis more", with_shape({5, 4, 1, 40, 8})},
        {"no values", with(&All::numbers, 3840), {"cache.keys-only"}},
        {"bytes", with(&All::numbers, 4 * 7680)},
        {"five texts", with(&All::numbers, 5 * 7680)},
        {"keys shared, and values not",
         with(&All::numbers_shared, 3 * 40 * (8 + 32)),
         {"cache.only-keys-shared"}},
        {"values shared, and keys not",
         with(&All::numbers_shared, 3 * 40 * (32 + 8)),
         {"cache.only-keys-shared"}},
        {"a sixteenth", with(&All::numbers_shared, 480)},
        {"half is shared", with(&All::numbers_shared, 3840), {"cache.halved"}},
        {"a third less", with(&All::numbers_shared, 2560)},
        {"queries too", with(&All::queries, 3840), {"cache.queries-kept"}},
        {"keys of all heads", with(&All::keys_anew, 4 * 820), {"cache.anew-all-heads"}},
        {"the numbers of all keys", with(&All::keys_anew, 8 * 820)},
        {"the sum of squares", with(&All::keys_anew, 22140)},
        {"20 keys in the mean", with(&All::keys_anew, 800)},
        {"a score has d_k numbers", with(&All::scores_anew, 8 * 1600)},
        {"the cache holds the scores", with(&All::scores_kept, 0)},
        {"41 keys", with(&All::scores_kept, 41)},
        {"a square in each step", with(&All::all_scores_kept, 22140), {"cache.all-queries-ask"}},
        {"blocks, texts and heads", with_shape({3, 5, 4, 1, 40})},
        {"texts and heads in one axis", with_shape({20, 1, 40})},
        {"keys in place of scores", with_shape({5, 4, 1, 8})},
        {"blocks in place of heads", with_shape({5, 3, 1, 40})},
        {"one head", with(&All::numbers, 1920), {"cache.one-head"}},
        {"a number for each key", with(&All::numbers, 3 * 40 * 4 * 2), {"cache.one-number-each"}},
        {"the keys of one head", with(&All::numbers, 3 * 40 * 8), {"cache.one-number-each"}},
        {"shared, and of one block",
         with(&All::numbers_shared, 40 * 2 * 8),
         {"cache.blocks-share-too"}},
        {"shared, and no values", with(&All::numbers_shared, 960)},
        {"one query", with(&All::queries, 1)},
        {"a third of three", with(&All::queries, 2560)},
        {"the prompt's last row, and the rest",
         with(&All::scores_with_prompt, 30 + 355),
         {"cache.prompt-row-only"}},
        {"each later step counts 30 keys", with(&All::scores_with_prompt, 900 + 10 * 30)},
        {"the last ten from 30 to 40", with(&All::scores_with_prompt, 900 + 385)},
        {"the prompt alone", with(&All::scores_with_prompt, 900)},
        {"the last ten see each other only", with(&All::scores_with_prompt, 955)},
        {"the last ten see 40 each",
         with(&All::scores_with_prompt, 1300),
         {"cache.steps-as-the-last"}},
        {"minus one for the start", with(&All::scores_with_prompt, 1254)},
        {"the prompt's triangle",
         with(&All::scores_with_prompt, 820),
         {"cache.prompt-masked-left-out"}},
    };
    answers.right = {
        {"worked out on paper", [] { return judge_19_3(right()); }},
        {"as calculations",
         [] {
             CachePredictions all = right();
             all.scores_with_prompt = [] { return 40 * 41 / 2 + 30 * 29 / 2; };
             return judge_19_3(all);
         }},
        {"counted step by step",
         [] {
             CachePredictions all = right();
             const auto up = [](std::int64_t first) {
                 std::int64_t sum = 0;
                 for (std::int64_t t = first; t <= 40; ++t) sum += t;
                 return sum;
             };
             all.keys_anew = all.all_scores_kept = [=] { return up(1); };
             all.scores_with_prompt = [=] { return 30 * 30 + up(31); };
             return judge_19_3(all);
         }},
    };
    return answers;
}
