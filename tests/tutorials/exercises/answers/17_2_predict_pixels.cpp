// Answers to 17.2, written from its file alone.
#include "tutorials/exercises/judges/17_2_predict_pixels.h"
#include "tests/tutorials/exercises/answers/answers.h"

namespace exercise {
Answers answers_17_2();
}

using namespace heed;
using namespace exercise;

namespace {

// The right answers, from which each wrong one differs in one.
PixelPredictions right() {
    return {[] {
                return Shape{5, 48, 192};
            },
            [] {
                return Shape{5, 49, 32};
            },
            [] { return 17; },
            [] { return 6176; },
            [] { return 49 * 32 + 32; },
            [] { return 2401; },
            [] { return 16; },
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
                return predict_pixels(all);
            },
            names};
}

Answer wrong(const std::string& what, OfShape question, const Shape& shape,
             const std::vector<std::string>& names = {}) {
    return {what,
            [=] {
                PixelPredictions all = right();
                all.*question = [=] { return shape; };
                return predict_pixels(all);
            },
            names};
}

using P = PixelPredictions;

}  // namespace

Answers exercise::answers_17_2() {
    Answers answers;
    answers.number = "17.2";
    answers.wrong = {
        wrong("patches: pixels are not put in a row", &P::patches, Shape{5, 48, 8, 8, 3},
              {"img.pixels-kept"}),
        wrong("patches: 6 rows and 8 columns", &P::patches, Shape{5, 6, 8, 192}),
        wrong("patches: colours are an axis", &P::patches, Shape{5, 48, 64, 3}),
        wrong("patches: no batch", &P::patches, Shape{48, 192}),
        wrong("patches: 64 + 48 over 8", &P::patches, Shape{5, 14, 192}),
        wrong("tokens: no class token", &P::tokens, Shape{5, 48, 32}, {"vit.no-class"}),
        wrong("tokens: as wide as a patch", &P::tokens, Shape{5, 49, 192}, {"vit.not-embedded"}),
        wrong("tokens: one class token for the batch", &P::tokens, Shape{5 * 48 + 1, 32}),
        wrong("the pixel: counted from 1", &P::patch_of_a_pixel, 18, {"img.from-1"}),
        wrong("the pixel: down the columns", &P::patch_of_a_pixel, 42, {"img.patches-down"}),
        wrong("the pixel: rows of 8 patches", &P::patch_of_a_pixel, 21, {"img.by-the-height"}),
        wrong("the pixel: x and y exchanged", &P::patch_of_a_pixel, 32, {"img.x-for-y"}),
        wrong("the pixel: rounded up", &P::patch_of_a_pixel, 3 * 6 + 5),
        wrong("the embedding: no bias", &P::of_the_embedding, 192 * 32, {"par.no-bias"}),
        wrong("the embedding: one colour", &P::of_the_embedding, 64 * 32 + 32, {"par.one-colour"}),
        wrong("the embedding: for each patch", &P::of_the_embedding, 48 * 6176, {"par.each-patch"}),
        wrong("the embedding: of pixels", &P::of_the_embedding, 3 * 32 + 32),
        wrong("positions: of patches only", &P::of_positions_and_class, 48 * 32 + 32,
              {"par.class-without-position"}),
        wrong("positions: a class token for each picture", &P::of_positions_and_class,
              49 * 32 + 5 * 32),
        wrong("weights: without the class token", &P::weights_of_a_head, 48 * 48,
              {"pred.patches-alone"}),
        wrong("weights: the three matrices of a head", &P::weights_of_a_head, 3 * 32 * 32),
        wrong("weights: each pair once", &P::weights_of_a_head, 49 * 50 / 2),
        wrong("weights: causal", &P::weights_of_a_head, 49 * 48 / 2),
        wrong("times: as many as patches", &P::times_as_many_weights, 4, {"pred.grows-as-patches"}),
        wrong("times: half as many", &P::times_as_many_weights, 2, {"pred.grows-as-side"}),
        wrong("logits: all change", &P::logits_that_change, 4, {"pred.order-matters"}),
        wrong("logits: one changes", &P::logits_that_change, 1),
        wrong("a new pixel: in all patches", &P::patches_of_a_new_pixel, 48, {"pred.all-mixed"}),
        wrong("a new pixel: in the four around it", &P::patches_of_a_new_pixel, 4),
        wrong("a new pixel: three, one for each colour", &P::patches_of_a_new_pixel, 3,
              {"pred.each-colour"}),
    };
    answers.right = {
        {"as numbers", [] { return predict_pixels(right()); }},
        {"as products",
         [] {
             PixelPredictions all = right();
             all.patch_of_a_pixel = [] { return 17 / 8 * 6 + 40 / 8; };
             all.of_the_embedding = [] { return (8 * 8 * 3 + 1) * 32; };
             all.weights_of_a_head = [] { return 49 * 49; };
             return predict_pixels(all);
         }},
    };
    return answers;
}
