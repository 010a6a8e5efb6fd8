// Masks: which query may attend to which key.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;

namespace {
constexpr bool T = true;
constexpr bool F = false;

// A two-dimensional mask as rows of x and dots.
std::string rows(const Mask& mask) {
    std::string out;
    for (std::int64_t i = 0; i < mask.T_q(); ++i) {
        for (std::int64_t j = 0; j < mask.T_k(); ++j) out += mask.allows(i, j) ? 'x' : '.';
        out += ' ';
    }
    return out;
}

}  // namespace

TEST_CASE("a causal mask allows the past and the present", "[tensor][mask]") {
    CHECK(rows(Mask::causal(4)) == "x... xx.. xxx. xxxx ");
    CHECK(Mask::causal(4).shape() == Shape{4, 4});
    CHECK(rows(Mask::causal(1)) == "x ");
    CHECK(Mask::causal(0).shape() == Shape{0, 0});
}

TEST_CASE("a sliding window allows the last keys of a causal mask", "[tensor][mask]") {
    CHECK(rows(Mask::sliding_window(4, 4, 2)) == "x... xx.. .xx. ..xx ");
    CHECK(rows(Mask::sliding_window(2, 5, 3)) == ".xxx. ..xxx ");
    CHECK(rows(Mask::sliding_window(4, 2, 1)) == ".. .. x. .x ");
    CHECK(Mask::sliding_window(3, 6, 100) == Mask::causal(3, 6));
    CHECK(Mask::sliding_window(3, 6, INT64_MAX) == Mask::causal(3, 6));
    CHECK(Mask::sliding_window(0, 3, 1).shape() == Shape{0, 3});
    CHECK(message_of<std::invalid_argument>([] { Mask::sliding_window(3, 3, 0); }) ==
          "Mask::sliding_window: the window is 0; a query must see at least one key");
    CHECK(message_of<ShapeError>([] { Mask::sliding_window(-1, 3, 1); }) ==
          "Mask::sliding_window: T_q is -1 and T_k is 3; a length must be 0 or more");
}

TEST_CASE("the last query of a causal mask sees every key", "[tensor][mask]") {
    CHECK(rows(Mask::causal(2, 5)) == "xxxx. xxxxx ");
    CHECK(rows(Mask::causal(4, 2)) == ".. .. x. xx ");
    CHECK(Mask::causal(2, 5).T_q() == 2);
    CHECK(Mask::causal(2, 5).T_k() == 5);
}

TEST_CASE("a padding mask allows the keys each sequence has", "[tensor][mask]") {
    const Mask mask = Mask::padding({2, 0, 3}, 3);
    CHECK(mask.shape() == Shape{3, 1, 1, 3});
    CHECK(tensor::same_entries(mask.allowed(),
                               BoolTensor({T, T, F, F, F, F, T, T, T}, {3, 1, 1, 3})));
    CHECK(mask.allows({0, 0, 0, 1}));
    CHECK_FALSE(mask.allows({0, 0, 0, 2}));
}

TEST_CASE("blocked is the opposite of allowed, whichever a mask is made from", "[tensor][mask]") {
    const BoolTensor table({T, F, F, T, T, F}, {2, 3});
    const Mask mask = Mask::allowing(table);
    CHECK(tensor::same_entries(mask.allowed(), table));
    CHECK(tensor::same_entries(mask.blocked(), !table));
    CHECK(Mask::blocking(!table) == mask);
    CHECK_FALSE(Mask::blocking(table) == mask);
    CHECK(tensor::same_entries(Mask::blocking(table).blocked(), table));
    CHECK(rows(Mask::all_allowed(2, 3)) == "xxx xxx ");
}

TEST_CASE("two masks together allow what both allow, broadcast over the batch", "[tensor][mask]") {
    const Mask both = Mask::causal(3) & Mask::padding({3, 1}, 3);
    CHECK(both.shape() == Shape{2, 1, 3, 3});
    CHECK(tensor::same_entries(both.allowed(), BoolTensor({T, F, F, T, T, F, T, T, T,  //
                                                           T, F, F, T, F, F, T, F, F},
                                                          {2, 1, 3, 3})));
    CHECK(both.T_q() == 3);
    CHECK(both == (Mask::padding({3, 1}, 3) & Mask::causal(3)));
}

TEST_CASE("invalid masks are rejected", "[tensor][mask]") {
    CHECK(message_of<ShapeError>([] { Mask::causal(-1); }) ==
          "Mask::causal: T_q is -1 and T_k is -1; a length must be 0 or more");
    CHECK(message_of<ShapeError>([] { Mask::all_allowed(2, -3); }) ==
          "Mask::all_allowed: T_q is 2 and T_k is -3; a length must be 0 or more");
    CHECK_THAT(message_of<ShapeError>([] { Mask::causal(INT64_MAX, INT64_MAX); }),
               Contains("more entries than memory"));
    CHECK(message_of<std::invalid_argument>([] { Mask::padding({}, 3); }) ==
          "Mask::padding: the list of lengths is empty; give one for each sequence");
    CHECK(message_of<std::invalid_argument>([] {
              Mask::padding({2, 4}, 3);
          }) == "Mask::padding: the length of sequence 1 is 4; it must be between 0 and T = 3");
    CHECK(message_of<std::invalid_argument>([] { Mask::padding({-1}, 3); }) ==
          "Mask::padding: the length of sequence 0 is -1; it must be between 0 and T = 3");
    CHECK(message_of<std::invalid_argument>([] { Mask::padding({1}, -1); }) ==
          "Mask::padding: T is -1; a length must be 0 or more");
    const BoolTensor row({T, F}, {2});
    CHECK(message_of<ShapeError>([&] { Mask::allowing(row); }) ==
          "Mask::allowing: the table has shape [2]; a mask needs an axis of queries and an axis "
          "of keys, [..., T_q, T_k]");
    CHECK_THAT(message_of<ShapeError>([&] { Mask::blocking(row); }),
               Contains("Mask::blocking: the table has shape [2]"));
}

TEST_CASE("a mask rejects an index out of range and a mask that does not broadcast with it",
          "[tensor][mask]") {
    const Mask mask = Mask::causal(2);
    const Mask batch = Mask::padding({1, 2}, 2);
    const Mask longer = Mask::causal(3);
    CHECK(message_of<std::out_of_range>([&] { mask.allows(0, 2); }) ==
          "allows: index 2 is out of range for axis 1 of [2, 2], which has 2 entries");
    CHECK(message_of<ShapeError>([&] { batch.allows(0, 1); }) ==
          "allows: index [0, 1] has 2 numbers, but shape [2, 1, 1, 2] has 4 axes; give one for "
          "each axis");
    CHECK(message_of<ShapeError>([&] { mask& longer; }) ==
          "operator&: shapes [2, 2] and [3, 3] cannot be broadcast together: axis -1 has length 2 "
          "in one and 3 in the other; aligned at the last axis, lengths must be equal or 1");
}

TEST_CASE("a mask larger than memory is rejected in words, and one without keys is quick to make",
          "[tensor][mask]") {
    const std::int64_t huge = INT64_MAX / 16;
    const std::string needed =
        text(" needs ", huge, " entries of 1 byte, and there is not enough memory");
    CHECK(message_of<OutOfMemory>([&] { Mask::causal(huge, 1); }) ==
          text("Mask::causal: shape [", huge, ", 1]", needed));
    CHECK(message_of<OutOfMemory>([&] { Mask::padding({1}, huge); }) ==
          text("Mask::padding: shape [1, 1, 1, ", huge, "]", needed));
    CHECK(message_of<OutOfMemory>([&] { Mask::all_allowed(1, huge); }) ==
          text("BoolTensor: shape [1, ", huge, "]", needed));
    CHECK(Mask::causal(huge, 0).shape() == Shape{huge, 0});
}
