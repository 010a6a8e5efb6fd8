// 17 Pixels: are words needed? A picture is cut into patches, and each patch is a token. What a red
// patch means depends on a yellow one, somewhere in the picture, and not on the poncho beside it.
#include "nn/heed.h"
#include "tutorials/17_pixels/readers.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

#include <iostream>
#include <string>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

namespace {

// The red patch's weight on all patches with this letter, the mean over pictures.
double weight_on(char letter, const Tensor& weights, const Pictures& pictures) {
    double sum = 0;
    for (std::int64_t b = 0; b < weights.dim(0); ++b) {
        const std::string& letters = pictures.letters[static_cast<std::size_t>(b)];
        for (std::int64_t k = 0; k < 64; ++k) {
            if (letters[static_cast<std::size_t>(k)] == letter) sum += weights(b, k);
        }
    }
    return sum / static_cast<double>(weights.dim(0));
}

// The picture's patches as letters, each with its weight in per cent.
void print_picture(const std::string& letters, const Tensor& weights) {
    tutorial::Table table;
    table.corner = "per cent";
    table.what_columns = "column";
    for (int i = 1; i <= 8; ++i) {
        table.rows.push_back("row " + std::to_string(i));
        table.columns.push_back(std::to_string(i));
    }
    for (std::int64_t k = 0; k < 64; ++k) {
        const double weight = weights(k);
        const std::string letter(1, letters[static_cast<std::size_t>(k)]);
        table.cells.push_back({letter + " " + fixed(100 * weight, 0), weight});
    }
    print_table(std::cout, table);
}

void cut(Random& random) {
    section("17.1 A picture as tokens");
    say("A picture of 64 by 64 pixels, each of three numbers, is cut into patches of 8 by 8 "
        "(Dosovitskiy et al. 2020). A patch is a row of numbers, so it can be a token: a matrix "
        "makes it a vector, and a learned row says where it was (lesson 10).");
    const Pictures one = random_pictures(1, random);
    const Tensor pixels = one.pixels;  // [1, 64, 64, 3]
    const Variable patches = patches_of(pixels);
    stop("17.1 patches", {{"pixels", pixels}, {"patches", patches}});
    tutorial::predict_shape("The shape of the patches of one picture?", patches.shape(),
                            "8 rows of 8 patches, each of 8 * 8 * 3 numbers.");
    std::cout << "pixels " << pixels.shape() << ", patches " << patches.shape() << "\n\n";
    const Tensor corner = tensor::slice(tensor::slice(pixels, 1, 8, 16), 2, 0, 8);
    check(tensor::same_bits(tensor::reshape(corner - 0.5, {192}),
                            tensor::select(tensor::select(patches.value(), 0, 0), 0, 8)),
          "patch 8 is the first of the second row");
    say("R is a dog's red nose, PPPPPP its poncho, each part with a colour and a pattern of its "
        "own, and Y something yellow, which has a pattern, too:");
    for (std::size_t row = 0; row < 8; ++row) {
        std::cout << "    " << one.letters[0].substr(8 * row, 8) << "\n";
    }
    std::cout << "\n";
}

Looker looked(Random& random) {
    section("17.2 What the red patch means");
    say("The nose is plain red in every picture. Its class is one of four: the pattern of the "
        "yellow patch, wherever that is. The poncho, orange and lime, has patterns, "
        "too, and has nothing to say. Trained on 300 batches of 32 pictures, tested on 200 new "
        "ones:");
    tutorial::predict_choice("A model that sees only the red patch is right", {"1/4", "1/2", "1"},
                             "1/4", "All noses look the same.");
    const Pictures tests = random_pictures(200, random);
    WithoutAttention alone(false, random), together(true, random);
    Looker looker(random);
    train("alone", alone, random);
    train("together", together, random);
    train("looker", looker, random);
    const double of_alone = accuracy(alone, tests), of_together = accuracy(together, tests);
    const double of_looker = accuracy(looker, tests);
    print_row(std::cout, "", {"accuracy"}, 28, 9);
    print_row(std::cout, "the red patch by itself", {fixed(of_alone, 2)}, 28, 9);
    print_row(std::cout, "the mean of all patches", {fixed(of_together, 2)}, 28, 9);
    print_row(std::cout, "one head", {fixed(of_looker, 2)}, 28, 9);
    const NoGrad no_grad;
    const Variable weights = at_red(looker.head.with_weights(looker.tokens(tests)).weights, tests);
    const double on_yellow = weight_on('Y', weights.value(), tests);
    const double on_poncho = weight_on('P', weights.value(), tests);
    const Tensor found = tensor::of({of_alone, of_together, of_looker, on_yellow, on_poncho});
    stop("17.2 found", {{"found", found}});
    std::cout << "\nthe red patch's weight on the yellow one " << fixed(on_yellow, 2)
              << ", on the poncho " << fixed(on_poncho, 2) << "\n\n";
    check(of_alone < 0.4, "alone it cannot be told");
    check(of_together < 0.75, "in the mean, the poncho's patterns drown many of the yellow ones");
    check(of_looker > 0.95, "a head finds it");
    check(on_yellow > 0.5 && on_poncho < 0.05,
          "more than half of its weight is on the yellow patch, next to nothing on the poncho");
    return looker;
}

void picture(const Looker& looker, Random& random) {
    section("17.3 The picture with its weights");
    const NoGrad no_grad;
    const Pictures one = random_pictures(1, random);
    const Attention all = looker.head.with_weights(looker.tokens(one));
    const Tensor weights = tensor::select(at_red(all.weights, one).value(), 0, 0);  // [64]
    stop("17.3 weights", {{"weights", weights}});
    say("Where the red patch looks, in per cent:");
    print_picture(one.letters[0], weights);

    section("17.4 Shuffled");
    say("The patches in any order, each with its own row of positions: a set of tokens.");
    const Variable tokens = looker.tokens(one);  // [1, 64, d]
    const IndexTensor order(random.permutation(64));
    const Tensor shuffled = looker.head(index_select(tokens, 1, order)).value();
    const Tensor expected = tensor::index_select(all.output.value(), 1, order);
    stop("17.4 shuffled", {{"shuffled", shuffled}, {"expected", expected}});
    std::cout << "outputs " << shuffled.shape() << "\n\n";
    const double apart = tensor::max_difference(shuffled, expected);
    check(apart < 1e-5, "the same outputs in the other order");
    say("Without words, then: what attention needs is a set of vectors.");
}

}  // namespace

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 17: pixels. Are words needed?");
    cut(random);                           // 17.1
    const Looker looker = looked(random);  // 17.2
    picture(looker, random);               // 17.3 and 17.4
}

int main(int argc, char** argv) {
    return tutorial::run({.name = "17_pixels",
                          .subject = "Are words needed? Attention over the patches of a picture.",
                          .trains = true},
                         argc, argv, lesson);
}
