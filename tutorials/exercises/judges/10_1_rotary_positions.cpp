#include "tutorials/exercises/judges/lesson_10.h"
#include "tutorials/exercises/judging/kit.h"

#include "nn/positions/rotary_positions.h"
#include "tensor/errors.h"

using namespace heed;

namespace exercise {
namespace {
double real(std::int64_t n) { return static_cast<double>(n); }

double theta(std::int64_t i, std::int64_t d, const Slips& slip) {
    double exponent = 2 * real(i) / real(d);
    if (slip("pe.pair-over-d")) exponent = real(i) / real(d);
    if (slip("pe.column-for-pair")) exponent = 4 * real(i) / real(d);
    if (slip("pe.last-is-base") && d > 2) exponent = real(i) / real(d / 2 - 1);
    if (slip("pe.mul")) exponent = -exponent;
    if (slip("rot.all-alike")) exponent = 0;
    const Tensor base = tensor::of(slip("pe.base1000") ? 1000 : 10000);
    return tensor::pow(base, tensor::of(-exponent)).item();
}

double position(std::int64_t row, std::int64_t T, std::int64_t first, const Slips& slip) {
    if (slip("rot.no-first")) return real(row);
    if (slip("rot.from-1")) return real(first + row + 1);
    if (slip("rot.times-first")) return real(first * row);
    if (slip("rot.ends-at-first")) return real(first - T + row);
    return real(first + row);
}

Tensor angles_walk(std::int64_t T, std::int64_t d, std::int64_t first, const Slips& slip) {
    std::vector<double> rates;
    for (std::int64_t i = 0; i < d / 2; ++i) rates.push_back(theta(i, d, slip));
    std::vector<Scalar> numbers;
    for (std::int64_t row = 0; row < T; ++row) {
        for (const double rate : rates) {
            const double angle = position(row, T, first, slip) * rate;
            numbers.push_back(slip("pe.degrees") ? angle * 3.141592653589793 / 180 : angle);
        }
    }
    return tensor::from_vector(numbers, {T, d / 2});
}

// The angles of x's rows, to be broadcast: [T, d/2] without a slip.
Tensor angles_of(const Shape& x, std::int64_t first, const Slips& slip) {
    const std::int64_t T = x.dim(-2), d = x.dim(-1);
    if (slip("rot.turned-from-0")) return angles_walk(T, d, 0, {});
    if (slip("rot.one-angle")) return angles_walk(1, d, first, {});
    if (slip("rot.texts-for-positions") && x.rank() > 2) {
        return tensor::unsqueeze(angles_walk(x.dim(-3), d, first, {}), 1);
    }
    if (slip("rot.runs-on") && x.rank() > 2) {
        const Tensor all = angles_walk(x.numel() / d, d, first, {});
        std::vector<std::int64_t> dims;
        for (int axis = 0; axis + 1 < x.rank(); ++axis) dims.push_back(x[axis]);
        dims.push_back(d / 2);
        return tensor::reshape(all, Dims(dims));
    }
    return angles_walk(T, d, first, {});
}

struct Pair {
    Variable a, b;
};

Pair turned_pair(const Pair& x, const Variable& cos, const Variable& sin, const Slips& slip) {
    const auto [a, b] = x;
    if (slip("rot.clockwise")) return {a * cos + b * sin, b * cos - a * sin};
    if (slip("rot.mirrored")) return {a * cos - b * sin, -(a * sin) - b * cos};
    if (slip("rot.both-plus")) return {a * cos + b * sin, a * sin + b * cos};
    if (slip("rot.one-of-a-pair")) return {a * cos - b * sin, b};
    if (slip("rot.added")) return {a + sin, b + cos};
    if (slip("rot.sin-detached")) {
        return {a * cos - b.detach() * sin, a.detach() * sin + b * cos};
    }
    const Variable first = a * cos - b * sin;
    if (slip("rot.reused")) return {first, first * sin + b * cos};
    return {first, a * sin + b * cos};
}

Variable turned_walk(const Variable& given, std::int64_t first, const Slips& slip) {
    const Variable x = slip("train.detached") ? given.detach() : given;
    const std::int64_t d = x.dim(-1);
    const Tensor by = angles_of(x.shape(), first, slip);
    Variable cos(tensor::cos(by)), sin(tensor::sin(by));
    if (slip("rot.sin-for-cos")) std::swap(cos, sin);
    const bool halves = slip("rot.halves");
    const Pair pair = halves ? Pair{slice(x, -1, 0, d / 2), slice(x, -1, d / 2, d)}
                             : Pair{slice(x, -1, 0, d, 2), slice(x, -1, 1, d, 2)};
    const Pair done = turned_pair(pair, cos, sin, slip);
    if (halves || slip("rot.joined-as-halves")) return concatenate({done.a, done.b}, -1);
    return flatten(stack({done.a, done.b}, -1), -2, -1);
}

std::vector<Mistake> angle_mistakes() {
    const std::string theta = "Print θ for d = 8: 1, 0.1, 0.01, 0.001.";
    const std::string rows = "Print your angles for d = 2, where θ is 1: they are the positions.";
    return {
        {"pe.pair-over-d", "the exponent was i/d and not 2i/d",
         "By how much slower is the last pair than the first?", theta},
        {"pe.column-for-pair", "i counted features and not pairs in 2i/d",
         "Which i has the second pair: 1 or 2?", theta},
        {"pe.last-is-base", "the exponents reached 1 at the last pair",
         "What is 2i/d for the last pair?", theta},
        {"pe.mul", "pairs turned faster and faster: 10000^(+2i/d)",
         "Which pair is the second hand of the clock?", theta},
        {"pe.base1000", "the base was 1000", "Which number is raised to a power?", theta},
        {"rot.all-alike", "every pair turned at the rate of the first",
         "Does your angle depend on i?", theta},
        {"pe.degrees", "the angles were converted as if they were given in degrees",
         "What is the angle of pair 0 at position 1?", rows},
        {"rot.no-first", "the positions began at 0 whatever `first` is",
         "At which position is row 0?", rows},
        {"rot.from-1", "the positions were one too large",
         "What is the angle of row 0 if first is 0?", rows},
        {"rot.times-first", "`first` was multiplied with t, not added",
         "At which position is row 0 if first is 3, and at which is row 1?", rows},
        {"rot.ends-at-first", "`first` was the end and not the beginning",
         "How many rows are there, and where does row 0 stand?", rows},
    };
}

std::vector<Mistake> pair_mistakes() {
    const std::string numbers = "Turn the row 1, 2, 3, 4 at position 1 and print it.";
    return {
        {"rot.halves", "feature i was paired with feature i + d/2",
         "Which feature is turned together with feature 0?", numbers},
        {"rot.joined-as-halves",
         "neighbours turned together, but all first features stood before all second ones "
         "afterwards",
         "Where does the second feature of pair 0 belong?", numbers},
        {"rot.clockwise", "the points were turned clockwise",
         "Where does (1, 0) go in a quarter turn from the first axis to the second?", numbers},
        {"rot.mirrored",
         "the second feature had its two terms with the wrong signs: a reflection, no rotation",
         "What does an angle of 0 do to a point?", numbers},
        {"rot.both-plus", "both features were sums, a·cos + b·sin and a·sin + b·cos",
         "Is the point as far from the origin as before?", numbers},
        {"rot.reused", "the second feature was computed from the first one after its turn",
         "Which x does the second line of your rotation read?", numbers},
        {"rot.sin-for-cos", "sine and cosine were exchanged",
         "What does an angle of 0 do to a point?", numbers},
        {"rot.one-of-a-pair", "the second feature of each pair was left as it was",
         "How many features does a rotation change?", numbers},
        {"rot.added", "sines and cosines were added to the features, as sinusoidal positions are",
         "Is a vector of zeros still zero after a turn?", numbers},
    };
}

std::vector<Mistake> row_mistakes() {
    const std::string rows = "Turn ones of shape [2, 3, 2] and print them: both texts must agree.";
    return {
        {"rot.texts-for-positions", "the position was the index of the axis before T",
         "Which axis is T, counted from the end?", rows},
        {"rot.runs-on", "positions were counted on from one text, or head, to the next",
         "At which position does the second text begin?", rows},
        {"rot.turned-from-0", "`turned` began at position 0 whatever `first` is",
         "What does `turned` do with `first`?", "The call of angles in `turned`."},
        {"rot.one-angle", "every row was turned as the first one",
         "Do two rows of ones stay equal?", rows},
        {"train.detached", "the numbers were taken out of the graph, so that no gradient reaches x",
         "Does the graph know that the result was made from x?",
         "Look for value() or detach() on the way from x."},
        {"rot.sin-detached", "the terms with the sine were computed outside the graph",
         "How many times does x occur in your rotation, and is it a variable each time?",
         "Look for value() or detach() on the way from x."},
    };
}

struct Positions {
    std::int64_t T, d, first;
};

Stages table(const Rotary& rotary, const Positions& in) {
    const Tensor angles = rotary.angles(in.T, in.d, in.first);
    return {{"the table of angles", angles}, {"the sine of each angle", tensor::sin(angles)}};
}

Inputs<Positions> positions() {
    return {
        {"5 positions from 0 on, d = 6", {5, 6, 0}},
        {"4 positions from 3 on, d = 8", {4, 8, 3}},
        {"one position, d = 2", {1, 2, 7}},
        {"4 positions from 2 on, d = 4", {4, 4, 2}},
        {"700 positions, d = 4", {700, 4, 0}},
        {"3 positions from 5000 on, d = 130", {3, 130, 5000}},
        {"3 positions from 40000 on, d = 12", {3, 12, 40000}},
        {"5 positions from 17 on, d = 6", {5, 6, 17}},
    };
}

struct Rows {
    Tensor x;
    std::int64_t first;
};
Stages given(const Rows& in) { return {{"x", in.x}}; }

Stages turned(const Rotary& rotary, const Rows& in) {
    const Variable x(in.x, requires_grad);
    const Variable turned = rotary.turned(x, in.first);
    return with_gradients({{"the turned x", turned.value()}}, turned, {{"x", x}});
}

Inputs<Rows> rows() {
    return {
        {"x of 5 positions, d = 6", {random({5, 6}, 1), 0}},
        {"2 texts, 3 heads, 4 positions from 3 on, d = 8", {random({2, 3, 4, 8}, 2), 3}},
        {"3 texts of 5 positions, d = 4", {random({3, 5, 4}, 3), 0}},
        {"all sizes 4", {random({4, 4, 4}, 4), 2}},
        {"one position, d = 2", {random({1, 2}, 5), 7}},
        {"all sizes 4, with heads", {random({4, 4, 4, 4}, 13), 3}},
        {"2 texts of 300 positions, d = 4", {random({2, 300, 4}, 6), 0}},
        {"3 leading axes", {random({2, 1, 3, 2, 10}, 7), 1}},
        {"heads that are a view", {tensor::permute(random({2, 5, 3, 4}, 8), {0, 2, 1, 3}), 4}},
        {"x transposed", {tensor::permute(random({3, 8, 5}, 9), {0, 2, 1}), 0}},
        {"3 positions from 5000 on", {random({2, 3, 6}, 10), 5000}},
        {"features around ±1000", {random({2, 4, 6}, 11, 1000), 1}},
        {"a vector of zeros, and d = 66", {tensor::zeros({1, 3, 66}), 1}},
        {"another x of 5 positions, from 2 on", {random({5, 6}, 12), 2}},
    };
}

double product(const Rotary& rotary, const Tensor& q, std::int64_t i, const Tensor& k,
               std::int64_t j) {
    const Tensor q_i = rotary.turned(Variable(q), i).value();
    const Tensor k_j = rotary.turned(Variable(k), j).value();
    return tensor::sum(q_i * k_j).item();
}

std::string only_the_distance(const Rotary& rotary) {
    const Tensor q = random({1, 8}, 21), k = random({1, 8}, 22);
    const double near = product(rotary, q, 3, k, 1);
    for (const std::int64_t further : {1, 40, 1000}) {
        const double far = product(rotary, q, 3 + further, k, 1 + further);
        if (std::fabs(far - near) < 1e-6) continue;
        return text("q_3·k_1 is ", near, ", and for the same q and k q_", 3 + further, "·k_",
                    1 + further, " is ", far, ".");
    }
    return "";
}

std::string pieces_differ(const Rotary& rotary) {
    const Tensor x = random({2, 9, 6}, 23);
    const Tensor whole = tensor::slice(rotary.turned(Variable(x), 2).value(), 1, 5, 9);
    const Tensor x_later = tensor::contiguous(tensor::slice(x, 1, 5, 9));
    const Tensor later = rotary.turned(Variable(x_later), 7).value();
    return same_or(
        later, whole,
        "Rows 5 to 8 of 9 that begin at position 2 are turned otherwise alone, with first = 7.");
}

std::string odd_d_is_turned(const Rotary& rotary) {
    for (const std::int64_t d : {1, 3, 7}) {
        try {
            rotary.turned(Variable(random({2, 4, d}, 24)), 0);
        } catch (const std::invalid_argument&) {
            continue;
        }
        return text("d = ", d, " was not refused.");
    }
    return "";
}

std::string later_calls_change_it(const Rotary& rotary) {
    const Variable x(random({3, 4}, 25)), other(random({3, 4}, 26));
    const Tensor by = rotary.angles(3, 4, 1), turned = rotary.turned(x, 1).value();
    const Tensor by_before = tensor::clone(by), turned_before = tensor::clone(turned);
    rotary.angles(3, 4, 2);
    rotary.turned(other, 2);
    if (!identical(by, by_before)) return "The table of angles is another after a second call.";
    return identical(turned, turned_before) ? "" : "The turned x is another after a second call.";
}

std::vector<Hole> holes() {
    return {{"angles",
             {"the table of angles", "the sine of each angle"},
             {"Which number does row 0, pair 0 have if first is 3, and which row 1?",
              "tensor/factories.h has arange, tensor/ops/arithmetic.h has pow; [T, 1] times [d/2] "
              "is [T, d/2]",
              "angle[r, i] = (first + r)·10000^(-2i/d)",
              "2i for all pairs is tensor::arange(0, d, 2), with d as a double; the positions are "
              "tensor::arange(T) + first"}},
            {"turned",
             {"the turned x", "the gradient of x"},
             {"Where is the point (1, 0) after an angle of φ, and where is (0, 1)?",
              "slice with a step of 2 takes every second feature; stack and flatten put two "
              "tensors back in turns",
              "(a, b) turned by φ is (a·cos φ - b·sin φ, a·sin φ + b·cos φ)",
              "a = slice(x, -1, 0, d, 2), b = slice(x, -1, 1, d, 2); at the end "
              "flatten(stack({..., ...}, -1), -2, -1)"}}};
}

Rules<Rotary> rules() {
    return {
        .number = "10.1",
        .title = "Rotary positions",
        .reference = [](const Slips& slip) -> Rotary {
            return {[=](std::int64_t T, std::int64_t d, std::int64_t first) {
                        return angles_walk(T, d, first, slip);
                    },
                    [=](const Variable& x, std::int64_t first) {
                        if (x.dim(-1) % 2 != 0) throw std::invalid_argument("odd");
                        return turned_walk(x, first, slip);
                    }};
        },
        .cases = joined(on_each(table, positions()), on_each(turned, rows())),
        .laws = {{"an odd d is refused with std::invalid_argument", odd_d_is_turned},
                 {"a score depends only on the distance", only_the_distance},
                 {"a result stays as it is when another one is asked for", later_calls_change_it},
                 {"a later piece is turned as in the whole", pieces_differ}},
        .mistakes = joined(angle_mistakes(), pair_mistakes(), row_mistakes()),
        .hints = {"Which two features make a point, and by which angle is it turned?",
                  "Lesson 10.5; print `angles` and `turned` by themselves, for d = 2",
                  "At d = 2 and position 1, the row (1, 0) becomes (cos 1, sin 1); at position 0 "
                  "nothing changes",
                  "Compare a row with the same row turned from `first` = 0, 1 and 2, feature by "
                  "feature"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<Rotary> judge_10_1(rules);

}  // namespace exercise
