#include "embedding.h"

#include "../autograd/ops.h"
#include "../tensor/errors.h"
#include "../tensor/factories.h"
#include "forward_hook.h"
#include "label_checks.h"

namespace heed { inline namespace HEED_PRECISION {

namespace {

// [n, 1], true where the id is padding_idx.
BoolTensor is_padding(const IndexTensor& ids, std::int64_t padding_idx) {
    std::vector<std::uint8_t> bytes;
    for (std::int64_t i = 0; i < ids.numel(); ++i) bytes.push_back(ids.data()[i] == padding_idx);
    return BoolTensor::from_bytes(std::move(bytes), Shape{ids.numel(), 1});
}

}  // namespace

Embedding::Embedding(std::int64_t rows, std::int64_t d, Random& random,
                     std::optional<std::int64_t> padding, CallSite site)
    : padding_idx(padding) {
    if (rows < 1 || d < 1) {
        fail_argument("Embedding", site, "rows is ", rows, " and d is ", d,
                      "; both must be at least 1");
    }
    if (padding && (*padding < 0 || *padding >= rows)) {
        fail_range("Embedding", site, "padding_idx is ", *padding, "; the table has the rows 0 to ",
                   rows - 1);
    }
    Tensor table = tensor::normal(Shape({rows, d}, site), random, 0, 1, site);  // [rows, d]
    if (padding) {
        Tensor row = tensor::select(table, 0, *padding);
        tensor::overwrite(row, tensor::zeros({d}));
    }
    weight = Parameter(table, "weight");
}

Variable Embedding::operator()(const IndexTensor& ids, CallSite site) const {
    check_labels("Embedding", "id", ids, weight.dim(0), "rows", site);
    const Scope scope("Embedding", site);
    Dims lengths(ids.shape());  // [..., d]
    lengths.append(weight.dim(1), site);

    const IndexTensor one_axis = ids.reshape(ids.numel());     // [n]
    const Variable rows = index_select(weight, 0, one_axis);   // [n, d]
    const Variable learned = without_padding(rows, one_axis);  // [n, d]
    const Variable x = reshape(learned, lengths);              // [..., d]
    ForwardHook::called(*this, {}, x);
    return x;
}

// The rows of padding_idx get no gradient.
Variable Embedding::without_padding(const Variable& rows, const IndexTensor& ids) const {
    if (!padding_idx) return rows;
    const BoolTensor padding = is_padding(ids, *padding_idx);  // [n, 1]
    return heed::where(padding, rows.detach(), rows);          // [n, d]
}

void Embedding::members(MemberVisitor& visit) { visit("weight", weight); }

std::string Embedding::details() const {
    const std::string sizes = text(weight.dim(0), ", ", weight.dim(1));
    return padding_idx ? text(sizes, ", padding_idx=", *padding_idx) : sizes;
}

}}  // namespace heed
