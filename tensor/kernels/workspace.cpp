#include "tensor/kernels/workspace.h"

#include "tensor/memory.h"

#include <pthread.h>

#include <new>

namespace heed::inline HEED_PRECISION::kernels {

namespace {

// No thread-local object with a destructor: those of others may still multiply matrices when it is
// gone. A key's destructor runs after them all, and again if this was used in another key's.
thread_local Scalar* mine = nullptr;

void give_back(void* workspace) {
    mine = nullptr;
    memory::deallocate(workspace, workspace_bytes);
}

struct Key {
    pthread_key_t key = 0;
    const bool made = pthread_key_create(&key, give_back) == 0;
};

Scalar* make() {
    static const Key at_thread_end;
    void* const workspace = memory::allocate(workspace_bytes);
    if (at_thread_end.made) pthread_setspecific(at_thread_end.key, workspace);
    return static_cast<Scalar*>(workspace);
}

}  // namespace

Scalar* workspace() {
    if (!mine) mine = make();
    return mine;
}

}  // namespace heed::inline HEED_PRECISION::kernels
