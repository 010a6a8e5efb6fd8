#include "tutorials/exercises/judges/lesson_02.h"
#include "tutorials/exercises/judging/kit.h"

#include "autograd/grad.h"

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

std::vector<Mistake> mistakes_in_slopes() {
    const std::string paper = "Work out one entry of x³ at 1.5 on paper, with h = 0.1.";
    return {
        {"gc.no-half", "the difference was divided by h, not by 2h",
         "How far apart are x + h and x - h?", paper},
        {"gc.one-sided", "the difference was taken to one side only: f(x + h) - f(x)",
         "What is the slope of |x| at 0, seen from the right only?",
         "At which two points is f called?"},
        {"gc.no-G", "the changes of y were added up without G",
         "By how much does L change when an entry of y does?", "Look for G in your loop."},
        {"gc.mean", "the mean over y was taken, not the sum", "Is L = Σ G·y a sum or a mean?",
         paper},
        {"gc.first-output", "only the first entry of y was looked at",
         "How many entries of y does one entry of an input reach?",
         "What is the shape of f(…) - f(…)?"},
        {"gc.all-at-once", "all entries of the input were moved together",
         "Whose slope is it, if several entries move?", "Which entries differ from the input's?"},
        {"gc.not-put-back",
         "an entry stayed where it was moved to, while the next ones were measured",
         "Where are the other entries while one is measured?",
         "Compare the inputs of the first call of f and of the last."},
        {"gc.sign", "f(x - h) stood before the minus sign, f(x + h) after it",
         "A rising line has which slope?", paper},
        {"gc.large-h", "h was 0.01, too large for a curve that bends",
         "How far does sin(20·x) get from its tangent within h?", "Try a smaller h."},
    };
}

std::vector<Mistake> mistakes_in_checking() {
    const std::string one_entry = "For which gradients of three entries is your condition true?";
    return {
        {"gc.ones", "G was all ones",
         "What do the weights of a softmax sum to, and how much does their sum change?",
         "Print your G."},
        {"gc.one-number", "G was one number for all entries of y",
         "What do the weights of a softmax sum to, and how much does their sum change?",
         "Print your G."},
        {"gc.one-row", "G was the same in every row of y",
         "If all rows of G are alike, how do their sum and 5 times the first row differ?",
         "Print your G."},
        {"gc.first-input", "only the first input was checked, and the others were called right",
         "How many verdicts come from a comparison?", "Follow i through your loop."},
        {"gc.last-input", "only the last input was checked, and the others were called right",
         "How many verdicts come from a comparison?", "Follow i through your loop."},
        {"gc.together", "one wrong gradient made all inputs wrong",
         "x·W + b: if ∂L/∂b is wrong, is ∂L/∂W?", "Where does a verdict begin anew?"},
        {"gc.first-entry", "only the first entry of a gradient was compared",
         "In which entry can a derivative be wrong?", one_entry},
        {"gc.last-entry", "only the last entry of a gradient decided",
         "In which entry can a derivative be wrong?", one_entry},
        {"gc.any", "one right entry was enough", "Must one entry be right, or all of them?",
         one_entry},
        {"gc.sum", "only the sums of the gradients were compared",
         "What have a matrix and its transpose in common?", one_entry},
        {"gc.signed", "a gradient that is too small was called right",
         "Is -1 below your tolerance?", "Look at the sign of the difference."},
        {"gc.nan", "NaN was called right", "Is NaN > 0.1 true? And NaN <= 0.1?", one_entry},
        {"gc.shape", "a gradient of another shape was called right, because its numbers are",
         "Can [3] and [1, 3] hold the same numbers?", "Where do you look at shapes?"},
        {"gc.broadcast",
         "a gradient of another shape was called right where it broadcasts to the right one",
         "What does [1, 3] - [3] give, and what [] - [3]?", "Where do you look at shapes?"},
        {"gc.coarse", "the tolerance was so large that small errors passed",
         "How large is an error of 0.0001, measured by your tolerance?",
         "Print the difference and what you allow."},
        {"gc.absolute", "the tolerance was as small for large gradients as for small ones",
         "How exact is a difference of numbers around 100000?",
         "Print the difference and what you allow."},
        {"gc.relative", "the tolerance was 0 where the numerical gradient is 0",
         "How exact is a difference that should be 0?", "Print the difference and what you allow."},
        {"gc.largest", "one large entry made the tolerance of all the others larger",
         "What is an error of 0.01 beside a slope of a million? And beside one of 1?",
         "Print the difference and what you allow."},
        {"gc.inverted", "true and false were exchanged", "Which of the two says that it is right?",
         one_entry},
    };
}

// Functions with derivatives right and wrong. Each wrong one is hidden from some way of checking:
// with ones upstream, by a sum, by the largest entry.
struct Planted {
    std::string what;  // "zeros in its place"
    TensorGradients gradients;
    std::vector<bool> is_right;  // for each input
};

struct Differentiated {
    std::string name;  // "softmax"
    TensorFunction f;
    std::vector<std::string> names;  // of the inputs
    Tensors inputs;
    std::vector<Planted> planted;  // none: only its slopes are asked for
    Tensor G = {};                 // for its slopes; without entries: a random one
};

using Recorded = std::function<Variable(const std::vector<Variable>& inputs)>;

TensorFunction values_of_function(const Recorded& f) {
    return [=](const Tensors& inputs) {
        std::vector<Variable> constants(inputs.begin(), inputs.end());
        return f(constants).value();
    };
}

TensorGradients true_gradients(const Recorded& f) {
    return [=](const Tensors& inputs, const Tensor& G) {
        std::vector<Variable> leaves;
        for (const Tensor& input : inputs) leaves.emplace_back(input, requires_grad);
        Tensors found;
        for (const Variable& one : grad(f(leaves), leaves, {.upstream = G})) {
            found.push_back(one.value());
        }
        return found;
    };
}

// The right gradients, with another one for one input.
struct Flawed {
    std::string what;
    std::size_t input;
    std::function<Tensor(const Tensor& right, const Tensors& inputs, const Tensor& G)> change;
};

Flawed off(const std::string& what, std::size_t input, std::size_t entry, double by) {
    return {what, input, [=](const Tensor& gradient, const Tensors&, const Tensor&) {
                std::vector<Scalar> numbers = gradient.to_vector();
                numbers[entry] += by;
                return tensor::from_vector(numbers, gradient.shape());
            }};
}

Differentiated function(const std::string& name, const Recorded& f,
                        const std::vector<std::string>& names, const Tensors& inputs,
                        const std::vector<Flawed>& flawed = {}) {
    const TensorGradients right = true_gradients(f);
    const std::vector<bool> all_right(inputs.size(), true);
    Differentiated made = {
        name, values_of_function(f), names, inputs, {{"the true derivative", right, all_right}}};
    for (const Flawed& one : flawed) {
        const auto gradients = [=](const Tensors& in, const Tensor& G) {
            Tensors found = right(in, G);
            found[one.input] = one.change(found[one.input], in, G);
            return found;
        };
        std::vector<bool> is_right = all_right;
        is_right[one.input] = false;
        made.planted.push_back({one.what, gradients, is_right});
    }
    return made;
}

// Beside the true derivative, one that is wrong for several inputs.
Differentiated with(Differentiated function, const Planted& planted) {
    function.planted.insert(function.planted.begin() + 1, planted);
    return function;
}

// G with zeros for all but one entry, also where several are the largest, as in a G of signs.
Tensor largest_alone(const Tensor& G) {
    std::vector<Scalar> numbers = G.to_vector();
    const auto smaller = [](Scalar a, Scalar b) { return std::fabs(a) < std::fabs(b); };
    const auto largest = std::max_element(numbers.begin(), numbers.end(), smaller);
    const Scalar kept = *largest;
    std::fill(numbers.begin(), numbers.end(), 0);
    *largest = kept;
    return tensor::from_vector(numbers, G.shape());
}

Differentiated of_softmax() {
    const Recorded f = [](const std::vector<Variable>& in) { return softmax(in[0], -1); };
    const TensorGradients right = true_gradients(f);
    const auto Y = [](const Tensors& in) { return tensor::softmax(in[0], -1); };
    const std::vector<Flawed> flawed = {
        {"zeros", 0,
         [](const Tensor& of_X, const Tensors&, const Tensor&) {
             return tensor::zeros_like(of_X);
         }},
        {"Y·G, without the sum", 0,
         [=](const Tensor&, const Tensors& in, const Tensor& G) { return Y(in) * G; }},
        {"Y·(G - the mean of G)", 0,
         [=](const Tensor&, const Tensors& in, const Tensor& G) {
             return Y(in) * (G - tensor::mean(G, -1, keepdim));
         }},
        {"the true one of row 0, and zeros below", 0,
         [](const Tensor& of_X, const Tensors&, const Tensor&) {
             return of_X * tensor::of({{1}, {0}, {0}});
         }},
        off("a NaN in the last entry", 0, 11, std::nan("")),
        off("an infinity in the first entry", 0, 0, HUGE_VAL),
        {"the derivative of ½·Σ y²", 0,  // right for y as G
         [=](const Tensor&, const Tensors& in, const Tensor&) { return right(in, Y(in))[0]; }},
        {"the true one for a G with its largest entry alone", 0,
         [=](const Tensor&, const Tensors& in, const Tensor& G) {
             return right(in, largest_alone(G))[0];
         }},
        off("0.000008 too much in its third entry", 0, 2, 8e-6),
        off("0.001 too much in its last entry", 0, 11, 1e-3)};
    return function("softmax", f, {"X"}, {random({3, 4}, 1)}, flawed);
}

Differentiated of_linear() {
    const Recorded f = [](const std::vector<Variable>& in) { return matmul(in[0], in[1]) + in[2]; };
    const auto row_of_G = [](std::int64_t row) {
        return [=](const Tensor&, const Tensors&, const Tensor& G) {
            return tensor::select(G, 0, row) * 5;
        };
    };
    const std::vector<Flawed> flawed = {
        {"∂L/∂b as 5 times the first row of G", 2, row_of_G(0)},
        {"∂L/∂b as 5 times the middle row of G", 2, row_of_G(2)},  // right for 1, 2, 3, … as G
        {"∂L/∂W transposed", 1,
         [](const Tensor& of_W, const Tensors&, const Tensor&) { return tensor::transpose(of_W); }},
        {"∂L/∂b of shape [1, 3]", 2,
         [](const Tensor& of_b, const Tensors&, const Tensor&) {
             return tensor::unsqueeze(of_b, 0);
         }},
        off("∂L/∂W with 0.001 too much in its last entry", 1, 8, 1e-3),
        off("∂L/∂x with 0.001 too little in its first entry", 0, 0, -1e-3),
        off("∂L/∂b with 0.0001 too much in its middle entry", 2, 1, 1e-4)};
    const TensorGradients of_ones = [right = true_gradients(f)](const Tensors& in,
                                                                const Tensor& G) {
        return right(in, tensor::ones_like(G));
    };
    return with(function("x·W + b", f, {"x", "W", "b"},
                         {random({5, 3}, 2), random({3, 3}, 3), tensor::of({0, -0.8, 1.3})},
                         flawed),
                {"the derivative for a G of ones", of_ones, {false, false, false}});
}

Differentiated of_products() {
    const Recorded f = [](const std::vector<Variable>& in) {
        return sin(in[0]) * in[1] + tanh(in[2]);
    };
    const TensorGradients exchanged = [right = true_gradients(f)](const Tensors& in,
                                                                  const Tensor& G) {
        Tensors gradients = right(in, G);
        std::swap(gradients[0], gradients[1]);
        return gradients;
    };
    const std::vector<Flawed> flawed = {
        {"∂L/∂c as G", 2, [](const Tensor&, const Tensors&, const Tensor& G) { return G; }},
        off("∂L/∂a with 0.05 too little in its fourth entry", 0, 3, -0.05)};
    Differentiated products = function(
        "sin(a)·b + tanh(c), a and G transposed views", f, {"a", "b", "c"},
        {tensor::transpose(random({3, 2}, 5)), random({2, 3}, 6), random({2, 3}, 7)}, flawed);
    products.G = tensor::transpose(random({3, 2}, 17));
    return with(products, {"∂L/∂a and ∂L/∂b exchanged", exchanged, {false, false, true}});
}

Differentiated of_one_number() {
    const Recorded f = [](const std::vector<Variable>& in) { return in[0] * in[0] * in[0]; };
    const auto square = [](const Tensor&, const Tensors& in, const Tensor& G) {
        return in[0] * in[0] * G;
    };
    return function("x³ of one number, shape []", f, {"x"}, {tensor::of(1.5)},
                    {{"x² in place of 3x²", 0, square}});
}

// Waves so short that a step of 0.01 is too long, on a height of 1000 where a step of 1e-12 is
// lost. At 0 a step that is a share of the entry is none.
Differentiated of_waves() {
    const Recorded f = [](const std::vector<Variable>& in) { return sin(20 * in[0]) + 1000; };
    return function("sin(20·x) + 1000", f, {"x"}, {tensor::of({0.6, -1.1, 0, 1.7, -0.3})},
                    {off("∂L/∂x with 0.02 too much in its second entry", 0, 1, 0.02)});
}

// One number of all entries together: an entry that was not moved back shows in the next ones.
Differentiated of_a_sum() {
    const Recorded f = [](const std::vector<Variable>& in) { return sin(100 * sum(in[0])); };
    return function("sin(100·Σ x)", f, {"x"}, {random({3, 4}, 9)});
}

Differentiated of_slopes() {
    const Recorded f = [](const std::vector<Variable>& in) { return exp(4 * in[0]); };
    return function("exp(4·x), with slopes around 100000", f, {"x"},
                    {random({2, 3}, 10, 0.1) + 2.6});
}

// A slope of 1 beside one of a million.
Differentiated of_unequal_slopes() {
    const Recorded f = [](const std::vector<Variable>& in) {
        return in[0] * Variable(tensor::of({1e6, 1}));
    };
    return function("x·(1000000, 1)", f, {"x"}, {tensor::of({0.001, 0.7})},
                    {off("∂L/∂x with 0.02 too much in its second entry", 0, 1, 0.02)});
}

// sin² + cos² is 1 up to rounding: differences say almost 0.
Differentiated of_zero_slopes() {
    const Recorded f = [](const std::vector<Variable>& in) {
        const Variable s = sin(in[1]), c = cos(in[1]);
        return in[0] * in[0] + 10 * (s * s + c * c);
    };
    return function("x² + 10·(sin² z + cos² z)", f, {"x", "z"}, {random({4}, 11), random({4}, 12)},
                    {off("∂L/∂z of 0.001 in its first entry", 1, 0, 1e-3)});
}

// Corners: to the left and to the right of 0 the slope is another.
Differentiated of_corners() {
    const Recorded f = [](const std::vector<Variable>& in) { return abs(in[0]) * 2; };
    return function("2·|x|", f, {"x"}, {tensor::of({{0, 1.5}, {-0.7, 0}})});
}

// Two inputs that are one tensor: whoever moves an entry in place moves it in both.
Differentiated of_the_same_twice() {
    const Recorded f = [](const std::vector<Variable>& in) { return in[0] * in[1]; };
    const Tensor both = random({2, 3}, 13);
    return function("a·b, where a and b are one tensor", f, {"a", "b"}, {both, both});
}

// y has as many entries as x, in another shape.
Differentiated of_a_transpose() {
    const Recorded f = [](const std::vector<Variable>& in) { return sin(transpose(in[0])); };
    return function("sin(xᵀ)", f, {"x"}, {random({2, 3}, 14)});
}

Differentiated of_a_factor() {
    const Recorded f = [](const std::vector<Variable>& in) { return in[0] * in[1]; };
    const auto nothing = [](const Tensor&, const Tensors&, const Tensor&) { return Tensor(); };
    return function("x·w, w of shape [1]", f, {"x", "w"}, {random({3}, 15), random({1}, 16)},
                    {{"no entries for ∂L/∂w", 1, nothing}});
}

// On such a height a step of 1e-9 is lost.
Differentiated of_heights() {
    const Recorded f = [](const std::vector<Variable>& in) { return in[0] * in[0] + 30000; };
    return {"x² + 30000", values_of_function(f), {"x"}, {random({5}, 18)}, {}};
}

// Two changes a hundred thousand times as large as their sum.
Differentiated of_a_small_rest() {
    const Recorded f = [](const std::vector<Variable>& in) {
        return in[0] * Variable(tensor::of({{100000}, {99999}}));
    };
    return {"x·100000 and x·99999, with 1 and -1 as G",
            values_of_function(f),
            {"x"},
            {tensor::of({0.3, -0.7})},
            {},
            tensor::of({{1, 1}, {-1, -1}})};
}

std::vector<Differentiated> differentiated_functions() {
    return {of_softmax(),     of_linear(),  of_products(),       of_one_number(),
            of_waves(),       of_a_sum(),   of_slopes(),         of_unequal_slopes(),
            of_zero_slopes(), of_corners(), of_the_same_twice(), of_a_transpose(),
            of_a_factor(),    of_heights(), of_a_small_rest()};
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

Case checks(const Differentiated& one, const OwnGradcheck& gradcheck) {
    const auto stages = [=](const OwnGradcheck& from) {
        Stages found;
        for (const Planted& planted : one.planted) {
            const auto said = from.check_derivative(one.f, planted.gradients, one.inputs);
            found.push_back({verdict_on(planted.what), numbers(said)});
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
    Hole first = {
        "numerical_gradient",
        {},
        {"If one entry of x moves by h, which number do you look at before and after?",
         "Work out x³ at 1.5 with h = 0.1 on paper; moved() gives the inputs for a call of f",
         "Σ G·(f(x + h) - f(x - h)) / 2h for each entry in turn; then make the numbers a tensor of "
         "the shape of inputs[i]",
         "tensor::sum(G * (above - below)).item() / (2 * h), pushed back in a loop over the "
         "entries; tensor::from_vector(slopes, inputs[i].shape())"}};
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

void add_cases(Exercise& exercise, const OwnGradcheck& gradcheck) {
    std::vector<Case> later;
    for (const Differentiated& one : differentiated_functions()) {
        exercise.cases.push_back(slopes(one, 801 + exercise.cases.size(), gradcheck));
        if (!one.planted.empty()) later.push_back(checks(one, gradcheck));
    }
    exercise.cases = joined(exercise.cases, later);
}

Rules<OwnGradcheck> rules() {
    return {
        .number = "02.9",
        .title = "Write a gradcheck",
        .reference = slipping,
        .mistakes = joined(mistakes_in_slopes(), mistakes_in_checking()),
        .hints = {"Which of the two functions is wrong, or are both?",
                  "Call numerical_gradient on x³ at 1.5 with a G of 1: it should give 6.75",
                  "If that is so, look at what check_derivative compares with what",
                  "Print G, the derivative's answer and the numerical one for x³"},
        .holes = holes(differentiated_functions()),
        .more = add_cases,
    };
}

}  // namespace

const Judge<OwnGradcheck> judge_02_9(rules);

}  // namespace exercise
