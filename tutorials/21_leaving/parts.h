// The sections of lesson 21 that need a program of others are in pytorch.cpp.
#pragma once

#include "nn/models/gpt.h"
#include "tutorials/14_language_model/source.h"

#include <string>
#include <vector>

const std::int64_t T = 24;     // tokens of a text
const std::int64_t B = 32;     // texts of a batch
const double least_lr = 1e-3;  // of the ten steps

double loss_of(const heed::Gpt& gpt, const Texts& texts);
// Ten steps of AdamW on whole batches: the loss of each.
std::vector<double> train(heed::Gpt& gpt, const std::vector<Texts>& batches);

// Folders where the sections put their files, and the programs of others; "" if there are none.
struct Elsewhere {
    std::string folder;
    std::string python, onnx;
};

void in_pytorch(const heed::Gpt& gpt, const Texts& held_out, const std::vector<Texts>& batches,
                const Elsewhere& elsewhere);                                            // 21.3
void in_onnx(const heed::Gpt& gpt, const Texts& held_out, const Elsewhere& elsewhere);  // 21.4
