#include "tutorials/18_translation/model.h"

#include "nn/heed.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/training_run.h"

using namespace heed;

namespace {

const std::int64_t farthest = 4;  // distances beyond share a bias
const std::int64_t batch_size = 32;

std::int64_t count(const std::vector<std::string>& words) {
    return static_cast<std::int64_t>(words.size());
}

}  // namespace

Figure1::Figure1(Order order, const Languages& languages, const TransformerSizes& sizes,
                 Random& random)
    : source(count(languages.source), sizes.d_model, random),
      target(count(languages.target), sizes.d_model, random),
      encoder(sizes.num_encoder_layers, sizes.d_model, sizes.num_heads, sizes.d_hidden, random),
      decoder(sizes.num_decoder_layers, sizes.d_model, sizes.num_heads, sizes.d_hidden, random),
      to_logits(sizes.d_model, count(languages.target), random) {
    if (order == Order::sinusoids) {
        positions = SinusoidalPositions(sizes.d_model);
        return;
    }
    const RelativeBias bias(sizes.num_heads, farthest);
    for (TransformerEncoderLayer& layer : encoder.layers) layer.self_attn.positions = bias;
    for (TransformerDecoderLayer& layer : decoder.layers) {
        layer.self_attn.positions = bias;
        if (order == Order::bias_everywhere) layer.multihead_attn.positions = bias;
    }
}

void Figure1::members(MemberVisitor& visit) {
    visit("source", source);
    visit("target", target);
    positions.visit_as("positions", visit);
    visit("encoder", encoder);
    visit("decoder", decoder);
    visit("to_logits", to_logits);
}

Variable Figure1::read(const TokenBatch& text) const {
    const Mask words = Mask::padding(text.lengths, text.ids.dim(1));
    return encoder(positions.added_to(source(text.ids)), words);
}

Variable Figure1::operator()(const TokenBatch& text, const IndexTensor& words) const {
    const Mask source_words = Mask::padding(text.lengths, text.ids.dim(1));
    const Mask so_far = Mask::causal(words.dim(1));
    const Variable memory = read(text);                           // [B, S, d]
    const Variable Y = positions.added_to(target(words));         // [B, T, d]
    const Variable y = decoder(Y, memory, so_far, source_words);  // [B, T, d]
    return to_logits(y);                                          // [B, T, V]
}

Saying::Saying(const Figure1& model, const TokenBatch& text)
    : model_(model), lengths_(text.lengths), S_(text.ids.dim(1)) {
    const NoGrad no_grad;
    kept_ = model.decoder.begin(model.read(text));
}

Tensor Saying::read(const IndexTensor& words, CallSite) {
    ++calls;
    const std::int64_t before = kept_[0].past.length(), T = words.dim(1);
    const Variable Y = model_.positions.added_to(model_.target(words), before);  // [B, T, d]
    const Mask source_words = Mask::padding(lengths_, S_);
    const Mask so_far = Mask::causal(T, before + T);
    const Variable y = model_.decoder.with_past(Y, kept_, so_far, source_words);  // [B, T, d]
    return model_.to_logits(select(y, 1, T - 1)).value();
}

void Saying::keep_sequences(const IndexTensor& sequences, CallSite) {
    for (DecoderCache& cache : kept_) {
        cache.past.keep_sequences(sequences);
        cache.memory.keep_sequences(sequences);
    }
    std::vector<std::int64_t> lengths;
    for (std::int64_t b = 0; b < sequences.dim(0); ++b) {
        lengths.push_back(lengths_[static_cast<std::size_t>(sequences(b))]);
    }
    lengths_ = lengths;
}

Sentences translate(const Figure1& model, const TokenBatch& text, std::int64_t most) {
    const std::vector<std::int64_t> begins(text.lengths.size(), begin);
    Saying saying(model, text);
    Random unused(0);  // nothing is drawn at temperature 0
    Sentences said =
        generate(saying, IndexTensor(begins).reshape({-1, 1}), unused,
                 {.max_new_tokens = most, .sampling = {.temperature = 0}, .end_token = end});
    for (std::vector<std::int64_t>& words : said) {
        if (words.back() == end) words.pop_back();
    }
    return said;
}

IndexTensor said_so_far(const Pairs& pairs) { return tensor::slice(pairs.target.ids, 1, 0, -1); }

IndexTensor next_words(const Pairs& pairs) { return tensor::slice(pairs.target.ids, 1, 1); }

Tensor cross_weights(const Figure1& model, const Pairs& pairs) {
    const FastKernels fast;
    const NoGrad no_grad;
    const RecordAttention recording(model, "decoder.layers.0.multihead_attn");
    model(pairs.source, said_so_far(pairs));
    return recording.at("decoder.layers.0.multihead_attn").weights;
}

Figure1 new_translator(Order order, const Languages& languages, Random& random) {
    const TransformerSizes sizes = {.d_model = 64,
                                    .num_heads = 4,
                                    .num_encoder_layers = 1,
                                    .num_decoder_layers = 1,
                                    .d_hidden = 128};
    return Figure1(order, languages, sizes, random);
}

Figure1 trained_translator(Order order, const Corpus& corpus, int steps, Random& random) {
    const FastKernels fast;  // also in a Debug build, where this would take minutes
    Figure1 model = new_translator(order, corpus.languages(), random);
    const char* const name[] = {"sinusoids", "bias_within", "bias_everywhere"};
    const int which = static_cast<int>(order);
    Adam optimizer(parameters(model), {.lr = 1});
    const WarmupCosine schedule{.lr = 5e-3, .floor = 5e-4, .warmup = 20, .steps = steps};
    for (tutorial::TrainingRun run(name[which], steps, model, optimizer, random); run.next();) {
        const Pairs pairs = corpus.batch(batch_size, random);
        const Variable logits = model(pairs.source, said_so_far(pairs));  // [B, T - 1, V]
        const Variable loss = cross_entropy(logits, next_words(pairs), {.ignore_index = padding});
        optimizer.zero_grad();
        loss.backward();
        clip_grad_norm(optimizer.parameters(), 1);
        optimizer.set_lr(schedule(run.step()));
        optimizer.step();
        run.show(loss, pairs.target.ids.numel());
    }
    return model;
}
