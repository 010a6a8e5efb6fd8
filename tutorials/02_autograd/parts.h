// The sections of lesson 02 that are in tape.cpp and derivatives.cpp, and the drawing of its page.
#pragma once

#include "autograd/variable.h"
#include "tensor/random.h"

// |a - b| ≤ 1e-6·(1 + |b|)
bool close(double a, double b);

void order_matters();                           // 02.2
void matrix_derivative(heed::Random& random);   // 02.5
void higher_derivatives();                      // 02.6
void checking(heed::Random& random);            // 02.7
void softmax_derivative(heed::Random& random);  // 02.8

// The graph, and an attention head's, whose layers are boxes that unfold (02.3).
void draw_graphs(const heed::Variable& y);
