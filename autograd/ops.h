// All operations on variables.
#pragma once

#include "autograd/arithmetic.h"
#include "autograd/attention.h"
#include "autograd/choose.h"
#include "autograd/cross_entropy.h"
#include "autograd/einsum.h"
#include "autograd/functions.h"
#include "autograd/gather.h"
#include "autograd/join.h"
#include "autograd/layer_norm.h"
#include "autograd/matmul.h"
#include "autograd/reduce.h"
#include "autograd/softmax.h"
#include "autograd/views.h"
