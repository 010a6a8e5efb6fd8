// The lookup of lesson 11 whose item may be absent: lists of items, the head that learns it, with
// and without a place to rest, and what is measured of it.
#pragma once

#include "nn/heed.h"

#include <cstdint>
#include <string>

inline constexpr std::int64_t markers = 8;  // kinds of items
inline constexpr std::int64_t n = 4;        // items in a list
inline constexpr std::int64_t d_v = 2;      // the size of a value
// With 8, one for each marker, some seeds confuse two of them.
inline constexpr std::int64_t d_k = 16;

struct Lists {
    heed::Variable queries;    // [B, 1, markers], one-hot: the marker asked for
    heed::Variable keys;       // [B, n, markers], one-hot: the marker of each item
    heed::Variable values;     // [B, n, d_v]: its value
    heed::Tensor targets;      // [B, 1, d_v]: the value with that marker, or 0
    heed::BoolTensor present;  // [B]
};

Lists random_lists(std::int64_t B, heed::Random& random);

enum class Rest { no, yes };

struct Lookup : heed::Module {
    heed::Linear W_Q, W_K, W_V;
    Rest rest;

    Lookup(Rest its_rest, heed::Random& random)
        : W_Q(markers, d_k, random, heed::no_bias), W_K(markers, d_k, random, heed::no_bias),
          W_V(d_v, d_v, random, heed::no_bias), rest(its_rest) {}

    struct Seen {
        heed::Variable weights;  // [B, 1, n], or [B, 1, n + 1] with a place to rest, the last
        heed::Variable output;   // [B, 1, d_v]
    };

    Seen operator()(const Lists& lists) const;
    void members(heed::MemberVisitor& visit) override {
        visit("W_Q", W_Q);
        visit("W_K", W_K);
        visit("W_V", W_V);
    }
};

Lookup trained(const std::string& name, Rest rest, heed::Random& random);

// What a head does where the item is present, and where it is absent.
struct Measured {
    double loss, loss_present, loss_absent;  // the first is the mean of the other two
    double rest_present, rest_absent;        // mean weight on the place to rest
};

Measured measured(const Lookup& model, const Lists& lists);
