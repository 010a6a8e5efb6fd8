#include "tutorials/16_which_bar/readers.h"

#include "autograd/ops.h"

using namespace heed;

namespace {

const std::int64_t d = 32;
const std::int64_t limit = 16;  // tokens

std::int64_t num_words() { return static_cast<std::int64_t>(meant_vocabulary().size()); }
std::int64_t num_senses() { return static_cast<std::int64_t>(all_senses().size()); }

TextEncoderConfig encoder_of(std::int64_t num_layers, std::int64_t num_heads) {
    return {.vocab_size = num_words(),
            .limit = limit,
            .d_model = d,
            .num_layers = num_layers,
            .num_heads = num_heads};
}

}  // namespace

Variable at_word(const Variable& x, const MeantBatch& batch) {
    std::vector<std::int64_t> words;
    for (const Meant& meant : batch.sentences) words.push_back(meant.word);
    const Variable only_word(tensor::one_hot(IndexTensor(words), x.dim(1)));  // [B, T]
    return squeeze(matmul(unsqueeze(only_word, 1), x), 1);
}

WordAlone::WordAlone(Random& random)
    : tokens(num_words(), d, random), to_logits(d, num_senses(), random) {}

Variable WordAlone::operator()(const MeantBatch& batch) const {
    return to_logits(at_word(tokens(batch.text.ids), batch));
}

void WordAlone::members(MemberVisitor& visit) {
    visit("tokens", tokens);
    visit("to_logits", to_logits);
}

BagOfWords::BagOfWords(Random& random)
    : hidden(num_words() - 1, 4 * d, random), to_logits(4 * d, num_senses(), random) {}

Variable BagOfWords::operator()(const MeantBatch& batch) const {
    const Tensor all = tensor::sum(tensor::one_hot(batch.text.ids, num_words()), 1);
    const Variable counts(tensor::slice(all, -1, 1));  // [B, V - 1], without [PAD]
    return to_logits(relu(hidden(counts)));
}

void BagOfWords::members(MemberVisitor& visit) {
    visit("hidden", hidden);
    visit("to_logits", to_logits);
}

ByFirst::ByFirst(Random& random) : classifier(encoder_of(2, 2), num_senses(), random) {}

Variable ByFirst::operator()(const MeantBatch& batch) const {
    return classifier(batch.text.ids, batch.padding());
}

void ByFirst::members(MemberVisitor& visit) { visit("classifier", classifier); }

ByMean::ByMean(Random& random)
    : classifier({.vocab_size = num_words(),
                  .limit = limit,
                  .d_model = d,
                  .num_heads = 2,
                  .num_classes = num_senses()},
                 random) {}

// Its log-probabilities are logits, too: their softmax is what they are the logarithm of.
Variable ByMean::operator()(const MeantBatch& batch) const {
    return classifier(batch.text.ids, batch.padding());
}

void ByMean::members(MemberVisitor& visit) { visit("classifier", classifier); }

ByWord::ByWord(Random& random) : classifier(encoder_of(1, 1), num_senses(), random) {}

Variable ByWord::operator()(const MeantBatch& batch) const {
    const Variable encoded = classifier.encoder(batch.text.ids, batch.padding());  // [B, T, d]
    return classifier.classifier(at_word(encoded, batch));
}

void ByWord::members(MemberVisitor& visit) { visit("classifier", classifier); }
