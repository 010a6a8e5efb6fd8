// What the parts of lesson 03 share: the points, the network, and curves of losses.
#pragma once

#include "nn/sequential.h"
#include "tensor/index_tensor.h"
#include "tensor/random.h"

#include <vector>

struct Moons {
    heed::Tensor points;        // [N, 2]
    heed::IndexTensor classes;  // [N], 0 for the upper moon, 1 for the lower
    heed::Tensor targets;       // [N, 1], +1 for the upper moon, -1 for the lower
};

// Two interlocking half circles of n points each, the upper moon first: random places on them, and
// a little noise.
Moons make_moons(std::int64_t n, heed::Random& random);

// 2 numbers in, two hidden layers of 16, `outputs` numbers out.
heed::Sequential make_network(std::int64_t outputs, heed::Random& random);

// A loss at each step, and the character that draws it.
struct Curve {
    char mark;
    std::vector<double> losses;
};

// A column for each step, at most 68; the first row is `top`, the last one 0. `*` is where curves
// meet; what is above `top` is drawn at the top.
void print_curves(const std::vector<Curve>& curves, double top);

// The network's answer at each place: # for the upper moon, · for the lower; O and x are points of
// the two moons, held out. The page has those of training, too.
void draw_answers(const heed::Sequential& network, const Moons& training, const Moons& held_out);
