// All that a program needs: tensors, variables, their operations, derivatives, layers, optimizers,
// and the instruments that show how a number came about.
#pragma once

#include "heed/autograd/grad.h"
#include "heed/autograd/grad_mode.h"
#include "heed/autograd/gradcheck/gradcheck.h"
#include "heed/autograd/inspect/anomaly.h"
#include "heed/autograd/inspect/explain.h"
#include "heed/autograd/inspect/graph.h"
#include "heed/autograd/ops.h"
#include "heed/autograd/variable.h"
#include "heed/nn/nn.h"
#include "heed/tensor/errors.h"
#include "heed/tensor/mask.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/print.h"
#include "heed/tensor/random.h"
#include "heed/tensor/runtime/memory.h"
#include "heed/tensor/runtime/parallel.h"
