#include "tutorials/exercises/judges/lesson_01.h"
#include "tutorials/exercises/judging/kit.h"

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
    if (slip("ten.transpose-last-two") && x.shape.size() >= 2) {
        a = x.shape.size() - 2;
        b = x.shape.size() - 1;
    }
    if (!slip("ten.transpose-only-strides")) std::swap(result.shape[a], result.shape[b]);
    if (!slip("ten.transpose-no-move")) std::swap(result.strides[a], result.strides[b]);
    if (slip("ten.reshape-is-transpose")) result.strides = strides_of(result.shape, {});
    return result;
}

const char* const the_list = "the list that row_major_strides gives";

Stages strides(const StridesByHand& f, const Ints& shape) {
    return {{the_list, numbers(f.row_major_strides(shape))}};
}

Inputs<Ints> shapes() {
    Inputs<Ints> inputs;
    const std::vector<Ints> shapes = {{2, 3, 5},    {5, 2, 4},    {3, 2}, {4},
                                      {2, 4, 3, 5}, {1, 3, 1, 2}, {3, 1}, {2, 3, 2, 1, 4, 2, 3},
                                      {},           {2, 3, 5},    {1},    {3, 70000, 80000, 2},
                                      {5, 3, 2}};
    for (const Ints& shape : shapes) inputs.push_back({"shape " + Dims(shape).text(), shape});
    return inputs;
}

struct Entry {
    Ints index, strides;
};

Stages offset(const StridesByHand& f, const Entry& entry) {
    return {{"offset_of", numbers({f.offset_of(entry.index, entry.strides)})}};
}

Inputs<Entry> entries() {
    Inputs<Entry> inputs;
    const std::vector<Entry> entries = {
        {{1, 2, 4}, {15, 5, 1}},
        {{3, 1, 2}, {70, 3, 16}},
        {{1, 2, 4}, {1, 2, 6}},
        {{3}, {4}},
        {{2, 1}, {0, 7}},
        {{1, 2, 0, 3, 1}, {2, 1000, 7, 40, 300}},
        {{}, {}},
        {{1, 2}, {5600000000, 80000}},
    };
    for (const auto& [index, strides] : entries) {
        const std::string name =
            "index " + Dims(index).text() + " and strides " + Dims(strides).text();
        inputs.push_back({name, {index, strides}});
    }
    return inputs;
}

struct Transposed {
    Layout x;
    std::size_t a, b;  // axes
};

Stages layout(const StridesByHand& f, const Transposed& in) {
    const Layout layout = f.transposed(in.x, in.a, in.b);
    return {{"the list transposed().shape", numbers(layout.shape)},
            {"the list transposed().strides", numbers(layout.strides)}};
}

Inputs<Transposed> transposed() {
    Inputs<Transposed> inputs;
    const std::vector<Transposed> all = {
        {{{2, 3, 5}, {15, 5, 1}}, 0, 1},
        {{{5, 2, 4}, {70, 3, 16}}, 2, 0},
        {{{3, 2}, {2, 1}}, 0, 1},
        {{{3, 3, 2}, {10, 2, 1}}, 0, 1},
        {{{2, 3, 4}, {0, 9, 1}}, 1, 2},
        {{{2, 3, 4}, {0, 0, 1}}, 0, 1},
        {{{2, 3, 4, 5}, {7, 100, 20, 3}}, 3, 1},
        {{{1, 3}, {7, 2}}, 1, 0},
        {{{2, 3, 4}, {1, 2, 6}}, 1, 1},
        {{{4}, {3}}, 0, 0},
        {{{2, 3, 5}, {3, 1, 6}}, 0, 1},
        {{{2, 1, 3}, {3, 3, 1}}, 0, 2},
        {{{2, 3000000000, 3}, {9000000000, 3, 1}}, 0, 1},
    };
    for (const auto& [x, a, b] : all) {
        const std::string name = "shape " + Dims(x.shape).text() + " with strides " +
                                 Dims(x.strides).text() + ", axes " + std::to_string(a) + " and " +
                                 std::to_string(b);
        inputs.push_back({name, {x, a, b}});
    }
    return inputs;
}

// The cases compare to four digits; these are counted exactly. What is not even near is left to the
// cases.
bool rounded(std::int64_t yours, std::int64_t expected) {
    const double apart = static_cast<double>(yours) - static_cast<double>(expected);
    return yours != expected && std::fabs(apart) <= tolerance * static_cast<double>(expected);
}

std::string rounded_strides(const StridesByHand& f) {
    const Ints shape = {2, 3000000019, 3000000037};
    const Ints yours = f.row_major_strides(shape), expected = strides_of(shape, {});
    if (yours.size() != expected.size()) return "";
    for (std::size_t axis = 0; axis < yours.size(); ++axis) {
        if (!rounded(yours[axis], expected[axis])) continue;
        return "Shape " + Dims(shape).text() + " has strides " + Dims(expected).text() +
               ", yours are " + Dims(yours).text() + ".";
    }
    return "";
}

std::string rounded_offset(const StridesByHand& f) {
    const Ints index = {1, 1, 1};
    const Ints strides = {4503599627370497, 3002399751580331, 2251799813685249};
    const std::int64_t yours = f.offset_of(index, strides);
    const std::int64_t expected = offset_in(index, strides, {});
    if (!rounded(yours, expected)) return "";
    return "Index " + Dims(index).text() + " with strides " + Dims(strides).text() + " is at " +
           std::to_string(expected) + ", yours at " + std::to_string(yours) + ".";
}

std::vector<Mistake> mistakes() {
    return {
        {"ten.col-major",
         "the strides were counted from the first axis, so that the first axis varied fastest",
         "Which two entries of [2, 3] are neighbours in memory?",
         "Look at the last of your strides."},
        {"ten.stride-shape", "the lengths of the axes were taken for the strides",
         "In [2, 3], how many numbers lie between the starts of row 0 and row 1?",
         "Look at the last of your strides."},
        {"ten.stride-own", "the stride of an axis included the length of that axis itself",
         "In [2, 3], how far is it from column 0 to column 1?",
         "Which length does your product begin with?"},
        {"ten.stride-shifted",
         "the stride of an axis included the length of that axis, and not that of the last",
         "In [2, 3], how far is it from row 0 to row 1?",
         "Which length does each turn of your loop multiply by?"},
        {"ten.stride-first-left", "the loop ended before the first axis",
         "How many strides did you set?", "Look at the first of your strides."},
        {"ten.stride-next", "each stride was only the length of the next axis",
         "In [2, 3, 4], how many numbers does one block [3, 4] hold?",
         "Look at the first stride of a shape with three axes."},
        {"ten.offset-sum", "the indices were added up without their strides",
         "In [2, 3], at which position is entry [1, 0]?",
         "Look at what each index adds to the offset."},
        {"ten.offset-reversed", "the first index was paired with the last stride",
         "Which stride belongs to index i_0?", "Print both numbers of each pair."},
        {"ten.offset-last", "the last index was left out",
         "Are entries [1, 0] and [1, 1] at the same place?", "Where does your loop end?"},
        {"ten.transpose-no-move", "the lengths were swapped and the strides left as they were",
         "In the transpose of [2, 3], how far apart are [0, 0] and [0, 1]?",
         "Which of the two lists does your code change?"},
        {"ten.transpose-only-strides", "the strides were swapped and the lengths left as they were",
         "What is the shape of the transpose of [2, 3]?",
         "Which of the two lists does your code change?"},
        {"ten.reshape-is-transpose",
         "the result had row-major strides: that is a reshape, which keeps the order in memory",
         "After a transpose, are neighbours in a row still neighbours in memory?",
         "Do your new strides depend on those you were given?"},
        {"ten.transpose-last-two", "the last two axes were swapped, whichever were asked for",
         "Which axes should change places?", "Where does your code use axis_a and axis_b?"},
        {"ten.transpose-all", "the order of all axes was reversed",
         "Which axes should stay where they are?", "Look at an axis that was not named."},
    };
}

std::vector<Hole> holes() {
    return {
        {"row_major_strides",
         {the_list},
         {"How many numbers lie between an entry and its neighbour along this axis?",
          "Draw [2, 3, 4] as a list of 24 numbers, and mark entries [0, 0, 0], [0, 1, 0] and "
          "[1, 0, 0]",
          "s_k = n_{k+1} · n_{k+2} · ..., and s = 1 for the last axis: each stride is the next one "
          "times the length of the next axis",
          "strides[axis - 1] = strides[axis] * shape[axis], from the last axis to the first"}},
        {"offset_of",
         {"offset_of"},
         {"How far does index i_k take you along its axis?",
          "In [2, 3, 4] with strides [12, 4, 1], count your way to entry [1, 2, 3]",
          "the offset is Σ_k i_k·s_k, whatever the strides are; without axes it is 0",
          "offset += index[axis] * strides[axis], for each axis"}},
        {"transposed",
         {"the list transposed().shape", "the list transposed().strides"},
         {"No number moves: so which step in memory does the new axis take?",
          "For shape [2, 3] with strides [3, 1], write down both lists of the transpose",
          "what belonged to axis_a now belongs to axis_b, and the other way round: its length and "
          "its stride",
          "std::swap two entries of a copy's shape, and the same two of its strides"}},
    };
}

Rules<StridesByHand> rules() {
    return {
        .number = "01.1",
        .title = "Strides by hand",
        .reference = [](const Slips& slip) -> StridesByHand {
            return {[=](const Ints& shape) { return strides_of(shape, slip); },
                    [=](const Ints& index, const Ints& strides) {
                        return offset_in(index, strides, slip);
                    },
                    [=](const Layout& x, std::size_t a, std::size_t b) {
                        return exchanged(x, a, b, slip);
                    }};
        },
        .cases = joined(on_each(strides, shapes()), on_each(offset, entries()),
                        on_each(layout, transposed())),
        .laws = {{"strides are exact, however large", rounded_strides},
                 {"offsets are exact, however large", rounded_offset}},
        .mistakes = mistakes(),
        .hints =
            {"How many numbers lie between an entry and its neighbour along this axis?",
             "Draw [2, 3, 4] as a list of 24 numbers, and mark entries [0, 0, 0], [0, 1, 0] and "
             "[1, 0, 0]",
             "s_k = n_{k+1} · n_{k+2} · ...; the offset is Σ_k i_k·s_k; swapping two axes swaps "
             "two "
             "lengths and the two strides that belong to them",
             "Try each of the three on [2, 3, 4] alone, and compare it with your drawing"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<StridesByHand> judge_01_1(rules);

}  // namespace exercise
