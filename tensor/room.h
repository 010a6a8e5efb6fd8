// Memory for the entries of a shape that the caller chose.
#pragma once

#include "errors.h"
#include "runtime/memory.h"
#include "shape.h"

#include <new>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// An empty vector with room for the entries of a shape. Error: out of memory
// (OutOfMemory, which names the operation).
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
                    ", and there is not enough memory");
    }
    return entries;
}

}}  // namespace heed
