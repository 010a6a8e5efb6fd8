// All operations on variables, and those on tensors, of which variables are made.
#pragma once

#include "heed/autograd/ops/arithmetic.h"
#include "heed/autograd/ops/attention.h"
#include "heed/autograd/ops/choose.h"
#include "heed/autograd/ops/cross_entropy.h"
#include "heed/autograd/ops/einsum.h"
#include "heed/autograd/ops/functions.h"
#include "heed/autograd/ops/gather.h"
#include "heed/autograd/ops/join.h"
#include "heed/autograd/ops/layer_norm.h"
#include "heed/autograd/ops/matmul.h"
#include "heed/autograd/ops/reduce.h"
#include "heed/autograd/ops/softmax.h"
#include "heed/autograd/ops/views.h"
#include "heed/tensor/ops.h"
