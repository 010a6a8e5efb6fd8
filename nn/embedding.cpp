#include "embedding.h"

#include "../autograd/ops.h"
#include "../tensor/errors.h"
#include "argument_checks.h"
#include "init.h"
#include "running.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
// [n, 1], true where the id is padding_idx.
BoolTensor is_padding(const IndexTensor& ids, std::int64_t padding_idx) {
    std::vector<std::uint8_t> bytes;
    for (std::int64_t i = 0; i < ids.numel(); ++i) bytes.push_back(ids.data()[i] == padding_idx);
    return BoolTensor::from_bytes(std::move(bytes), Shape{ids.numel(), 1});
}

void check_padding_idx(std::optional<std::int64_t> padding, std::int64_t rows,
                       const CallSite& site) {
    if (!padding || (*padding >= 0 && *padding < rows)) return;
    fail_range("Embedding", site, "padding_idx is ", *padding, "; the table has rows 0 to ",
               rows - 1);
}

// Returns vocab_size, so that the sizes are checked before the first table is created.
std::int64_t checked_vocab_size(std::int64_t vocab_size, std::int64_t token_limit, std::int64_t d,
                                const CallSite& site) {
    check_sizes("TokenAndPositionEmbedding",
                {{"vocab_size", vocab_size}, {"token_limit", token_limit}, {"d", d}}, site);
    return vocab_size;
}

}  // namespace

Embedding::Embedding(std::int64_t rows, std::int64_t d, Random& random,
                     std::optional<std::int64_t> padding, CallSite site)
    : padding_idx(padding) {
    check_sizes("Embedding", {{"rows", rows}, {"d", d}}, site);
    check_padding_idx(padding, rows, site);
    weight = Parameter::unfilled(Shape({rows, d}, site), "weight", site);
    init::normal(weight, random, 0, 1, site);
    if (padding && !WithoutValues::lives()) {
        Tensor row = tensor::select(weight.value(), 0, *padding);
        tensor::overwrite(row, tensor::zeros({d}));
    }
}

Variable Embedding::operator()(const IndexTensor& ids, CallSite site) const {
    check_parameter("Embedding", "weight", weight, 2, site);
    check_padding_idx(padding_idx, weight.dim(0), site);
    check_labels("Embedding", "id", ids, weight.dim(0), "rows", site);
    const Running layer(*this, "Embedding", {}, site);
    Dims lengths(ids.shape());  // [..., d]
    lengths.append(weight.dim(1), site);

    const IndexTensor one_axis = ids.reshape(ids.numel());     // [n]
    const Variable rows = index_select(weight, 0, one_axis);   // [n, d]
    const Variable learned = without_padding(rows, one_axis);  // [n, d]
    const Variable x = reshape(learned, lengths);              // [..., d]
    return layer.gives(x);
}

// The rows of padding_idx get no gradient.
Variable Embedding::without_padding(const Variable& rows, const IndexTensor& ids) const {
    if (!padding_idx) return rows;
    const BoolTensor padding = is_padding(ids, *padding_idx);  // [n, 1]
    return heed::where(padding, rows.detach(), rows);          // [n, d]
}

std::string Embedding::details() const {
    const std::string sizes = text(weight.dim(0), ", ", weight.dim(1));
    return padding_idx ? text(sizes, ", padding_idx=", *padding_idx) : sizes;
}

TokenAndPositionEmbedding::TokenAndPositionEmbedding(std::int64_t vocab_size,
                                                     std::int64_t token_limit, std::int64_t d,
                                                     Random& random,
                                                     std::optional<std::int64_t> padding_idx,
                                                     CallSite site)
    : token_embeddings(checked_vocab_size(vocab_size, token_limit, d, site), d, random, padding_idx,
                       site),
      position_embeddings(token_limit, d, random, std::nullopt, site) {}

Variable TokenAndPositionEmbedding::operator()(const IndexTensor& ids, CallSite site) const {
    if (ids.rank() == 0) {
        fail_shape("TokenAndPositionEmbedding", site,
                   "ids has rank 0, a single token; it must be [..., T], such as [1]");
    }
    check_parameter("TokenAndPositionEmbedding", "token_embeddings.weight", token_embeddings.weight,
                    2, site);
    check_parameter("TokenAndPositionEmbedding", "position_embeddings.weight",
                    position_embeddings.weight, 2, site);
    check_parameter("TokenAndPositionEmbedding", "position_embeddings.weight",
                    position_embeddings.weight,
                    Shape({token_limit(), token_embeddings.weight.dim(1)}, site), site);
    const std::int64_t T = ids.dim(-1);
    if (T > token_limit()) {
        fail_shape("TokenAndPositionEmbedding", site, "ids ", ids.shape(), " has ", T,
                   " tokens; the token limit is ", token_limit(),
                   ", one row for each position; shorten the text, or ",
                   "make the layer with a token_limit of at least ", T);
    }
    const Running layer(*this, "TokenAndPositionEmbedding", {}, site);
    const IndexTensor position_ids = IndexTensor::arange(T);       // [T]
    const Variable tokens = token_embeddings(ids, site);           // [..., T, d]
    const Variable positions = position_embeddings(position_ids);  // [T, d]
    const Variable x = tokens + positions;                         // [..., T, d]
    return layer.gives(x);
}

}}  // namespace heed
