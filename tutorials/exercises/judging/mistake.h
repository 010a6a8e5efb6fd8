// Mistakes: the known errors in an exercise, by name. An exercise has one reference implementation
// (its walk), which asks at every error-prone step whether a given mistake is made. So each wrong
// answer costs one line, and combinations of two cost nothing extra.
#pragma once

#include "tensor/tensor.h"

#include <algorithm>
#include <concepts>
#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace exercise {

// {"sm.mean", "the mean was subtracted", "How large ...?", "Look at ..."}
struct Mistake {
    Mistake(std::string id, std::string says, std::vector<std::string> hints = {})
        : id(std::move(id)), says(std::move(says)), hints(std::move(hints)) {}
    template <class... Hints>
    requires(std::convertible_to<Hints, std::string>&&...)
        Mistake(std::string id, std::string says, const Hints&... hints)
        : Mistake(std::move(id), std::move(says), std::vector<std::string>{hints...}) {}

    std::string id;    // as in the catalogue of mistakes: "mask.strict"
    std::string says;  // after "This is what I would see if": "the mask left out the word itself"
    // The leading hints where they differ from the exercise's own four: a question, where to look,
    // the formula, the change itself.
    std::vector<std::string> hints;
};

// The mistakes a walk makes: slips("mask.strict"). With none, the walk is correct.
class Slips {
  public:
    Slips() = default;
    Slips(std::initializer_list<std::string> ids) : ids_(ids) {}
    bool operator()(const std::string& id) const { return ids_.count(id) > 0; }
    // The mistakes of one of several functions: those qualified by its name, as in
    // "mm.ABt/batched_product", and unqualified ones.
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

// A named intermediate result or answer.
struct Stage {
    std::string name;
    heed::Tensor value;
};
using Stages = std::vector<Stage>;

using Walk = std::function<Stages(const Slips&)>;

// The entries of all lists: of mistakes, of cases, of stages.
template <class T, class... Lists>
std::vector<T> joined(std::vector<T> list, const Lists&... more) {
    (list.insert(list.end(), more.begin(), more.end()), ...);
    return list;
}

// These mistakes, made in one of several functions: see Slips::in.
inline std::vector<Mistake> made_in(const std::string& function, std::vector<Mistake> mistakes) {
    for (Mistake& mistake : mistakes) {
        mistake.id += "/" + function;
        mistake.says += " (in " + function + ")";
    }
    return mistakes;
}

// The mistakes with these ids.
inline std::vector<Mistake> chosen(const std::vector<Mistake>& mistakes,
                                   const std::vector<std::string>& ids) {
    std::vector<Mistake> few;
    for (const Mistake& mistake : mistakes) {
        if (std::find(ids.begin(), ids.end(), mistake.id) != ids.end()) few.push_back(mistake);
    }
    return few;
}

}  // namespace exercise
