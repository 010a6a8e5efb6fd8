#include "tutorials/exercises/judges/lesson_01.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
bool fit(std::int64_t a, std::int64_t b) { return a == b || a == 1 || b == 1; }

// The length of `list` aligned with axis `axis` of a result with `rank` axes; 1 if it has none.
std::int64_t length_at(const Ints& list, std::size_t axis, std::size_t rank, const Slips& slip) {
    const std::size_t missing = slip("bc.left-align") ? 0 : rank - std::min(rank, list.size());
    // With the slip that uses the shorter rank, both are still aligned at their last axis.
    const std::size_t before =
        list.size() > rank && !slip("bc.left-align") ? list.size() - rank : 0;
    if (axis < missing || axis - missing + before >= list.size()) return 1;
    return list[axis - missing + before];
}

Ints shape_of(const Ints& a, const Ints& b, const Slips& slip) {
    if (slip("bc.first-shape")) return a;
    const std::size_t longer = std::max(a.size(), b.size());
    const std::size_t rank = slip("bc.shorter") ? std::min(a.size(), b.size()) : longer;
    Ints shape;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const std::int64_t of_a = length_at(a, axis, rank, slip);
        const std::int64_t of_b = length_at(b, axis, rank, slip);
        const bool asks = !slip("bc.max") && !slip("bc.min") && !slip("bc.no-refusal");
        if (asks && !fit(of_a, of_b)) throw std::invalid_argument("these shapes do not fit");
        std::int64_t length = of_a == 1 ? of_b : of_a;
        if (slip("bc.max") || slip("bc.max-of-fitting")) length = std::max(of_a, of_b);
        if (slip("bc.min")) length = std::min(of_a, of_b);
        if (slip("bc.add-lengths") && of_a != of_b) length = of_a + of_b;
        shape.push_back(length);
    }
    return shape;
}

std::int64_t rows_of(const Tensor& x) { return x.rank() == 1 ? 1 : x.dim(0); }

Scalar entry(const Tensor& x, std::int64_t i, std::int64_t j, const Slips& slip) {
    if (x.rank() == 1) {
        if (slip("bc.left-align")) return x(x.dim(0) == 1 ? 0 : i);
        return x(x.dim(0) == 1 ? 0 : j);
    }
    return x(x.dim(0) == 1 ? 0 : i, x.dim(1) == 1 ? 0 : j);
}

bool beyond(const Tensor& x, std::int64_t i, std::int64_t j) {
    return i >= rows_of(x) || j >= x.dim(-1);
}

Tensor sum_of(const Tensor& x, const Tensor& y, const Slips& slip) {
    std::int64_t rows = std::max(rows_of(x), rows_of(y));
    std::int64_t columns = std::max(x.dim(-1), y.dim(-1));
    if (slip("bc.only-second") || slip("bc.truncate")) {
        const Tensor& larger = x.rank() == 1 ? y : x;
        rows = rows_of(larger);
        columns = larger.dim(-1);
    }
    std::vector<Scalar> sum;
    for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns; ++j) {
            Scalar of_x = entry(x, i, j, slip);
            Scalar of_y = entry(y, i, j, slip);
            if (slip("bc.first-entry")) {
                if (x.numel() < rows * columns) of_x = entry(x, 0, 0, {});
                if (y.numel() < rows * columns) of_y = entry(y, 0, 0, {});
            }
            if (slip("bc.truncate") && beyond(x, i, j)) of_x = 0;
            if (slip("bc.truncate") && beyond(y, i, j)) of_y = 0;
            sum.push_back(of_x + of_y);
        }
    }
    return tensor::from_vector(sum, {rows, columns});
}

std::vector<Mistake> mistakes() {
    return {
        {"bc.left-align", "the shapes were aligned at their first axis",
         "Does a [3] beside a [2, 3] stand for a row or for a column?",
         "Write the two shapes below each other, so that their ends meet."},
        {"bc.first-shape", "the sum had the shape of the first of the two",
         "What if the second one is longer?", "Where does your code look at b?"},
        {"bc.shorter", "only as many axes were kept as the shorter shape has",
         "How many axes does [4, 1, 3] + [2, 3] have?", "Which of the two ranks ends your loop?"},
        {"bc.max", "the larger length was taken, without asking whether the two fit",
         "What is [0] + [1]? And [4] + [3]?", "Which two lengths fit each other?"},
        {"bc.min", "the smaller length was taken", "Which of 1 and 3 is repeated?",
         "Look at an axis where one of the two is 1."},
        {"bc.no-refusal", "shape_of_sum never threw",
         "Which lengths of [2, 3] and [2] meet, and do they fit?",
         "What does your code do where the lengths differ and neither is 1?"},
        {"bc.max-of-fitting", "the larger length was taken even of 0 and 1",
         "How often is a row repeated for a tensor with 0 rows?",
         "Which of two lengths that fit is the one that is not repeated?"},
        {"bc.add-lengths", "lengths that differ were added",
         "How long is an axis of length 1 once it is repeated?",
         "Look at an axis where one of the two is 1."},
        {"bc.first-entry", "only the first entry of the smaller tensor was used",
         "Which entry of y belongs to column 1?", "Compare columns 0 and 1 of your result."},
        {"bc.truncate", "nothing was added where the smaller tensor has no entry of its own",
         "What is in row 1 of a row that is repeated?",
         "Compare row 1 of your result with row 1 of x."},
        {"bc.only-second", "only one of the two was ever repeated",
         "What is the shape of [1, 3] + [2, 1]?", "Where do your loops end?"},
    };
}

struct Pair {
    Ints a, b;
};

std::vector<Pair> fitting() {
    return {{{2, 3}, {3}},
            {{4, 1, 3}, {2, 3}},
            {{5}, {2, 1, 1}},
            {{0, 3}, {1, 3}},
            {{2, 1}, {3, 2, 0}},
            {{}, {2, 3}},
            {{3}, {}},
            {{}, {}},
            {{1}, {0}},
            {{2, 0}, {2, 0}},
            {{1, 0}, {2, 1}},
            {{3, 1}, {1, 0}},
            {{0}, {}},
            {{1, 3}, {3}},
            {{1, 1}, {1}},
            {{2, 3}, {2, 3}},
            {{2, 1, 4, 1, 7, 1}, {3, 1, 5, 1, 6}},
            {{2, 1, 3, 1, 2, 1, 1, 4}, {3, 1, 2, 1, 3, 1}},
            {{5000000000}, {2, 1}}};
}

std::vector<Pair> unfit() {
    return {{{2, 3}, {2}},       {{4}, {3}},          {{4, 2, 3}, {3, 3}},
            {{0}, {2}},          {{2}, {0}},          {{2}, {4}},
            {{6, 3}, {2, 3}},    {{2, 3}, {4, 3}},    {{3, 2, 4}, {5, 2, 4}},
            {{1, 0}, {1, 2}},    {{3, 1}, {2, 4, 1}}, {{7, 1, 2, 1}, {3, 5, 1, 4}},
            {{2, 1, 3}, {1, 2}}, {{3, 3}, {3, 2}},    {{4294967299}, {3}},
            {{4}, {4, 3}}};
}

Inputs<Pair> named(const std::vector<Pair>& pairs, const std::string& how) {
    Inputs<Pair> inputs;
    for (const Pair& pair : pairs) {
        const std::string name = "shapes " + Dims(pair.a).text() + " and " + Dims(pair.b).text();
        inputs.push_back({name + how, pair});
    }
    return inputs;
}

const char* const the_list = "the list that shape_of_sum gives";

// All refusals begin with the same line, so that one is recognised whatever its words.
Stages shape_of_sum(const BroadcastingByHand& f, const Pair& pair) {
    try {
        return {{the_list, numbers(f.shape(pair.a, pair.b))}};
    } catch (const std::invalid_argument& refusal) {
        throw std::invalid_argument(std::string("std::invalid_argument, but these shapes fit") +
                                    "\n  " + refusal.what());
    }
}

const char* const thrown =
    "what is thrown (0: nothing, 1: std::invalid_argument, 2: another error)";

// What shapes that do not fit lead to: a number, so that it can be compared.
Scalar thrown_for(const BroadcastingByHand& f, const Pair& pair) {
    try {
        f.shape(pair.a, pair.b);
    } catch (const NotDone&) {
        throw;
    } catch (const std::invalid_argument&) {
        return 1;
    } catch (const std::exception&) {
        return 2;
    }
    return 0;
}

Stages refusal(const BroadcastingByHand& f, const Pair& pair) {
    return {{thrown, tensor::of(thrown_for(f, pair))}};
}

struct Summands {
    Tensor x, y;
};

Stages given(const Summands& in) { return {{"x", in.x}, {"y", in.y}}; }

Stages sum_by_loops(const BroadcastingByHand& f, const Summands& in) {
    return {{"sum_by_loops", f.add(in.x, in.y)}};
}

Named<Summands> named(const std::string& of, const Tensor& x, const Tensor& y) {
    return {of + x.shape().text() + " + " + y.shape().text(), {x, y}};
}

Inputs<Summands> summands() {
    const Tensor large = tensor::of({{1e8 + 1, 1e200, 3}, {-5, 7, -2e8}});
    const Tensor with_zeros = tensor::of({{0, 2, 0}, {1, 0, -3}});
    const Tensor mask = tensor::of({0, -infinity, -2});
    const Tensor matrix = random({3, 4}, 57);
    Inputs<Summands> inputs;
    std::uint64_t seed = 0;
    const std::vector<std::pair<Shape, Shape>> shapes = {
        {{3, 3}, {3}},    {{2, 4}, {4}},    {{5}, {3, 5}},    {{2, 4}, {2, 1}}, {{1, 3}, {2, 1}},
        {{2, 1}, {1, 3}}, {{2, 3}, {1}},    {{1}, {2, 3}},    {{1, 1}, {2, 3}}, {{2, 3}, {1, 1}},
        {{2, 1}, {3}},    {{3}, {3, 1}},    {{3, 3}, {1, 3}}, {{3, 3}, {3, 1}}, {{3}, {3, 3}},
        {{2, 3}, {2, 3}}, {{1, 4}, {2, 4}}, {{3, 1}, {3, 1}}, {{1, 1}, {1}},    {{2, 1}, {1}},
        {{1, 3}, {3}},    {{1, 3}, {3, 1}}, {{2, 1}, {1, 2}}};
    for (const auto& [of_x, of_y] : shapes) {
        inputs.push_back(named("", random(of_x, seed + 1), random(of_y, seed + 2)));
        seed += 2;
    }
    return joined(
        inputs,
        Inputs<Summands>{
            named("a transposed x, ", tensor::transpose(random({2, 4}, 51)), random({1, 2}, 52)),
            named("a y that is a column of a matrix, ", random({2, 4}, 53),
                  tensor::select(random({4, 3}, 54), 1, 1)),
            named("a y that is every second column, ", random({3}, 55),
                  tensor::slice(random({2, 6}, 56), 1, 0, 6, 2)),
            named("large numbers, ", large, tensor::of({-1e8, 1e200, 4})),
            named("a y that is a row of x, ", matrix, tensor::select(matrix, 0, 1)),
            named("an x and a y with zeros and -infinity, ", with_zeros, mask)});
}

Cases<BroadcastingByHand> in_a_row() {
    const Summands once = {random({2, 3}, 31), random({3}, 33)};
    const Summands again = {random({2, 3}, 32), random({3}, 34)};
    return three_calls_on_each(sum_by_loops, named("", once.x, once.y),
                               {{"", again},
                                {", the second with another x", {again.x, once.y}},
                                {", the second with another y", {once.x, again.y}}});
}

std::vector<Hole> holes() {
    return {
        {"shape_of_sum",
         {the_list, thrown},
         {"Which length of [4, 1, 3] meets which length of [2, 3]?",
          "Write the two shapes below each other, so that their ends meet; a missing length is 1",
          "the length is n_a where n_b = 1, n_b where n_a = 1, n where both are n; anything else "
          "does not fit",
          "Go from the end: the k-th length from the end of a is a[a.size() - k], or 1 if k is "
          "larger than a.size()"}},
        {"sum_by_loops",
         in_all_calls({"sum_by_loops"}),
         {"Which entry of y meets entry (i, j) of x?",
          "Work out [1, 3] + [2, 1] on paper, and write beside each entry which two it is made of",
          "sum(i, j) = x(i or 0, j or 0) + y(i or 0, j or 0): 0 along an axis of length 1, and no "
          "row index where there is one axis only",
          "const std::int64_t row = y.dim(0) == 1 ? 0 : i; and the same for each axis of each"}},
    };
}

Rules<BroadcastingByHand> rules() {
    return {
        .number = "01.2",
        .title = "Broadcasting by hand",
        .reference = [](const Slips& slip) -> BroadcastingByHand {
            return {[=](const Ints& a, const Ints& b) { return shape_of(a, b, slip); },
                    [=](const Tensor& x, const Tensor& y) {
                        return sum_of(x, y, slip.in("sum_by_loops"));
                    }};
        },
        .cases = joined(on_each(shape_of_sum, named(fitting(), "")),
                        on_each(refusal, named(unfit(), ", which do not fit")),
                        on_each(sum_by_loops, summands()), in_a_row()),
        .mistakes =
            joined(mistakes(), made_in("sum_by_loops", chosen(mistakes(), {"bc.left-align"}))),
        .hints = {"Which entry of y meets entry (i, j) of x?",
                  "Write the two shapes below each other, so that their ends meet; a missing "
                  "length is 1",
                  "along each axis, aligned at the end, the lengths are equal or one of them is 1 "
                  "and is "
                  "repeated",
                  "Try both functions on [2, 3] and [3], then on [1, 3] and [2, 1], before other "
                  "shapes"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<BroadcastingByHand> judge_01_2(rules);

}  // namespace exercise
