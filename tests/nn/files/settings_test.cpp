// Each setting of config.json in the library's table (nn/files/settings_table.inc): present,
// absent, null, neutral, of another kind; and settings that contradict each other.
#include "tests/nn/files/pretrained_folders.h"

#include "tests/catch.h"

#include "nn/files/json.h"
#include "nn/files/model_settings.h"

#include <iomanip>
#include <sstream>

using namespace heed;

namespace {
using Settings = std::map<std::string, std::string>;  // JSON by name; "" if it is absent
using Use = ModelSetting::Use;

std::string as_json(const Json& value) {
    if (value.is_string()) return json_string(value.string(""));
    if (value.is_boolean()) return value.boolean("") ? "true" : "false";
    if (value.is_null()) return "null";
    return json_number(value.number(""));
}

std::string without(std::string text, const std::string& part) {
    for (std::size_t at; (at = text.find(part)) != text.npos;) text.erase(at, part.size());
    return text;
}

// A folder with weights, whose config changes.
class Model {
  public:
    explicit Model(const std::string& type) : kind(type), folder_(type) {
        const Json config = Json::parse(pretrained_config(kind), kind);
        for (const auto& [name, value] : config.members("")) base[name] = as_json(value);
    }

    // Loads the model with these settings in place of the config's. Returns its output and the
    // sizes that the output does not depend on, or the error without the folder's name.
    std::string outcome(Settings settings = {}) const {
        settings.insert(base.begin(), base.end());
        std::string config;
        for (const auto& [name, value] : settings) {
            if (value.empty()) continue;
            config += (config.empty() ? "{" : ", ") + json_string(name) + ": " + value;
        }
        write(folder_.config(), config + "}");
        const NoGrad no_grad;
        const IndexTensor ids({3, 1, 4, 1, 5});
        try {
            if (kind == "bert") {
                const TextEncoder model = load_text_encoder(folder_.path());
                return exact(model(ids).value()) + text(" limit ", model.config().limit);
            }
            const Gpt model = load_gpt(folder_.path());
            return exact(model(ids).value()) +
                   text(" limit ", model.config().limit, " base ", model.config().rotary.base);
        } catch (const std::exception& error) {
            const std::string message = error.what();
            return without(message.substr(0, message.find("\n  at ")), folder_.path() + "/");
        }
    }

    std::string kind;
    Settings base;

  private:
    static std::string exact(const Tensor& output) {
        std::string numbers;
        for (const Scalar number : output.to_vector()) {
            numbers += text(std::setprecision(17), number, " ");
        }
        return numbers;
    }

    ModelFolderFor folder_;
};

std::string refusal(const std::string& name, const std::string& why) {
    return "model: \"config.json\": " + json_string(name) + ": " + why;
}

// A value of a setting that is not `now`, and the values of other settings with which it matters.
std::pair<std::string, Settings> different(const std::string& kind, const std::string& name,
                                           const Json& now) {
    const Settings slides = {
        {"use_sliding_window", "true"}, {"max_window_layers", "0"}, {"sliding_window", "3"}};
    const std::map<std::string, std::string> values = {
        {"activation_function", R"("relu")"},
        {"hidden_act", R"("relu")"},
        {"rope_scaling", R"({"type": "linear", "factor": 3})"},
        {"rope_parameters", R"({"rope_type": "linear", "factor": 3})"},
        {"sliding_window", "5"},
        {"max_window_layers", "0"},
        {"layer_types", R"(["sliding_attention", "full_attention"])"},
        {"auto_map", R"({"AutoModelForCausalLM": "code.Model"})"},
    };
    const bool is_window = name.find("window") != name.npos;
    const Settings others = kind == "qwen2" && is_window ? slides : Settings();
    if (values.contains(name)) return {values.at(name), others};
    if (now.is_boolean()) return {now.boolean("") ? "false" : "true", others};
    return {now.is_number() ? json_number(now.number("") * 2 + (now.number("") < 1)) : "3", others};
}

// Calls check(model, row, name) for each type and each name of a row of the table that is for it.
template <class Check>
int each_setting(const std::vector<Use>& uses, const Check& check) {
    int number = 0;
    for (const std::string kind : {"gpt2", "llama", "mistral", "qwen2", "bert"}) {
        const Model model(kind);
        for (const ModelSetting& row : model_settings()) {
            const bool is_asked = std::find(uses.begin(), uses.end(), row.use) != uses.end();
            if (!row.is_for(kind) || !is_asked || !*row.otherwise) continue;
            std::istringstream names(row.names);
            for (std::string name; names >> name; ++number) {
                CAPTURE(kind, name);
                check(model, row, name);
            }
        }
    }
    return number;
}

// The defaults of the publisher's GPT2Config, LlamaConfig, MistralConfig, Qwen2Config and
// BertConfig, as far as the output depends on them; of "all", the values that change nothing.
const char* const publisher = R"({
    "gpt2": {"vocab_size": 50257, "n_positions": 1024, "n_embd": 768, "n_layer": 12, "n_head": 12,
        "n_inner": null, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5,
        "max_position_embeddings hidden_size num_hidden_layers num_attention_heads": null,
        "tie_word_embeddings": true, "scale_attn_weights": true,
        "scale_attn_by_inverse_layer_idx": false},
    "llama mistral qwen2": {"hidden_size": 4096, "num_hidden_layers": 32, "head_dim": null,
        "num_attention_heads": 32, "hidden_act": "silu", "rms_norm_eps": 1e-6,
        "tie_word_embeddings": false, "rope_theta": 10000, "rope_scaling": null,
        "rope_parameters": null, "layer_types": null},
    "llama": {"vocab_size": 32000, "intermediate_size": 11008, "num_key_value_heads": null,
        "max_position_embeddings": 2048, "attention_bias mlp_bias": false,
        "sliding_window": null},
    "mistral": {"vocab_size": 32000, "intermediate_size": 14336, "num_key_value_heads": 8,
        "max_position_embeddings": 131072, "attention_bias mlp_bias": false,
        "sliding_window": 4096},
    "qwen2": {"vocab_size": 151936, "intermediate_size": 22016, "num_key_value_heads": 32,
        "max_position_embeddings": 32768, "mlp_bias": false, "use_sliding_window": false,
        "sliding_window": 4096, "max_window_layers": 28},
    "bert": {"vocab_size": 30522, "hidden_size": 768, "num_hidden_layers": 12,
        "num_attention_heads": 12, "intermediate_size": 3072, "hidden_act": "gelu",
        "max_position_embeddings": 512, "type_vocab_size": 2, "layer_norm_eps": 1e-12,
        "position_embedding_type": "absolute", "is_decoder": false},
    "all": {"auto_map": null, "quantization_config": null, "pruned_heads": null,
        "is_encoder_decoder": false, "add_cross_attention": false,
        "num_experts num_local_experts n_routed_experts": 0, "q_lora_rank": 0, "kv_lora_rank": 0,
        "use_qk_norm qk_norm qk_layernorm": false, "clip_qkv": 0, "attn_logit_softcapping": 0,
        "final_logit_softcapping": 0, "logit_scale logits_scaling": 1, "embedding_multiplier": 1,
        "residual_multiplier": 1, "attention_multiplier query_pre_attn_scalar": 0,
        "attention_chunk_size": 0, "no_rope_layers": null, "partial_rotary_factor": 1,
        "parallel_attn use_parallel_residual": false, "alibi": false}})";

}  // namespace

TEST_CASE("a setting that is computed changes the model or is refused; absent, it is the default",
          "[nn][pretrained][settings]") {
    const int number = each_setting({Use::computed, Use::nullable}, [](const Model& model,
                                                                       const ModelSetting& row,
                                                                       const std::string& name) {
        const Json otherwise = Json::parse(row.otherwise, name);
        const bool is_in = model.base.contains(name);
        const std::string before = is_in ? model.base.at(name) : "";
        const Json now = is_in ? Json::parse(before, name) : otherwise;
        const auto [value, others] = different(model.kind, name, now);
        Settings settings = others;
        const auto outcome = [&](const std::string& json) {
            settings[name] = json;
            return model.outcome(settings);
        };
        CHECK(outcome(value) != outcome(before));
        CHECK(outcome("") == outcome(row.otherwise));
        const bool is_window = name == "sliding_window";
        const char* const like_null = is_window ? "max_position_embeddings" : "num_attention_heads";
        if (row.use == Use::nullable) {
            CHECK(outcome("null") == outcome(model.base.at(like_null)));
        } else if (otherwise.is_boolean() || otherwise.is_null()) {
            CHECK(outcome("null") == outcome(otherwise.is_boolean() ? "false" : ""));
        } else {
            CHECK(outcome("null") ==
                  refusal(name, text("it is null; if it is absent, it is ", row.otherwise)));
        }
        CHECK(outcome("[[]]").starts_with("json: \"config.json\": " + json_string(name) +
                                          " must be"));
        if (row.use == Use::computed && now.is_number() && name.find("eps") == name.npos &&
            name != "rope_theta" && name != "max_window_layers") {
            CHECK(outcome("0") == refusal(name, "it is 0; it must be at least 1"));
        }
        if (!is_window) return;
        settings["max_position_embeddings"] = "5000";  // a window of 4096 matters only to these
        CHECK(without(outcome(""), "it is missing, which means 4096; ") == outcome(row.otherwise));
    });
    CHECK(number > 70);
}

TEST_CASE("the table has the publisher's defaults", "[nn][pretrained][settings]") {
    const Json defaults = Json::parse(publisher, "publisher");
    std::size_t number = 0, expected = 0;
    for (const ModelSetting& row : model_settings()) {
        if (row.use == Use::unused || !*row.otherwise) continue;
        CAPTURE(row.types, row.names);
        CHECK(as_json(Json::parse(row.otherwise, "table")) ==
              as_json(defaults.at(row.types).at(row.names)));
        const bool may_be_null =
            row.names == "num_key_value_heads" || row.names == "sliding_window";
        CHECK((row.use == Use::nullable) == (may_be_null && row.types != "llama"));
        ++number;
    }
    for (const auto& [types, settings] : defaults.members("")) {
        expected += settings.members(types).size();
    }
    CHECK(number == expected);
}

TEST_CASE("a setting that is fixed is refused unless it is neutral", "[nn][pretrained][settings]") {
    const int number = each_setting(
        {Use::fixed}, [](const Model& model, const ModelSetting& row, const std::string& name) {
            const std::string otherwise = row.otherwise;
            std::vector<std::string> neutral = {"null", "false", "[]", "{}", "0"};
            std::vector<std::string> refused = {"true", "7", "[1]", R"({"a": 1})", R"("x")"};
            if (otherwise == "1") {
                neutral.back() = "1.0";
                refused.push_back("0");
            } else if (otherwise == "true" || otherwise[0] == '"') {
                refused = neutral;
                refused.push_back(R"("x")");
                neutral = {otherwise};
            }
            const std::string before = model.outcome();
            for (const std::string& value : neutral) {
                CAPTURE(value);
                CHECK(model.outcome({{name, value}}) == before);
            }
            for (const std::string& value : refused) {
                CAPTURE(value);
                CHECK(model.outcome({{name, value}}) == refusal(name, row.note));
            }
        });
    CHECK(number > 130);
}

TEST_CASE("a setting that is unused, or that the table does not have, changes nothing",
          "[nn][pretrained][settings]") {
    const int number = each_setting(
        {Use::unused}, [](const Model& model, const ModelSetting& row, const std::string& name) {
            const std::string before = model.outcome();
            for (const char* const value : {row.otherwise, "7", "null"}) {
                CHECK(model.outcome({{name, value}}) == before);
            }
        });
    CHECK(number > 90);
    const Model llama("llama");
    CHECK(llama.outcome({{"unknown_setting", "7"}}) == llama.outcome());
}

TEST_CASE("settings that contradict each other are refused", "[nn][pretrained][settings]") {
    const auto check = [](const char* kind, const Settings& settings, const char* name,
                          const char* why) {
        CHECK(Model(kind).outcome(settings) == refusal(name, why));
    };
    const char* const all_before = "every token sees all before it here";
    const char* const window_4096 =
        "it is missing, which means 4096; every token sees all before it here";
    check("gpt2", {{"hidden_size", "8"}}, "n_embd",
          "it is 6, but \"hidden_size\", its other name, is 8");
    check("llama", {{"rope_parameters", R"({"rope_theta": 7})"}}, "rope_theta",
          "rope_parameters has a different one");
    check("llama",
          {{"rope_parameters", R"({"rope_type": "default"})"},
           {"rope_scaling", R"({"type": "default"})"}},
          "rope_scaling", "the config also has rope_parameters");
    check("llama", {{"rope_scaling", R"({"rope_type": "linear", "type": "llama3", "factor": 1})"}},
          "rope_scaling", "its rope_type is \"linear\", but its type is \"llama3\"");
    check("llama", {{"rope_scaling", R"({"factor": 2})"}}, "rope_scaling",
          "its type is \"\"; default, linear and llama3 can be loaded");
    check("llama", {{"rope_scaling", R"({"type": "yarn"})"}}, "rope_scaling",
          "its type is \"yarn\"; default, linear and llama3 can be loaded");
    check("llama", {{"rope_parameters", R"({"full_attention": {"rope_theta": 10}})"}},
          "rope_parameters", "all layers rotate by the same angles here");
    check("llama", {{"rope_scaling", R"({"type": "default", "partial_rotary_factor": 0.5})"}},
          "rope_scaling", "all features of a head are rotated here");
    check("llama", {{"layer_types", R"(["full_attention"])"}}, "layer_types",
          "it has 1 layers, but num_hidden_layers is 2");
    check("llama", {{"layer_types", R"(["full_attention", "linear_attention"])"}}, "layer_types",
          "there is a layer of type \"linear_attention\"; all must be \"full_attention\" here");
    check("llama", {{"sliding_window", "5"}}, "sliding_window", all_before);
    check("mistral", {{"max_position_embeddings", "5000"}}, "sliding_window", window_4096);
    Settings qwen2 = {
        {"use_sliding_window", "true"}, {"max_window_layers", "0"}, {"sliding_window", "5"}};
    check("qwen2", qwen2, "sliding_window", all_before);
    qwen2["sliding_window"] = "";
    qwen2["max_position_embeddings"] = "5000";
    check("qwen2", qwen2, "sliding_window", window_4096);
    check("llama", {{"auto_map", R"({"AutoModel": "code.Model"})"}}, "auto_map",
          "this model is computed by Python code in its folder");
    check("llama", {{"hidden_act", R"("gelu_fast")"}}, "hidden_act",
          "it is \"gelu_fast\"; relu, gelu, gelu_new, gelu_pytorch_tanh and silu can be loaded");
    CHECK(Model("llama").outcome({{"num_key_value_heads", "3"}}) ==
          "model: \"config.json\": GptConfig: num_heads is 4 and num_kv_heads is 3; num_heads must "
          "be a multiple of num_kv_heads");
}

TEST_CASE("settings that agree with each other are loaded", "[nn][pretrained][settings]") {
    const std::string unscaled = R"({"rope_type": "llama3", "factor": 1, "low_freq_factor": 1,
        "high_freq_factor": 4, "original_max_position_embeddings": 4})";
    const std::pair<const char*, Settings> agreements[] = {
        {"gpt2", {{"hidden_size", "6"}}},
        {"llama", {{"head_dim", "2"}}},
        {"llama", {{"rope_scaling", R"({"type": "linear", "factor": 1.0})"}}},
        {"llama", {{"rope_scaling", unscaled}}},
        {"llama", {{"rope_scaling", R"({"rope_type": "default", "type": "default"})"}}},
        {"llama", {{"rope_parameters", R"({"rope_type": "default", "rope_theta": 500})"}}},
        {"llama", {{"layer_types", R"(["full_attention", "full_attention"])"}}},
        {"llama", {{"auto_map", R"({"AutoConfig": "code.Config"})"}}},
        {"llama", {{"sliding_window", "6"}}},
        {"qwen2", {{"use_sliding_window", "true"}, {"sliding_window", "3"}}},
        {"qwen2",
         {{"use_sliding_window", "true"}, {"max_window_layers", "0"}, {"sliding_window", "null"}}},
        {"qwen2",
         {{"use_sliding_window", "true"},
          {"max_window_layers", "0"},
          {"sliding_window", "3"},
          {"layer_types", R"(["full_attention"])"}}},
    };
    for (const auto& [kind, settings] : agreements) {
        const Model model(kind);
        CHECK(model.outcome(settings) == model.outcome());
    }
}

TEST_CASE("asking for a setting that the table lacks is a logic error",
          "[nn][pretrained][settings]") {
    const ModelFolderFor folder("bert");
    const ModelSettings settings(folder.config());
    CHECK_THROWS_WITH(settings.size("n_embd"), "settings_table.inc has no \"n_embd\" of bert");
}
