#include "heat_map.h"

#include "../../tensor/print.h"
#include "../../tensor/views.h"
#include "display.h"
#include "table.h"

#include <ostream>
#include <sstream>
#include <stdexcept>

namespace heed { inline namespace HEED_PRECISION {
namespace {
using namespace terminal;
const std::string masked = "·";

[[noreturn]] void fail(const std::string& problem) {
    throw std::invalid_argument("print_heat_map: " + problem);
}

// "2 queries", "1 key"
std::string counted(std::int64_t count, const std::string& one, const std::string& several) {
    return std::to_string(count) + " " + (count == 1 ? one : several);
}

void check_words(const Words& words, const Tensor& weights, int axis) {
    const std::int64_t named = static_cast<std::int64_t>(words.size());
    if (named == weights.dim(axis)) return;
    const bool is_row = axis == -2;
    fail(counted(named, is_row ? "query is" : "key is", is_row ? "queries are" : "keys are") +
         " named, but the weights " + weights.shape().text() + " have " +
         counted(weights.dim(axis), is_row ? "row" : "column", is_row ? "rows" : "columns"));
}

// May query i attend to key j in the weight matrix selected by `index`? The mask broadcasts along
// axes of length 1.
bool is_allowed(const Mask& mask, const Dims& index, std::int64_t i, std::int64_t j) {
    std::vector<std::int64_t> place(index.begin(), index.end());
    place.push_back(i);
    place.push_back(j);
    const Shape& shape = mask.shape();
    place.erase(place.begin(), place.end() - shape.rank());
    for (int axis = 0; axis < shape.rank(); ++axis) {
        if (shape[axis] == 1) place[static_cast<std::size_t>(axis)] = 0;
    }
    return mask.allows(place);
}

// `weights` is the whole tensor, from which `index` selects a matrix.
Table table_of(const Words& queries, const Words& keys, const Tensor& weights,
               const std::optional<Mask>& mask, const Dims& index) {
    check_words(queries, weights, -2);
    check_words(keys, weights, -1);
    if (mask && !broadcasts_to(mask->shape(), weights.shape())) {
        fail("the mask " + mask->shape().text() + " does not broadcast to the weights " +
             weights.shape().text());
    }
    Tensor matrix = weights;
    for (const std::int64_t entry : index) matrix = tensor::select(matrix, 0, entry);
    Table table = {"query \\ key", "key", queries, keys, {}};
    for (std::int64_t i = 0; i < matrix.dim(0); ++i) {
        for (std::int64_t j = 0; j < matrix.dim(1); ++j) {
            const bool allowed = !mask || is_allowed(*mask, index, i, j);
            const double weight = matrix(i, j);
            table.cells.push_back(allowed ? Cell{fixed(weight, 2), weight} : Cell{masked});
        }
    }
    return table;
}

void draw(std::ostream& out, const Table& table) {
    bool masks_something = false;
    for (const Cell& cell : table.cells) masks_something |= cell.text == masked;
    out << "rows: queries, columns: keys" << (masks_something ? "; · is masked" : "") << "\n";
    print_table(out, table);
}

void check_index(const Dims& index, const Tensor& weights) {
    if (weights.rank() < 2) {
        fail("the record's weights must be [..., T_q, T_k], and are " + weights.shape().text());
    }
    const std::string both =
        "the index " + index.text() + " does not fit the weights " + weights.shape().text();
    if (index.size() != weights.rank() - 2) {
        fail(both + ": it must have an entry for each axis before the last two, so " +
             std::to_string(weights.rank() - 2));
    }
    for (int axis = 0; axis < index.size(); ++axis) {
        if (index[axis] >= 0 && index[axis] < weights.dim(axis)) continue;
        fail(both + ": entry " + std::to_string(index[axis]) + " of axis " + std::to_string(axis) +
             ", whose length is " + std::to_string(weights.dim(axis)));
    }
}

void print_name(std::ostream& out, const std::string& name, const Dims& index) {
    if (name.empty() && index.empty()) return;
    const std::string place = index.empty() ? "" : index.text();
    const std::string title = visible(name + (name.empty() || index.empty() ? "" : " ") + place);
    out << (display_width(title) > 80 ? fit(title, 80) : title) << "\n";
}

// The token list for the selected batch entry, or positions.
Words tokens_of(const std::vector<Words>& lists, const Dims& index, const Tensor& weights,
                int axis) {
    if (lists.size() == 1) return lists[0];
    if (!lists.empty()) {
        const std::int64_t batch = index.empty() ? 1 : weights.dim(0);
        if (static_cast<std::int64_t>(lists.size()) != batch) {
            fail("the record has " + std::to_string(lists.size()) + " lists of tokens, but the " +
                 "weights " + weights.shape().text() + " are of " +
                 counted(batch, "sequence", "sequences"));
        }
        return lists[static_cast<std::size_t>(index[0])];
    }
    Words positions;
    for (std::int64_t t = 0; t < weights.dim(axis); ++t) positions.push_back(std::to_string(t));
    return positions;
}

// The whole picture, with its name.
void show(std::ostream& out, const AttentionRecord& record, const Dims& index, const Table& table) {
    if (at_heat_map == nullptr) {
        print_name(out, record.full_name(), index);
        return draw(out, table);
    }
    std::ostringstream text;
    print_name(text, record.full_name(), index);
    draw(text, table);
    at_heat_map(out, text.str(), record, index);
}

}  // namespace

void (*at_heat_map)(std::ostream& out, const std::string& text, const AttentionRecord& record,
                    const Dims& index) = nullptr;

void print_heat_map(std::ostream& out, const Words& queries, const Words& keys,
                    const Tensor& weights, const std::optional<Mask>& mask) {
    if (weights.rank() != 2) {
        fail("the weights must be a matrix [T_q, T_k], and are " + weights.shape().text());
    }
    AttentionRecord record;
    record.query_tokens = {queries};
    record.key_tokens = {keys};
    record.mask = mask;
    record.weights = weights;
    show(out, record, {}, table_of(queries, keys, weights, mask, {}));
}

void print_heat_map(std::ostream& out, const AttentionRecord& record, const Dims& index) {
    check_index(index, record.weights);
    const Words queries = tokens_of(record.query_tokens, index, record.weights, -2);
    const Words keys = tokens_of(record.key_tokens, index, record.weights, -1);
    show(out, record, index, table_of(queries, keys, record.weights, record.mask, index));
}

}}  // namespace heed
