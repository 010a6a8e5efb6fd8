// Drawings of tensors as SVG text, for the page of a lesson.
#pragma once

#include "tutorials/support/cells.h"

#include <string>
#include <vector>

namespace tutorial {

// Of views [rows, columns] of one memory: the cells of each, and beside it the memory, with arcs
// from cell to cell in the order in which the view is read, row by row. Errors: no tensor
// (std::invalid_argument); one whose rank is not 2, or that shares no memory with the first
// (ShapeError).
std::string strides_svg(const std::string& title, const std::vector<NamedTensor>& views,
                        heed::CallSite site = heed::CallSite::here());

// a + b: each as it is repeated, with what is there in full colour and the repetitions pale, and
// the sum. Errors: shapes that cannot be broadcast, a sum of more than 3 axes (ShapeError).
std::string broadcast_svg(const std::string& title, const NamedTensor& a, const NamedTensor& b,
                          heed::CallSite site = heed::CallSite::here());

// How x [T, h·d] becomes h heads: `steps`, which have 2 or 3 axes, with arrows between, and below
// them `wrong`. The columns of each head have a colour, which their numbers keep, so that one sees
// where each went. Errors: no step; another rank (ShapeError); columns that h does not divide; a
// number that is not in the first step (std::invalid_argument).
std::string head_split_svg(const std::string& title, const std::vector<NamedTensor>& steps,
                           const NamedTensor& wrong, std::int64_t heads,
                           heed::CallSite site = heed::CallSite::here());

}  // namespace tutorial
