#include "heed/tensor/kernels/scratch.h"

#include "heed/tensor/runtime/memory.h"

#include <pthread.h>

#include <new>

namespace heed {
inline namespace HEED_PRECISION {
namespace kernels {

namespace {

// No thread-local object with a destructor: those of others may still multiply matrices when it is
// gone. A key's destructor runs after them all, and again if this was used in another key's.
thread_local Scalar* mine = nullptr;

void give_back(void* scratch) {
    mine = nullptr;
    memory::deallocate(scratch, scratch_bytes);
}

struct Key {
    pthread_key_t key = 0;
    const bool made = pthread_key_create(&key, give_back) == 0;
};

Scalar* make() {
    static const Key at_thread_end;
    void* const scratch = memory::allocate(scratch_bytes);
    if (at_thread_end.made) pthread_setspecific(at_thread_end.key, scratch);
    return static_cast<Scalar*>(scratch);
}

}  // namespace

Scalar* scratch() {
    if (!mine) mine = make();
    return mine;
}

}  // namespace kernels
}  // namespace HEED_PRECISION
}  // namespace heed
