// Lesson 01: the drawings of its page, strides (01.2) and broadcasting (01.5).
#include "tensor/ops.h"
#include "tutorials/01_tensors/parts.h"
#include "tutorials/support/page.h"
#include "tutorials/support/tensor_drawings.h"

using namespace heed;

void draw_strides(const Tensor& x, const Tensor& xT) {
    if (!tutorial::page_is_written()) return;
    tutorial::draw(tutorial::strides_svg("One memory, read in two orders", {{"x", x}, {"xᵀ", xT}}));
}

void draw_broadcasting() {
    if (!tutorial::page_is_written()) return;
    const Tensor a = tensor::view(tensor::of({100, 200, 300, 400, 500, 600}), {2, 1, 3});
    const Tensor b = tensor::of({{1}, {2}, {3}, {4}});
    tutorial::draw(tutorial::broadcast_svg("Three axes and two: what is repeated is pale", {"a", a},
                                           {"b", b}));
}
