// Numbers that a lesson printed, as tables of its page (HTML): each entry shaded by its size.
#pragma once

#include "tutorials/support/printed.h"

#include <string>

namespace tutorial {

// The part a tensor plays in attention, by its name: X, Q, K, V, scores, weights or output; empty,
// if the name tells none. "masked scores" are scores, "keys" K.
std::string role_of(const std::string& name);
// Without colours of the terminal: ESC [ … m.
std::string without_colors(const std::string& text);
// A wide table scrolls in itself; the keyboard can scroll it, too.
std::string scrolling(const std::string& label, const std::string& content);

// A tensor's name, in the colour of its role, if it has one.
std::string name_as_html(const std::string& name, const std::string& role);
// One entry as it was printed, shaded by its share of the largest; · and x are a mask's.
std::string cell_as_html(const std::string& entry, double largest);
// The table of a tensor or mask, shaded by its largest entry, or by `least`, if that is larger.
std::string matrices_as_html(const PrintedPart& part, double least);
// Vectors below each other, as a figure; each is shaded by its own largest entry.
std::string rows_as_html(const PrintedPart& part);

}  // namespace tutorial
