#include "heat_map.h"

#include "../../tensor/errors.h"
#include "../../tensor/print.h"
#include "attention_data.h"
#include "display.h"
#include "table.h"

#include <algorithm>
#include <ostream>

namespace heed { inline namespace HEED_PRECISION {
namespace {
using namespace terminal;
const char* const operation = "print_heat_map";
const std::string masked = "·";

Table table_of(const AttentionRecord& record, std::int64_t head) {
    const Tensor weights = head_of(record, record.weights, head);
    const std::vector<bool> allowed = allowed_in(record, head);
    Table table = {
        "query \\ key", "key", tokens_of(record, -2, head), tokens_of(record, -1, head), {}};
    for (std::size_t place = 0; place < static_cast<std::size_t>(weights.numel()); ++place) {
        const bool is_allowed = allowed.empty() || allowed[place];
        const double weight = weights.data()[place];
        table.cells.push_back(is_allowed ? Cell{fixed(weight, 2), weight} : Cell{masked});
    }
    return table;
}

void draw(std::ostream& out, const Table& table) {
    const bool masks_something = std::any_of(table.cells.begin(), table.cells.end(),
                                             [](const Cell& cell) { return cell.text == masked; });
    out << "rows: queries, columns: keys" << (masks_something ? "; · is masked" : "") << "\n";
    print_table(out, table);
}

void print_name(std::ostream& out, const std::string& name, const Dims& index) {
    if (name.empty() && index.empty()) return;
    const std::string place = index.empty() ? "" : index.text();
    const std::string title = visible(name + (name.empty() || index.empty() ? "" : " ") + place);
    out << (display_width(title) > 80 ? fit(title, 80) : title) << "\n";
}

}  // namespace

void (*at_heat_map)(std::ostream& out, const std::string& text, const AttentionRecord& record,
                    const Dims& index) = nullptr;

void print_heat_map(std::ostream& out, const Tokens& queries, const Tokens& keys,
                    const Tensor& weights, const std::optional<Mask>& mask, CallSite site) {
    if (weights.rank() != 2) {
        fail_argument(operation, site, "the weights must be a matrix [T_q, T_k], and are ",
                      weights.shape());
    }
    print_heat_map(out,
                   {.name = "",
                    .query_tokens = {queries},
                    .key_tokens = {keys},
                    .mask = mask,
                    .weights = weights},
                   {}, site);
}

void print_heat_map(std::ostream& out, const AttentionRecord& record, const Dims& index,
                    CallSite site) {
    check_records(operation, {record}, site);
    const Table table = table_of(record, head_at(operation, record, index, site));
    if (at_heat_map == nullptr) {
        print_name(out, record.full_name(), index);
        return draw(out, table);
    }
    TextBuilder text;
    print_name(text.out(), record.full_name(), index);
    draw(text.out(), table);
    at_heat_map(out, text.text(), record, index);
}

}}  // namespace heed
