// One block of scratch memory for each thread, kept until the thread ends.
#include "scratch.h"

#include "../runtime/memory.h"

#include <pthread.h>

#include <new>

namespace heed { inline namespace HEED_PRECISION { namespace kernels {
namespace {
// Not a thread-local object with a destructor: destructors of other such objects may still multiply
// matrices after it is gone. A pthread key's destructor runs after all of them, and again if
// another key's destructor has used the scratch memory.
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

}}}  // namespace heed::kernels
