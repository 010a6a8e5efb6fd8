// The placeholder in a hole that the learner has not filled yet.
#pragma once

#include "tensor/call_site.h"

#include <stdexcept>
#include <string>

namespace exercise {

class NotDone : public std::runtime_error {
  public:
    NotDone(const std::string& number, const heed::CallSite& site)
        : std::runtime_error("not done yet: " + number + ", at " + site.text()),
          function_(site.function) {}
    // The function with the hole: "split_heads", "operator()".
    const std::string& function() const { return function_; }

  private:
    std::string function_;
};

// not_done("08.1");
[[noreturn]] inline void not_done(const std::string& number,
                                  heed::CallSite site = heed::CallSite::here()) {
    throw NotDone(number, site);
}

}  // namespace exercise
