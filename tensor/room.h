// Memory for as many entries as a caller's shape says.
#pragma once

#include "errors.h"
#include "runtime/memory_sizes.h"
#include "shape.h"

#include <new>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// An empty vector with room for the entries of a shape. Error: there is not so much memory
// (OutOfMemory), in the name of the operation.
template <class Entry>
std::vector<Entry> room_for(const char* operation, const Shape& shape, const CallSite& site) {
    std::vector<Entry> entries;
    const std::size_t count = static_cast<std::size_t>(shape.numel());
    try {
        if (count > memory::largest_block / sizeof(Entry)) throw std::bad_alloc();
        entries.reserve(count);
    } catch (const std::bad_alloc&) {
        fail_memory(operation, site, "shape ", shape, " needs ", shape.numel(), " entries of ",
                    sizeof(Entry), sizeof(Entry) == 1 ? " byte" : " bytes",
                    ", and there is not so much memory");
    }
    return entries;
}

}}  // namespace heed
