#include "tutorials/exercises/judges/02_9_write_a_gradcheck.h"

#include "tutorials/exercises/judges/02_9_write_a_gradcheck_mistakes.h"
#include "tutorials/exercises/judges/02_9_write_a_gradcheck_planted.h"
#include "tutorials/exercises/judges/common_holes.h"
#include "tutorials/exercises/judging/inputs.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/compare.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

using namespace heed;

namespace exercise {

namespace {

using Tensors = std::vector<Tensor>;

// Entry `entry` of input i moved; all of its entries where the slip is to move them together; the
// earlier ones too where they were not moved back.
Tensors moved(const Tensors& inputs, std::size_t i, std::size_t entry, double by,
              const Slips& slip) {
    std::vector<Scalar> numbers = inputs[i].to_vector();
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        if (k == entry || slip("gc.all-at-once")) numbers[k] += by;
        if (k < entry && slip("gc.not-put-back")) numbers[k] -= std::fabs(by);
    }
    Tensors others = inputs;
    others[i] = tensor::from_vector(numbers, inputs[i].shape());
    return others;
}

Tensor numerical(const TensorFunction& f, const Tensors& inputs, std::size_t i, const Tensor& G,
                 const Slips& slip) {
    const double h = slip("gc.large-h") ? 1e-2 : 1e-5;
    double run = slip("gc.no-half") ? h : 2 * h;
    std::vector<Scalar> slopes;
    for (std::size_t entry = 0; entry < inputs[i].to_vector().size(); ++entry) {
        Tensor above = f(moved(inputs, i, entry, h, slip));
        Tensor below = f(moved(inputs, i, entry, -h, slip));
        if (slip("gc.one-sided")) {
            below = f(inputs);
            run = h;
        }
        if (slip("gc.sign")) std::swap(above, below);
        const Tensor change = above - below;
        Tensor product = slip("gc.no-G") ? change : G * change;
        if (slip("gc.first-output")) product = tensor::from_vector({product.to_vector()[0]}, {1});
        const Tensor total = slip("gc.mean") ? tensor::mean(product) : tensor::sum(product);
        slopes.push_back(total.item() / run);
    }
    return tensor::from_vector(slopes, inputs[i].shape());
}

Tensor upstream(const Shape& shape, const Slips& slip) {
    const Tensor G = random(shape, 701);
    if (slip("gc.ones")) return tensor::ones_like(G);
    if (slip("gc.one-number")) return tensor::ones_like(G) * 0.7;
    if (slip("gc.one-row") && G.rank() > 1) {
        return tensor::clone(tensor::expand(tensor::slice(G, 0, 0, 1), shape));
    }
    return G;
}

bool is_right(double received, double n, const Slips& slip) {
    double allowed = 1e-6 * (1 + std::fabs(n));
    if (slip("gc.coarse")) allowed = 1e-2;
    if (slip("gc.absolute")) allowed = 1e-6;
    if (slip("gc.relative")) allowed = 1e-6 * std::fabs(n);
    if (slip("gc.signed")) return received - n <= allowed;
    if (slip("gc.nan")) return !(std::fabs(received - n) > allowed);
    return std::fabs(received - n) <= allowed;
}

bool input_is_right(const Tensor& received, const Tensor& expected, const Slips& slip) {
    if (slip("gc.broadcast")) {
        const Tensor error = tensor::abs(received - expected) / (1 + tensor::abs(expected));
        return (error <= 1e-6).all();
    }
    if (received.numel() != expected.numel()) return false;
    if (!slip("gc.shape") && !(received.shape() == expected.shape())) return false;
    const std::vector<Scalar> a = received.to_vector(), b = expected.to_vector();
    if (slip("gc.sum")) {
        return is_right(tensor::sum(received).item(), tensor::sum(expected).item(), slip);
    }
    if (slip("gc.largest")) {
        const double largest = tensor::max(tensor::abs(expected)).item();
        return tensor::all_close(received, expected, 0, 1e-6 * (1 + largest));
    }
    bool all = true, any = false;
    for (std::size_t k = 0; k < a.size(); ++k) {
        if (slip("gc.first-entry") && k > 0) break;
        const bool right = is_right(a[k], b[k], slip);
        all = slip("gc.last-entry") ? right : all && right;
        any = any || right;
    }
    return slip("gc.any") ? any : all;
}

std::vector<bool> verdicts(const TensorFunction& f, const TensorGradients& derivative,
                           const Tensors& inputs, const Slips& slip) {
    const Tensor G = upstream(f(inputs).shape(), slip);
    const Tensors received = derivative(inputs, G);
    std::vector<bool> all;
    bool whole = true;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        bool right = input_is_right(received[i], numerical(f, inputs, i, G, slip), slip);
        if (slip("gc.first-input") && i > 0) right = true;
        if (slip("gc.last-input") && i + 1 < inputs.size()) right = true;
        whole = whole && right;
        all.push_back(slip("gc.inverted") ? !right : right);
    }
    return slip("gc.together") ? std::vector<bool>(inputs.size(), whole) : all;
}

OwnGradcheck slipping(const Slips& slip) {
    return {[=](const TensorFunction& f, const Tensors& inputs, std::size_t i, const Tensor& G) {
                return numerical(f, inputs, i, G, slip);
            },
            [=](const TensorFunction& f, const TensorGradients& derivative, const Tensors& inputs) {
                return verdicts(f, derivative, inputs, slip);
            }};
}

std::string slope_of(const std::string& input) { return "the numerical gradient by " + input; }
std::string slope_for_another_G(const std::string& input) {
    return slope_of(input) + ", for another G";
}
std::string verdict_on(const std::string& what) { return "the verdict on " + what; }

Stages inputs_of(const Differentiated& one) {
    Stages inputs;
    for (std::size_t i = 0; i < one.inputs.size(); ++i) {
        inputs.push_back({one.names[i], one.inputs[i]});
    }
    return inputs;
}

// How many of `mistakes` are made.
std::ptrdiff_t count(const Slips& slip, const std::vector<Mistake>& mistakes) {
    return std::count_if(mistakes.begin(), mistakes.end(),
                         [&](const Mistake& one) { return slip(one.id); });
}

// A G of its own for each function, of equal shapes too.
Case slopes(const Differentiated& one, std::uint64_t seed, const OwnGradcheck& gradcheck) {
    const Tensor G = one.G.numel() > 0 ? one.G : random(one.f(one.inputs).shape(), seed);
    const Tensor another = random(G.shape(), seed + 50);
    const auto stages = [=](const OwnGradcheck& from) {
        Stages found;
        for (std::size_t i = 0; i < one.inputs.size(); ++i) {
            found.push_back(
                {slope_of(one.names[i]), from.numerical_gradient(one.f, one.inputs, i, G)});
        }
        found.push_back({slope_for_another_G(one.names[0]),
                         from.numerical_gradient(one.f, one.inputs, 0, another)});
        return found;
    };
    Stages inputs = inputs_of(one);
    inputs.push_back({"G", G});
    inputs.push_back({"the other G", another});
    const Stages right = stages(slipping({}));  // computed once: a diagnosis walks often
    const std::vector<Mistake> here = mistakes_in_slopes();
    return {
        one.name,
        [=](const Slips& slip) { return count(slip, here) > 0 ? stages(slipping(slip)) : right; },
        [=] { return stages(gradcheck); }, inputs};
}

Tensor bits(const std::vector<bool>& verdicts) {
    const std::vector<Scalar> numbers(verdicts.begin(), verdicts.end());
    return tensor::from_vector(numbers, {static_cast<std::int64_t>(numbers.size())});
}

Case checks(const Differentiated& one, const OwnGradcheck& gradcheck) {
    const auto stages = [=](const OwnGradcheck& from) {
        Stages found;
        for (const Planted& planted : one.planted) {
            const auto said = from.check_derivative(one.f, planted.gradients, one.inputs);
            found.push_back({verdict_on(planted.what), bits(said)});
        }
        return found;
    };
    const std::vector<Mistake> here = mistakes_in_checking();
    const Stages right = stages(slipping({}));
    const auto walk = [=](const Slips& slip) {
        if (count(slip, here) == 0) return right;
        if (count(slip, here) > 1) throw std::logic_error("yes and no do not tell pairs apart");
        return stages(slipping(slip));
    };
    return {one.name + " (verdicts: 1 is right, 0 is wrong)", walk,
            [=] { return stages(gradcheck); }, inputs_of(one)};
}

std::vector<Hole> holes(const std::vector<Differentiated>& functions) {
    Hole first = {"numerical_gradient",
                  {},
                  {"If one entry of x moves by h, which number do you look at before and after?",
                   "Work out x³ at 1.5 with h = 0.1 on paper; moved() gives the inputs for a call "
                   "of f",
                   "Σ G·(f(x + h) - f(x - h)) / 2h for each entry in turn; then make the numbers a "
                   "tensor of the shape of inputs[i]",
                   "tensor::sum(G * (above - below)).item() / (2 * h), pushed back in a loop over "
                   "the entries; tensor::from_vector(slopes, inputs[i].shape())"}};
    Hole second = {"check_derivative",
                   {},
                   {"What do the derivative and the differences need to have in common, so that "
                    "they can be compared?",
                    "tensor/factories.h has normal(), which takes a Random; tensor/ops/compare.h "
                    "compares whole tensors",
                    "a random G of the shape of f(inputs); the derivative for it, once; then for "
                    "each input all entries and the shape against numerical_gradient's",
                    "Random random(7); tensor::normal(f(inputs).shape(), random) for G, and "
                    "tensor::all_close(received, numerical, 1e-6, 1e-6) for each input"}};
    for (const Differentiated& one : functions) {
        for (const std::string& name : one.names) first.stages.push_back(slope_of(name));
        first.stages.push_back(slope_for_another_G(one.names[0]));
        for (const Planted& planted : one.planted) {
            second.stages.push_back(verdict_on(planted.what));
        }
    }
    return {first, second};
}

}  // namespace

Exercise own_gradcheck(const OwnGradcheck& gradcheck) {
    const std::vector<Differentiated> functions = differentiated_functions();
    Exercise exercise;
    exercise.number = "02.9";
    exercise.title = "Write a gradcheck";
    std::vector<Case> later;
    for (const Differentiated& one : functions) {
        exercise.cases.push_back(slopes(one, 801 + exercise.cases.size(), gradcheck));
        if (!one.planted.empty()) later.push_back(checks(one, gradcheck));
    }
    exercise.cases = hole_by_hole({exercise.cases, later});
    exercise.mistakes = mistakes_in_slopes();
    for (const Mistake& one : mistakes_in_checking()) exercise.mistakes.push_back(one);
    exercise.holes = holes(functions);
    exercise.hints = {"Which of the two functions is wrong, or are both?",
                      "Call numerical_gradient on x³ at 1.5 with a G of 1: it should give 6.75",
                      "If that is so, look at what check_derivative compares with what",
                      "Print G, the derivative's answer and the numerical one for x³"};
    return exercise;
}

namespace {

// In place, on copies, by four points.
Tensor by_four_points(const TensorFunction& f, const Tensors& inputs, std::size_t i,
                      const Tensor& G) {
    const double h = 2e-5;
    Tensors others = inputs;
    others[i] = tensor::clone(tensor::from_vector(inputs[i].to_vector(), inputs[i].shape()));
    Tensor slopes = tensor::zeros(inputs[i].shape());
    for (std::int64_t k = 0; k < inputs[i].numel(); ++k) {
        const Scalar before = others[i].data()[k];
        const auto loss_at = [&](double steps) {
            others[i].writable_data()[k] = before + static_cast<Scalar>(steps * h);
            return tensor::sum(G * f(others)).item();
        };
        const double near = loss_at(1) - loss_at(-1), far = loss_at(2) - loss_at(-2);
        slopes.writable_data()[k] = static_cast<Scalar>((8 * near - far) / (12 * h));
        others[i].writable_data()[k] = before;
    }
    return slopes;
}

std::vector<bool> by_the_worst_entry(const TensorFunction& f, const TensorGradients& derivative,
                                     const Tensors& inputs) {
    std::vector<bool> right;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        Random random(40 + i);
        const Tensor G = tensor::uniform(f(inputs).shape(), random, -2, 2);
        const Tensor received = derivative(inputs, G)[i];
        const Tensor n = numerical(f, inputs, i, G, {});
        bool fits = received.shape() == n.shape();
        if (fits) {
            const Tensor error = tensor::abs(received - n) / (1 + tensor::abs(n));
            fits = tensor::max(error).item() <= 1e-6;
        }
        right.push_back(fits);
    }
    return right;
}

}  // namespace

Trials own_gradcheck_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return own_gradcheck(slipping(slip)); };
    trials.right["by four points, in place on a copy"] = [] {
        return own_gradcheck({by_four_points, slipping({}).check_derivative});
    };
    trials.right["with another G for each input, by the worst entry"] = [] {
        return own_gradcheck({slipping({}).numerical_gradient, by_the_worst_entry});
    };
    return trials;
}

}  // namespace exercise
