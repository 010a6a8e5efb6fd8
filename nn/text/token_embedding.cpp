#include "token_embedding.h"

#include "../../autograd/ops.h"
#include "../../tensor/errors.h"
#include "../forward_hook.h"

namespace heed { inline namespace HEED_PRECISION {

namespace {

// Returns vocab_size: the sizes must be checked before the first table is created.
std::int64_t checked_vocab_size(std::int64_t vocab_size, std::int64_t token_limit, std::int64_t d,
                                const CallSite& site) {
    if (vocab_size < 1 || token_limit < 1 || d < 1) {
        fail_argument("TokenAndPositionEmbedding", site, "vocab_size is ", vocab_size,
                      ", token_limit is ", token_limit, " and d is ", d,
                      "; all three must be at least 1");
    }
    return vocab_size;
}

}  // namespace

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
    const std::int64_t T = ids.dim(-1);
    if (T > token_limit()) {
        fail_shape("TokenAndPositionEmbedding", site, "ids ", ids.shape(), " has ", T,
                   " tokens, the token limit is ", token_limit(),
                   ", since each position has a row; shorten the text, or ",
                   "make the layer with a token_limit of at least ", T);
    }
    const Scope scope("TokenAndPositionEmbedding", site);
    const IndexTensor position_ids = IndexTensor::arange(T);       // [T]
    const Variable tokens = token_embeddings(ids, site);           // [..., T, d]
    const Variable positions = position_embeddings(position_ids);  // [T, d]
    const Variable x = tokens + positions;                         // [..., T, d]
    ForwardHook::called(*this, {}, x);
    return x;
}

void TokenAndPositionEmbedding::members(MemberVisitor& visit) {
    visit("token_embeddings", token_embeddings);
    visit("position_embeddings", position_embeddings);
}

}}  // namespace heed
