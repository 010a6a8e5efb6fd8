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
    // Counts one more, and describes it if it is among the first.
    template <class... Parts>
    void add(const Parts&... parts) {
        if (++count_ <= most) listed_ += heed::text("\n  ", parts...);
    }
    // Are enough described? Then a description need not be thought of.
    bool only_counts() const { return count_ >= most; }
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
