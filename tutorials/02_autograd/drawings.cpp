// Lesson 02: the graphs of its page (02.3).
#include "autograd/inspect/graph_svg.h"
#include "nn/attention/multi_head_attention.h"
#include "tensor/ops.h"
#include "tutorials/02_autograd/parts.h"
#include "tutorials/support/graph_details.h"
#include "tutorials/support/page.h"

using namespace heed;

void draw_graphs(const Variable& y) {
    if (!tutorial::page_is_written()) return;
    tutorial::draw(graph_svg(y));
    Random random(1);  // of its own: what the lesson draws must not depend on the page
    const MultiHeadAttention attention(8, 2, random);
    Variable X(tensor::normal({5, 8}, random), requires_grad);
    X.set_name("X");
    tutorial::draw(tutorial::graph_details(graph_drawing(attention(X))));
}
