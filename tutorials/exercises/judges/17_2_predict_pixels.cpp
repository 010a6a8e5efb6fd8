#include "tutorials/exercises/judges/17_2_predict_pixels.h"

#include "tutorials/exercises/judges/common_steps.h"

using namespace heed;

namespace exercise {

namespace {

// No other way of counting may give a right number by chance: with H = 64, as many patches as
// columns would be right.
constexpr std::int64_t H = 72, W = 48, p = 8, C = 3, d = 32, B = 5;
constexpr std::int64_t N = H / p * (W / p), n = p * p * C;

Shape patches(const Slips& slip) {
    if (slip("img.pixels-kept")) return {B, N, p, p, C};
    if (slip("img.grid-kept")) return {B, H / p, W / p, n};
    if (slip("img.no-colours")) return {B, N, p * p};
    if (slip("img.patches-of-n")) return {B, n, N};
    if (slip("img.embedded-already")) return {B, N, d};
    return {B, N, n};
}

Shape tokens(const Slips& slip) {
    if (slip("vit.no-class")) return {B, N, d};
    if (slip("vit.not-embedded")) return {B, N + 1, n};
    if (slip("vit.class-as-picture")) return {B + 1, N, d};
    if (slip("vit.class-as-feature")) return {B, N, d + 1};
    return {B, N + 1, d};
}

std::int64_t patch_of_a_pixel(const Slips& slip) {
    const std::int64_t row = 29 / p, column = 40 / p;
    if (slip("img.patches-down")) return column * (H / p) + row;
    if (slip("img.from-1")) return row * (W / p) + column + 1;
    if (slip("img.by-the-height")) return row * (H / p) + column;
    if (slip("img.x-for-y")) return column * (W / p) + row;
    return row * (W / p) + column;
}

std::int64_t of_the_embedding(const Slips& slip) {
    if (slip("par.no-bias")) return n * d;
    if (slip("par.each-patch")) return N * (n * d + d);
    if (slip("par.bias-of-n")) return n * d + n;
    if (slip("par.one-colour")) return p * p * d + d;
    return n * d + d;
}

std::int64_t of_positions_and_class(const Slips& slip) {
    if (slip("par.class-without-position")) return N * d + d;
    if (slip("par.one-each")) return N + 1 + d;
    if (slip("par.positions-of-n")) return (N + 1) * n + d;
    if (slip("par.positions-each-picture")) return B * (N + 1) * d + d;
    return (N + 1) * d + d;
}

std::int64_t weights_of_a_head(const Slips& slip) {
    if (slip("pred.patches-alone")) return N * N;
    if (slip("pred.class-asks-alone")) return N + 1;
    if (slip("pred.of-all-pictures")) return B * (N + 1) * (N + 1);
    if (slip("pred.times-d")) return (N + 1) * (N + 1) * d;
    return (N + 1) * (N + 1);
}

std::int64_t times_as_many_weights(const Slips& slip) {
    const std::int64_t sides = 12 / 4;  // of a small patch along that of a large one
    if (slip("pred.grows-as-side")) return sides;
    if (slip("pred.grows-as-patches")) return sides * sides;
    if (slip("pred.grows-as-side-cubed")) return sides * sides * sides;
    return sides * sides * sides * sides;
}

std::int64_t logits_that_change(const Slips& slip) { return slip("pred.order-matters") ? 4 : 0; }

std::int64_t patches_of_a_new_pixel(const Slips& slip) {
    if (slip("pred.all-mixed")) return N;
    if (slip("pred.each-colour")) return C;
    if (slip("pred.neighbours-too")) return 9;
    return 1;
}

PixelPredictions slipping(const Slips& slip) {
    return {[=] { return patches(slip); },
            [=] { return tokens(slip); },
            [=] { return patch_of_a_pixel(slip); },
            [=] { return of_the_embedding(slip); },
            [=] { return of_positions_and_class(slip); },
            [=] { return weights_of_a_head(slip); },
            [=] { return times_as_many_weights(slip); },
            [=] { return logits_that_change(slip); },
            [=] { return patches_of_a_new_pixel(slip); }};
}

Steps steps(const PixelPredictions& all) {
    return {
        [=] { return answer("the shape of the patches", all.patches()); },
        [=] { return answer("the shape of the tokens", all.tokens()); },
        [=] { return answer("the patch of the pixel", all.patch_of_a_pixel()); },
        [=] { return answer("the count of what the Linear learns", all.of_the_embedding()); },
        [=] {
            return answer("the count for positions and class token", all.of_positions_and_class());
        },
        [=] { return answer("the number of weights of a head", all.weights_of_a_head()); },
        [=] { return answer("the factor between the weights", all.times_as_many_weights()); },
        [=] { return answer("the number of logits that change", all.logits_that_change()); },
        [=] { return answer("the number of patches that change", all.patches_of_a_new_pixel()); },
    };
}

std::vector<Mistake> mistakes_of_shapes() {
    const std::string axes = "Name the axes of the result first: picture, patch, number in it.";
    return {
        {"img.pixels-kept",
         "a patch was still a square, and not a row of numbers",
         {"Can a matrix product take a square as a token?", axes}},
        {"img.grid-kept",
         "the patches still stood in rows and columns",
         {"Does attention know rows and columns?", axes}},
        {"img.no-colours",
         "the three colours of a pixel were forgotten",
         {"How many numbers does one pixel have?", axes}},
        {"img.patches-of-n",
         "the two last axes were exchanged",
         {"What is a row of the result: a patch, or a place in all patches?", axes}},
        {"img.embedded-already",
         "E was applied already",
         {"What goes into the product with E?", axes}},
        {"vit.no-class",
         "the class token was forgotten",
         {"What stands before the patches?", axes}},
        {"vit.not-embedded",
         "the tokens were still as wide as a patch",
         {"What does E make of a patch?", axes}},
        {"vit.class-as-picture",
         "the class token was one more picture",
         {"To which axis does one more token go?", axes}},
        {"vit.class-as-feature",
         "the class token was one more number of each patch",
         {"To which axis does one more token go?", axes}},
        {"img.patches-down",
         "the patches were numbered column after column",
         {"Where is patch 1: right of patch 0, or below it?",
          "Draw the first two rows of patches."}},
        {"img.from-1",
         "the patches were numbered from 1",
         {"Which number has the first patch?", "Draw the first two rows of patches."}},
        {"img.by-the-height",
         "a row of patches was as long as a column",
         {"How many patches stand side by side?", "Draw the first two rows of patches."}},
        {"img.x-for-y",
         "row and column of the pixel were exchanged",
         {"Which of the two numbers goes down the picture?",
          "Draw the first two rows of patches."}},
    };
}

std::vector<Mistake> mistakes_of_numbers() {
    const std::string table = "Write down the shape of each tensor that is learned.";
    const std::string rows = "How many rows does the matrix of weights have, and how many columns?";
    return {
        {"par.no-bias", "the bias was forgotten", {"What does a Linear add?", table}},
        {"par.each-patch",
         "each patch had a matrix of its own",
         {"Does E know which patch it multiplies?", table}},
        {"par.bias-of-n",
         "the bias was as wide as what goes in",
         {"To what is the bias added?", table}},
        {"par.one-colour", "a pixel had one number", {"How many numbers has a patch?", table}},
        {"par.class-without-position",
         "either the class token itself or its position was forgotten",
         {"How many tokens get a position, and where do the class token's numbers come from?",
          table}},
        {"par.one-each", "a position was one number", {"To what is a position added?", table}},
        {"par.positions-of-n",
         "positions were added to the patches before E",
         {"Are positions added before E or after it?", table}},
        {"par.positions-each-picture",
         "each picture of the batch had positions of its own",
         {"Can a layer know how many pictures come?", table}},
        {"pred.patches-alone",
         "the class token neither asked nor was asked",
         {"Is the class token a token like others?", rows}},
        {"pred.class-asks-alone", "only one token asked", {"Who has a query?", rows}},
        {"pred.of-all-pictures",
         "all pictures were counted",
         {"For how many pictures is this asked?", rows}},
        {"pred.times-d",
         "there was one weight for each number of a token",
         {"How many weights has a pair of tokens?", rows}},
        {"pred.grows-as-side",
         "the number of weights grew as the side of a patch shrank",
         {"How many small patches fit into a large one?",
          "And how many pairs of patches are there?"}},
        {"pred.grows-as-patches",
         "the number of weights grew as the number of patches did",
         {"Is a weight for a patch, or for a pair?", "Write N and N·N for both."}},
        {"pred.grows-as-side-cubed",
         "the number of weights grew as the third power of the side",
         {"How many small patches fit into a large one?", "Write N and N·N for both."}},
        {"pred.order-matters",
         "the order in which patches come mattered",
         {"What tells attention where a patch was?", "Lesson 10.1, and lesson 17."}},
        {"pred.all-mixed",
         "patches saw each other before attention",
         {"Which numbers go into one row of patches·E?", "Exercise 17.1, the first product."}},
        {"pred.each-colour",
         "each colour was a patch of its own",
         {"Do the numbers of a pixel stay together?", "Exercise 17.1, the contract."}},
        {"pred.neighbours-too",
         "patches overlapped",
         {"In how many squares does a pixel lie?", "Exercise 17.1, the contract."}},
    };
}

}  // namespace

Exercise predict_pixels(const PixelPredictions& predictions) {
    Exercise exercise;
    exercise.number = "17.2";
    exercise.title = "Predict sizes of pictures";
    exercise.secret = true;
    exercise.cases = {in_order(
        "your predictions", [](const Slips& slip) { return steps(slipping(slip)); },
        steps(predictions))};
    exercise.mistakes = joined(mistakes_of_shapes(), mistakes_of_numbers());
    exercise.hints = {
        "Which axes does the picture have, and which does a patch have?",
        "Lesson 17.1 prints these shapes for pictures of another size",
        "H/p rows of W/p patches; p·p·C numbers in each; one token more for the class; a weight "
        "for each pair of tokens",
        "A line such as std::cout << tensor::reshape(pixels, {B, H / p, p, W / p, p, C}).shape() "
        "tells; parameters are counted by count_parameters(layer)"};
    return exercise;
}

Trials predict_pixels_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return predict_pixels(slipping(slip)); };
    trials.right["worked out on paper"] = [] {
        return predict_pixels({[] {
                                   return Shape{5, 54, 192};
                               },
                               [] {
                                   return Shape{5, 55, 32};
                               },
                               [] { return 23; }, [] { return 6176; }, [] { return 1792; },
                               [] { return 3025; }, [] { return 81; }, [] { return 0; },
                               [] { return 1; }});
    };
    return trials;
}

}  // namespace exercise
