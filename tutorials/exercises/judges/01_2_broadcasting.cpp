#include "tutorials/exercises/judges/01_2_broadcasting.h"

#include "tutorials/exercises/judges/common_steps.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/views.h"

#include <algorithm>
#include <stdexcept>

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
        if (slip("bc.max")) length = std::max(of_a, of_b);
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

BroadcastingByHand slipping(const Slips& slip) {
    return {
        [=](const Ints& a, const Ints& b) { return shape_of(a, b, slip); },
        [=](const Tensor& x, const Tensor& y) { return sum_of(x, y, slip.in("sum_by_loops")); }};
}

struct Pair {
    std::string name;
    Ints a, b;
};

std::vector<Pair> pairs() {
    return {{"shapes [2, 3] and [3]", {2, 3}, {3}},
            {"shapes [4, 1, 3] and [2, 3]", {4, 1, 3}, {2, 3}},
            {"shapes [5] and [2, 1, 1]", {5}, {2, 1, 1}},
            {"shapes [0, 3] and [1, 3]", {0, 3}, {1, 3}}};
}

// The second hole is not checked until the shapes are right.
bool shapes_are_right(const BroadcastingByHand& f) {
    for (const Pair& pair : pairs()) {
        try {
            if (f.shape(pair.a, pair.b) != shape_of(pair.a, pair.b, {})) return false;
        } catch (const std::invalid_argument&) {
            return false;
        }
    }
    return true;
}

Case shapes(const Pair& pair, const BroadcastingByHand& f) {
    return {pair.name,
            [=](const Slips& slip) {
                return Stages{{"shape_of_sum", numbers(shape_of(pair.a, pair.b, slip))}};
            },
            [=] {
                return Stages{{"shape_of_sum", numbers(f.shape(pair.a, pair.b))}};
            }};
}

Case sums(const std::string& name, const Tensor& x, const Tensor& y, const BroadcastingByHand& f) {
    return {name,
            [=](const Slips& slip) {
                return Stages{{"sum_by_loops", sum_of(x, y, slip.in("sum_by_loops"))}};
            },
            [=] {
                return shapes_are_right(f) ? Stages{{"sum_by_loops", f.add(x, y)}} : Stages{};
            }};
}

std::string accepted(const BroadcastingByHand& f) {
    const std::vector<std::vector<Ints>> wrong = {
        {{2, 3}, {2}}, {{4}, {3}}, {{4, 2, 3}, {3, 3}}, {{0}, {2}}};
    for (const std::vector<Ints>& pair : wrong) {
        try {
            f.shape(pair[0], pair[1]);
        } catch (const std::exception&) {
            continue;
        }
        return Dims(pair[0]).text() + " and " + Dims(pair[1]).text() + " got an answer.";
    }
    return "";
}

std::string overwritten(const BroadcastingByHand& f) {
    const Tensor x = random({2, 3}, 8);
    const std::vector<Scalar> before = x.to_vector();
    f.add(x, random({3}, 9));
    return x.to_vector() == before ? "" : "x has changed.";
}

std::vector<Mistake> mistakes() {
    return {
        {"bc.left-align",
         "the shapes were aligned at their first axis",
         {"Does a [3] beside a [2, 3] stand for a row or for a column?",
          "Write the two shapes below each other, so that their ends meet."}},
        {"bc.first-shape",
         "the sum had the shape of the first of the two",
         {"What if the second one is the longer?", "Where does your code look at b?"}},
        {"bc.shorter",
         "only as many axes counted as the shorter shape has",
         {"How many axes has [4, 1, 3] + [2, 3]?", "Which of the two ranks ends your loop?"}},
        {"bc.max",
         "the larger length was taken, without asking whether the two fit",
         {"What is [0] + [1]? And [4] + [3]?", "Which two lengths fit each other?"}},
        {"bc.min",
         "the smaller length was taken",
         {"Which of 1 and 3 is repeated?", "Look at an axis where one of the two is 1."}},
        {"bc.add-lengths",
         "lengths that differ were added",
         {"How often is a single row written down?", "Look at an axis where one of the two is 1."}},
        {"bc.first-entry",
         "only the first entry of what is repeated was used",
         {"Which entry of y belongs to column 1?", "Compare columns 0 and 1 of your result."}},
        {"bc.truncate",
         "nothing was added where the smaller one has no entry of its own",
         {"What stands in row 1 of a row that is repeated?",
          "Compare row 1 of your result with row 1 of x."}},
        {"bc.only-second",
         "only one of the two was ever repeated",
         {"What is the shape of [1, 3] + [2, 1]?", "Where do your loops end?"}},
    };
}

}  // namespace

Exercise broadcasting(const BroadcastingByHand& f) {
    Exercise exercise;
    exercise.number = "01.2";
    exercise.title = "Broadcasting by hand";
    for (const Pair& pair : pairs()) exercise.cases.push_back(shapes(pair, f));
    const std::vector<Case> of_sums = {
        sums("[3, 3] + [3]", random({3, 3}, 1), random({3}, 2), f),
        sums("[2, 4] + [4]", random({2, 4}, 3), random({4}, 4), f),
        sums("[5] + [3, 5]", random({5}, 5), random({3, 5}, 6), f),
        sums("[2, 4] + [2, 1]", random({2, 4}, 7), random({2, 1}, 8), f),
        sums("[1, 3] + [2, 1]", random({1, 3}, 9), random({2, 1}, 10), f),
        sums("a transposed [4, 2] + [1, 2]", tensor::transpose(random({2, 4}, 11)),
             random({1, 2}, 12), f),
        sums("[2, 3] + [1]", random({2, 3}, 13), random({1}, 14), f),
    };
    exercise.cases.insert(exercise.cases.end(), of_sums.begin(), of_sums.end());
    exercise.laws = {
        {"shapes that do not fit are refused",
         [=] { return accepted(f); },
         {{"bc.no-refusal",
           "shape_of_sum never throws",
           {"Which lengths of [2, 3] and [2] meet, and do they fit?",
            "What does your code do where the lengths differ and neither is 1?"}}}},
        once_done("what you are given stays as it is", [=] { return overwritten(f); }),
    };
    exercise.mistakes =
        joined(mistakes(), made_in("sum_by_loops", chosen(mistakes(), {"bc.left-align"})));
    exercise.hints = {
        "Which entry of y meets entry (i, j) of x?",
        "Write the two shapes below each other, so that their ends meet; a missing length is 1",
        "length = n_a where n_b = 1, n_b where n_a = 1, n where both are n, else an error; "
        "sum(i, j) = x(i or 0, j or 0) + y(i or 0, j or 0), 0 along an axis of length 1",
        "const std::int64_t row = y.dim(0) == 1 ? 0 : i; and the same for each axis of each"};
    return exercise;
}

Trials broadcasting_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return broadcasting(slipping(slip)); };
    trials.more_ids = {"bc.no-refusal"};
    trials.right["by the library"] = [] {
        BroadcastingByHand f;
        f.shape = [](const Ints& a, const Ints& b) {
            const Shape shape =
                broadcast_shape(Shape(Dims(a)), Shape(Dims(b)), "add", CallSite::here());
            return Ints(shape.begin(), shape.end());
        };
        f.add = [](const Tensor& x, const Tensor& y) { return x + y; };
        return broadcasting(f);
    };
    return trials;
}

}  // namespace exercise
