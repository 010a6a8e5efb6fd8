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
using Settings = std::map<std::string, std::string>;  // JSON by name
using Use = ModelSetting::Use;

const char* const kinds[] = {"gpt2", "llama", "mistral", "qwen2", "bert"};

std::string as_json(const Json& value) {
    if (value.is_string()) return json_string(value.string(""));
    if (value.is_boolean()) return value.boolean("") ? "true" : "false";
    if (value.is_null()) return "null";
    return json_number(value.number(""));
}

Settings with(Settings settings, const Settings& more) {
    for (const auto& [name, value] : more) settings[name] = value;
    return settings;
}

Settings without(Settings settings, const std::string& name) {
    settings.erase(name);
    return settings;
}

// A folder with weights, whose config changes.
class Model {
  public:
    explicit Model(const std::string& kind) : folder_(kind), is_bert_(kind == "bert") {
        const Json config = Json::parse(pretrained_config(kind), kind);
        for (const auto& [name, value] : config.members("")) base[name] = as_json(value);
    }

    // The bits of what the model computes, and what it does not show; or the error without the
    // folder's name.
    std::string outcome(const Settings& settings) const {
        std::string config;
        for (const auto& [name, value] : settings) {
            config += (config.empty() ? "{" : ", ") + json_string(name) + ": " + value;
        }
        write(folder_.config(), config + "}");
        const NoGrad no_grad;
        const IndexTensor ids({3, 1, 4, 1, 5});
        try {
            if (is_bert_) {
                const TextEncoder model = load_text_encoder(folder_.path());
                return bits(model(ids).value()) + text(" limit ", model.config().limit);
            }
            const Gpt model = load_gpt(folder_.path());
            return bits(model(ids).value()) +
                   text(" limit ", model.config().limit, " base ", model.config().rotary.base);
        } catch (const std::exception& error) {
            std::string message = error.what();
            message = message.substr(0, message.find("\n  at "));
            for (std::size_t at; (at = message.find(folder_.path() + "/")) != message.npos;) {
                message.erase(at, folder_.path().size() + 1);
            }
            return message;
        }
    }
    std::string refusal(const std::string& name, const std::string& why) const {
        return "model: \"config.json\": " + json_string(name) + ": " + why;
    }

    Settings base;

  private:
    static std::string bits(const Tensor& result) {
        std::string numbers;
        for (const Scalar number : result.to_vector()) {
            numbers += text(std::setprecision(17), number, " ");
        }
        return numbers;
    }

    ModelFolderFor folder_;
    bool is_bert_;
};

// Another value of a setting; and, if it matters only then, values of other settings.
struct Other {
    std::string value;
    Settings others = {};
};

Other other_value(const std::string& type, const std::string& name, const Json& its) {
    const Settings slides = {{"use_sliding_window", "true"}, {"max_window_layers", "0"}};
    const Settings qwen2 = type == "qwen2" ? slides : Settings();
    const std::map<std::string, Other> special = {
        {"activation_function", {R"("relu")"}},
        {"hidden_act", {R"("relu")"}},
        {"rope_scaling", {R"({"type": "linear", "factor": 3})"}},
        {"rope_parameters", {R"({"rope_type": "linear", "factor": 3})"}},
        {"sliding_window", {"5", qwen2}},
        {"use_sliding_window", {"true", {{"sliding_window", "3"}, {"max_window_layers", "0"}}}},
        {"max_window_layers", {"0", {{"sliding_window", "3"}, {"use_sliding_window", "true"}}}},
        {"layer_types", {R"(["sliding_attention", "full_attention"])"}},
        {"auto_map", {R"({"AutoModelForCausalLM": "code.Model"})"}},
    };
    if (special.contains(name)) return special.at(name);
    if (its.is_boolean()) return {its.boolean("") ? "false" : "true"};
    return {its.is_number() ? json_number(its.number("") * 2 + (its.number("") < 1)) : "3"};
}

// For each name of the table, with its row, and each of the types that it is for.
template <class Check>
int each_setting(const std::vector<Use>& uses, const Check& check) {
    int number = 0;
    for (const std::string type : kinds) {
        const Model model(type);
        for (const ModelSetting& row : model_settings()) {
            const bool is_asked = std::find(uses.begin(), uses.end(), row.use) != uses.end();
            if (!row.is_for(type) || !is_asked || !*row.otherwise) continue;
            std::istringstream names(row.names);
            for (std::string name; names >> name; ++number) {
                CAPTURE(type, name);
                check(type, model, row, name);
            }
        }
    }
    return number;
}

// The same refusal of a default that the file has.
std::string without_missing(const std::string& outcome) {
    const std::size_t at = outcome.find("it is missing, which means 4096; ");
    return at == outcome.npos ? outcome : std::string(outcome).erase(at, 33);
}

// The constructors of the publisher's GPT2Config, LlamaConfig, MistralConfig, Qwen2Config and
// BertConfig, as far as a model's numbers depend on them.
const char* const publisher[] = {
    R"({"type": "gpt2", "vocab_size": 50257, "n_positions": 1024, "n_embd": 768, "n_layer": 12,
        "n_head": 12, "n_inner": null, "activation_function": "gelu_new",
        "layer_norm_epsilon": 1e-5, "tie_word_embeddings": true, "hidden_size": null,
        "max_position_embeddings": null, "num_hidden_layers": null, "num_attention_heads": null})",
    R"({"type": "llama", "vocab_size": 32000, "hidden_size": 4096, "intermediate_size": 11008,
        "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": null,
        "hidden_act": "silu", "max_position_embeddings": 2048, "rms_norm_eps": 1e-6,
        "tie_word_embeddings": false, "rope_theta": 10000, "rope_scaling": null,
        "rope_parameters": null, "attention_bias": false, "mlp_bias": false, "head_dim": null,
        "sliding_window": null, "layer_types": null})",
    R"({"type": "mistral", "vocab_size": 32000, "hidden_size": 4096, "intermediate_size": 14336,
        "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
        "head_dim": null, "hidden_act": "silu", "max_position_embeddings": 131072,
        "rms_norm_eps": 1e-6, "tie_word_embeddings": false, "rope_theta": 10000,
        "rope_scaling": null, "rope_parameters": null, "sliding_window": 4096,
        "layer_types": null, "nullable": "num_key_value_heads sliding_window"})",
    R"({"type": "qwen2", "vocab_size": 151936, "hidden_size": 4096, "intermediate_size": 22016,
        "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 32,
        "hidden_act": "silu", "max_position_embeddings": 32768, "rms_norm_eps": 1e-6,
        "tie_word_embeddings": false, "rope_theta": 10000, "rope_scaling": null,
        "rope_parameters": null, "use_sliding_window": false, "sliding_window": 4096,
        "max_window_layers": 28, "head_dim": null, "layer_types": null,
        "nullable": "num_key_value_heads sliding_window"})",
    R"({"type": "bert", "vocab_size": 30522, "hidden_size": 768, "num_hidden_layers": 12,
        "num_attention_heads": 12, "intermediate_size": 3072, "hidden_act": "gelu",
        "max_position_embeddings": 512, "type_vocab_size": 2, "layer_norm_eps": 1e-12})"};

}  // namespace

TEST_CASE("a setting that is computed changes the model or is refused; absent, it is the default",
          "[nn][pretrained][settings]") {
    const int number = each_setting(
        {Use::computed, Use::nullable}, [](const std::string& type, const Model& model,
                                           const ModelSetting& row, const std::string& name) {
            const Json otherwise = Json::parse(row.otherwise, name);
            const Json now =
                model.base.contains(name) ? Json::parse(model.base.at(name), name) : otherwise;
            const Other other = other_value(type, name, now);
            const Settings base = with(model.base, other.others);
            const std::string before = model.outcome(base);
            CHECK(model.outcome(with(base, {{name, other.value}})) != before);
            // A window of 4096 matters to longer texts.
            for (const char* limit : {"6", "5000"}) {
                const bool is_window = name == "sliding_window";
                const Settings settings =
                    is_window ? with(base, {{"max_position_embeddings", limit}}) : base;
                const std::string absent = model.outcome(without(settings, name));
                CHECK(without_missing(absent) ==
                      without_missing(model.outcome(with(settings, {{name, row.otherwise}}))));
                if (type == "mistral" && is_window) {
                    CHECK((absent.find("it is missing") == absent.npos) == (limit[0] == '6'));
                }
            }
            const std::string null = model.outcome(with(base, {{name, "null"}}));
            if (row.use == Use::nullable) {
                const bool is_window = name == "sliding_window";
                const std::string same =
                    base.at(is_window ? "max_position_embeddings" : "num_attention_heads");
                CHECK(null == model.outcome(with(base, {{name, same}})));
            } else if (otherwise.is_boolean()) {
                CHECK(null == model.outcome(with(base, {{name, "false"}})));
            } else if (otherwise.is_null()) {
                CHECK(null == model.outcome(without(base, name)));
            } else {
                CHECK(null == model.refusal(name, text("it is null; if it is absent, it is ",
                                                       row.otherwise)));
            }
            const std::string of_other_kind = model.outcome(with(base, {{name, "[[]]"}}));
            CHECK(of_other_kind.starts_with("json: \"config.json\": " + json_string(name) +
                                            " must be"));
            if (row.use == Use::computed && now.is_number() && name.find("eps") == name.npos &&
                name != "rope_theta" && name != "max_window_layers") {
                CHECK(model.outcome(with(base, {{name, "0"}})) ==
                      model.refusal(name, "it is 0; it must be at least 1"));
            }
        });
    CHECK(number > 70);
}

TEST_CASE("the table has the publisher's defaults", "[nn][pretrained][settings]") {
    for (const char* const defaults : publisher) {
        const Json expected = Json::parse(defaults, "publisher");
        const std::string type = expected.at("type").string("type");
        const std::string nullable = expected.string_or("nullable", "");
        std::size_t number = 0;
        for (const ModelSetting& row : model_settings()) {
            const bool is_computed = row.use == Use::computed || row.use == Use::nullable;
            if (row.types == "all" || !row.is_for(type) || !is_computed) continue;
            CAPTURE(type, row.names);
            CHECK(as_json(Json::parse(row.otherwise, "table")) == as_json(expected.at(row.names)));
            CHECK((row.use == Use::nullable) == (nullable.find(row.names) != nullable.npos));
            ++number;
        }
        CHECK(number == expected.members("").size() - 1 - !nullable.empty());
    }
}

TEST_CASE("a setting that is fixed is refused unless it is neutral", "[nn][pretrained][settings]") {
    const std::vector<std::string> off = {"null", "false", "[]", "{}", "0"};
    const std::vector<std::string> on = {"true", "7", "[1]", R"({"a": 1})", R"("x")"};
    const int number =
        each_setting({Use::fixed}, [&](const std::string&, const Model& model,
                                       const ModelSetting& row, const std::string& name) {
            const std::string otherwise = row.otherwise;
            std::vector<std::string> neutral = off, refused = on;
            if (otherwise == "1") {
                neutral.back() = "1.0";
                refused.push_back("0");
            } else if (otherwise == "true" || otherwise[0] == '"') {
                neutral = {otherwise};
                refused = off;
                refused.push_back(R"("x")");
            }
            const std::string before = model.outcome(model.base);
            for (const std::string& value : neutral) {
                CAPTURE(value);
                CHECK(model.outcome(with(model.base, {{name, value}})) == before);
            }
            for (const std::string& value : refused) {
                CAPTURE(value);
                CHECK(model.outcome(with(model.base, {{name, value}})) ==
                      model.refusal(name, row.note));
            }
        });
    CHECK(number > 130);
}

TEST_CASE("a setting that is unused, or that the table does not have, changes nothing",
          "[nn][pretrained][settings]") {
    const int number =
        each_setting({Use::unused}, [](const std::string&, const Model& model,
                                       const ModelSetting& row, const std::string& name) {
            const std::string before = model.outcome(model.base);
            const std::string otherwise = row.otherwise;
            for (const std::string& value : {otherwise, std::string("7"), std::string("null")}) {
                CHECK(model.outcome(with(model.base, {{name, value}})) == before);
            }
        });
    CHECK(number > 90);
    const Model llama("llama");
    CHECK(llama.outcome(with(llama.base, {{"nobody_reads_this", "7"}})) ==
          llama.outcome(llama.base));
}

TEST_CASE("settings that contradict each other are refused", "[nn][pretrained][settings]") {
    struct Contradiction {
        const char* kind;
        Settings settings;
        const char *name, *why;  // or the whole error, after the file
    };
    const Contradiction contradictions[] = {
        {"gpt2",
         {{"hidden_size", "8"}},
         "n_embd",
         "it is 6, but \"hidden_size\", its other name, is 8"},
        {"gpt2",
         {{"n_head", "4"}},
         nullptr,
         "GptConfig: d_model is 6 and num_heads is 4; d_model must be a multiple of num_heads"},
        {"llama",
         {{"num_key_value_heads", "3"}},
         nullptr,
         "GptConfig: num_heads is 4 and num_kv_heads is 3; num_heads must be a multiple of "
         "num_kv_heads"},
        {"llama",
         {{"rope_parameters", R"({"rope_theta": 7})"}},
         "rope_theta",
         "rope_parameters has another one"},
        {"llama",
         {{"rope_parameters", R"({"rope_type": "default"})"},
          {"rope_scaling", R"({"type": "default"})"}},
         "rope_scaling",
         "rope_parameters is there, too"},
        {"llama",
         {{"rope_scaling", R"({"rope_type": "linear", "type": "llama3", "factor": 1})"}},
         "rope_scaling",
         "its rope_type is \"linear\", but its type is \"llama3\""},
        {"llama",
         {{"rope_scaling", R"({"factor": 2})"}},
         "rope_scaling",
         "its type is \"\"; default, linear and llama3 can be loaded"},
        {"llama",
         {{"rope_scaling", R"({"type": "yarn"})"}},
         "rope_scaling",
         "its type is \"yarn\"; default, linear and llama3 can be loaded"},
        {"llama",
         {{"rope_parameters", R"({"full_attention": {"rope_theta": 10}})"}},
         "rope_parameters",
         "all layers turn alike here"},
        {"llama",
         {{"rope_scaling", R"({"type": "default", "partial_rotary_factor": 0.5})"}},
         "rope_scaling",
         "all features of a head are turned here"},
        {"llama",
         {{"layer_types", R"(["full_attention"])"}},
         "layer_types",
         "it has 1 layers, and num_hidden_layers is 2"},
        {"llama",
         {{"layer_types", R"(["full_attention", "linear_attention"])"}},
         "layer_types",
         "there is a layer of type \"linear_attention\"; all must be \"full_attention\" here"},
        {"mistral",
         {{"max_position_embeddings", "5000"}},
         "sliding_window",
         "it is missing, which means 4096; every token sees all before it here"},
        {"qwen2",
         {{"use_sliding_window", "true"},
          {"max_window_layers", "0"},
          {"max_position_embeddings", "5000"}},
         "sliding_window",
         "it is missing, which means 4096; every token sees all before it here"},
        {"qwen2",
         {{"use_sliding_window", "true"}, {"max_window_layers", "0"}, {"sliding_window", "5"}},
         "sliding_window",
         "every token sees all before it here"},
        {"llama",
         {{"auto_map", R"({"AutoModel": "code.Model"})"}},
         "auto_map",
         "this model is computed by Python code in its folder"},
        {"llama",
         {{"hidden_act", R"("gelu_fast")"}},
         "hidden_act",
         "it is \"gelu_fast\"; relu, gelu, gelu_new, gelu_pytorch_tanh and silu can be loaded"},
        {"gpt2",
         {{"model_type", R"("t5")"}},
         "model_type",
         "it is \"t5\"; gpt2, llama, mistral, qwen2 and bert can be loaded"},
    };
    for (const auto& [kind, settings, name, why] : contradictions) {
        const Model model(kind);
        CHECK(model.outcome(with(model.base, settings)) ==
              (name ? model.refusal(name, why) : text("model: \"config.json\": ", why)));
    }
}

TEST_CASE("settings that agree with each other are loaded", "[nn][pretrained][settings]") {
    const std::string mean = R"({"rope_type": "llama3", "factor": 1, "low_freq_factor": 1,
        "high_freq_factor": 4, "original_max_position_embeddings": 4})";
    const std::pair<const char*, Settings> agreements[] = {
        {"gpt2", {{"hidden_size", "6"}}},
        {"llama", {{"head_dim", "2"}}},
        {"llama", {{"rope_scaling", R"({"type": "linear", "factor": 1.0})"}}},
        {"llama", {{"rope_scaling", mean}}},
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
        CHECK(model.outcome(with(model.base, settings)) == model.outcome(model.base));
    }
}

TEST_CASE("a setting that the table lacks cannot be asked for", "[nn][pretrained][settings]") {
    const ModelFolderFor folder("bert");
    const ModelSettings settings(folder.config());
    CHECK_THROWS_WITH(settings.size("n_embd"), "settings_table.inc has no \"n_embd\" of bert");
}
