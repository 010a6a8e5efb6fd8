// The lookup that lesson 07 trains: its examples, one attention head by hand, and the training.
#pragma once

#include "nn/attention/attention.h"
#include "nn/parameter.h"
#include "tensor/random.h"

#include <cstdint>
#include <string>
#include <vector>

using heed::Tensor;
using heed::Variable;

inline constexpr std::int64_t n = 4;            // number of items, and of markers
inline constexpr std::int64_t d_v = 2;          // the size of a value
inline constexpr std::int64_t d = n + n + d_v;  // a row of X: asks for, own marker, value

inline const std::vector<std::string> names = {"a", "b", "c", "d"};  // of the markers

struct Examples {
    Tensor asks;     // [B, n, n], one-hot rows: the marker asked for
    Tensor markers;  // [B, n, n], one-hot rows: its own marker
    Tensor X;        // [B, n, d], both concatenated with the values
    Tensor targets;  // [B, n, d_v], the value of the item with the marker asked for
};

Examples make_examples(std::int64_t B, heed::Random& random);

// What compares, and what is passed on. A matrix that is not learned is a constant; W_Q and W_K may
// be the same matrix.
struct Projections {
    Variable W_Q;                               // [d, d_k]
    Variable W_K;                               // [d, d_k]
    Variable W_V;                               // [d, d_v]
    std::vector<heed::NamedParameter> learned;  // each of them once
};

// Three matrices of their own, drawn at random.
Projections separate_projections(std::int64_t d_k, heed::Random& random);
// d rows, to be learned.
Variable random_matrix(std::int64_t columns, heed::Random& random);

// q·k / √d_k for each query and key: [B, T, T].
Variable scaled_scores(const Projections& W, const Variable& X);
heed::Attention attend(const Projections& W, const Variable& X);

enum class Print { losses, nothing };

// 400 steps of Adam, each on 16 new examples.
void train(const Projections& W, heed::Random& random, Print print);

double loss_on(const Projections& W, const Examples& examples);
// 1 where the row's item asks for the column's: [B, n, n].
Tensor pairs_of(const Examples& examples);
// The weight each row has where `pairs`, [n, n] for each example or for all, is 1: [B, n].
Tensor weight_on(const Tensor& pairs, const Projections& W, const Examples& examples);

// The weights of the first example.
void draw(const Projections& W, const Examples& examples);
