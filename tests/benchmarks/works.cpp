#include "tests/benchmarks/works.h"

#include "tensor/errors.h"
#include "tensor/runtime/parallel.h"
#include "tests/benchmarks/models.h"

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {
namespace {
using Works = std::vector<Work>;

std::vector<Claim> product_claims(int threads) {
    if (threads == 1) {
        return {{Measure::of_peak, 0.90, 0.93}, {Measure::against_other, 1.0, 1.04}};
    }
    return {{Measure::of_peak, 0.86, 0.92}, {Measure::against_torch, 1.0, 1.05}};
}

// C [m, n], each entry a sum of k terms. The form says which factor is stored transposed.
Work product(const std::string& name, const std::string& form, std::int64_t m, std::int64_t n,
             std::int64_t k, int threads) {
    Work work;
    work.name = name;
    work.line = text("product ", form, " ", m, " ", n, " ", k);
    work.threads = threads;
    work.operations =
        2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
    work.others = {"OpenBLAS"};
    work.claims = product_claims(threads);
    return work;
}

void add_squares(Works& works) {
    Work small = product("64 x 64 x 64", "nn", 64, 64, 64, 1);
    small.claims = {{Measure::gflops, 100, 115}};
    works.push_back(small);
    for (const int threads : {1, 2}) {
        for (const int n : {256, 512, 1024}) {
            works.push_back(product(text("sgemm ", n), "nn", n, n, n, threads));
        }
    }
}

// y = x·Wᵀ with x [tokens, in] and W [out, in], and both gradients from G [tokens, out].
void add_linear(Works& works, const std::string& model, std::int64_t tokens, std::int64_t in,
                std::int64_t out, int threads) {
    const std::string name = text(model, " ", in, "->", out);
    works.push_back(product(name + " y = x Wt", "nt", tokens, out, in, threads));
    works.push_back(product(name + " dx = G W", "nn", tokens, in, out, threads));
    works.push_back(product(name + " dW = Gt x", "tn", out, in, tokens, threads));
}

void add_linear_layers(Works& works) {
    for (const int threads : {1, 2}) {
        for (const std::string model : {"S", "M", "L"}) {
            const GptSizes sizes = gpt_sizes(model);
            const std::int64_t tokens = sizes.B * sizes.T;
            const std::int64_t d = sizes.d_model;
            add_linear(works, model, tokens, d, d, threads);
            add_linear(works, model, tokens, d, 4 * d, threads);
            add_linear(works, model, tokens, 4 * d, d, threads);
            add_linear(works, model, tokens, d, sizes.vocabulary, threads);
        }
    }
}

void add_batches(Works& works) {
    const double operations = 48 * 2.0 * 256 * 256 * 64;
    const std::vector<Claim> claims = {{Measure::against_torch, 1.2, 1.4}};
    works.push_back({.name = "48 products Q Kt",
                     .line = "batch nt 48 256 256 64",
                     .operations = operations,
                     .claims = claims});
    works.push_back({.name = "48 products weights V",
                     .line = "batch nn 48 256 64 256",
                     .operations = operations,
                     .claims = claims});
}

// Two products forward and four backward, halved by the causal mask.
Work attention(std::int64_t B, std::int64_t h, std::int64_t T, double accept, double aim) {
    const double T_T = static_cast<double>(T) * static_cast<double>(T);
    Work work;
    work.name = text("attention ", B, ",", h, ",", T, ",64");
    work.line = text("attention ", B, " ", h, " ", T, " 64");
    work.operations = 6 * T_T * 64 * static_cast<double>(B * h);
    work.claims = {{Measure::against_torch, accept, aim}};
    return work;
}

void add_attention(Works& works) {
    works.push_back(attention(8, 6, 256, 2.5, 3.1));
    for (const int T : {1024, 2048, 4096}) works.push_back(attention(1, 8, T, 5, 7.5));
    Work extra = attention(1, 8, 4096, 10, 20);
    extra.name = "extra memory of it";
    extra.kind = Kind::memory;
    extra.only_extra = true;
    works.push_back(extra);
}

Work layer(const std::string& name, const std::string& line, double accept, double aim) {
    return {.name = name, .line = line, .claims = {{Measure::against_torch, accept, aim}}};
}

void add_layers(Works& works) {
    works.push_back(layer("softmax 12288,256", "softmax 12288 256", 1.3, 2));
    works.push_back(layer("layer norm 4096,384", "layer_norm 4096 384", 1.5, 2));
    works.push_back(layer("gelu 4096,1536", "gelu 4096 1536", 1.3, 1.5));
    works.push_back({.name = "Linear 4096,384->1536",
                     .line = "linear 4096 384 1536",
                     .operations = 6.0 * 4096 * 384 * 1536});
    works.push_back(layer("cross-entropy 256,50257", "cross_entropy 256 50257", 4, 8));
    works.push_back(layer("AdamW 124M", "adamw L", 4, 6.5));
}

void add_small(Works& works) {
    works.push_back({.name = "one small operation",
                     .line = "chain 1000",
                     .threads = 1,
                     .per = 1000,
                     .claims = {{Measure::seconds, 0.3e-6, 0.12e-6}}});
    works.push_back(
        {.name = "2-16-16-1 training step",
         .line = "small_network",
         .threads = 1,
         .others = {"scalars"},
         .claims = {{Measure::against_torch, 8, 15}, {Measure::against_other, 100, 100}}});
    works.push_back({.name = "start, add two tensors",
                     .line = "startup",
                     .claims = {{Measure::seconds, 0.010, 0.010}},
                     .kind = Kind::startup});
    works.push_back({.name = "memory of that",
                     .line = "startup",
                     .claims = {{Measure::mebibytes, 5, 5}},
                     .kind = Kind::startup,
                     .only_extra = true});
}

// The products of a training step: each weight matrix is used in three, and so is the output layer;
// attention has six, halved by the mask.
double operations_of_a_step(const GptSizes& sizes) {
    const double tokens = static_cast<double>(sizes.B * sizes.T);
    const double d = static_cast<double>(sizes.d_model);
    const double layers = static_cast<double>(sizes.layers);
    const double weights = 12 * d * d * layers + d * static_cast<double>(sizes.vocabulary);
    const double attention = 6 * static_cast<double>(sizes.T) * d * layers;
    return tokens * (6 * weights + attention);
}

// The products of a forward pass: a third of a step's.
void add_forward(Works& works, const std::string& size) {
    for (const int threads : {1, 2}) {
        works.push_back({.name = "GPT " + size + " forward",
                         .line = "forward " + size,
                         .threads = threads,
                         .operations = operations_of_a_step(gpt_sizes(size)) / 3,
                         .others = {"ONNX Runtime", "ONNX fused"},
                         .claims = {{Measure::against_other, 1, 1.2}},
                         .sampled = 4096});
    }
}

// A prompt, and then tokens one at a time, each of which reads the weights.
void add_llama(Works& works) {
    const double bytes = bytes_of_a_token(llama_config("162M"));
    for (const int threads : {1, 2}) {
        works.push_back({.name = "Llama 162M, prompt 512",
                         .line = "llama_prompt 162M 512",
                         .threads = threads,
                         .in_torch = false,
                         .others = {"llama.cpp"},
                         .claims = {{Measure::against_other, 1.3, 1.5}},
                         .sampled = 1});
    }
    for (const int threads : {1, 2}) {
        works.push_back({.name = "Llama 162M, a token",
                         .line = "llama_tokens 162M 16",
                         .threads = threads,
                         .bytes = 16 * bytes,
                         .in_torch = false,
                         .per = 16,
                         .others = {"llama.cpp"},
                         .claims = {{Measure::against_other, 0.9, 1}},
                         .sampled = 16});
    }
}

void add_gpt(Works& works, const std::string& size, double accept, double aim) {
    works.push_back({.name = "GPT step " + size,
                     .line = "gpt " + size,
                     .operations = operations_of_a_step(gpt_sizes(size)),
                     .claims = {{Measure::against_torch, accept, aim}}});
}

void add_memory_of_gpt(Works& works, const std::string& size) {
    works.push_back({.name = "peak memory of step " + size,
                     .line = "gpt " + size,
                     .claims = {{Measure::against_torch, 1 / 0.7, 1 / 0.6}},
                     .kind = Kind::memory,
                     .times = 2});
}

void add_models(Works& works) {
    works.push_back(layer("note 002's classifier, step", "note_002 base", 1, 1.3));
    works.push_back(layer("note 004's classifier, step", "note_004 base", 1, 1.3));
    works.push_back(layer("Transformer 4 + 4, step", "transformer base", 1, 1.3));
    works.push_back(layer("LSTM 32,64,256, step", "lstm 32 64 256", 1, 1.3));
    works.push_back(layer("GRU 32,64,256, step", "gru 32 64 256", 1, 1.3));
    works.push_back(layer("GRU as in lesson 13", "gru 32 12 64", 1, 1.3));
    works.push_back(layer("GPT as in lesson 14", "gpt lesson_14", 1, 1.3));
    works.push_back(layer("note 002, lesson 16", "note_002 lesson_16", 1, 1.3));
    works.push_back(layer("note 004, lesson 16", "note_004 lesson_16", 1, 1.3));
    works.push_back(layer("Transformer, lesson 18", "transformer lesson_18", 1, 1.3));
}

void add_files(Works& works) {
    works.push_back({.name = "tokens of a MB of text",
                     .line = "tokens 4000000",
                     .threads = 1,
                     .in_torch = false,
                     .per = 4});
    works.push_back(layer("load 500 MB of weights", "load L", 1, 1.3));
}

// With keys and values kept; the time of one token is shown.
void add_generation(Works& works, const std::string& size, int new_tokens) {
    for (const int threads : {1, 2}) {
        works.push_back({.name = "GPT " + size + ", a token",
                         .line = text("generate ", size, " ", new_tokens),
                         .threads = threads,
                         .per = static_cast<double>(new_tokens),
                         .claims = {{Measure::against_torch, 1, 1.3}}});
    }
}

}  // namespace

std::vector<Work> all_works() {
    Works works;
    add_squares(works);
    add_linear_layers(works);
    add_batches(works);
    add_attention(works);
    add_layers(works);
    add_small(works);
    add_gpt(works, "S", 1.5, 1.7);
    add_gpt(works, "M", 1.2, 1.35);
    add_memory_of_gpt(works, "M");
    add_gpt(works, "L", 1.4, 1.8);
    add_memory_of_gpt(works, "L");
    add_models(works);
    add_files(works);
    for (const std::string size : {"S", "M", "L"}) add_forward(works, size);
    add_generation(works, "M", 200);
    add_generation(works, "L", 50);
    add_llama(works);
    return works;
}

std::vector<Work> growth_works() {
    Works works;
    const auto add = [&works](const std::string& figure, std::int64_t x, Work point) {
        point.name = text(figure, ": ", x);
        point.figure = figure;
        point.x = static_cast<double>(x);
        works.push_back(point);
    };
    for (std::int64_t T = 64; T <= 8192; T *= 2) {
        // Written out, attention needs 6 GiB for 8192 tokens.
        const Work point = {.line = text("attention 1 8 ", T, " 64"), .in_torch = T <= 4096};
        add("attention, time by tokens", T, point);
        Work memory = point;
        memory.kind = Kind::memory;
        memory.only_extra = true;
        add("attention, memory by tokens", T, memory);
    }
    for (const std::int64_t layers : {1, 2, 4, 8, 16, 32, 48}) {
        const Work point = {.line = text("gpt deep_", layers)};
        add("GPT step, time by layers", layers, point);
        Work memory = point;
        memory.kind = Kind::memory;
        memory.times = 2;
        add("GPT step, memory by layers", layers, memory);
    }
    for (int threads = 1; threads <= thread_count(); ++threads) {
        add("GPT step S, time by threads", threads, {.line = "gpt S", .threads = threads});
        add("attention, time by threads", threads,
            {.line = "attention 8 6 256 64", .threads = threads});
    }
    return works;
}

std::vector<Work> twin_works() {
    Works works;
    for (const std::string form : {"nn", "nt", "tn"}) {
        works.push_back(product("product " + form, form, 48, 40, 56, 2));
    }
    for (const std::string line : {"batch nt 3 24 40 16",
                                   "attention 2 3 65 16",
                                   "softmax 30 70",
                                   "layer_norm 30 70",
                                   "gelu 30 70",
                                   "linear 30 40 50",
                                   "cross_entropy 30 70",
                                   "adamw tiny",
                                   "chain 100",
                                   "small_network",
                                   "gpt tiny",
                                   "gpt S",
                                   "forward tiny",
                                   "note_002 tiny",
                                   "note_004 tiny",
                                   "transformer tiny",
                                   "lstm 3 5 20",
                                   "gru 3 5 20",
                                   "load tiny",
                                   "generate tiny 6"}) {
        works.push_back({.name = line, .line = line});
    }
    for (const std::string line : {"llama_prompt tiny 20", "llama_tokens tiny 10"}) {
        works.push_back({.name = line,
                         .line = line,
                         .in_torch = false,
                         .others = {"llama.cpp"},
                         .sampled = 10});
    }
    for (Work& work : works) {
        work.claims = {};
        if (work.line == "forward tiny") {
            work.others = {"ONNX Runtime", "ONNX fused"};
            work.sampled = 100;
        }
        if (work.line == "small_network") work.others = {"scalars"};
    }
    return works;
}

}}}  // namespace heed::benchmarks
