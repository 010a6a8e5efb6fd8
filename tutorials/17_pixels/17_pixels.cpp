// 17 Pixels: are words needed? A picture is cut into patches, and each patch is a token. What a red
// patch means depends on a yellow one, somewhere in the picture, and not on the poncho beside it.
#include "nn/heed.h"
#include "tutorials/17_pixels/readers.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/plot.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/several.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <iostream>
#include <string>

using namespace heed;
using tutorial::check;
using tutorial::median_and_range;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;
using tutorial::Several;
using tutorial::several;

namespace {

const int models = 3;  // of each kind

struct Trained {
    std::vector<Looker> lookers;
    std::vector<Dense> dense;
};

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

void cut(Random& random) {
    section("17.1 A picture as tokens");
    say("Attention takes a matrix with a row for each token, and nothing in its formulas says that "
        "tokens are words. A picture of 64 by 64 pixels, each of three numbers (red, green, blue), "
        "is cut into 8 rows of 8 patches (Dosovitskiy et al. 2020). A patch has $8·8·3 = 192$ "
        "numbers p, and becomes a token as a word does in lessons 04 and 10: $x_k = p_k·E + P[k]$, "
        "with a matrix E [192, 32] in place of the table of words, and a learned row P[k] for its "
        "place.");
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
    say("R is a dog's nose, plain red. The P are its poncho, six patches, orange or lime, each "
        "with one of four patterns: stripes across, along or aslant, or a chequerboard. Y is a "
        "yellow patch with one of them, anywhere. The rest is grey. A # is a dark pixel; in a "
        "terminal with colours each pixel has its own:");
    print_picture(one);
    if (tutorial::page_is_written()) {
        tutorial::draw_in_place_of_characters(picture_svg("A dog with a poncho", one));
    }
}

template <class Reader>
Several accuracies(const std::vector<Reader>& readers, const Pictures& pictures) {
    std::vector<double> each;
    for (const Reader& reader : readers) each.push_back(accuracy(reader, pictures));
    return several(each);
}

Several weights_on(char letter, const std::vector<Looker>& lookers, const Pictures& pictures) {
    const NoGrad no_grad;
    std::vector<double> each;
    for (const Looker& looker : lookers) {
        const Variable weights =
            at_red(looker.head.with_weights(looker.tokens(pictures)).weights, pictures);
        each.push_back(weight_on(letter, weights.value(), pictures));
    }
    return several(each);
}

void print_line(const std::string& what, const Several& figures) {
    print_row(std::cout, what, {median_and_range(figures, 2)}, 34, 16);
}

Trained looked(const Pictures& tests, Random& random) {
    section("17.2 What the red patch means");
    say("All noses are alike. Yet each has a class, one of four: the pattern of the yellow patch, "
        "wherever that is. The poncho has nothing to say. So nothing in the red patch determines "
        "its class: it depends on another patch, that is, on context. Four readers have 300 "
        "batches of 32 pictures to learn from:");
    tutorial::formula("the red patch     $logits = x_red·W$\n"
                      "mean of patches   $logits = (Σ_k x_k / 64)·W$\n"
                      "dense             $logits = pixels·W$, a weight for each of 12,288 numbers\n"
                      "one head          $logits = (Σ_k a_k·v_k)·W$,\n"
                      "                  $a_k$ = softmax over k of $q_red·k_k / √32$");
    tutorial::predict_choice("A model that sees only the red patch is right", {"1/4", "1/2", "1"},
                             "1/4", "All noses look the same.");
    std::vector<WithoutAttention> alone, together;
    Trained trained;
    for (int i = 0; i < models; ++i) {
        alone.emplace_back(false, random);
        train("alone", alone.back(), random);
        together.emplace_back(true, random);
        train("together", together.back(), random);
        trained.dense.emplace_back(random);
        train("dense", trained.dense.back(), random);
        trained.lookers.emplace_back(random);
        train("looker", trained.lookers.back(), random);
    }
    const Several of_alone = accuracies(alone, tests), of_together = accuracies(together, tests);
    const Several of_dense = accuracies(trained.dense, tests);
    const Several of_looker = accuracies(trained.lookers, tests);
    say("Their accuracy on 400 new pictures, of three models each, median and range:");
    print_line("the red patch by itself", of_alone);
    print_line("the mean of all patches", of_together);
    print_line("dense", of_dense);
    print_line("one head", of_looker);
    const Several on_yellow = weights_on('Y', trained.lookers, tests);
    const Several on_poncho = weights_on('P', trained.lookers, tests);
    const Tensor found = tensor::of({of_alone.median, of_together.median, of_looker.median,
                                     on_yellow.median, on_poncho.median});
    stop("17.2 found", {{"found", found}});
    std::cout << "\nthe red patch's weight, per picture\n";
    print_line("on the yellow patch", on_yellow);
    print_line("on the six of the poncho together", on_poncho);
    std::cout << "\n";
    check(of_alone.most < 0.4, "the red patch alone does not reveal its class");
    check(of_together.most < 0.75,
          "in the mean, the poncho's patterns drown many of the yellow ones");
    check(of_dense.most < 0.65,
          "the dense reader, which has to learn each place apart, is often wrong");
    check(of_looker.least > 0.9, "one head is right");
    check(on_yellow.least > 0.5 && on_poncho.most < 0.05,
          "more than half of its weight is on the yellow patch, next to nothing on the poncho");
    tutorial::in_the_notes("001 has such a dog: for its red pixels the yellow ones matter, and the "
                           "poncho does not.");
    return trained;
}

void picture(const Looker& looker, Random& random) {
    section("17.3 The picture with its weights");
    const NoGrad no_grad;
    const Pictures one = random_pictures(1, random);
    const Attention all = looker.head.with_weights(looker.tokens(one));
    const Tensor weights = tensor::select(at_red(all.weights, one).value(), 0, 0);  // [64]
    stop("17.3 weights", {{"weights", weights}});
    say("Where the red patch of another picture looks, in per cent $(100·a_k)$, beside the letter "
        "of each patch:");
    print_picture(one, weights);
    if (tutorial::page_is_written()) {
        tutorial::draw(picture_svg("Where the red patch looks", one, weights));
    }
    const std::size_t most = static_cast<std::size_t>(tensor::argmax(weights, 0).item());
    check(one.letters[0][most] == 'Y', "the largest weight is on the yellow patch");
}

void shuffled_patches(const Trained& trained, const Pictures& tests, Random& random) {
    section("17.4 Shuffled");
    say("What does the order of the patches mean to these readers? Cut each picture of the test "
        "into its patches and put them together in another order, the same for all. To our eyes "
        "the poncho is gone. There are two ways to do it: each patch takes the row P[k] of its old "
        "place along, or it gets that of its new one.");
    const IndexTensor order(random.permutation(64));
    const Pictures moved = reordered(tests, order);
    const NoGrad no_grad;
    const Looker& looker = trained.lookers[0];
    const Variable tokens = looker.tokens(tests);  // [B, 64, d]
    const Variable taken_along = index_select(tokens, 1, order);
    const Tensor shuffled = looker.logits(taken_along, moved).value();  // [B, 4]
    const Tensor expected = looker.logits(tokens, tests).value();       // [B, 4]
    stop("17.4 shuffled", {{"shuffled", shuffled}, {"expected", expected}});
    std::cout << "logits " << shuffled.shape() << "\n\n";
    check(tensor::max_difference(shuffled, expected) < 1e-4,
          "with their old rows along, the logits are the same: tokens are a set (10.1)");
    tutorial::predict_choice("With the rows of their new places, is the head still right?",
                             {"yes", "no"}, "yes", "The yellow patch was anywhere in training.");
    say("With the rows of their new places, accuracy, median and range:");
    print_row(std::cout, "", {"as they are", "shuffled"}, 10, 17);
    const Several head = accuracies(trained.lookers, tests);
    const Several head_moved = accuracies(trained.lookers, moved);
    const Several dense = accuracies(trained.dense, tests);
    const Several dense_moved = accuracies(trained.dense, moved);
    print_row(std::cout, "one head", {median_and_range(head, 2), median_and_range(head_moved, 2)},
              10, 17);
    print_row(std::cout, "dense", {median_and_range(dense, 2), median_and_range(dense_moved, 2)},
              10, 17);
    std::cout << "\n";
    if (tutorial::page_is_written()) {
        const std::vector<double> places{0, 1};
        tutorial::Plot plot{.title = "Shuffled patches",
                            .x = {.label = "pictures",
                                  .covers = {-0.3, 1.3},
                                  .ticks = places,
                                  .names = {"as they are", "shuffled"}},
                            .y = {.label = "accuracy, median and range of three", .covers = {0, 1}},
                            .series = {tutorial::series_of("one head", places, {head, head_moved}),
                                       tutorial::series_of("dense", places, {dense, dense_moved})},
                            .references = {{"guessing", 0.25}}};
        for (tutorial::Series& series : plot.series) series.line = false;
        tutorial::draw(tutorial::plot_svg(plot));
    }
    check(head_moved.least > 0.9, "the head is right in pictures that nobody could read");
    say("It looks for yellow, wherever that is, and has learned not to heed the places. That is a "
        "choice of training, not a law: had the class depended on the patch below the red one, the "
        "rows P would be all it has to find it by. What attention needs is not words, and not an "
        "order, but a set of vectors; whatever else matters has to be in them.");
}

}  // namespace

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 17: pixels. Are words needed? A picture is cut into patches, and one of them means "
        "what another one says.");
    cut(random);  // 17.1
    const Pictures tests = random_pictures(400, random);
    const Trained trained = looked(tests, random);  // 17.2
    picture(trained.lookers[0], random);            // 17.3
    shuffled_patches(trained, tests, random);       // 17.4
}

int main(int argc, char** argv) {
    return tutorial::run({.name = "17_pixels",
                          .subject = "Are words needed? Attention over the patches of a picture.",
                          .trains = true},
                         argc, argv, lesson);
}
