// Lesson 03: a classifier learns. Adam (03.6), minibatches and points held out (03.7), and a
// picture of what was learned (03.8).
#include "tutorials/03_training/parts.h"

#include "autograd/grad.h"
#include "autograd/grad_mode.h"
#include "autograd/variable.h"
#include "nn/linear.h"
#include "nn/losses.h"
#include "nn/optim/optimizers.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/plot.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

Variable loss_of(const Sequential& network, const Moons& moons) {
    const Variable logits = network(Variable(moons.points));  // [N, 2]
    return cross_entropy(logits, moons.classes);              // []
}

void adam(Random& random, const Moons& moons) {
    section("03.6 Adam");
    say("One rate for all parameters is too large for some and too small for others: their "
        "gradients differ in size. Adam (Kingma and Ba 2015) keeps two running means for each "
        "parameter, m of its gradient g and v of $g²$. m is a velocity that decays (03.3), $√v$ "
        "says how large gradients usually are, and the step is their ratio times the rate:");
    tutorial::formula("m ← 0.9·m + 0.1·g,    v ← 0.999·v + 0.001·g²\n"
                      "w ← w - rate · m̂ / (√v̂ + ε),    m̂ = m / (1 - 0.9ᵗ), v̂ = v / (1 - 0.999ᵗ)");
    say("Both begin at 0; the divisions make up for that at the first steps t. $ε = 1e-8$ only "
        "avoids a division by 0.");
    const double rate = 0.02;
    Sequential network{Linear(2, 2, random, no_bias)};
    const Variable weight = parameters(network)[0].parameter;  // [2, 2]
    Adam optimizer(parameters(network), {.lr = rate});
    const Tensor start = tensor::clone(weight.value());  // [2, 2]
    Tensor w = start, m = tensor::zeros_like(w), v = tensor::zeros_like(w), first = w, g = w;
    double kept_of_m = 1, kept_of_v = 1;  // 0.9ᵗ, 0.999ᵗ
    for (int t = 1; t <= 3; ++t) {
        optimizer.zero_grad();
        loss_of(network, moons).backward();
        if (t == 1) g = tensor::clone(weight.grad());
        m = 0.9 * m + 0.1 * weight.grad();
        v = 0.999 * v + 0.001 * weight.grad() * weight.grad();
        kept_of_m *= 0.9;
        kept_of_v *= 0.999;
        const Tensor m_hat = m / (1 - kept_of_m), v_hat = v / (1 - kept_of_v);
        w = w - rate * m_hat / (tensor::sqrt(v_hat) + 1e-8);
        optimizer.step();
        if (t == 1) first = tensor::clone(weight.value()) - start;
    }
    tutorial::predict_number(
        "The rate is 0.02, a weight's gradient 0.3. How far does Adam's first "
        "step move it?",
        tensor::max(tensor::abs(first)).item(), 1e-4,
        "At $t = 1$, $m̂$ is g and $v̂$ is $g²$, so $m̂ / √v̂$ is 1 or -1, whatever g is.");
    stop("03.6 three steps", {{"g", g}, {"first", first}, {"w", w}, {"weight", weight}});
    std::cout << "g at the first step =\n"
              << g << "\nthe first step =\n"
              << first << "\nw after three =\n"
              << w << "\n\n";
    check(tensor::all_close(weight.value(), w, 0, 1e-6), "nn's Adam takes the same three steps");
    check(tensor::all_close(first, -rate * tensor::sign(g), 0, 1e-6),
          "the first step is the rate for every weight, however large its gradient");
}

// The points at these places, in this order.
Moons points_at(const IndexTensor& places, const Moons& moons) {
    const Tensor classes = tensor::index_select(tensor::to_tensor(moons.classes), 0, places);
    return {tensor::index_select(moons.points, 0, places), tensor::to_index(classes),
            tensor::index_select(moons.targets, 0, places)};
}

const std::int64_t batch_size = 20;

// An epoch: each training point once, in random order, a batch at a time.
std::vector<Moons> an_epoch(const Moons& training, Random& random) {
    const std::int64_t N = training.points.dim(0);
    const IndexTensor order(random.permutation(N));  // [N]
    std::vector<Moons> batches;
    for (std::int64_t n = 0; n < N; n += batch_size) {
        batches.push_back(points_at(tensor::slice(order, 0, n, n + batch_size), training));
    }
    return batches;
}

void minibatches(Random& random, const Moons& training) {
    section("03.7 Learning: minibatches, and points held out");
    say("A step does not need the exact gradient; a good estimate will do. So the points are taken "
        "in minibatches of 20: ten steps for the price of one with all 200. On average a batch has "
        "the gradient of all points. One pass over them is an epoch, and each has a new random "
        "order: the points are stored moon by moon, so unshuffled, a batch would hold one class.");
    Sequential network = make_network(2, random);
    const Variable bias = parameters(network).back().parameter;            // [2], the last layer's
    const Tensor of_all = grad(loss_of(network, training), bias).value();  // [2]
    std::vector<Tensor> of_batches;
    for (const Moons& batch : an_epoch(training, random)) {
        of_batches.push_back(grad(loss_of(network, batch), bias).value());
    }
    const Tensor G = tensor::stack(of_batches, 0);  // [batches, 2]
    std::cout << "∂loss/∂bias of the last layer, of all points " << of_all
              << "\nof the first batches\n"
              << tensor::slice(G, 0, 0, 3) << "\n\n";
    check(tensor::all_close(tensor::mean(G, 0), of_all, 0, 1e-6),
          "over the ten batches of an epoch its mean is the gradient of all points");
    check(tensor::max(tensor::abs(G - of_all)).item() > 0.01,
          "a single batch has a different gradient");
}

struct Course {
    Sequential network;
    std::vector<double> training, held_out;  // the losses before each epoch
};

double measured_loss(const Sequential& network, const Moons& moons) {
    const NoGrad no_grad;
    return loss_of(network, moons).item();
}

// The fraction of the points that the network puts in their class.
double accuracy(const Sequential& network, const Moons& moons) {
    const NoGrad no_grad;
    const Tensor logits = network(Variable(moons.points)).value();  // [N, 2]
    const BoolTensor right = tensor::argmax(logits, -1) == moons.classes;
    return static_cast<double>(right.count()) / static_cast<double>(right.numel());
}

Course learn(int epochs, const Moons& training, const Moons& held_out, Random& random) {
    const FastKernels fast;  // also in a Debug build, where this would take seconds
    Course course{make_network(2, random), {}, {}};
    Adam optimizer(parameters(course.network), {.lr = 0.02});
    for (int epoch = 0; epoch < epochs; ++epoch) {
        course.training.push_back(measured_loss(course.network, training));
        course.held_out.push_back(measured_loss(course.network, held_out));
        for (const Moons& batch : an_epoch(training, random)) {
            optimizer.zero_grad();
            loss_of(course.network, batch).backward();
            optimizer.step();
        }
    }
    return course;
}

void draw_losses(const std::string& title, const Course& course,
                 const std::vector<tutorial::Reference>& references) {
    if (!tutorial::page_is_written()) return;
    const std::string svg = tutorial::plot_svg(
        {.title = title,
         .x = {.label = "epoch"},
         .y = {.label = "loss, in nats", .logarithmic = !references.empty()},
         .series = {{"training", tutorial::counted(course.training), course.training},
                    {"held out", tutorial::counted(course.held_out), course.held_out}},
         .references = references});
    // The terminal has a chart of the long run only.
    references.empty() ? tutorial::draw_in_place_of_characters(svg) : tutorial::draw(svg);
}

void print_results(const std::string& trained_on, const Course& course, const Moons& training,
                   const Moons& held_out) {
    print_row(std::cout, trained_on,
              {fixed(measured_loss(course.network, training), 2),
               fixed(measured_loss(course.network, held_out), 2),
               fixed(100 * accuracy(course.network, training), 1) + " %",
               fixed(100 * accuracy(course.network, held_out), 1) + " %"},
              12, 8);
}

Sequential learning(Random& random, const Moons& training, const Moons& held_out) {
    say("Another 200 points are held out: the network is measured on them and never trained on "
        "them, so their loss measures what it learned rather than what it remembers. Both losses "
        "before each "
        "of 68 epochs, o of the training points, x of those held out:");
    const Course course = learn(68, training, held_out, random);
    print_curves({{'o', course.training}, {'x', course.held_out}}, 0.7);
    draw_losses("Trained on 200 points", course, {});
    say("Where x lies above o, the network does better on what it has seen. How far apart can the "
        "two get? The same network, with as many steps, on only 20 of the training points:");
    std::vector<std::int64_t> some;
    for (std::int64_t i = 0; i < 10; ++i) some.insert(some.end(), {i, 100 + i});
    const Moons few = points_at(IndexTensor(some), training);
    const Course on_few = learn(680, few, held_out, random);
    const double lowest = *std::min_element(on_few.held_out.begin(), on_few.held_out.end());
    const double last = measured_loss(on_few.network, held_out);
    tutorial::predict_choice("The loss of the 20 points falls to 0. The held-out loss falls first. "
                             "And then?",
                             {"stays", "rises"}, last > 1.05 * lowest ? "rises" : "stays",
                             "It gets ever surer of a border that fits these 20 points, and where "
                             "that is wrong, being sure is expensive: -log $p_y$.");
    stop("03.7 after learning", {{"training.points", training.points}, {"few.points", few.points}});
    print_row(std::cout, "", {"loss:", "", "right:", ""}, 12, 8);
    print_row(std::cout, "trained on", {"training", "held out", "training", "held out"}, 12, 8);
    print_results("200 points", course, training, held_out);
    print_results("20 points", on_few, few, held_out);
    std::cout << "\nthe lowest held-out loss on the way with 20 points: " << fixed(lowest, 2)
              << "\n\n";
    draw_losses("Trained on 20 points", on_few, {{"lowest held out", lowest}});
    check(measured_loss(course.network, training) < course.training[0] / 3,
          "on 200 points, the training loss fell to less than a third");
    check(accuracy(course.network, training) > 0.9 && accuracy(course.network, held_out) > 0.9,
          "more than 90 % of them are right, and more than 90 % of those held out");
    check(accuracy(on_few.network, few) == 1, "trained on 20 points, it gets all of them right");
    check(last > 50 * measured_loss(on_few.network, few),
          "but the held-out loss is more than 50 times theirs: they were remembered");
    return course.network;
}

void what_it_learned(const Sequential& network, const Moons& training, const Moons& held_out) {
    section("03.8 What it learned");
    say("Where it predicts the upper moon (#) and where the lower one (·), with the points held "
        "out: O on the upper moon, x on the lower.");
    draw_answers(network, training, held_out);
}
