// The pictures of lesson 13: an alignment with its crossings, and accuracy over length.
#pragma once

#include "tutorials/13_alignment/held_out.h"

#include <iosfwd>
#include <string>
#include <vector>

// The English words above the Spanish ones, with a line from each to the word it comes from.
void draw_alignment(std::ostream& out, const Translation& text);

struct Curve {
    std::string name;            // its first letter is its mark in the picture
    std::vector<double> shares;  // for each range of lengths, from 0 to 1
};

void print_curves(std::ostream& out, const std::vector<LengthRange>& lengths,
                  const std::vector<Curve>& curves);
void draw_curves(std::ostream& out, const std::vector<LengthRange>& lengths,
                 const std::vector<Curve>& curves);
// The same for the lesson's page. Curves of one name are one line, their median, with a range.
std::string curves_svg(const std::vector<LengthRange>& lengths, const std::vector<Curve>& curves);
