// Storage: the entries of a tensor, shared by all views of it.
// It counts writes: a gradient that needs a value overwritten since is then an error instead of a
// wrong result.
#pragma once

#include "scalar.h"

#include <cstdint>
#include <memory>

namespace heed { inline namespace HEED_PRECISION {

class Storage {
  public:
    // Uninitialised. Error: out of memory (std::bad_alloc).
    explicit Storage(std::int64_t size);
    // The same, but a small storage and its entries share one block of memory, which is faster.
    static std::shared_ptr<Storage> make(std::int64_t size);
    // Entries that lie in somebody else's memory, such as a mapped file, which `owner` keeps alive.
    static std::shared_ptr<Storage> over(Scalar* entries, std::int64_t size,
                                         std::shared_ptr<void> owner);
    ~Storage();
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;

    Scalar* data() { return data_; }
    const Scalar* data() const { return data_; }
    std::int64_t size() const { return size_; }

    std::uint64_t version() const { return version_; }
    void bump_version() { ++version_; }

    struct Beside;  // tag: the entries follow the Storage in its own block (storage.cpp)
    Storage(std::int64_t size, Beside);

  private:
    Storage(Scalar* entries, std::int64_t size);
    Scalar* beside();

    Scalar* data_;
    std::int64_t size_;
    std::uint64_t version_ = 0;
    bool owns_block_;  // data_ is a block of its own
};

}}  // namespace heed
