// Storage: the numbers themselves, shared by a tensor and all views of it.
// It counts how often it was written to, so that a gradient that needs a value which has been
// overwritten since is an error and not a wrong number.
#pragma once

#include "tensor/scalar.h"

#include <cstdint>

namespace heed::inline HEED_PRECISION {

class Storage {
  public:
    explicit Storage(std::int64_t size);  // not initialised; std::bad_alloc when there is no room
    ~Storage();
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;

    Scalar* data() { return data_; }
    const Scalar* data() const { return data_; }
    std::int64_t size() const { return size_; }

    std::uint64_t version() const { return version_; }
    void bump_version() { ++version_; }

  private:
    Scalar* data_;
    std::int64_t size_;
    std::uint64_t version_ = 0;
};

}  // namespace heed::inline HEED_PRECISION
