// Answers to 17.2, written from its file alone.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_17.h"

using namespace heed;
using namespace exercise;

namespace {
// The right answers, from which each wrong one differs in one.
PixelPredictions right() {
    return {[] {
                return Shape{5, 54, 192};
            },
            [] {
                return Shape{5, 55, 32};
            },
            [] { return 23; },
            [] { return 6176; },
            [] { return 55 * 32 + 32; },
            [] { return 3025; },
            [] { return 81; },
            [] { return 0; },
            [] { return 1; }};
}

using OfNumber = std::function<std::int64_t()> PixelPredictions::*;
using OfShape = std::function<Shape()> PixelPredictions::*;

Answer wrong(const std::string& what, OfNumber question, std::int64_t number,
             const std::vector<std::string>& names = {}) {
    return {what,
            [=] {
                PixelPredictions all = right();
                all.*question = [=] { return number; };
                return judge_17_2(all);
            },
            names};
}

Answer wrong(const std::string& what, OfShape question, const Shape& shape,
             const std::vector<std::string>& names = {}) {
    return {what,
            [=] {
                PixelPredictions all = right();
                all.*question = [=] { return shape; };
                return judge_17_2(all);
            },
            names};
}

using P = PixelPredictions;

}  // namespace

Answers answers_17_2() {
    Answers answers;
    answers.number = "17.2";
    answers.slipping = slipping(judge_17_2);
    answers.wrong = {
        wrong("patches: pixels are not put in a row", &P::patches, Shape{5, 54, 8, 8, 3},
              {"img.pixels-kept"}),
        wrong("patches: a grid", &P::patches, Shape{5, 9, 6, 192}, {"img.grid-kept"}),
        wrong("patches: 6 rows and 9 columns", &P::patches, Shape{5, 6, 9, 192}),
        wrong("patches: colours are an axis", &P::patches, Shape{5, 54, 64, 3}),
        wrong("patches: colours are pictures", &P::patches, Shape{5, 3, 54, 64}),
        wrong("patches: colours are patches", &P::patches, Shape{5, 162, 64}),
        wrong("patches: one colour", &P::patches, Shape{5, 54, 64}, {"img.no-colours"}),
        wrong("patches: the columns of the picture", &P::patches, Shape{5, 48, 216}),
        wrong("patches: the rows of a patch", &P::patches, Shape{5, 432, 24}),
        wrong("patches: no batch", &P::patches, Shape{54, 192}),
        wrong("patches: 72 + 48 over 8", &P::patches, Shape{5, 15, 192}),
        wrong("patches: with E", &P::patches, Shape{5, 54, 32}, {"img.embedded-already"}),
        wrong("patches: with the class token", &P::patches, Shape{5, 55, 192}),
        wrong("tokens: no class token", &P::tokens, Shape{5, 54, 32}, {"vit.no-class"}),
        wrong("tokens: as wide as a patch", &P::tokens, Shape{5, 55, 192}, {"vit.not-embedded"}),
        wrong("tokens: one class token for the batch", &P::tokens, Shape{5 * 54 + 1, 32}),
        wrong("tokens: the class token is a picture", &P::tokens, Shape{6, 54, 32},
              {"vit.class-as-picture"}),
        wrong("tokens: a class token for each row", &P::tokens, Shape{5, 54 + 9, 32}),
        wrong("tokens: the last axes exchanged", &P::tokens, Shape{5, 32, 55}),
        wrong("the pixel: counted from 1", &P::patch_of_a_pixel, 24, {"img.from-1"}),
        wrong("the pixel: down the columns", &P::patch_of_a_pixel, 5 * 9 + 3, {"img.patches-down"}),
        wrong("the pixel: rows of 9 patches", &P::patch_of_a_pixel, 3 * 9 + 5,
              {"img.by-the-height"}),
        wrong("the pixel: rows of 8 patches", &P::patch_of_a_pixel, 3 * 8 + 5),
        wrong("the pixel: x and y exchanged", &P::patch_of_a_pixel, 5 * 6 + 3, {"img.x-for-y"}),
        wrong("the pixel: rounded up", &P::patch_of_a_pixel, 4 * 6 + 5),
        wrong("the pixel: after the class token", &P::patch_of_a_pixel, 25),
        wrong("the pixel: its row", &P::patch_of_a_pixel, 29),
        wrong("the pixel: its number by that of the patches", &P::patch_of_a_pixel,
              (29 * 48 + 40) / 54),
        wrong("the pixel: its number by the size of a patch", &P::patch_of_a_pixel,
              (29 * 48 + 40) / 64),
        wrong("the embedding: no bias", &P::of_the_embedding, 192 * 32, {"par.no-bias"}),
        wrong("the embedding: a bias of one number", &P::of_the_embedding, 192 * 32 + 1),
        wrong("the embedding: a bias for what goes in", &P::of_the_embedding, 192 * 32 + 192,
              {"par.bias-of-n"}),
        wrong("the embedding: one colour", &P::of_the_embedding, 64 * 32 + 32, {"par.one-colour"}),
        wrong("the embedding: for each patch", &P::of_the_embedding, 54 * 6176, {"par.each-patch"}),
        wrong("the embedding: of pixels", &P::of_the_embedding, 3 * 32 + 32),
        wrong("positions: of patches only", &P::of_positions_and_class, 54 * 32 + 32,
              {"par.class-without-position"}),
        wrong("positions: the class token twice", &P::of_positions_and_class, 57 * 32),
        wrong("positions: of rows and of columns", &P::of_positions_and_class, (9 + 6 + 1) * 32),
        wrong("positions: one number each", &P::of_positions_and_class, 55 + 32, {"par.one-each"}),
        wrong("positions: numbers", &P::of_positions_and_class, 55 + 1),
        wrong("positions: a class token for each picture", &P::of_positions_and_class,
              55 * 32 + 5 * 32),
        wrong("positions: all for each picture", &P::of_positions_and_class, 5 * 56 * 32),
        wrong("weights: without the class token", &P::weights_of_a_head, 54 * 54,
              {"pred.patches-alone"}),
        wrong("weights: one row", &P::weights_of_a_head, 55, {"pred.class-asks-alone"}),
        wrong("weights: of each pair of pixels", &P::weights_of_a_head, 72 * 48 * 72 * 48),
        wrong("weights: each for all numbers of a token", &P::weights_of_a_head, 3025 * 32,
              {"pred.times-d"}),
        wrong("weights: of five pictures", &P::weights_of_a_head, 5 * 3025,
              {"pred.of-all-pictures"}),
        wrong("weights: the three matrices of a head", &P::weights_of_a_head, 3 * 32 * 32),
        wrong("weights: each pair once", &P::weights_of_a_head, 55 * 56 / 2),
        wrong("weights: causal", &P::weights_of_a_head, 55 * 54 / 2),
        wrong("times: as many as patches", &P::times_as_many_weights, 9, {"pred.grows-as-patches"}),
        wrong("times: as the side", &P::times_as_many_weights, 3, {"pred.grows-as-side"}),
        wrong("times: the small patch itself", &P::times_as_many_weights, 4 * 4),
        wrong("times: the weights themselves", &P::times_as_many_weights, 216 * 216),
        wrong("times: with the class token", &P::times_as_many_weights, 217 * 217 / (25 * 25)),
        wrong("times: the other way round", &P::times_as_many_weights, 0),
        wrong("logits: all change", &P::logits_that_change, 4, {"pred.order-matters"}),
        wrong("logits: one changes", &P::logits_that_change, 1),
        wrong("logits: of all pictures", &P::logits_that_change, 20),
        wrong("a new pixel: in all patches", &P::patches_of_a_new_pixel, 54, {"pred.all-mixed"}),
        wrong("a new pixel: in the four around it", &P::patches_of_a_new_pixel, 4),
        wrong("a new pixel: and the class token", &P::patches_of_a_new_pixel, 2),
        wrong("a new pixel: none", &P::patches_of_a_new_pixel, 0),
        wrong("a new pixel: three, one for each colour", &P::patches_of_a_new_pixel, 3,
              {"pred.each-colour"}),
        {"no colours, from the first answer on",
         [] {
             PixelPredictions all = right();
             all.patches = [] { return Shape{5, 54, 64}; };
             all.of_the_embedding = [] { return 64 * 32 + 32; };
             return judge_17_2(all);
         },
         {"img.no-colours"}},
    };
    answers.right = {
        {"worked out on paper", [] { return judge_17_2(right()); }},
        {"as products",
         [] {
             PixelPredictions all = right();
             all.patch_of_a_pixel = [] { return 29 / 8 * 6 + 40 / 8; };
             all.of_the_embedding = [] { return (8 * 8 * 3 + 1) * 32; };
             all.weights_of_a_head = [] { return 55 * 55; };
             return judge_17_2(all);
         }},
    };
    return answers;
}
