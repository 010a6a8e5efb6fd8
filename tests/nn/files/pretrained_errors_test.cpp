// What is wrong with a folder: its files, its config, its weights. Each error names the file.
#include "tests/nn/files/pretrained_folders.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include "tensor/quote.h"

#include <limits>

using namespace heed;

namespace {
std::string refused(const std::string& path) {
    return message_of<std::runtime_error>([&] { load_gpt(path); });
}

// What is said of these weights, after the first line.
std::string not_loaded(const std::string& kind, const StateDict& state) {
    const ModelFolderFor folder(kind, state);
    const std::string begin =
        "model: " + heed::in_quotes(folder.weights()) + " does not fit its config.json";
    try {
        if (kind == "bert") {
            load_text_encoder(folder.path());
        } else {
            load_gpt(folder.path());
        }
    } catch (const std::invalid_argument& error) {
        const std::string message = error.what();
        if (!message.starts_with(begin)) return message;
        return message.substr(begin.size(), message.find("\n  at ") - begin.size());
    }
    return "nothing was thrown";
}

}  // namespace

TEST_CASE("a folder that is none, or lacks a file, is named", "[nn][pretrained]") {
    const Folder folder;
    const std::string none = folder.file("none"), config = folder.file("config.json");
    const std::string is_folder = "; a model is a folder with config.json and model.safetensors";
    CHECK(refused(none) ==
          "model: " + heed::in_quotes(none) + ": there is no such folder" + is_folder);
    CHECK(refused(folder.path()) == "read: " + heed::in_quotes(config) + ": there is no such file");
    write(config, "{");
    CHECK(refused(config) ==
          "model: " + heed::in_quotes(config) + ": this is not a folder, but a file" + is_folder);
    CHECK(refused(folder.path()).starts_with("json: " + heed::in_quotes(config)));
    write(config, "[]");
    CHECK(refused(folder.path()).find("the config") != std::string::npos);
    write(config, "{}");
    CHECK(refused(folder.path()).find("model_type") != std::string::npos);
    CHECK(refused(folder.path()).find(config) != std::string::npos);
    write(config, "{\"model_type\": \"t5\"}");
    CHECK(refused(folder.path()) ==
          "model: " + heed::in_quotes(config) +
              ": \"model_type\": it is \"t5\"; gpt2, llama, mistral, qwen2 and bert can be loaded");
    write(config, pretrained_config("gpt2"));
    const std::string no_weights = "model: " + heed::in_quotes(folder.path()) +
                                   ": there is no model.safetensors and no "
                                   "model.safetensors.index.json";
    CHECK(refused(folder.path()) == no_weights);
    write(folder.file("pytorch_model.bin"), "PK");
    CHECK(refused(folder.path()) ==
          no_weights + "; pytorch_model.bin is a program as much as a file of numbers, and is not "
                       "read: save it as safetensors");
    write(folder.file("model.safetensors"), "abc");
    CHECK(refused(folder.path())
              .starts_with("safetensors: " + heed::in_quotes(folder.file("model.safetensors"))));
}

TEST_CASE("a model of the other kind says what loads it", "[nn][pretrained]") {
    const ModelFolderFor bert("bert"), gpt2("gpt2");
    CHECK(refused(bert.path()) == "model: " + heed::in_quotes(bert.config()) +
                                      ": \"model_type\": it is \"bert\", which "
                                      "load_text_encoder() loads");
    CHECK(message_of<std::runtime_error>([&] { load_text_encoder(gpt2.path()); }) ==
          "model: " + heed::in_quotes(gpt2.config()) +
              ": \"model_type\": it is \"gpt2\", which load_gpt() loads");
}

TEST_CASE("sizes that do not fit each other are the config's error", "[nn][pretrained]") {
    ModelFolderFor folder("gpt2");
    folder.set("n_head", "4");
    CHECK(refused(folder.path()) == "model: " + heed::in_quotes(folder.config()) +
                                        ": GptConfig: d_model is 6 and num_heads is 4; d_model "
                                        "must be a multiple of num_heads");
    folder.set("n_head", "2");
    folder.set("n_layer", "1000000");
    CHECK(message_of<std::invalid_argument>([&] { load_gpt(folder.path()); }) ==
          "model: " + heed::in_quotes(folder.weights()) +
              " does not fit its config.json, which has 1000000 layers: no name begins with "
              "\"h.2.\"");
    folder.set("n_layer", "2");
    folder.set("n_embd", "1099511627776");
    CHECK(refused(folder.path()).starts_with("model: " + heed::in_quotes(folder.config())));
    folder.set("n_embd", "1048576");  // takes no memory before it is found not to fit
    CHECK(message_of<std::invalid_argument>([&] {
              load_gpt(folder.path());
          }).starts_with("model: " + heed::in_quotes(folder.weights()) + " does not fit"));
}

TEST_CASE("weights that do not fit are listed in the file's words", "[nn][pretrained]") {
    StateDict gpt2 = pretrained_state("gpt2");
    const Tensor c_attn = gpt2.take("h.1.attn.c_attn.weight");
    CHECK(not_loaded("gpt2", gpt2) == "\n  missing: \"h.1.attn.c_attn.weight\"");
    gpt2.add("h.1.attn.c_atn.weight", c_attn);
    CHECK(not_loaded("gpt2", gpt2) ==
          "\n  missing: \"h.1.attn.c_attn.weight\""
          "\n  not expected: \"h.1.attn.c_atn.weight\"; did you mean \"h.1.attn.c_attn.weight\"?");
    gpt2.take("h.1.attn.c_atn.weight");
    gpt2.add("h.1.attn.c_attn.weight", tensor::transpose(c_attn));
    CHECK(not_loaded("gpt2", gpt2) ==
          "\n  wrong shape: \"h.1.attn.c_attn.weight\" is [18, 6] and should be [6, 18]");

    StateDict llama = pretrained_state("llama");
    const Tensor embed = llama.take("model.embed_tokens.weight");
    llama.add("model.embed_tokens.weight", tensor::slice(embed, 0, 0, 6));
    CHECK(not_loaded("llama", llama) ==
          "\n  wrong shape: \"model.embed_tokens.weight\" is [6, 8] and should be [7, 8]");
    llama.take("model.embed_tokens.weight");
    Tensor with_nan = tensor::clone(embed);
    with_nan.writable_data()[5] = std::numeric_limits<Scalar>::quiet_NaN();
    llama.add("model.embed_tokens.weight", with_nan);
    CHECK(not_loaded("llama", llama) ==
          "\n  NaN: \"model.embed_tokens.weight\" holds entries that are not numbers");
    llama.take("model.embed_tokens.weight");
    llama.add("model.embed_tokens.weight", embed);
    llama.add("lm_head.weight", embed + 1);
    CHECK(not_loaded("llama", llama) ==
          "\n  different values: \"model.embed_tokens.weight\" and \"lm_head.weight\" are one "
          "parameter in the model");
    llama.take("lm_head.weight");
    llama.add("model.layers.0.self_attn.q_norm.weight", tensor::ones({2}));
    CHECK(not_loaded("llama", llama) ==
          "\n  not expected: \"model.layers.0.self_attn.q_norm.weight\"");

    StateDict bert = pretrained_state("bert");
    bert.add("class.weight", tensor::ones({2, 6}));
    CHECK(not_loaded("bert", bert) == "\n  not expected: \"class.weight\"");
    bert.take("class.weight");
    bert.add("embeddings.LayerNorm.gamma", bert.at("embeddings.LayerNorm.weight"));
    CHECK(not_loaded("bert", bert) == "\n  not expected: \"embeddings.LayerNorm.gamma\"");
    CHECK(not_loaded("bert", StateDict())
              .starts_with(", which has 2 layers: no name begins with \"encoder.layer.0.\""));
}

TEST_CASE("a long list of what does not fit is cut off", "[nn][pretrained]") {
    StateDict state = pretrained_state("gpt2");
    for (int i = 0; i < 100; ++i) state.add(text("more.", i), tensor::ones({1}));
    const std::string lines = not_loaded("gpt2", state);
    CHECK(std::count(lines.begin(), lines.end(), '\n') == 11);
    CHECK(lines.ends_with("\n  and 90 more do not fit"));
}

TEST_CASE("a file that is cut off is named, and so is one that may not be read",
          "[nn][pretrained]") {
    const ModelFolderFor folder("gpt2");
    const std::string bytes = contents(folder.weights());
    write(folder.weights(), bytes.substr(0, bytes.size() - 8));
    CHECK(refused(folder.path()).starts_with("safetensors: " + heed::in_quotes(folder.weights())));
    CHECK(refused(folder.path()).ends_with("the file is cut off"));
    write(folder.weights(), bytes);
    namespace fs = std::filesystem;
    for (const std::string& path : {folder.config(), folder.weights()}) {
        fs::permissions(path, fs::perms::none);
        if (::access(path.c_str(), R_OK) != 0) {  // not to root, who may read all
            CHECK(refused(folder.path()) ==
                  "read: " + heed::in_quotes(path) + ": Permission denied");
        }
        fs::permissions(path, fs::perms::owner_all);
        fs::remove(path);
        fs::create_directory(path);
        CHECK(refused(folder.path()) ==
              "read: " + heed::in_quotes(path) + ": this is a folder, not a file");
        fs::remove(path);
        write(path, path == folder.config() ? pretrained_config("gpt2") : bytes);
    }
    load_gpt(folder.path());
}
