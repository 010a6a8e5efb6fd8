// All operations on tensors.
#pragma once

#include "tensor/arithmetic.h"
#include "tensor/choose.h"
#include "tensor/compare.h"
#include "tensor/cross_entropy.h"
#include "tensor/einsum.h"
#include "tensor/factories.h"
#include "tensor/function_gradients.h"
#include "tensor/functions.h"
#include "tensor/gather.h"
#include "tensor/join.h"
#include "tensor/layer_norm.h"
#include "tensor/matmul.h"
#include "tensor/optimize.h"
#include "tensor/reduce.h"
#include "tensor/softmax.h"
#include "tensor/views.h"
