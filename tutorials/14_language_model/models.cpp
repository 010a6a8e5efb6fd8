#include "tutorials/14_language_model/models.h"

#include "nn/heed.h"

using namespace heed;

std::int64_t V() { return static_cast<std::int64_t>(vocabulary().size()); }

LanguageModel count_pairs(const Texts& texts) {
    const Tensor before = tensor::one_hot(tensor::reshape(texts.inputs, {-1}), V());  // [B·T, V]
    const Tensor after = tensor::one_hot(tensor::reshape(texts.targets, {-1}), V());  // [B·T, V]
    const Tensor counts = tensor::matmul(tensor::transpose(before), after) + 1;       // [V, V]
    const Tensor shares = counts / tensor::sum(counts, -1, keepdim);
    const Tensor logits = tensor::log(shares);  // [V, V]
    return
        [logits](const IndexTensor& ids) { return Variable(tensor::index_select(logits, 0, ids)); };
}

OneHead::OneHead(std::int64_t T, bool with_X, Random& random)
    : tokens(V(), 32, random), positions(T, 32, random), head(32, 32, random),
      to_logits(32, V(), random), adds_to_X(with_X) {}

Variable OneHead::operator()(const IndexTensor& ids) const {
    const Variable X = positions.added_to(tokens(ids));        // [B, T, 32]
    const Variable found = head(X, Mask::causal(ids.dim(1)));  // [B, T, 32]
    return to_logits(adds_to_X ? X + found : found);           // [B, T, V]
}

void OneHead::members(MemberVisitor& visit) {
    visit("tokens", tokens);
    visit("positions", positions);
    visit("head", head);
    visit("to_logits", to_logits);
}
