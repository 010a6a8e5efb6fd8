// What the exercises of lesson 11 ask for.
#pragma once

#include "tensor/index_tensor.h"
#include "tensor/tensor.h"
#include "tutorials/exercises/judges/common_by_hand.h"
#include "tutorials/exercises/judging/rules.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace exercise {

struct KnownJobs {
    using OfLength = std::function<QueriesKeys(std::int64_t T)>;
    using OfTokens = std::function<QueriesKeys(const heed::IndexTensor& ids, std::int64_t V)>;
    OfLength first_token, previous_token;
    OfTokens same_token, in_order;
};
extern const Judge<KnownJobs> judge_11_1;

struct Lists {
    heed::Tensor asked;    // [B, M], one-hot: the marker each list is asked for
    heed::Tensor markers;  // [B, n, M], one-hot: the marker of each item
    heed::Tensor values;   // [B, n, d_v]
    std::vector<double> sharpness;
};

// Means, one for each sharpness.
struct Rest {
    std::vector<double> rest_if_found;    // the weight on the zero key, in lists with a match
    std::vector<double> rest_if_none;     // the same, in lists without one
    std::vector<double> noise;            // the norm of the output there, without a zero key
    std::vector<double> noise_with_rest;  // and with it
};

using MeasureRest = std::function<Rest(const Lists& lists)>;
extern const Judge<MeasureRest> judge_11_2;
// Prints what is measured for sharpness from 0 to 16.
void show(const MeasureRest& measure);

}  // namespace exercise
