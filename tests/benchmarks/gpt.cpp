#include "tests/benchmarks/gpt.h"

#include "heed/autograd/ops.h"
#include "heed/tensor/errors.h"
#include "heed/tensor/ops/arithmetic.h"
#include "tests/benchmarks/noise.h"

namespace heed {
inline namespace HEED_PRECISION {
namespace benchmarks {

GptSizes gpt_sizes(const std::string& name) {
    if (name == "tiny") return {65, 16, 2, 2, 2, 32};
    if (name == "S") return {65, 64, 12, 4, 4, 128};
    if (name == "M") return {65, 256, 16, 6, 6, 384};
    if (name == "L") return {50257, 64, 4, 12, 12, 768};
    fail_argument("gpt_sizes", text("no GPT is called \"", name, "\""), CallSite::here());
}

Block::Block(const GptSizes& sizes, Random& random)
    : norm_1(sizes.d_model), attention(sizes.d_model, sizes.heads, random), norm_2(sizes.d_model),
      up(sizes.d_model, 4 * sizes.d_model, random), down(4 * sizes.d_model, sizes.d_model, random) {
}

Variable Block::operator()(const Variable& x, const Mask& mask) const {
    const Variable attended = x + attention(norm_1(x), mask);  // [B, T, d_model]
    const Variable hidden = gelu(up(norm_2(attended)));        // [B, T, 4·d_model]
    const Variable y = attended + down(hidden);                // [B, T, d_model]
    return y;
}

void Block::members(MemberVisitor& visit) {
    visit("norm_1", norm_1);
    visit("attention", attention);
    visit("norm_2", norm_2);
    visit("up", up);
    visit("down", down);
}

Gpt::Gpt(const GptSizes& sizes, Random& random)
    : tokens(sizes.vocabulary, sizes.d_model, random), positions(sizes.T, sizes.d_model, random),
      norm(sizes.d_model), mask(Mask::causal(sizes.T)) {
    for (std::int64_t layer = 0; layer < sizes.layers; ++layer) blocks.emplace_back(sizes, random);
}

Variable Gpt::operator()(const IndexTensor& ids) const {
    Variable x = tokens(ids) + positions(IndexTensor::arange(ids.dim(1)));  // [B, T, d_model]
    for (const Block& block : blocks) x = block(x, mask);
    const Variable logits = matmul(norm(x), transpose(tokens.weight));  // [B, T, vocabulary]
    return logits;
}

void Gpt::members(MemberVisitor& visit) {
    visit("tokens", tokens);
    visit("positions", positions);
    visit("blocks", blocks);
    visit("norm", norm);
}

void fill_with_noise(Gpt& model) {
    std::int64_t seed = 0;
    for (const NamedParameter& member : parameters(model)) {
        Tensor numbers = member.parameter.value();
        // Norm weights are around 1; other matrices roughly preserve the scale of their input.
        const bool factor = member.name.find("norm") != std::string::npos &&
                            member.name.find("weight") != std::string::npos;
        const bool matrix = numbers.rank() == 2;
        const double scale = matrix ? 1 / __builtin_sqrt(static_cast<double>(numbers.dim(1))) : 0.1;
        Tensor drawn = noise(numbers.shape(), ++seed, scale);
        if (factor) drawn = drawn + 1;
        tensor::overwrite(numbers, drawn);
    }
}

}  // namespace benchmarks
}  // namespace HEED_PRECISION
}  // namespace heed
