// What the exercises of lesson 20 ask for.
#pragma once

#include "tensor/shape.h"
#include "tutorials/exercises/judging/rules.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace exercise {

using Ids = std::vector<std::int64_t>;

// The neighbours `left` and `right` become the piece `made`.
struct LearnedMerge {
    std::int64_t left, right, made;
};

struct CountedWord {
    Ids pieces;
    std::int64_t times;  // how often the text has this word
};

struct CountedPair {
    std::int64_t left, right, times;
};

struct BytePairs {
    std::function<Ids(const Ids& pieces, const std::vector<LearnedMerge>& merges)> apply_merges;
    std::function<CountedPair(const std::vector<CountedWord>& words)> most_frequent_pair;
};
extern const Judge<BytePairs> judge_20_1;

// The learner's predictions, in the order of the questions.
struct FilePredictions {
    std::function<std::int64_t()> first_byte, header_begins, numbers_begin, end_of_table;
    std::function<std::int64_t()> entry_of_table, end_of_bias, file_size, bytes_in_float;
    std::function<heed::Shape()> shape_of_qkv;
    std::function<std::int64_t()> first_key_column;
};
extern const Judge<FilePredictions> judge_20_2;

}  // namespace exercise
