// Named stops: the points of a lesson at which there is something to look at.
// A line number moves with every edit, a name does not: `break heed::stop` in a debugger halts at
// each of them, and one frame up is the lesson. With --stop the program pauses there by itself.
#pragma once

#include "heed/autograd/variable.h"
#include "heed/tensor/bool_tensor.h"
#include "heed/tensor/index_tensor.h"
#include "heed/tensor/mask.h"

#include <initializer_list>

namespace heed {

// A local variable of a lesson, by its name and where it is; nothing of it is copied. A debugger
// steps over the constructors.
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
    const void* object;  // of that type, and only until the call returns
};

using Locals = std::initializer_list<Local>;

// Does nothing, unless somebody waits at the stops. The name begins with the section:
// stop("08.1 after the mask", {{"scores", scores}, {"mask", mask}});
[[gnu::noinline]] void stop(const char* name, Locals locals = {}, CallSite site = CallSite::here());

// What every stop calls; none to begin with.
extern void (*at_stop)(const char* name, Locals locals, const CallSite& site);

}  // namespace heed
