// Memory for a list as long as a caller's number says.
#pragma once

#include "heed/tensor/errors.h"

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

// An empty vector with room for `count` entries; count is not negative. Error: there is not so much
// memory (OutOfMemory), in the name of the operation.
template <class T>
std::vector<T> with_room_for(std::int64_t count, const char* operation, const CallSite& site) {
    std::vector<T> room;
    try {
        room.reserve(static_cast<std::size_t>(count));
        return room;
    } catch (const std::length_error&) {
    } catch (const std::bad_alloc&) {
    }
    fail_memory(operation,
                text(count, " entries of ", sizeof(T), sizeof(T) == 1 ? " byte" : " bytes",
                     " each are needed, and there is not so much memory"),
                site);
}

}  // namespace HEED_PRECISION
}  // namespace heed
