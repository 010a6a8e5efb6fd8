// Named stops: points of a lesson with something to inspect. Line numbers move with every edit,
// names do not: `break heed::stop` in a debugger halts at each stop, and the lesson is one frame
// up. With --stop the program pauses there by itself.
#pragma once

#include "autograd/variable.h"
#include "tensor/bool_tensor.h"
#include "tensor/index_tensor.h"
#include "tensor/mask.h"

#include <initializer_list>

namespace heed {

// A local variable of a lesson: its name and address; nothing is copied. Debuggers step over the
// constructors.
class Local {
  public:
    enum class Type { tensor, variable, bool_tensor, mask, index_tensor };

    [[gnu::always_inline, gnu::artificial]] inline Local(const char* is_called, const Tensor& x)
        : name(is_called), type(Type::tensor), object(&x) {}
    [[gnu::always_inline, gnu::artificial]] inline Local(const char* is_called, const Variable& x)
        : name(is_called), type(Type::variable), object(&x) {}
    [[gnu::always_inline, gnu::artificial]] inline Local(const char* is_called, const BoolTensor& x)
        : name(is_called), type(Type::bool_tensor), object(&x) {}
    [[gnu::always_inline, gnu::artificial]] inline Local(const char* is_called, const Mask& x)
        : name(is_called), type(Type::mask), object(&x) {}
    [[gnu::always_inline, gnu::artificial]] inline Local(const char* is_called,
                                                         const IndexTensor& x)
        : name(is_called), type(Type::index_tensor), object(&x) {}

    const char* name;
    Type type;
    const void* object;  // of that type; valid only until the call returns
};

using Locals = std::initializer_list<Local>;

// Does nothing unless a handler is installed. The name begins with the section:
// stop("08.1 after the mask", {{"scores", scores}, {"mask", mask}});
[[gnu::noinline]] void stop(const char* name, Locals locals = {}, CallSite site = CallSite::here());

// The handler that every stop calls; null by default.
extern void (*at_stop)(const char* name, Locals locals, const CallSite& site);

}  // namespace heed

namespace tutorial {

// Implements --stop: after this call every heed::stop shows its name, its line and its locals:
// shape, strides unless contiguous, the operation that made it, its gradient if any, and its
// numbers, abbreviated if there are many. Then it waits for a line: Enter continues, q throws Quit
// (reader.h). At end of input it keeps showing but no longer waits.
void pause_at_stops();
// For a page of the lesson: each stop is an event of it, with its locals (page.h).
void keep_stops();
void no_pause_at_stops();  // nor for a page

}  // namespace tutorial
