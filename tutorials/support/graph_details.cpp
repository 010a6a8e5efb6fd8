#include "tutorials/support/graph_details.h"

#include "autograd/inspect/svg.h"
#include "tensor/errors.h"

#include <map>

using namespace heed;

namespace tutorial {
namespace {

// The numbers of the layers that are drawn already, by what they look like.
struct Drawn {
    std::map<std::string, std::int64_t> number_of;
    std::int64_t count = 0;
};

std::string looks_of(const GraphDrawing& drawing) {
    std::string looks = drawing.svg;
    for (const GraphDrawing& layer : drawing.inside) looks += looks_of(layer);
    return looks;
}

std::string with_inside(const GraphDrawing& drawing, Drawn& drawn) {
    std::string html = drawing.svg;
    for (const GraphDrawing& layer : drawing.inside) {
        const std::int64_t number = ++drawn.count;
        const auto [like, is_new] = drawn.number_of.insert({looks_of(layer), number});
        html += text("<details><summary>", number, " ", svg_text(layer.name), " at ",
                     svg_text(layer.place), ": ", layer.operations,
                     layer.operations == 1 ? " operation" : " operations", "</summary>\n");
        html += is_new ? with_inside(layer, drawn) : text("<p>As in ", like->second, ".</p>\n");
        html += "</details>\n";
    }
    return html;
}

}  // namespace

std::string graph_details(const GraphDrawing& drawing) {
    Drawn drawn;
    return with_inside(drawing, drawn);
}

}  // namespace tutorial
