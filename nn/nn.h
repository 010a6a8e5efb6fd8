// Everything in nn/.
#pragma once

#include "nn/activations.h"
#include "nn/attention.h"
#include "nn/clip_grad.h"
#include "nn/dropout.h"
#include "nn/embedding.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"
#include "nn/losses.h"
#include "nn/module.h"
#include "nn/optimizers.h"
#include "nn/sequential.h"
#include "nn/state_dict.h"
