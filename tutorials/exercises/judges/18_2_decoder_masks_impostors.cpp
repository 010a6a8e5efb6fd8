#include "tutorials/exercises/judges/18_2_decoder_masks_impostors.h"

#include "tutorials/exercises/judging/inputs.h"
#include "tutorials/exercises/judging/judge.h"

#include "tensor/ops.h"

#include <algorithm>
#include <cmath>

using namespace heed;

namespace exercise {

namespace {

using Texts = std::vector<std::vector<std::int64_t>>;

constexpr std::int64_t d = 6;

// The texts of one language, padded with token 0.
class Side {
  public:
    explicit Side(const Texts& texts) : texts_(texts) {
        for (std::int64_t b = 0; b < B(); ++b) longest_ = std::max(longest_, length(b));
    }
    std::int64_t B() const { return std::ssize(texts_); }
    std::int64_t longest() const { return longest_; }
    std::int64_t length(std::int64_t b) const { return std::ssize(of(b)); }
    std::int64_t id(std::int64_t b, std::int64_t i) const {
        return i < length(b) ? of(b)[static_cast<std::size_t>(i)] : 0;
    }

  private:
    const std::vector<std::int64_t>& of(std::int64_t b) const {
        return texts_[static_cast<std::size_t>(b)];
    }

    const Texts& texts_;
    std::int64_t longest_ = 0;
};

struct Both {
    Side source, target;
};

// May place i of the encoder see place k?
bool in_encoder(const Both& in, std::int64_t b, std::int64_t i, std::int64_t k, const Slips& slip) {
    if (slip("enc.not-masked")) return true;
    if (slip("enc.as-first")) return k < in.source.length(0);
    if (slip("enc.last-off")) return k < std::max<std::int64_t>(1, in.source.length(b) - 1);
    if (slip("enc.causal") && k > i) return false;
    if (slip("src.token-0") && in.source.id(b, k) == 0) return false;
    return k < in.source.length(b);
}

// May place j of the decoder see place k of the same text?
bool in_decoder(const Both& in, std::int64_t b, std::int64_t j, std::int64_t k, const Slips& slip) {
    const bool is_token = k < in.target.length(b);
    if (slip("dec.not-causal")) return is_token;
    if (slip("dec.next-too")) return is_token && k <= j + 1;
    if (slip("dec.reversed")) return is_token && k >= j;
    if (slip("dec.first-causal") && b > 0) return is_token;
    if (slip("dec.causal-if-full") && in.target.length(b) < in.target.longest()) return is_token;
    if (slip("dec.source-lengths") && k >= in.source.length(b)) return false;
    if (slip("dec.token-0") && in.target.id(b, k) == 0) return false;
    return k <= j;
}

// May place j of the decoder see place i of the source?
bool in_cross(const Both& in, std::int64_t b, std::int64_t j, std::int64_t i, const Slips& slip) {
    const std::int64_t length = in.source.length(b);
    if (slip("cross.not-masked")) return true;
    if (slip("cross.as-first")) return i < in.source.length(0);
    if (slip("cross.backwards")) return i < in.source.length(in.source.B() - 1 - b);
    if (slip("cross.target-lengths")) return i < in.target.length(b);
    if (slip("cross.one-more")) return i <= length;
    if (slip("cross.one-less")) return i < length - 1;
    if (slip("cross.causal") && i > j) return false;
    const std::int64_t ahead = in.source.longest() - in.target.longest();
    if (slip("cross.causal-at-end") && i > j + ahead) return false;
    if (slip("cross.rows-too") && j >= length) return false;
    if (slip("src.token-0") && in.source.id(b, i) == 0) return false;
    return i < length;
}

using Sees = bool (*)(const Both&, std::int64_t b, std::int64_t row, std::int64_t column,
                      const Slips&);

BoolTensor blocked(const Both& in, std::int64_t rows, std::int64_t columns, Sees sees,
                   const Slips& slip) {
    std::vector<bool> entries;
    for (std::int64_t b = 0; b < in.source.B(); ++b) {
        for (std::int64_t row = 0; row < rows; ++row) {
            for (std::int64_t column = 0; column < columns; ++column) {
                entries.push_back(!sees(in, b, row, column, slip));
            }
        }
    }
    return BoolTensor(entries, {in.source.B(), rows, columns});
}

// x + softmax(x·W_Q·(y·W_K)ᵀ/√d)·y·W_V, with matrices of its own for each seed. Scores are small,
// so that every key that is seen counts.
Tensor attended(const Tensor& x, const Tensor& y, const BoolTensor& blocked, std::uint64_t seed) {
    const Tensor Q = tensor::matmul(x, random({d, d}, seed + 1, 0.25));
    const Tensor K = tensor::matmul(y, random({d, d}, seed + 2, 0.25));
    const Tensor V = tensor::matmul(y, random({d, d}, seed + 3, 0.6));
    const double root = std::sqrt(static_cast<double>(d));
    const Tensor scores = tensor::matmul(Q, tensor::transpose(K)) / root;
    const Tensor masked = tensor::masked_fill(scores, blocked, -infinity);
    return x + tensor::matmul(tensor::softmax(masked, -1), V);
}

// A random vector for each token, padding too: [B, T, d].
Tensor embedded(const Side& side, std::uint64_t seed) {
    std::vector<Tensor> rows;
    for (std::int64_t b = 0; b < side.B(); ++b) {
        for (std::int64_t i = 0; i < side.longest(); ++i) {
            rows.push_back(random({d}, seed + static_cast<std::uint64_t>(side.id(b, i))));
        }
    }
    return tensor::reshape(tensor::stack(rows, 0), {side.B(), side.longest(), d});
}

// What the decoder gives for the tokens of all targets, without the padding: [tokens, d].
Tensor decoded(const Translations& texts, const Slips& slip) {
    const Both in{Side(texts.source), Side(texts.target)};
    const std::int64_t S = in.source.longest(), T = in.target.longest();
    const Tensor X = embedded(in.source, 2000), Y = embedded(in.target, 3000);
    const Tensor memory = attended(X, X, blocked(in, S, S, in_encoder, slip), 100);
    const Tensor y = attended(Y, Y, blocked(in, T, T, in_decoder, slip), 200);
    const Tensor output = attended(y, memory, blocked(in, T, S, in_cross, slip), 300);
    std::vector<Tensor> kept;
    for (std::int64_t b = 0; b < in.target.B(); ++b) {
        kept.push_back(tensor::slice(tensor::select(output, 0, b), 0, 0, in.target.length(b)));
    }
    return tensor::concatenate(kept, 0);
}

}  // namespace

const std::vector<DecoderImpostor>& decoder_impostors() {
    static const std::vector<DecoderImpostor> all = {
        {"enc.not-masked", "the encoder sees padding"},
        {"enc.as-first", "the encoder takes every source to be as long as the first"},
        {"enc.last-off", "the encoder does not see the last word of a source that has several"},
        {"enc.causal", "the encoder hides the future"},
        {"dec.not-causal", "the decoder sees the future"},
        {"dec.next-too", "the decoder sees one token of the future"},
        {"dec.reversed", "the decoder sees the future and not the past"},
        {"dec.first-causal", "the decoder hides the future in the first text only"},
        {"dec.causal-if-full", "the decoder hides the future only where there is no padding"},
        {"dec.source-lengths", "the decoder takes a target to be no longer than its source"},
        {"dec.token-0", "the decoder takes every token 0 for padding"},
        {"cross.not-masked", "cross-attention sees padding"},
        {"cross.as-first", "cross-attention takes every source to be as long as the first"},
        {"cross.backwards", "cross-attention takes the lengths of the sources in reverse order"},
        {"cross.target-lengths", "cross-attention takes a source to be as long as its target"},
        {"cross.one-more", "cross-attention sees one place too many"},
        {"cross.one-less", "cross-attention does not see the last word"},
        {"cross.causal", "cross-attention hides what is further on in the source"},
        {"cross.causal-at-end",
         "cross-attention hides what is further on, counted from the ends of both"},
        {"cross.rows-too", "cross-attention gives nothing beyond the length of the source"},
        {"src.token-0", "every token 0 of a source is taken for padding"},
    };
    return all;
}

Uncaught uncaught(const Translations& texts) {
    const double apart = 50 * tolerance;
    const Tensor right = decoded(texts, {});
    Uncaught pass;
    for (const DecoderImpostor& impostor : decoder_impostors()) {
        const Tensor wrong = decoded(texts, {impostor.slip});
        if (tensor::all_close(wrong, right, apart, apart)) pass.insert(impostor.slip);
    }
    return pass;
}

}  // namespace exercise
