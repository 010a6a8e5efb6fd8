// The sections of lesson 01 that are in products.cpp, and the drawings of its page.
#pragma once

#include "tensor/random.h"
#include "tensor/tensor.h"

void matrix_product(heed::Random& random);  // 01.7
void axes_by_name(heed::Random& random);    // 01.8

void draw_strides(const heed::Tensor& x, const heed::Tensor& xT);
void draw_broadcasting();
