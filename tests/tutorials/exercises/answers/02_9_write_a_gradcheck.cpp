// Answers to 02.9, in the form learners and careless engineers write them.
#include "tutorials/exercises/judges/02_9_write_a_gradcheck.h"
#include "tests/tutorials/exercises/answers/answers.h"

#include "heed/tensor/factories.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/compare.h"
#include "heed/tensor/ops/functions.h"
#include "heed/tensor/ops/reduce.h"
#include "heed/tensor/views.h"

#include <cmath>

using namespace heed;
using namespace exercise;

namespace exercise {
Answers answers_02_9();
}

namespace {

using Tensors = std::vector<Tensor>;

Tensors moved(const Tensors& inputs, std::size_t i, std::size_t entry, double by) {
    std::vector<Scalar> numbers = inputs[i].to_vector();
    numbers[entry] += by;
    Tensors others = inputs;
    others[i] = tensor::from_vector(numbers, inputs[i].shape());
    return others;
}

Tensor slopes_with(const TensorFunction& f, const Tensors& inputs, std::size_t i, const Tensor& G,
                   double h) {
    std::vector<Scalar> slopes;
    for (std::size_t entry = 0; entry < inputs[i].to_vector().size(); ++entry) {
        const Tensor change = f(moved(inputs, i, entry, h)) - f(moved(inputs, i, entry, -h));
        slopes.push_back(tensor::sum(G * change).item() / (2 * h));
    }
    return tensor::from_vector(slopes, inputs[i].shape());
}

Tensor slopes(const TensorFunction& f, const Tensors& inputs, std::size_t i, const Tensor& G) {
    return slopes_with(f, inputs, i, G, 1e-5);
}

Tensor random_G(const TensorFunction& f, const Tensors& inputs) {
    Random random(3);
    return tensor::normal(f(inputs).shape(), random);
}

// Right, but for how G is drawn and how two gradients are compared.
using Draw = Tensor (*)(const TensorFunction& f, const Tensors& inputs);
using Compare = bool (*)(const Tensor& received, const Tensor& n);

bool close(const Tensor& received, const Tensor& n) {
    return tensor::all_close(received, n, 1e-6, 1e-6);
}

std::vector<bool> checked(const TensorFunction& f, const TensorGradients& derivative,
                          const Tensors& inputs, Draw draw, Compare compare) {
    const Tensor G = draw(f, inputs);
    const Tensors received = derivative(inputs, G);
    std::vector<bool> right;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        right.push_back(compare(received[i], slopes(f, inputs, i, G)));
    }
    return right;
}

std::vector<bool> check(const TensorFunction& f, const TensorGradients& derivative,
                        const Tensors& inputs) {
    return checked(f, derivative, inputs, random_G, close);
}

using Numerical = Tensor (*)(const TensorFunction&, const Tensors&, std::size_t, const Tensor&);
using Check = std::vector<bool> (*)(const TensorFunction&, const TensorGradients&, const Tensors&);

std::function<Exercise()> by(Numerical numerical) {
    return [=] { return own_gradcheck({numerical, check}); };
}
std::function<Exercise()> by(Check own) {
    return [=] { return own_gradcheck({slopes, own}); };
}
std::function<Exercise()> drawing(Draw draw) {
    return [=] {
        return own_gradcheck(
            {slopes,
             [=](const TensorFunction& f, const TensorGradients& derivative,
                 const Tensors& inputs) { return checked(f, derivative, inputs, draw, close); }});
    };
}
std::function<Exercise()> comparing(Compare compare) {
    return [=] {
        return own_gradcheck(
            {slopes, [=](const TensorFunction& f, const TensorGradients& derivative,
                         const Tensors& inputs) {
                 return checked(f, derivative, inputs, random_G, compare);
             }});
    };
}

Tensor forward_only(const TensorFunction& f, const Tensors& inputs, std::size_t i,
                    const Tensor& G) {
    const double h = 1e-7;
    std::vector<Scalar> found;
    for (std::size_t entry = 0; entry < inputs[i].to_vector().size(); ++entry) {
        const Tensor change = f(moved(inputs, i, entry, h)) - f(inputs);
        found.push_back(tensor::sum(G * change).item() / h);
    }
    return tensor::from_vector(found, inputs[i].shape());
}

Tensor float_precision(const TensorFunction& f, const Tensors& inputs, std::size_t i,
                       const Tensor& G) {
    std::vector<Scalar> found;
    for (std::size_t entry = 0; entry < inputs[i].to_vector().size(); ++entry) {
        const float above =
            static_cast<float>(tensor::sum(G * f(moved(inputs, i, entry, 1e-5))).item());
        const float below =
            static_cast<float>(tensor::sum(G * f(moved(inputs, i, entry, -1e-5))).item());
        found.push_back((above - below) / 2e-5);
    }
    return tensor::from_vector(found, inputs[i].shape());
}

Tensor tiny_steps(const TensorFunction& f, const Tensors& inputs, std::size_t i, const Tensor& G) {
    return slopes_with(f, inputs, i, G, 1e-13);
}

Tensor long_steps(const TensorFunction& f, const Tensors& inputs, std::size_t i, const Tensor& G) {
    return slopes_with(f, inputs, i, G, 3e-3);
}

Tensor steps_of_a_tenth_of_a_percent(const TensorFunction& f, const Tensors& inputs, std::size_t i,
                                     const Tensor& G) {
    std::vector<Scalar> found;
    const std::vector<Scalar> numbers = inputs[i].to_vector();
    for (std::size_t entry = 0; entry < numbers.size(); ++entry) {
        const double h = 1e-5 * std::fabs(numbers[entry]);
        const Tensor change = f(moved(inputs, i, entry, h)) - f(moved(inputs, i, entry, -h));
        found.push_back(tensor::sum(G * change).item() / (2 * h));
    }
    return tensor::from_vector(found, inputs[i].shape());
}

Tensor in_place(const TensorFunction& f, const Tensors& inputs, std::size_t i, const Tensor& G) {
    Tensors others = inputs;
    std::vector<Scalar> found;
    for (std::int64_t k = 0; k < inputs[i].numel(); ++k) {
        others[i].writable_data()[k] += 1e-5;
        const Tensor above = f(others);
        others[i].writable_data()[k] -= 2e-5;
        found.push_back(tensor::sum(G * (above - f(others))).item() / 2e-5);
        others[i].writable_data()[k] += 1e-5;
    }
    return tensor::from_vector(found, inputs[i].shape());
}

Tensor in_memory_order(const TensorFunction& f, const Tensors& inputs, std::size_t i,
                       const Tensor& G) {
    Tensors others = inputs;
    std::vector<Scalar> found;
    for (std::int64_t k = 0; k < inputs[i].numel(); ++k) {
        const auto at = [&](double by) {
            others[i] = tensor::transpose(tensor::clone(tensor::transpose(
                inputs[i].rank() < 2 ? tensor::reshape(inputs[i], {1, inputs[i].numel()})
                                     : inputs[i])));
            others[i].writable_data()[k] += by;
            if (inputs[i].rank() < 2) {
                others[i] = tensor::from_vector(others[i].to_vector(), inputs[i].shape());
            }
            return f(others);
        };
        found.push_back(tensor::sum(G * (at(1e-5) - at(-1e-5))).item() / 2e-5);
    }
    return tensor::from_vector(found, inputs[i].shape());
}

Tensor flat(const TensorFunction& f, const Tensors& inputs, std::size_t i, const Tensor& G) {
    const Tensor found = slopes(f, inputs, i, G);
    return tensor::reshape(found, {found.numel()});
}

Tensor of_the_first_row(const TensorFunction& f, const Tensors& inputs, std::size_t i,
                        const Tensor& G) {
    const Tensor found = slopes(f, inputs, i, G);
    if (found.rank() < 2) return found;
    return tensor::clone(tensor::expand(tensor::slice(found, 0, 0, 1), found.shape()));
}

Tensor skips_zeros(const TensorFunction& f, const Tensors& inputs, std::size_t i, const Tensor& G) {
    std::vector<Scalar> found = slopes(f, inputs, i, G).to_vector();
    const std::vector<Scalar> numbers = inputs[i].to_vector();
    for (std::size_t k = 0; k < found.size(); ++k) {
        if (numbers[k] == 0) found[k] = 0;
    }
    return tensor::from_vector(found, inputs[i].shape());
}

Tensor absolute_change(const TensorFunction& f, const Tensors& inputs, std::size_t i,
                       const Tensor& G) {
    return tensor::abs(slopes(f, inputs, i, G));
}

Tensor ones(const TensorFunction& f, const Tensors& inputs) { return tensor::ones_like(f(inputs)); }

Tensor one_random_number(const TensorFunction& f, const Tensors& inputs) {
    Random random(5);
    return tensor::ones_like(f(inputs)) * tensor::normal({}, random);
}

Tensor one_number_a_row(const TensorFunction& f, const Tensors& inputs) {
    const Tensor y = f(inputs);
    if (y.rank() < 2) return random_G(f, inputs);
    Random random(6);
    return tensor::zeros_like(y) + tensor::normal({y.dim(0), 1}, random);
}

Tensor first_of_y(const TensorFunction& f, const Tensors& inputs) {
    const Tensor y = f(inputs);
    std::vector<Scalar> G(y.to_vector().size(), 0);
    G[0] = 1;
    return tensor::from_vector(G, y.shape());
}

Tensor one_two_three(const TensorFunction& f, const Tensors& inputs) {
    const Tensor y = f(inputs);
    const double n = static_cast<double>(y.numel());
    return tensor::from_vector(tensor::arange(1, n + 1).to_vector(), y.shape());
}

Tensor of_the_input(const TensorFunction& f, const Tensors& inputs) {
    Random random(3);
    return tensor::normal(inputs[0].shape(), random) + 0 * f(inputs);
}

bool worst_is_small(const Tensor& received, const Tensor& n) {
    if (!(received.shape() == n.shape())) return false;
    double worst = 0;
    const std::vector<Scalar> a = received.to_vector(), b = n.to_vector();
    for (std::size_t k = 0; k < a.size(); ++k) {
        worst = std::max(worst, std::fabs(a[k] - b[k]) / (1 + std::fabs(b[k])));
    }
    return worst <= 1e-6;
}

bool norms(const Tensor& received, const Tensor& n) {
    if (!(received.shape() == n.shape())) return false;
    const Tensor error = received - n;
    const double size = tensor::sum(n * n).item();
    return tensor::sum(error * error).item() <= 1e-12 * (1 + size);
}

bool mean_error(const Tensor& received, const Tensor& n) {
    if (!(received.shape() == n.shape())) return false;
    return tensor::mean(tensor::abs(received - n)).item() <= 1e-4;
}

bool to_three_digits(const Tensor& received, const Tensor& n) {
    return tensor::all_close(received, n, 1e-3, 1e-3);
}

bool ten_times_too_coarse(const Tensor& received, const Tensor& n) {
    return tensor::all_close(received, n, 1e-5, 1e-5);
}

bool ten_times_too_fine(const Tensor& received, const Tensor& n) {
    return tensor::all_close(received, n, 1e-8, 1e-8);
}

bool to_the_last_bit(const Tensor& received, const Tensor& n) {
    return tensor::same_bits(received, n);
}

bool by_broadcasting(const Tensor& received, const Tensor& n) {
    return tensor::max(tensor::abs(received - n) / (1 + tensor::abs(n))).item() <= 1e-6;
}

bool relative(const Tensor& received, const Tensor& n) {
    return tensor::all_close(received, n, 1e-6, 0);
}

std::vector<bool> last_input_decides(const TensorFunction& f, const TensorGradients& derivative,
                                     const Tensors& inputs) {
    const std::vector<bool> right = check(f, derivative, inputs);
    return std::vector<bool>(inputs.size(), right.back());
}

std::vector<bool> stops_at_the_first_wrong(const TensorFunction& f,
                                           const TensorGradients& derivative,
                                           const Tensors& inputs) {
    std::vector<bool> right = check(f, derivative, inputs);
    bool stopped = false;
    for (std::size_t i = 0; i < right.size(); ++i) {
        if (stopped) right[i] = true;
        if (!right[i]) stopped = true;
    }
    return right;
}

std::vector<bool> with_two_G(const TensorFunction& f, const TensorGradients& derivative,
                             const Tensors& inputs) {
    Random random(3);
    std::vector<bool> right;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Tensor G = tensor::normal(f(inputs).shape(), random);
        const Tensor other = tensor::normal(f(inputs).shape(), random);
        right.push_back(close(derivative(inputs, G)[i], slopes(f, inputs, i, other)));
    }
    return right;
}

std::vector<bool> along_one_direction(const TensorFunction& f, const TensorGradients& derivative,
                                      const Tensors& inputs) {
    const Tensor G = random_G(f, inputs);
    std::vector<bool> right;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        Tensors above = inputs, below = inputs;
        above[i] = inputs[i] + 1e-5;
        below[i] = inputs[i] - 1e-5;
        const double n = tensor::sum(G * (f(above) - f(below))).item() / 2e-5;
        const Tensor received = derivative(inputs, G)[i];
        const double said = tensor::sum(received).item();
        right.push_back(received.shape() == inputs[i].shape() &&
                        std::fabs(said - n) <= 1e-6 * (1 + std::fabs(n)));
    }
    return right;
}

std::vector<bool> remembers(const TensorFunction& f, const TensorGradients& derivative,
                            const Tensors& inputs) {
    static const std::vector<bool> first = check(f, derivative, inputs);
    return first.size() == inputs.size() ? first : check(f, derivative, inputs);
}

Tensor each_part_of_L(const TensorFunction& f, const Tensors& inputs, std::size_t i,
                      const Tensor& G) {
    std::vector<Scalar> found;
    for (std::size_t entry = 0; entry < inputs[i].to_vector().size(); ++entry) {
        const double above = tensor::sum(G * f(moved(inputs, i, entry, 1e-5))).item();
        const double below = tensor::sum(f(moved(inputs, i, entry, -1e-5)) * G).item();
        found.push_back((above - below) / 2e-5);
    }
    return tensor::from_vector(found, inputs[i].shape());
}

// Any direction that has a part of every entry, several times, and each entry's own sign.
std::vector<bool> entry_by_entry(const TensorFunction& f, const TensorGradients& derivative,
                                 const Tensors& inputs) {
    Random random(11);
    const Tensor G = tensor::uniform(f(inputs).shape(), random, 0.5, 3);
    std::vector<bool> right;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Tensor received = derivative(inputs, G)[i];
        bool fits = received.shape() == inputs[i].shape();
        const std::vector<Scalar> n = each_part_of_L(f, inputs, i, G).to_vector();
        const std::vector<Scalar> said = received.to_vector();
        for (std::size_t k = 0; fits && k < n.size(); ++k) {
            fits = !std::isnan(said[k]) && std::fabs(said[k] - n[k]) < 1e-6 * (1 + std::fabs(n[k]));
        }
        right.push_back(fits);
    }
    return right;
}

}  // namespace

Answers exercise::answers_02_9() {
    Answers answers;
    answers.number = "02.9";
    answers.wrong = {
        {"a difference to one side", by(forward_only), {"gc.one-sided"}},
        {"L in float", by(float_precision)},
        {"h of 1e-13", by(tiny_steps)},
        {"h of 0.003", by(long_steps)},
        {"h relative to the entry, 0 where that is 0", by(steps_of_a_tenth_of_a_percent)},
        {"in place, on the inputs themselves", by(in_place)},
        {"in the order of the memory of a transposed copy", by(in_memory_order)},
        {"a flat result", by(flat)},
        {"the first row for all rows", by(of_the_first_row)},
        {"leaves out entries that are 0", by(skips_zeros)},
        {"the amount of a slope without its sign", by(absolute_change)},
        {"a G of ones", drawing(ones), {"gc.ones", "gc.one-number"}},
        {"one random number as G", drawing(one_random_number), {"gc.ones", "gc.one-number"}},
        {"one random number for each row of y", drawing(one_number_a_row)},
        {"a G that looks at the first entry of y only", drawing(first_of_y)},
        {"1, 2, 3, … as G", drawing(one_two_three)},
        {"a G of the shape of the first input", drawing(of_the_input)},
        {"the worst error by std::max, which drops NaN", comparing(worst_is_small), {"gc.nan"}},
        {"compares norms", comparing(norms), {"gc.largest"}},
        {"the mean error below 0.0001", comparing(mean_error)},
        {"a tolerance of 0.001", comparing(to_three_digits), {"gc.coarse"}},
        {"a tolerance of 1e-5", comparing(ten_times_too_coarse)},
        {"a tolerance of 1e-8", comparing(ten_times_too_fine)},
        {"equal to the last bit", comparing(to_the_last_bit)},
        {"a difference that broadcasts", comparing(by_broadcasting), {"gc.shape"}},
        {"a relative tolerance only", comparing(relative), {"gc.relative"}},
        {"the last input decides for all", by(last_input_decides)},
        {"stops at the first wrong input", by(stops_at_the_first_wrong)},
        {"one G for the derivative, another for the differences", by(with_two_G)},
        {"all entries moved at once, and sums compared", by(along_one_direction), {"gc.sum"}},
        {"a static verdict, that of the first call", by(remembers)},
    };
    answers.right = {
        {"L above less L below", by(each_part_of_L)},
        {"a positive G, entry by entry", by(entry_by_entry)},
    };
    return answers;
}
