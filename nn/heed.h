// All that a program needs: tensors, variables, their operations, derivatives, layers, optimizers,
// the tools that show how a number came about, and what operations and layers of one's own need.
#pragma once

#include "../autograd/grad.h"
#include "../autograd/grad_mode.h"
#include "../autograd/gradcheck/gradcheck.h"
#include "../autograd/inspect/anomaly.h"
#include "../autograd/inspect/explain.h"
#include "../autograd/inspect/graph.h"
#include "../autograd/inspect/graph_svg.h"
#include "../autograd/operation.h"
#include "../autograd/ops.h"
#include "../autograd/record.h"
#include "../autograd/variable.h"
#include "../tensor/errors.h"
#include "../tensor/mask.h"
#include "../tensor/ops.h"
#include "../tensor/print.h"
#include "../tensor/random.h"
#include "../tensor/runtime/memory.h"
#include "../tensor/runtime/parallel.h"
#include "../tensor/scope.h"
#include "nn.h"
