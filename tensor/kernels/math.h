// exp, log, tanh, erf, sin, cos, pow and functions built from them, for one number.
// The library has its own because libm's differ in the last bit from machine to machine. All are
// made of + - × ÷, square root, fused multiply-adds and bit operations, so every compiler and every
// instruction set gives the same result. Each has a float and a double overload.
// Everything is static: files compiled for different instruction sets must not share code.
#pragma once

#include "elementary.h"
#include "gaussian.h"
#include "power.h"
#include "trigonometry.h"
