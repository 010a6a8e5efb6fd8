// What stands in a hole until it is filled.
#pragma once

#include "tensor/where.h"

#include <stdexcept>
#include <string>

namespace exercise {

class NotDone : public std::runtime_error {
  public:
    NotDone(const std::string& number, const heed::Where& where)
        : std::runtime_error("not done yet: " + number + ", at " + where.text()) {}
};

// not_done("08.1");
[[noreturn]] inline void not_done(const std::string& number,
                                  heed::Where where = heed::Where::here()) {
    throw NotDone(number, where);
}

}  // namespace exercise
