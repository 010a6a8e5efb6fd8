// Problems: a list of what is wrong, for an error's message. The first ten are described, the
// others counted, so that a file for another network, of which every name is wrong, gives a message
// that can be read.
#pragma once

#include "../tensor/errors.h"

#include <cstddef>
#include <string>

namespace heed { inline namespace HEED_PRECISION {

class Problems {
  public:
    // Counts one more. Should it be described, by add()?
    bool counts_and_lists() { return ++count_ <= most; }
    template <class... Parts>
    void add(const Parts&... parts) {
        listed_ += heed::text("\n  ", parts...);
    }
    // One line each, and "and 138 more are missing" if there are so many.
    std::string text(const char* are_missing) const {
        if (count_ <= most) return listed_;
        return listed_ + heed::text("\n  and ", count_ - most, " more ", are_missing);
    }

  private:
    static constexpr std::size_t most = 10;
    std::size_t count_ = 0;
    std::string listed_;
};

}}  // namespace heed
