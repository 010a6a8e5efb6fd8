#include "tutorials/exercises/judges/08_3_padding_and_causal_inputs.h"

#include "tutorials/exercises/judging/inputs.h"

#include "tensor/ops.h"
#include "tensor/ops/compare.h"

using namespace heed;

namespace exercise::padding_inputs {

BoolTensor padding(const std::vector<std::string>& texts) {
    std::vector<bool> entries;
    for (const std::string& text : texts) {
        for (const char c : text) entries.push_back(c == '.');
    }
    const auto B = static_cast<std::int64_t>(texts.size());
    return BoolTensor(entries, {B, static_cast<std::int64_t>(texts[0].size())});
}

Heads random_heads(std::int64_t B, std::int64_t h, std::int64_t T, std::int64_t d_k,
                   std::int64_t d_v, std::uint64_t seed) {
    return {random({B, h, T, d_k}, seed), random({B, h, T, d_k}, seed + 1),
            random({B, h, T, d_v}, seed + 2)};
}

Heads with_rows_far_apart(std::uint64_t seed) {
    const Heads x = random_heads(4, 2, 4, 2, 3, seed);
    const Tensor of_query = tensor::reshape(tensor::linspace(-99993, 99993, 32), {4, 2, 4, 1});
    const Tensor twos = tensor::full({4, 2, 4, 1}, 2);
    const BoolTensor text_0 = tensor::reshape(tensor::arange(4), {4, 1, 1, 1}) == 0;
    const BoolTensor key_3 = tensor::reshape(tensor::arange(4), {1, 1, 4, 1}) == 3;
    const Tensor more = tensor::where(text_0 & key_3, twos * 45, twos * 0);
    return {tensor::concatenate({of_query * 2, twos, x.Q}, -1),
            tensor::concatenate({twos / 2, more, x.K * 0.5}, -1), x.V};
}

BoolTensor without_key_3_of_text_0(const BoolTensor& allowed) {
    const BoolTensor text_0 = tensor::reshape(tensor::arange(4), {4, 1, 1, 1}) == 0;
    return allowed & !(text_0 & (tensor::arange(4) == 3));
}

Heads with_queries_of_zeros(std::int64_t T, std::uint64_t seed) {
    const Heads x = random_heads(2, 2, T, 3, 4, seed);
    const BoolTensor odd = (tensor::arange(static_cast<double>(T)) > 1).reshape({1, 1, T, 1});
    return {tensor::where(odd, x.Q, Tensor(tensor::zeros(x.Q.shape()))), x.K, x.V};
}

Tensor turned(const Tensor& x) {
    return tensor::transpose(tensor::clone(tensor::transpose(x, 1, 2)), 1, 2);
}

BoolTensor random_mask(const Shape& shape, std::uint64_t seed) {
    return random(shape, seed) > -0.3;
}

BoolTensor no_keys_for_query_1_or_2() {
    const Tensor its = tensor::of({{{{1}}}, {{{2}}}});
    return (tensor::reshape(tensor::arange(4), {1, 1, 4, 1}) != its) &
           BoolTensor::full({2, 1, 4, 4}, true);
}

std::string long_text(std::size_t every) {
    std::string text(60, 'x');
    for (std::size_t i = every / 2; i < text.size(); i += every) text[i] = '.';
    return text;
}

}  // namespace exercise::padding_inputs
