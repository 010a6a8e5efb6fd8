// All operations on variables, and those on tensors, which they are made of.
#pragma once

#include "../tensor/ops.h"
#include "ops/arithmetic.h"
#include "ops/attention.h"
#include "ops/choose.h"
#include "ops/cumulative.h"
#include "ops/einsum.h"
#include "ops/functions.h"
#include "ops/gather.h"
#include "ops/join.h"
#include "ops/layer_norm.h"
#include "ops/matmul.h"
#include "ops/reduce.h"
#include "ops/softmax.h"
#include "ops/sort.h"
#include "ops/views.h"
