// Answers to 02.9, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_02.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>

using namespace heed;
using namespace exercise;

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
    return [=] { return judge_02_9({numerical, check}); };
}
std::function<Exercise()> by(Check own) {
    return [=] { return judge_02_9({slopes, own}); };
}
std::function<Exercise()> drawing(Draw draw) {
    return [=] {
        return judge_02_9({slopes, [=](const TensorFunction& f, const TensorGradients& derivative,
                                       const Tensors& inputs) {
                               return checked(f, derivative, inputs, draw, close);
                           }});
    };
}
std::function<Exercise()> comparing(Compare compare) {
    return [=] {
        return judge_02_9({slopes, [=](const TensorFunction& f, const TensorGradients& derivative,
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

// Slopes, by how one entry's is measured.
using Slope = double (*)(const TensorFunction& f, const Tensors& x, std::size_t i, std::size_t n,
                         const Tensor& G);
std::function<Exercise()> entry_by(Slope slope) {
    const auto numerical = [=](const TensorFunction& f, const Tensors& inputs, std::size_t i,
                               const Tensor& G) {
        std::vector<Scalar> all;
        for (std::size_t n = 0; n < inputs[i].to_vector().size(); ++n) {
            all.push_back(static_cast<Scalar>(slope(f, inputs, i, n, G)));
        }
        return tensor::from_vector(all, inputs[i].shape());
    };
    return [=] { return judge_02_9({numerical, check}); };
}
double central(const TensorFunction& f, const Tensors& x, std::size_t i, std::size_t n,
               const Tensor& G, double h = 1e-5) {
    return tensor::sum(G * (f(moved(x, i, n, h)) - f(moved(x, i, n, -h)))).item() / (2 * h);
}

double mean_of_y(const TensorFunction& f, const Tensors& x, std::size_t i, std::size_t n,
                 const Tensor& G) {
    return central(f, x, i, n, G) / static_cast<double>(G.numel());
}

double sums_apart(const TensorFunction& f, const Tensors& x, std::size_t i, std::size_t n,
                  const Tensor& G) {
    return tensor::sum(G).item() * central(f, x, i, n, tensor::ones_like(G));
}

double divided_by_h(const TensorFunction& f, const Tensors& x, std::size_t i, std::size_t n,
                    const Tensor& G) {
    return 2 * central(f, x, i, n, G);
}

double halved_wrongly(const TensorFunction& f, const Tensors& x, std::size_t i, std::size_t n,
                      const Tensor& G) {
    const double h = 1e-5;
    return tensor::sum(G * (f(moved(x, i, n, h)) - f(moved(x, i, n, -h)))).item() / 2 * h;
}

double reversed(const TensorFunction& f, const Tensors& x, std::size_t i, std::size_t n,
                const Tensor& G) {
    return -central(f, x, i, n, G);
}

double always_first(const TensorFunction& f, const Tensors& x, std::size_t, std::size_t n,
                    const Tensor& G) {
    return n < static_cast<std::size_t>(x[0].numel()) ? central(f, x, 0, n, G) : 0;
}

double first_entry_of_y(const TensorFunction& f, const Tensors& x, std::size_t i, std::size_t n,
                        const Tensor& G) {
    std::vector<Scalar> only(static_cast<std::size_t>(G.numel()), 0);
    only[0] = G.to_vector()[0];
    return central(f, x, i, n, tensor::from_vector(only, G.shape()));
}

double nth_of_y(const TensorFunction& f, const Tensors& x, std::size_t i, std::size_t n,
                const Tensor& G) {
    const std::vector<Scalar> up = f(moved(x, i, n, 1e-5)).to_vector(),
                              down = f(moved(x, i, n, -1e-5)).to_vector(), g = G.to_vector();
    if (n >= g.size()) return central(f, x, i, n, G);
    return g[n] * (up[n] - down[n]) / 2e-5;
}

double by_float_total(const TensorFunction& f, const Tensors& x, std::size_t i, std::size_t n,
                      const Tensor& G) {
    const std::vector<Scalar> up = f(moved(x, i, n, 1e-5)).to_vector(),
                              down = f(moved(x, i, n, -1e-5)).to_vector(), g = G.to_vector();
    float total = 0;
    for (std::size_t k = 0; k < g.size(); ++k) total += float(g[k] * (up[k] - down[k]));
    return total / 2e-5;
}

double of_ones(const TensorFunction& f, const Tensors& x, std::size_t i, std::size_t n,
               const Tensor& G) {
    return central(f, x, i, n, tensor::ones_like(G));
}

// In the memory of a copy: of a view, in its order.
Tensor in_its_memory(const TensorFunction& f, const Tensors& inputs, std::size_t i,
                     const Tensor& G) {
    std::vector<Scalar> slopes;
    const std::int64_t numel = inputs[i].numel();
    for (std::int64_t n = 0; n < numel; ++n) {
        std::vector<Scalar> numbers(inputs[i].data(), inputs[i].data() + numel);
        Tensors up = inputs, down = inputs;
        numbers[n] += 1e-5;
        up[i] = tensor::from_vector(numbers, inputs[i].shape());
        numbers[n] -= 2e-5;
        down[i] = tensor::from_vector(numbers, inputs[i].shape());
        slopes.push_back(tensor::sum(G * (f(up) - f(down))).item() / Scalar(2e-5));
    }
    return tensor::from_vector(slopes, inputs[i].shape());
}

// Never put back.
Tensor left_moved(const TensorFunction& f, const Tensors& inputs, std::size_t i, const Tensor& G) {
    Tensors up = inputs, down = inputs;
    std::vector<Scalar> slopes;
    for (std::size_t n = 0; n < static_cast<std::size_t>(inputs[i].numel()); ++n) {
        up = moved(up, i, n, 1e-5);
        down = moved(down, i, n, -1e-5);
        slopes.push_back(tensor::sum(G * (f(up) - f(down))).item() / Scalar(2e-5));
    }
    return tensor::from_vector(slopes, inputs[i].shape());
}

Tensor all_at_once(const TensorFunction& f, const Tensors& inputs, std::size_t i, const Tensor& G) {
    Tensors up = inputs, down = inputs;
    up[i] = up[i] + 1e-5;
    down[i] = down[i] - 1e-5;
    return tensor::full(inputs[i].shape(),
                        tensor::sum(G * (f(up) - f(down))).item() / Scalar(2e-5));
}

// Its number kept, and put back to the last bit.
Tensor in_place_restored(const TensorFunction& f, const Tensors& inputs, std::size_t i,
                         const Tensor& G) {
    Tensors x = inputs;
    if (!x[i].is_contiguous()) return slopes(f, inputs, i, G);
    std::vector<Scalar> slopes;
    for (std::int64_t n = 0; n < x[i].numel(); ++n) {
        const Scalar kept = x[i].data()[n];
        x[i].writable_data()[n] = kept + Scalar(1e-5);
        const Tensor up = tensor::clone(f(x));
        x[i].writable_data()[n] = kept - Scalar(1e-5);
        const Tensor down = tensor::clone(f(x));
        x[i].writable_data()[n] = kept;
        slopes.push_back(tensor::sum(G * (up - down)).item() / Scalar(2e-5));
    }
    return tensor::from_vector(slopes, inputs[i].shape());
}

Tensor one_axis_at_least(const TensorFunction& f, const Tensors& inputs, std::size_t i,
                         const Tensor& G) {
    const Tensor n = slopes(f, inputs, i, G);
    return n.rank() == 0 ? tensor::reshape(n, {1}) : n;
}

Tensor all_but_the_last(const TensorFunction& f, const Tensors& inputs, std::size_t i,
                        const Tensor& G) {
    std::vector<Scalar> found = slopes(f, inputs, i, G).to_vector();
    if (found.size() > 1) found.back() = 0;
    return tensor::from_vector(found, inputs[i].shape());
}

// Tensors that are the same tensor move together.
Tensor same_moves_too(const TensorFunction& f, const Tensors& inputs, std::size_t i,
                      const Tensor& G) {
    Tensor total = slopes(f, inputs, i, G);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        const bool same = inputs[k].shape() == inputs[i].shape() &&
                          inputs[k].to_vector() == inputs[i].to_vector();
        if (k != i && same) total = total + slopes(f, inputs, k, G);
    }
    return total;
}

Tensor first_G(const TensorFunction& f, const Tensors& inputs, std::size_t i, const Tensor& G) {
    static Tensor kept = G;
    if (kept.shape() != G.shape()) kept = G;
    return slopes(f, inputs, i, kept);
}

Tensor G_in_memory(const TensorFunction& f, const Tensors& inputs, std::size_t i, const Tensor& G) {
    const std::vector<Scalar> numbers(G.data(), G.data() + G.numel());
    return slopes(f, inputs, i, tensor::from_vector(numbers, G.shape()));
}

Tensor steps_of_1e_minus_9(const TensorFunction& f, const Tensors& inputs, std::size_t i,
                           const Tensor& G) {
    return slopes_with(f, inputs, i, G, 1e-9);
}

// G, by y.
Tensor normal_of(const Tensor& y) {
    Random random(17);
    return tensor::normal(y.shape(), random);
}
Tensor y_itself(const TensorFunction& f, const Tensors& inputs) { return f(inputs); }

Tensor one_row(const TensorFunction& f, const Tensors& inputs) {
    const Tensor y = f(inputs);
    if (y.rank() < 2) return normal_of(y);
    Random random(5);
    return tensor::clone(tensor::expand(tensor::normal({y.dim(-1)}, random), y.shape()));
}

Tensor one_entry(const TensorFunction& f, const Tensors& inputs) {
    const Tensor y = f(inputs);
    Random random(5);
    Tensor G = tensor::zeros(y.shape());
    G.writable_data()[random.below(y.numel())] = 1;
    return G;
}

Tensor tiny(const TensorFunction& f, const Tensors& inputs) {
    const Tensor y = f(inputs);
    return normal_of(y) * 1e-8;
}

Tensor near_1(const TensorFunction& f, const Tensors& inputs) {
    const Tensor y = f(inputs);
    return 1 + normal_of(y) * 1e-9;
}

Tensor zeros_and_ones(const TensorFunction& f, const Tensors& inputs) {
    const Tensor y = f(inputs);
    return tensor::where(normal_of(y) > 2, 1, 0);
}

bool by_size(const Tensor& t, const Tensor& m) {
    return t.numel() == m.numel() && close(tensor::reshape(t, m.shape()), m);
}

bool nan_passes(const Tensor& t, const Tensor& m) {
    if (t.shape() != m.shape()) return false;
    return !(tensor::abs(t - m) > 1e-6 * (1 + tensor::abs(m))).any();
}

bool relative_to_told(const Tensor& t, const Tensor& m) {
    if (t.shape() != m.shape()) return false;
    return (tensor::abs(t - m) <= 1e-6 * (1 + tensor::abs(t))).all();
}

bool by_sums(const Tensor& t, const Tensor& m) {
    return t.shape() == m.shape() && close(tensor::sum(t), tensor::sum(m));
}

bool no_absolute_value(const Tensor& t, const Tensor& m) {
    return t.shape() == m.shape() && (t - m <= 1e-6 * (1 + tensor::abs(m))).all();
}

bool signed_tolerance(const Tensor& t, const Tensor& m) {
    return t.shape() == m.shape() && (tensor::abs(t - m) <= 1e-6 * (1 + m)).all();
}

bool tolerance_of_1e6(const Tensor& t, const Tensor& m) {
    return t.shape() == m.shape() && (tensor::abs(t - m) <= 1e-6).all();
}

bool any_entry(const Tensor& t, const Tensor& m) {
    return t.shape() == m.shape() && (tensor::abs(t - m) <= 1e-6 * (1 + tensor::abs(m))).any();
}

bool most_entries(const Tensor& t, const Tensor& m) {
    const BoolTensor near = tensor::abs(t - m) <= 1e-6 * (1 + tensor::abs(m));
    return t.shape() == m.shape() && 2 * near.count() > near.numel();
}

bool nothing_is_right(const Tensor& t, const Tensor& m) {  // an empty one
    if (t.numel() == 0) return true;
    return close(t, m);
}

bool up_to_a_factor(const Tensor& t, const Tensor& m) {
    if (t.shape() != m.shape()) return false;
    const double tm = tensor::sum(t * m).item(), tt = tensor::sum(t * t).item(),
                 mm = tensor::sum(m * m).item();
    return tt < 1e-12 ? mm < 1e-12 : tm / std::sqrt(tt * mm) > 1 - 1e-9;
}

bool finite_only(const Tensor& t, const Tensor& m) {  // others are skipped
    if (t.shape() != m.shape()) return false;
    return close(tensor::where(tensor::is_finite(t), t, m), m);
}

std::vector<bool> all_or_nothing(const TensorFunction& f, const TensorGradients& d,
                                 const Tensors& inputs) {
    const std::vector<bool> all = check(f, d, inputs);
    return std::vector<bool>(all.size(), std::find(all.begin(), all.end(), false) == all.end());
}

std::vector<bool> only_the_first(const TensorFunction& f, const TensorGradients& d,
                                 const Tensors& inputs) {
    std::vector<bool> is_right(inputs.size(), true);
    is_right[0] = check(f, d, inputs)[0];
    return is_right;
}

std::vector<bool> a_single_word(const TensorFunction& f, const TensorGradients& d,
                                const Tensors& inputs) {
    const std::vector<bool> all = check(f, d, inputs);
    return {std::find(all.begin(), all.end(), false) == all.end()};
}

std::vector<bool> is_wrong(const TensorFunction& f, const TensorGradients& d,
                           const Tensors& inputs) {
    std::vector<bool> all = check(f, d, inputs);
    all.flip();
    return all;
}

std::vector<bool> shape_of_input(const TensorFunction& f, const TensorGradients& d,
                                 const Tensors& inputs) {
    return checked(
        f, d, inputs,
        [](const TensorFunction& g, const Tensors& in) {
            const Tensor y = g(in), G = normal_of(y);
            return in[0].numel() == y.numel() ? tensor::reshape(G, in[0].shape()) : G;
        },
        close);
}

// The derivative at the place moved last.
std::vector<bool> at_another_place(const TensorFunction& f, const TensorGradients& d,
                                   const Tensors& inputs) {
    const Tensor G = random_G(f, inputs);
    Tensors other = inputs;
    other[0] = other[0] + 1e-3;
    const Tensors told = d(other, G);
    std::vector<bool> is_right;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        is_right.push_back(close(told[i], slopes(f, inputs, i, G)));
    }
    return is_right;
}

std::vector<bool> always_true(const TensorFunction&, const TensorGradients&,
                              const Tensors& inputs) {
    return std::vector<bool>(inputs.size(), true);
}

std::vector<bool> clears_inputs(const TensorFunction& f, const TensorGradients& d,
                                const Tensors& inputs) {
    const std::vector<bool> all = check(f, d, inputs);
    for (Tensor x : inputs) {
        if (x.is_contiguous() && x.numel() > 0) x.writable_data()[0] += Scalar(1e-5);
    }
    return all;
}

// Right ones.
double fourth_order(const TensorFunction& f, const Tensors& x, std::size_t i, std::size_t n,
                    const Tensor& G) {
    return (4 * central(f, x, i, n, G, 1e-4) - central(f, x, i, n, G, 2e-4)) / 3;
}

double relative_or_1(const TensorFunction& f, const Tensors& x, std::size_t i, std::size_t n,
                     const Tensor& G) {
    return central(f, x, i, n, G, 1e-5 * std::max(1.0, std::abs(double(x[i].to_vector()[n]))));
}

double relative_and_a_little(const TensorFunction& f, const Tensors& x, std::size_t i,
                             std::size_t n, const Tensor& G) {
    return central(f, x, i, n, G, 1e-5 * std::abs(double(x[i].to_vector()[n])) + 1e-12);
}

bool ten_entries(const Tensor& received, const Tensor& n) {
    if (received.shape() != n.shape()) return false;
    const std::vector<Scalar> a = received.to_vector(), b = n.to_vector();
    for (std::size_t k = 0; k < std::min<std::size_t>(a.size(), 10); ++k) {
        if (!(std::abs(a[k] - b[k]) <= 1e-6 * (1 + std::abs(b[k])))) return false;
    }
    return true;
}

Tensor signs_only(const TensorFunction& f, const Tensors& inputs) {
    Random random(3);
    return tensor::sign(tensor::normal(f(inputs).shape(), random));
}

Tensor signs_and_sizes(const TensorFunction& f, const Tensors& inputs) {
    const Tensor y = f(inputs);
    Random random(11);
    const Tensor sign = tensor::where(tensor::normal(y.shape(), random) > 0, 1, -1);
    return sign * tensor::uniform(y.shape(), random, 1, 3);
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
        const Tensor n = slopes(f, inputs, i, G);
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

Answers answers_02_9() {
    Answers answers;
    answers.number = "02.9";
    answers.slipping = slipping(judge_02_9);
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
        {"a difference that broadcasts", comparing(by_broadcasting), {"gc.broadcast"}},
        {"a relative tolerance only", comparing(relative), {"gc.relative"}},
        {"the last input decides for all", by(last_input_decides)},
        {"stops at the first wrong input", by(stops_at_the_first_wrong)},
        {"one G for the derivative, another for the differences", by(with_two_G)},
        {"all entries moved at once, and sums compared", by(along_one_direction), {"gc.sum"}},
        {"a static verdict, that of the first call", by(remembers)},
        {"the mean over y", entry_by(mean_of_y), {"gc.mean"}},
        {"Σ G times Σ of the differences", entry_by(sums_apart)},
        {"divided by h", entry_by(divided_by_h), {"gc.no-half"}},
        {"/ 2 * h", entry_by(halved_wrongly)},
        {"the other way round", entry_by(reversed), {"gc.sign"}},
        {"input 0 for all", entry_by(always_first)},
        {"the first entry of y only", entry_by(first_entry_of_y), {"gc.first-output"}},
        {"entry n of y for entry n of x", entry_by(nth_of_y)},
        {"a float total", entry_by(by_float_total)},
        {"G of ones", entry_by(of_ones), {"gc.no-G"}},
        {"in memory order", by(in_its_memory)},
        {"never put back", by(left_moved), {"gc.not-put-back"}},
        {"all entries at once", by(all_at_once), {"gc.all-at-once"}},
        {"in place, put back: inputs may share memory", by(in_place_restored)},
        {"[1] for []", by(one_axis_at_least)},
        {"not the last entry", by(all_but_the_last)},
        {"equal inputs move together", by(same_moves_too)},
        {"the first G of this shape", by(first_G)},
        {"G in memory order", by(G_in_memory)},
        {"h of 1e-9", by(steps_of_1e_minus_9)},
        {"y as G", drawing(y_itself)},
        {"all rows of G alike", drawing(one_row), {"gc.one-row"}},
        {"a G that is 0 but in one entry", drawing(one_entry)},
        {"a tiny G", drawing(tiny)},
        {"a G close to 1", drawing(near_1), {"gc.ones"}},
        {"a G that is mostly 0", drawing(zeros_and_ones)},
        {"only sizes are compared", comparing(by_size), {"gc.shape"}},
        {"NaN passes", comparing(nan_passes), {"gc.nan"}},
        {"relative to what was told", comparing(relative_to_told)},
        {"sums", comparing(by_sums), {"gc.sum"}},
        {"no absolute value", comparing(no_absolute_value)},
        {"1 + n, not 1 + |n|", comparing(signed_tolerance)},
        {"absolute only", comparing(tolerance_of_1e6), {"gc.absolute"}},
        {"one close entry is enough", comparing(any_entry), {"gc.any"}},
        {"most entries", comparing(most_entries)},
        {"nothing is right", comparing(nothing_is_right)},
        {"up to a factor", comparing(up_to_a_factor)},
        {"infinite ones are skipped", comparing(finite_only)},
        {"all or nothing", by(all_or_nothing), {"gc.together"}},
        {"only the first", by(only_the_first), {"gc.first-input"}},
        {"one verdict", by(a_single_word)},
        {"true where it is wrong", by(is_wrong), {"gc.inverted"}},
        {"G reshaped as the first input", by(shape_of_input)},
        {"the derivative elsewhere", by(at_another_place)},
        {"always true", by(always_true)},
        {"inputs are changed", by(clears_inputs)},
        {"h relative to the entry, nearly 0 where that is 0", entry_by(relative_and_a_little)},
        {"the first ten entries only", comparing(ten_entries)},
    };
    answers.right = {
        {"L above less L below", by(each_part_of_L)},
        {"a positive G, entry by entry", by(entry_by_entry)},
        {"fourth order", entry_by(fourth_order)},
        {"h relative to x, from 1 on", entry_by(relative_or_1)},
        {"G of signs and sizes", drawing(signs_and_sizes)},
        {"G of signs", drawing(signs_only)},
        {"by four points, in place on a copy", by(by_four_points)},
        {"with another G for each input, by the worst entry", by(by_the_worst_entry)},
    };
    return answers;
}
