#include "tutorials/exercises/judges/01_1_strides.h"

#include "tutorials/exercises/judges/common_steps.h"

#include <algorithm>
#include <numeric>
#include <utility>

using heed::Dims;

namespace exercise {

namespace {

Ints strides_of(const Ints& shape, const Slips& slip) {
    const std::size_t rank = shape.size();
    if (slip("ten.stride-shape")) return shape;
    Ints strides(rank, 1);
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const bool before = slip("ten.col-major");
        std::size_t first = before ? 0 : axis + 1;
        std::size_t end = before ? axis : rank;
        if (slip("ten.stride-own")) first = axis;
        if (slip("ten.stride-shifted")) {
            first = axis;
            end = rank - 1;
        }
        if (slip("ten.stride-first-left") && axis == 0) end = first;
        if (slip("ten.stride-next")) end = std::min(axis + 2, rank);
        for (std::size_t other = first; other < end; ++other) strides[axis] *= shape[other];
    }
    return strides;
}

std::int64_t offset_in(const Ints& index, const Ints& strides, const Slips& slip) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
        std::int64_t stride = strides[axis];
        if (slip("ten.offset-reversed")) stride = strides[index.size() - 1 - axis];
        if (slip("ten.offset-sum")) stride = 1;
        if (slip("ten.offset-last") && axis + 1 == index.size()) stride = 0;
        offset += index[axis] * stride;
    }
    return offset;
}

Layout exchanged(const Layout& x, std::size_t a, std::size_t b, const Slips& slip) {
    Layout result = x;
    if (slip("ten.transpose-all")) {
        std::reverse(result.shape.begin(), result.shape.end());
        std::reverse(result.strides.begin(), result.strides.end());
        return result;
    }
    if (slip("ten.transpose-last-two")) {
        a = x.shape.size() - 2;
        b = x.shape.size() - 1;
    }
    if (!slip("ten.transpose-only-strides")) std::swap(result.shape[a], result.shape[b]);
    if (!slip("ten.transpose-no-move")) std::swap(result.strides[a], result.strides[b]);
    if (slip("ten.reshape-is-transpose")) result.strides = strides_of(result.shape, {});
    return result;
}

StridesByHand slipping(const Slips& slip) {
    return {
        [=](const Ints& shape) { return strides_of(shape, slip); },
        [=](const Ints& index, const Ints& strides) { return offset_in(index, strides, slip); },
        [=](const Layout& x, std::size_t a, std::size_t b) { return exchanged(x, a, b, slip); }};
}

struct Input {
    std::string name;
    Ints index;
    Layout layout;
    std::size_t axis_a, axis_b;
};

Stages of_strides(const StridesByHand& f, const Input& in) {
    return {{"row_major_strides", numbers(f.row_major_strides(in.layout.shape))}};
}

Stages of_offset(const StridesByHand& f, const Input& in) {
    return {{"offset_of", numbers({f.offset_of(in.index, in.layout.strides)})}};
}

Stages of_transposed(const StridesByHand& f, const Input& in) {
    const Layout layout = f.transposed(in.layout, in.axis_a, in.axis_b);
    return {{"the shape of transposed", numbers(layout.shape)},
            {"the strides of transposed", numbers(layout.strides)}};
}

Steps steps(const StridesByHand& f, const Input& in) {
    return {[=] { return of_strides(f, in); }, [=] { return of_offset(f, in); },
            [=] { return of_transposed(f, in); }};
}

Case on(const Input& in, const StridesByHand& f) {
    return in_order(
        in.name, [=](const Slips& slip) { return steps(slipping(slip), in); }, steps(f, in));
}

// Entry (i, j, k) of x and entry (k, j, i) of x with axes 0 and 2 swapped are the same entry.
std::string entries_that_moved(const StridesByHand& f) {
    const Layout x = {{2, 3, 4}, {12, 4, 1}};
    const Layout y = f.transposed(x, 0, 2);
    for (std::int64_t i = 0; i < 2; ++i) {
        for (std::int64_t j = 0; j < 3; ++j) {
            for (std::int64_t k = 0; k < 4; ++k) {
                if (f.offset_of({i, j, k}, x.strides) != f.offset_of({k, j, i}, y.strides)) {
                    return "In shape [2, 3, 4] with axes 0 and 2 exchanged, an entry is looked for "
                           "in another place than before.";
                }
            }
        }
    }
    return "";
}

// In row-major order the offsets of all entries count 0, 1, 2, ...
std::string gaps(const StridesByHand& f) {
    const Ints strides = f.row_major_strides({2, 3, 4});
    std::int64_t expected = 0;
    for (std::int64_t i = 0; i < 2; ++i) {
        for (std::int64_t j = 0; j < 3; ++j) {
            for (std::int64_t k = 0; k < 4; ++k) {
                if (f.offset_of({i, j, k}, strides) != expected++) {
                    return "With your strides " + Dims(strides).text() +
                           " of [2, 3, 4], the offsets do not count 0, 1, 2, ...";
                }
            }
        }
    }
    return "";
}

std::vector<Mistake> mistakes() {
    return {
        {"ten.col-major",
         "the strides were counted from the first axis, so that the first one changes fastest",
         {"Which two entries of [2, 3] are neighbours in memory?",
          "Look at the last of your strides."}},
        {"ten.stride-shape",
         "the lengths of the axes were taken for the strides",
         {"In [2, 3], how many numbers lie between the starts of row 0 and row 1?",
          "Look at the last of your strides."}},
        {"ten.stride-own",
         "the stride of an axis counted the length of that axis itself",
         {"In [2, 3], how far is it from column 0 to column 1?",
          "Which length is the first your product takes in?"}},
        {"ten.stride-shifted",
         "the stride of an axis counted the length of that axis, and not that of the last",
         {"In [2, 3], how far is it from row 0 to row 1?",
          "Which length does each turn of your loop multiply by?"}},
        {"ten.stride-first-left",
         "the loop ended before the first axis",
         {"How many strides have you set?", "Look at the first of your strides."}},
        {"ten.stride-next",
         "each stride was only the length of the next axis",
         {"In [2, 3, 4], how many numbers does one block [3, 4] hold?",
          "Look at the first stride of a shape with three axes."}},
        {"ten.offset-sum",
         "the indices were added up without their strides",
         {"In [2, 3], where does entry [1, 0] lie?",
          "Look at what each index adds to the offset."}},
        {"ten.offset-reversed",
         "the first index was paired with the last stride",
         {"Which stride belongs to index i_0?", "Print both numbers of each pair."}},
        {"ten.offset-last",
         "the last index did not count",
         {"Are entries [1, 0] and [1, 1] at one place?", "Where does your loop end?"}},
        {"ten.transpose-no-move",
         "the lengths were exchanged and the strides left as they were",
         {"In the transpose of [2, 3], how far apart are [0, 0] and [0, 1]?",
          "Which of the two lists does your code change?"}},
        {"ten.transpose-only-strides",
         "the strides were exchanged and the lengths left as they were",
         {"What is the shape of the transpose of [2, 3]?",
          "Which of the two lists does your code change?"}},
        {"ten.reshape-is-transpose",
         "the result had row-major strides: that is a reshape, which reads the same order",
         {"After a transpose, do neighbours in a row still lie side by side?",
          "Do your new strides depend on those you were given?"}},
        {"ten.transpose-last-two",
         "the last two axes were exchanged, whichever were asked for",
         {"Which axes should change places?", "Where does your code use axis_a and axis_b?"}},
        {"ten.transpose-all",
         "all axes were put in the opposite order",
         {"Which axes should stay where they are?", "Look at an axis that was not named."}},
    };
}

}  // namespace

Exercise strides(const StridesByHand& by_hand) {
    Exercise exercise;
    exercise.number = "01.1";
    exercise.title = "Strides by hand";
    exercise.cases = {
        on({"shape [2, 3, 5]", {1, 2, 4}, {{2, 3, 5}, {15, 5, 1}}, 0, 1}, by_hand),
        on({"shape [5, 2, 4], a window with gaps", {3, 1, 2}, {{5, 2, 4}, {70, 3, 16}}, 2, 0},
           by_hand),
        on({"shape [3, 2]", {2, 0}, {{3, 2}, {2, 1}}, 0, 1}, by_hand),
    };
    exercise.laws = {
        once_done("row after row, the entries lie without a gap", [=] { return gaps(by_hand); }),
        once_done("a transpose moves nothing", [=] { return entries_that_moved(by_hand); }),
    };
    exercise.mistakes = mistakes();
    exercise.hints = {
        "How many numbers lie between an entry and its neighbour along this axis?",
        "Draw [2, 3, 4] as a list of 24, and mark entries [0, 0, 0], [0, 1, 0] and [1, 0, 0]",
        "s_k = n_{k+1} · n_{k+2} · ..., s_last = 1; the offset is Σ_k i_k·s_k; an exchange of two "
        "axes exchanges two lengths and the two strides that belong to them",
        "strides[axis - 1] = strides[axis] * shape[axis], from the last axis to the first; "
        "offset += index[axis] * strides[axis]; std::swap in both lists"};
    return exercise;
}

Trials strides_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return strides(slipping(slip)); };
    trials.right["as nested products (Horner)"] = [] {
        StridesByHand f = slipping({});
        f.row_major_strides = [](const Ints& shape) {
            Ints strides;
            for (auto axis = shape.begin(); axis != shape.end(); ++axis) {
                strides.push_back(
                    std::accumulate(axis + 1, shape.end(), std::int64_t{1}, std::multiplies<>()));
            }
            return strides;
        };
        f.offset_of = [](const Ints& index, const Ints& strides) {
            return std::inner_product(index.begin(), index.end(), strides.begin(), std::int64_t{0});
        };
        return strides(f);
    };
    return trials;
}

}  // namespace exercise
