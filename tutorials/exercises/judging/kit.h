// All that a judge is made with: heed's operations, and the judges' own tools.
#pragma once

#include "tutorials/exercises/judging/cases.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"
#include "tutorials/exercises/judging/judge.h"
#include "tutorials/exercises/judging/laws.h"
#include "tutorials/exercises/judging/predictions.h"

#include "autograd/ops.h"
#include "tensor/errors.h"
#include "tensor/ops.h"
#include "tensor/print.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iomanip>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
