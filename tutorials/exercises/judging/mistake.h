// Mistakes: the ways to go wrong in an exercise, by name.
// An exercise has one reference walk, which asks at every place where one can err whether that
// mistake is made: so each wrong answer costs a line, and two mistakes at once cost none.
#pragma once

#include "heed/tensor/tensor.h"

#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

namespace exercise {

struct Mistake {
    std::string id;    // as in the catalogue of mistakes: "mask.strict"
    std::string says;  // after "This is what I would see if": "the mask left out the word itself"
    // The first of the four steps where they are others than the exercise's own: a question, where
    // to look, the formula, the change itself.
    std::vector<std::string> hints;
};

// Which mistakes a walk makes: slips("mask.strict"). None is the right walk.
class Slips {
  public:
    Slips() = default;
    Slips(std::initializer_list<std::string> ids) : ids_(ids) {}
    bool operator()(const std::string& id) const { return ids_.count(id) > 0; }
    // Those that one function of several makes: what names it, "mm.ABt/batched_product", or none.
    Slips in(const std::string& function) const {
        Slips own;
        for (const std::string& id : ids_) {
            const std::size_t slash = id.find('/');
            const bool everywhere = slash == std::string::npos;
            if (everywhere || id.substr(slash + 1) == function)
                own.ids_.insert(id.substr(0, slash));
        }
        return own;
    }

  private:
    std::set<std::string> ids_;
};

// A named result on the way, or an answer.
struct Stage {
    std::string name;
    heed::Tensor value;
};
using Stages = std::vector<Stage>;

using Walk = std::function<Stages(const Slips&)>;

}  // namespace exercise
