// Models of others: what they compute beside PyTorch's numbers, under all names and in all types in
// which their weights may lie.
#include "tests/nn/files/pretrained_folders.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include "nn/files/json.h"
#include "tensor/quote.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

using namespace heed;

namespace {
constexpr double tolerance = sizeof(Scalar) == 8 ? 1e-12 : 3e-5;
const char* const gpt_kinds[] = {"gpt2", "llama", "mistral", "qwen2"};

double distance(const Tensor& a, const Tensor& b) {
    REQUIRE(a.shape() == b.shape());
    return static_cast<double>(tensor::max_difference(a, b));
}

// The largest distance from what is expected: of logits, computed at once, token by token, and with
// padding before them, and of the weights of all heads.
double worst_of(const Gpt& model, const StateDict& expected) {
    const IndexTensor ids = as_ids(expected.at("ids"));  // [B, T]
    const std::int64_t B = ids.dim(0), T = ids.dim(1);
    const Tensor logits = expected.at("output");
    RecordAttention recording(model);
    double worst = distance(model(ids).value(), logits);
    for (std::int64_t n = 0; n < model.config().num_layers; ++n) {
        const Tensor weights = expected.at(text("weights.", n));
        worst = std::max(worst,
                         distance(recording.at(text("blocks.", n, ".attention")).weights, weights));
    }
    GptCache cache;
    for (std::int64_t t = 0; t < T; ++t) {
        const Tensor one = model.with_past(tensor::slice(ids, 1, t, t + 1), cache).value();
        worst = std::max(worst, distance(one, tensor::slice(logits, 1, t, t + 1)));
    }
    if (T == model.config().limit) return worst;
    const IndexTensor padding(std::vector<std::int64_t>(static_cast<std::size_t>(B), 1),
                              Shape{B, 1});
    const std::vector<std::int64_t> lengths(static_cast<std::size_t>(B), T);
    const Tensor padded =
        model(tensor::concatenate({padding, ids}, 1), Mask::left_padding(lengths, T + 1)).value();
    return std::max(worst, distance(tensor::slice(padded, 1, 1, T + 1), logits));
}

double worst_of(const TextEncoder& encoder, const StateDict& expected) {
    const IndexTensor ids = as_ids(expected.at("ids")), types = as_ids(expected.at("types"));
    std::vector<std::int64_t> lengths;
    for (const Scalar length : expected.at("lengths").to_vector()) {
        lengths.push_back(static_cast<std::int64_t>(length));
    }
    RecordAttention recording(encoder);
    const Variable hidden = encoder(ids, types, Mask::padding(lengths, ids.dim(1)));
    double worst = distance(hidden.value(), expected.at("output"));
    for (std::int64_t n = 0; n < encoder.config().num_layers; ++n) {
        const AttentionRecord& record = recording.at(text("layers.layers.", n, ".self_attn"));
        worst = std::max(worst, distance(record.weights, expected.at(text("weights.", n))));
    }
    CHECK(encoder.config().pooler == expected.contains("pooled"));
    if (!encoder.config().pooler) return worst;
    return std::max(worst, distance(encoder.pooled(hidden).value(), expected.at("pooled")));
}

StateDict expected_of(const std::string& kind) { return pretrained_entries(kind + ": "); }

// The same weights under other names.
template <class Name>
StateDict renamed(const StateDict& state, const Name& name) {
    StateDict other;
    for (const StateDict::Entry& entry : state) other.add(name(entry.name), entry.value);
    return other;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

}  // namespace

TEST_CASE("a GPT-2, a Llama, a Mistral and a Qwen2 compute what PyTorch does", "[nn][pretrained]") {
    const NoGrad no_grad;
    for (const std::string kind : gpt_kinds) {
        CAPTURE(kind);
        const ModelFolderFor folder(kind);
        CHECK(model_folder(folder.path()).model_type == kind);
        CHECK(model_folder(folder.path()).kind == ModelKind::gpt);
        const Gpt model = load_gpt(folder.path());
        CHECK_FALSE(model.training());
        CHECK(worst_of(model, expected_of(kind)) < tolerance);
    }
}

TEST_CASE("a BERT computes what PyTorch does, with its pooler", "[nn][pretrained]") {
    const NoGrad no_grad;
    const ModelFolderFor folder("bert");
    CHECK(model_folder(folder.path()).model_type == "bert");
    CHECK(model_folder(folder.path()).kind == ModelKind::text_encoder);
    const TextEncoder encoder = load_text_encoder(folder.path());
    CHECK_FALSE(encoder.training());
    CHECK(worst_of(encoder, expected_of("bert")) < tolerance);
    // Without types, all are 0.
    const IndexTensor ids({3, 1, 4, 1});
    CHECK(tensor::same_bits(encoder(ids).value(), encoder(ids, IndexTensor({0, 0, 0, 0})).value()));
    CHECK_FALSE(
        tensor::same_bits(encoder(ids).value(), encoder(ids, IndexTensor({0, 0, 1, 0})).value()));
}

TEST_CASE("GPT-2's names may have a prefix, and there may be buffers", "[nn][pretrained]") {
    const NoGrad no_grad;
    StateDict state = renamed(pretrained_state("gpt2"),
                              [](const std::string& name) { return "transformer." + name; });
    state.add("transformer.h.1.attn.bias", tensor::ones({1, 1, 6, 6}));
    state.add("transformer.h.1.attn.masked_bias", tensor::of(-10000));
    state.add("lm_head.weight", state.at("transformer.wte.weight"));
    const Gpt model = load_gpt(ModelFolderFor("gpt2", state).path());
    CHECK(worst_of(model, expected_of("gpt2")) < tolerance);
    CHECK(model.head.weight.node() == model.tokens.weight.node());
}

TEST_CASE("BERT's names may be the older ones, and without a prefix", "[nn][pretrained]") {
    const NoGrad no_grad;
    for (const std::string prefix : {"", "bert."}) {
        for (const bool is_old : {false, true}) {
            CAPTURE(prefix, is_old);
            StateDict state = renamed(pretrained_state("bert"), [&](const std::string& name) {
                const std::string now = prefix + name;
                if (!is_old) return now;
                return replaced(replaced(now, "LayerNorm.weight", "LayerNorm.gamma"),
                                "LayerNorm.bias", "LayerNorm.beta");
            });
            state.add(prefix + "embeddings.position_ids", tensor::zeros({1, 6}));
            state.add("cls.predictions.bias", tensor::zeros({7}));
            const ModelFolderFor folder("bert", state);
            CHECK(worst_of(load_text_encoder(folder.path()), expected_of("bert")) < tolerance);
        }
    }
    StateDict state = pretrained_state("bert");
    state.take("pooler.dense.weight");
    state.take("pooler.dense.bias");
    const ModelFolderFor folder("bert", state);
    StateDict expected = expected_of("bert");
    expected.take("pooled");
    CHECK(worst_of(load_text_encoder(folder.path()), expected) < tolerance);
}

TEST_CASE("the heads of a fine-tuned BERT are left out, and named", "[nn][pretrained]") {
    const NoGrad no_grad;
    StateDict state = pretrained_state("bert");
    CHECK(names_left_out(ModelFolderFor("bert").path()).empty());
    const std::vector<std::string> heads = {"cls.predictions.bias", "classifier.weight",
                                            "classifier.bias", "qa_outputs.weight"};
    for (const std::string& name : heads) state.add(name, tensor::ones({3}));
    const ModelFolderFor folder("bert", state);
    CHECK(worst_of(load_text_encoder(folder.path()), expected_of("bert")) < tolerance);
    CHECK(names_left_out(folder.path()) == heads);
    const ModelFolderFor gpt2("gpt2");
    CHECK(message_of<std::runtime_error>([&] { names_left_out(gpt2.path()); }) ==
          "model: " + heed::in_quotes(gpt2.config()) +
              ": \"model_type\": it is \"gpt2\", which load_gpt() loads");
}

TEST_CASE("weights in shards are found by their index", "[nn][pretrained]") {
    const NoGrad no_grad;
    ModelFolderFor folder("llama");
    StateDict first, second;
    std::string map;
    for (const StateDict::Entry& entry : pretrained_state("llama")) {
        const bool is_first = first.size() == second.size();
        (is_first ? first : second).add(entry.name, entry.value);
        map += text(map.empty() ? "" : ", ", json_string(entry.name),
                    is_first ? R"(: "a.safetensors")" : R"(: "b.safetensors")");
    }
    std::filesystem::remove(folder.weights());
    write_safetensors(folder.folder.file("a.safetensors"), first);
    write_safetensors(folder.folder.file("b.safetensors"), second);
    write(folder.folder.file("model.safetensors.index.json"), "{\"weight_map\": {" + map + "}}");
    CHECK(worst_of(load_gpt(folder.path()), expected_of("llama")) < tolerance);
    std::filesystem::remove(folder.folder.file("b.safetensors"));
    CHECK(message_of<std::runtime_error>([&] { load_gpt(folder.path()); }) ==
          "read: \"" + folder.folder.file("b.safetensors") + "\": there is no such file");
}

TEST_CASE("16-bit weights are those numbers", "[nn][pretrained]") {
    const NoGrad no_grad;
    for (const StoredType type : {StoredType::f16, StoredType::bf16, StoredType::f32}) {
        const ModelFolderFor folder("qwen2");
        write_safetensors(folder.weights(), pretrained_state("qwen2"), {.type = type});
        const Gpt model = load_gpt(folder.path());
        // All are multiples of 1/64 below 4, which even BF16 holds.
        CHECK(worst_of(model, expected_of("qwen2")) < tolerance);
    }
}

TEST_CASE("a loaded model lies in its file, and writing to it does not change the file",
          "[nn][pretrained]") {
    const ModelFolderFor folder("llama");
    const std::string before = contents(folder.weights());
    Gpt model = load_gpt(folder.path());
    model.train();
    Adam optimizer(parameters(model), {.lr = 0.1});
    const IndexTensor ids({3, 1, 4, 1, 5});
    const auto loss = [&] {
        return cross_entropy(model(tensor::slice(ids, 0, 0, 4)), tensor::slice(ids, 0, 1, 5));
    };
    const Variable first = loss();
    for (int step = 0; step < 5; ++step) {
        optimizer.zero_grad();
        loss().backward();
        optimizer.step();
    }
    CHECK(loss().value().item() < first.value().item());
    CHECK(contents(folder.weights()) == before);
    // A copy is a model of its own, and a model outlives its folder's file.
    const Tensor logits = model(ids).value();
    const Gpt copy = model;
    std::filesystem::remove(folder.weights());
    CHECK(tensor::same_bits(model(ids).value(), logits));
    set_requires_grad(model, false);
    init::zeros(model.tokens.weight);
    CHECK(tensor::same_bits(copy(ids).value(), logits));
    CHECK(copy.head.weight.node() == copy.tokens.weight.node());
}

TEST_CASE("a loaded model trains as one whose weights were copied", "[nn][pretrained]") {
    for (const std::string kind : gpt_kinds) {
        CAPTURE(kind);
        const ModelFolderFor folder(kind);
        Gpt loaded = load_gpt(folder.path());
        Random random(1);
        Gpt made(loaded.config(), random);
        load_state_dict(made, state_dict(loaded));
        made.eval();
        const IndexTensor ids({{3, 1, 4, 1, 5}, {2, 6, 5, 3, 5}});
        for (Gpt* const model : {&loaded, &made}) {
            AdamW optimizer(parameters(*model), {.lr = 0.01});
            for (int step = 0; step < 3; ++step) {
                optimizer.zero_grad();
                cross_entropy((*model)(ids), ids).backward();
                optimizer.step();
            }
        }
        const StateDict theirs = state_dict(made);
        for (const StateDict::Entry& entry : state_dict(loaded)) {
            CHECK(tensor::same_bits(entry.value, theirs.at(entry.name)));
        }
    }
}

TEST_CASE("a saved model of others is loaded by its own names", "[nn][pretrained]") {
    const NoGrad no_grad;
    for (const std::string kind : gpt_kinds) {
        const ModelFolderFor folder(kind);
        const Gpt loaded = load_gpt(folder.path());
        const std::string path = folder.folder.file("own.safetensors");
        save(path, loaded);
        Random random(1);
        Gpt made(loaded.config(), random);
        load(path, made);
        const IndexTensor ids({3, 1, 4, 1, 5});
        CHECK(tensor::same_bits(made(ids).value(), loaded(ids).value()));
        const auto without_values = [&] {
            const WithoutValues nothing_is_drawn;
            return Gpt(loaded.config(), random);
        };
        Gpt kept = without_values();
        load(path, kept);
        CHECK(tensor::same_bits(kept(ids).value(), loaded(ids).value()));
    }
}

// Folders that a script made, if there is a Python with PyTorch: check_pretrained.cmake.
TEST_CASE("random models of all kinds compute what PyTorch does", "[.pretrained_reference]") {
    const char* const folders = std::getenv("HEED_PRETRAINED_FOLDERS");
    REQUIRE(folders);
    const NoGrad no_grad;
    std::map<std::string, double> worst;
    std::map<std::string, int> number;
    for (const auto& entry : std::filesystem::directory_iterator(folders)) {
        const std::string path = entry.path().string();
        CAPTURE(path);
        const ModelFolder folder = model_folder(path);
        const StateDict expected = read_safetensors(path + "/expected.safetensors");
        const double far = folder.kind == ModelKind::gpt
                               ? worst_of(load_gpt(path), expected)
                               : worst_of(load_text_encoder(path), expected);
        CHECK(far < tolerance);
        worst[folder.model_type] = std::max(worst[folder.model_type], far);
        ++number[folder.model_type];
    }
    for (const auto& [kind, far] : worst) {
        std::cout << kind << ": " << number[kind] << " models, at most " << far << " away\n";
        CHECK(number[kind] >= 25);
    }
    CHECK(worst.size() == 5);
}
