// Storage: the numbers themselves, shared by a tensor and all views of it.
// It counts how often it was written to, so that a gradient that needs a value which has been
// overwritten since is an error and not a wrong number.
#pragma once

#include "heed/tensor/scalar.h"

#include <cstdint>
#include <memory>

namespace heed {
inline namespace HEED_PRECISION {

class Storage {
  public:
    // Not initialised; std::bad_alloc when there is no room.
    explicit Storage(std::int64_t size);
    // The same. A few numbers lie in one block of memory with their storage, which is quicker.
    static std::shared_ptr<Storage> make(std::int64_t size);
    ~Storage();
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;

    Scalar* data() { return data_; }
    const Scalar* data() const { return data_; }
    std::int64_t size() const { return size_; }

    std::uint64_t version() const { return version_; }
    void bump_version() { ++version_; }

    struct Beside;  // says that there is room for the numbers behind the storage (storage.cpp)
    Storage(std::int64_t size, Beside);

  private:
    Scalar* beside();

    Scalar* data_;
    std::int64_t size_;
    std::uint64_t version_ = 0;
    bool owns_block_;  // of the numbers alone
};

}  // namespace HEED_PRECISION
}  // namespace heed
