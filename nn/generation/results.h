// Results: a list of results that gives an element away if nobody keeps the list.
#pragma once

#include "../../tensor/scalar.h"

#include <utility>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// A std::vector but for this: in
//     for (const std::int64_t id : generate(model, prompt, random)[0]) ...
// the list ends before the loop begins, so [0] must return an element that lives on its own.
template <class T>
struct Results : std::vector<T> {
    using List = std::vector<T>;
    using List::List;
    Results() = default;
    Results(List list) : List(std::move(list)) {}

    T& operator[](std::size_t i) & { return List::operator[](i); }
    const T& operator[](std::size_t i) const& { return List::operator[](i); }
    T operator[](std::size_t i) && { return std::move(List::operator[](i)); }
    T& at(std::size_t i) & { return List::at(i); }
    const T& at(std::size_t i) const& { return List::at(i); }
    T at(std::size_t i) && { return std::move(List::at(i)); }
    T& front() & { return List::front(); }
    const T& front() const& { return List::front(); }
    T front() && { return std::move(List::front()); }
    T& back() & { return List::back(); }
    const T& back() const& { return List::back(); }
    T back() && { return std::move(List::back()); }
};

}}  // namespace heed
