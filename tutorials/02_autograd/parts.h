// The sections of lesson 02 that are in tape.cpp and derivatives.cpp.
#pragma once

#include "tensor/random.h"

// |a - b| ≤ 1e-6·(1 + |b|)
bool close(double a, double b);

void order_matters();                           // 02.2
void matrix_derivative(heed::Random& random);   // 02.5
void higher_derivatives();                      // 02.6
void checking(heed::Random& random);            // 02.7
void softmax_derivative(heed::Random& random);  // 02.8
