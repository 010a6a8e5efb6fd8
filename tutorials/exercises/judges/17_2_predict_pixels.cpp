#include "tutorials/exercises/judges/lesson_17.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
// No other way of counting may give a right number by chance: with H = 64, as many patches as
// columns would be right.
constexpr std::int64_t H = 72, W = 48, p = 8, C = 3, d = 32, B = 5;
constexpr std::int64_t N = H / p * (W / p), n = p * p * C;
constexpr std::int64_t row = 29 / p, column = 40 / p;  // the pixel's patch
constexpr std::int64_t sides = 12 / 4;                 // of a small patch along that of a large one

std::vector<Question<PixelPredictions>> questions() {
    using P = PixelPredictions;
    const std::string axes = "Name the axes of the result first: picture, patch, number in it.";
    const std::string rows_of_patches = "Draw the first two rows of patches.";
    const std::string learned = "Write down the shape of each tensor that is learned.";
    const std::string rows = "How many rows does the matrix of weights have, and how many columns?";
    const std::string pairs = "Write N and N·N for both.";
    const std::string contract = "Exercise 17.1, the contract.";
    return {
        {{"the shape of the patches", &P::patches, Shape{B, N, n}, axes},
         {{"img.pixels-kept", Shape{B, N, p, p, C},
           "a patch was still a square, and not a row of numbers",
           "Can a matrix product take a square as a token?"},
          {"img.grid-kept", Shape{B, H / p, W / p, n},
           "the patches still stood in rows and columns", "Does attention know rows and columns?"},
          {"img.no-colours", Shape{B, N, p * p}, "the three colours of a pixel were forgotten",
           "How many numbers does one pixel have?"},
          {"img.patches-of-n", Shape{B, n, N}, "the two last axes were exchanged",
           "What is a row of the result: a patch, or a place in all patches?"},
          {"img.embedded-already", Shape{B, N, d}, "E was applied already",
           "What goes into the product with E?"}}},
        {{"the shape of the tokens", &P::tokens, Shape{B, N + 1, d}, axes},
         {{"vit.no-class", Shape{B, N, d}, "the class token was forgotten",
           "What stands before the patches?"},
          {"vit.not-embedded", Shape{B, N + 1, n}, "the tokens were still as wide as a patch",
           "What does E make of a patch?"},
          {"vit.class-as-picture", Shape{B + 1, N, d}, "the class token was one more picture",
           "To which axis does one more token go?"},
          {"vit.class-as-feature", Shape{B, N, d + 1},
           "the class token was one more number of each patch",
           "To which axis does one more token go?"}}},
        {{"the patch of the pixel", &P::patch_of_a_pixel, row * (W / p) + column, rows_of_patches},
         {{"img.patches-down", column * (H / p) + row,
           "the patches were numbered column after column",
           "Where is patch 1: right of patch 0, or below it?"},
          {"img.from-1", row * (W / p) + column + 1, "the patches were numbered from 1",
           "Which number has the first patch?"},
          {"img.by-the-height", row * (H / p) + column, "a row of patches was as long as a column",
           "How many patches stand side by side?"},
          {"img.x-for-y", column * (W / p) + row, "row and column of the pixel were exchanged",
           "Which of the two numbers goes down the picture?"}}},
        {{"the count of what the Linear learns", &P::of_the_embedding, n * d + d, learned},
         {{"par.no-bias", n * d, "the bias was forgotten", "What does a Linear add?"},
          {"par.each-patch", N * (n * d + d), "each patch had a matrix of its own",
           "Does E know which patch it multiplies?"},
          {"par.bias-of-n", n * d + n, "the bias was as wide as what goes in",
           "To what is the bias added?"},
          {"par.one-colour", p * p * d + d, "a pixel had one number",
           "How many numbers has a patch?"}}},
        {{"the count for positions and class token", &P::of_positions_and_class, (N + 1) * d + d,
          learned},
         {{"par.class-without-position", N * d + d,
           "either the class token itself or its position was forgotten",
           "How many tokens get a position, and where do the class token's numbers come from?"},
          {"par.one-each", N + 1 + d, "a position was one number", "To what is a position added?"},
          {"par.positions-of-n", (N + 1) * n + d, "positions were added to the patches before E",
           "Are positions added before E or after it?"},
          {"par.positions-each-picture", B * (N + 1) * d + d,
           "each picture of the batch had positions of its own",
           "Can a layer know how many pictures come?"}}},
        {{"the number of weights of a head", &P::weights_of_a_head, (N + 1) * (N + 1), rows},
         {{"pred.patches-alone", N * N, "the class token neither asked nor was asked",
           "Is the class token a token like others?"},
          {"pred.class-asks-alone", N + 1, "only one token asked", "Who has a query?"},
          {"pred.of-all-pictures", B * (N + 1) * (N + 1), "all pictures were counted",
           "For how many pictures is this asked?"},
          {"pred.times-d", (N + 1) * (N + 1) * d, "there was one weight for each number of a token",
           "How many weights has a pair of tokens?"}}},
        {{"the factor between the weights", &P::times_as_many_weights,
          sides * sides * sides * sides, pairs},
         {{"pred.grows-as-side", sides, "the number of weights grew as the side of a patch shrank",
           "How many small patches fit into a large one?",
           "And how many pairs of patches are there?"},
          {"pred.grows-as-patches", sides * sides,
           "the number of weights grew as the number of patches did",
           "Is a weight for a patch, or for a pair?"},
          {"pred.grows-as-side-cubed", sides * sides * sides,
           "the number of weights grew as the third power of the side",
           "How many small patches fit into a large one?"}}},
        {{"the number of logits that change", &P::logits_that_change, 0,
          "Lesson 10.1, and lesson 17."},
         {{"pred.order-matters", 4, "the order in which patches come mattered",
           "What tells attention where a patch was?"}}},
        {{"the number of patches that change", &P::patches_of_a_new_pixel, 1, contract},
         {{"pred.all-mixed", N, "patches saw each other before attention",
           "Which numbers go into one row of patches·E?", "Exercise 17.1, the first product."},
          {"pred.each-colour", C, "each colour was a patch of its own",
           "Do the numbers of a pixel stay together?"},
          {"pred.neighbours-too", 9, "patches overlapped",
           "In how many squares does a pixel lie?"}}},
    };
}

Rules<PixelPredictions> rules() {
    return predicting<PixelPredictions>(
        {.number = "17.2",
         .title = "Predict sizes of pictures",
         .hints =
             {"Which axes does the picture have, and which does a patch have?",
              "Lesson 17.1 prints these shapes for pictures of another size",
              "H/p rows of W/p patches; p·p·C numbers in each; one token more for the class; a "
              "weight for each pair of tokens",
              "A line such as std::cout << tensor::reshape(pixels, {B, H / p, p, W / p, p, "
              "C}).shape() tells; parameters are counted by count_parameters(layer)"}},
        questions());
}

}  // namespace

const Judge<PixelPredictions> judge_17_2(rules);

}  // namespace exercise
