#include "weight_names.h"

#include "../../autograd/node.h"
#include "../../tensor/ops/compare.h"
#include "../../tensor/quote.h"
#include "../../tensor/views.h"
#include "../problems.h"

#include <algorithm>
#include <set>

namespace heed { inline namespace HEED_PRECISION {

const WeightNames& gpt2_names() {
    static const WeightNames names{
        .our_layers = "blocks.",
        .their_layers = "h.",
        .in_layer = {{"norm1", "ln_1"},
                     {"attention.W_Q", "attn.c_attn", StoredForm::query},
                     {"attention.W_K", "attn.c_attn", StoredForm::key},
                     {"attention.W_V", "attn.c_attn", StoredForm::value},
                     {"attention.W_O", "attn.c_proj", StoredForm::turned},
                     {"norm2", "ln_2"},
                     {"feed_forward.W_1", "mlp.c_fc", StoredForm::turned},
                     {"feed_forward.W_2", "mlp.c_proj", StoredForm::turned}},
        .outside = {{"tokens", "wte"}, {"positions", "wpe"}, {"norm", "ln_f"}, {"head", "lm_head"}},
        .prefix = "transformer.",
        .known = "wte.weight",
        .head = "lm_head.weight",
        .buffers = {".attn.bias", ".attn.masked_bias"},
        .heads_on_top = {}};
    return names;
}

const WeightNames& llama_names() {
    static const WeightNames names{
        .our_layers = "blocks.",
        .their_layers = "layers.",
        .in_layer = {{"norm1", "input_layernorm"},
                     {"attention.W_Q", "self_attn.q_proj"},
                     {"attention.W_K", "self_attn.k_proj"},
                     {"attention.W_V", "self_attn.v_proj"},
                     {"attention.W_O", "self_attn.o_proj"},
                     {"norm2", "post_attention_layernorm"},
                     {"feed_forward.W_gate", "mlp.gate_proj"},
                     {"feed_forward.W_1", "mlp.up_proj"},
                     {"feed_forward.W_2", "mlp.down_proj"}},
        .outside = {{"tokens", "embed_tokens"}, {"norm", "norm"}, {"head", "lm_head"}},
        .prefix = "model.",
        .known = "embed_tokens.weight",
        .head = "lm_head.weight",
        .buffers = {".rotary_emb.inv_freq"},
        .heads_on_top = {}};
    return names;
}

const WeightNames& bert_names() {
    static const WeightNames names{
        .our_layers = "layers.layers.",
        .their_layers = "encoder.layer.",
        .in_layer = {{"self_attn.W_Q", "attention.self.query"},
                     {"self_attn.W_K", "attention.self.key"},
                     {"self_attn.W_V", "attention.self.value"},
                     {"self_attn.W_O", "attention.output.dense"},
                     {"norm1", "attention.output.LayerNorm"},
                     {"feed_forward.W_1", "intermediate.dense"},
                     {"feed_forward.W_2", "output.dense"},
                     {"norm2", "output.LayerNorm"}},
        .outside = {{"embeddings.token_embeddings", "embeddings.word_embeddings"},
                    {"embeddings.position_embeddings", "embeddings.position_embeddings"},
                    {"token_types", "embeddings.token_type_embeddings"},
                    {"layer_norm", "embeddings.LayerNorm"},
                    {"pooler", "pooler.dense"}},
        .prefix = "bert.",
        .known = "embeddings.word_embeddings.weight",
        .head = "",
        .buffers = {"embeddings.position_ids"},
        .heads_on_top = {"cls.", "classifier.", "qa_outputs."}};
    return names;
}

namespace {
// A parameter's place in a file.
struct Source {
    std::string name;
    StoredForm form;
};

// "h.3.ln_1.weight" of "blocks.3.norm1.weight", without the prefix.
Source source_of(const std::string& ours, const WeightNames& names) {
    const std::string begin = names.our_layers;
    const bool in_layer = ours.starts_with(begin);
    const std::size_t dot = in_layer ? ours.find('.', begin.size()) : std::string::npos;
    const std::size_t last = ours.rfind('.');
    const std::string end = ours.substr(last);  // ".weight"
    const std::size_t first = in_layer ? dot + 1 : 0;
    const std::string rest = ours.substr(first, last - first);
    const std::string layer = in_layer ? ours.substr(begin.size(), dot + 1 - begin.size()) : "";
    for (const WeightName& one : in_layer ? names.in_layer : names.outside) {
        if (rest != one.ours) continue;
        return {text(in_layer ? names.their_layers : "", layer, one.theirs, end), one.form};
    }
    return {ours, StoredForm::as_it_is};
}

bool is_side_by_side(StoredForm form) { return form >= StoredForm::query; }

// The shape in the file of a parameter that has `ours` here.
Shape stored_shape(const Shape& ours, StoredForm form, const CallSite& site) {
    const std::int64_t out = ours[0] * (is_side_by_side(form) ? 3 : 1);
    if (ours.rank() < 2) return Shape({out}, site);
    return form == StoredForm::as_it_is ? ours : Shape({ours[1], out}, site);
}

// The parameter in the form in which it is needed here.
Tensor needed(const Tensor& stored, const Shape& ours, StoredForm form) {
    Tensor part = stored;
    if (is_side_by_side(form)) {
        const int third = static_cast<int>(form) - static_cast<int>(StoredForm::query);
        part = tensor::slice(stored, -1, third * ours[0], (third + 1) * ours[0]);
    }
    if (form == StoredForm::as_it_is || ours.rank() < 2) return part;
    return tensor::transpose(part);
}

// Norms of older files have gamma and beta.
std::string older_name(const std::string& name) {
    for (const auto& [now, before] : {std::pair{"LayerNorm.weight", "LayerNorm.gamma"},
                                      std::pair{"LayerNorm.bias", "LayerNorm.beta"}}) {
        const std::string end = now;
        if (name.ends_with(end)) return name.substr(0, name.size() - end.size()) + before;
    }
    return name;
}

class Weights {
  public:
    Weights(const Member& model, const StateDict& state, const WeightNames& names,
            const std::string& file, const CallSite& site)
        : state_(state), names_(names), file_(file), site_(site), list_(parameter_members(model)) {}

    void check() {
        for (const ParameterMember& one : list_) check(one);
        for (const StateDict::Entry& entry : state_) check(entry);
        const std::string problems = problems_.text("do not fit");
        if (problems.empty()) return;
        fail_argument("model", site_, in_quotes(file_), " does not fit its config.json", problems);
    }

    void give() const {
        std::map<std::string, Tensor> values;
        for (const ParameterMember& one : list_) {
            const Source source = source_of(one.name, names_);
            const std::string name = in_file(source.name);
            if (!state_.contains(name)) continue;  // it is tied to another
            values.emplace(one.name, needed(state_.at(name), one.parameter->shape(), source.form));
        }
        give_values(list_, values);
    }

  private:
    std::string in_file(const std::string& theirs) const {
        const std::string name = name_in(state_, names_, theirs);
        const std::string older = older_name(name);
        return !state_.contains(name) && state_.contains(older) ? older : name;
    }

    void check(const ParameterMember& one) {
        const Source source = source_of(one.name, names_);
        const std::string name = in_file(source.name);
        const bool is_tied = !seen_.emplace(one.parameter->node().get(), name).second;
        if (!expected_.insert(name).second) return;  // one of three side by side
        if (!state_.contains(name)) {
            if (!is_tied) missing_.push_back(name);
            if (!is_tied) problems_.add("missing: ", in_quotes(name));
            return;
        }
        const Tensor& stored = state_.at(name, site_);
        const Shape shape = stored_shape(one.parameter->shape(), source.form, site_);
        if (!(stored.shape() == shape)) {
            problems_.add("wrong shape: ", in_quotes(name), " is ", stored.shape(),
                          " and should be ", shape);
        } else if (has_nan(stored)) {
            problems_.add("NaN: ", in_quotes(name), " holds entries that are not numbers");
        } else if (is_tied) {
            check_tied(name, seen_.at(one.parameter->node().get()));
        }
    }

    // The head's weights may be in the file although they are the tokens'.
    void check_tied(const std::string& name, const std::string& first) {
        if (!state_.contains(first) || tensor::same_bits(state_.at(name), state_.at(first))) return;
        problems_.add("different values: ", in_quotes(first), " and ", in_quotes(name),
                      " are one parameter in the model");
    }

    void check(const StateDict::Entry& entry) {
        const std::string& name = entry.name;
        const auto ends = [&](const char* end) { return name.ends_with(end); };
        const auto& buffers = names_.buffers;
        if (expected_.contains(name) || std::any_of(buffers.begin(), buffers.end(), ends) ||
            is_on_top(name, names_)) {
            return;
        }
        const std::string probably = nearest_name(name, missing_);
        problems_.add("not expected: ", in_quotes(name),
                      probably.empty() ? "" : text("; did you mean ", in_quotes(probably), "?"));
    }

    const StateDict& state_;
    const WeightNames& names_;
    const std::string& file_;
    const CallSite& site_;
    const std::vector<ParameterMember> list_;
    std::map<const Node*, std::string> seen_;  // the first name of each parameter
    std::set<std::string> expected_;           // names in the file
    std::vector<std::string> missing_;
    Problems problems_;
};

}  // namespace

bool is_on_top(const std::string& name, const WeightNames& names) {
    const auto begins = [&](const char* begin) { return name.starts_with(begin); };
    return std::any_of(names.heads_on_top.begin(), names.heads_on_top.end(), begins);
}

std::string name_in(const StateDict& state, const WeightNames& names, const std::string& theirs) {
    const bool has_prefix = state.contains(std::string(names.prefix) + names.known);
    return has_prefix && theirs != names.head ? names.prefix + theirs : theirs;
}

void check_layers(std::int64_t num_layers, const StateDict& state, const WeightNames& names,
                  const std::string& file, const CallSite& site) {
    const std::string begin = name_in(state, names, names.their_layers);
    std::set<std::string> there;  // the numbers of layers, as they are written
    for (const StateDict::Entry& entry : state) {
        if (!entry.name.starts_with(begin)) continue;
        const std::size_t dot = entry.name.find('.', begin.size());
        there.insert(entry.name.substr(begin.size(), dot - begin.size()));
    }
    for (std::int64_t n = 0; n < num_layers; ++n) {
        if (there.contains(std::to_string(n))) continue;
        fail_argument("model", site, in_quotes(file), " does not fit its config.json, which has ",
                      num_layers, " layers: no name begins with ", in_quotes(text(begin, n, ".")));
    }
}

void take_weights(const Member& model, const StateDict& state, const WeightNames& names,
                  const std::string& file, const CallSite& site) {
    Weights weights(model, state, names, file, site);
    weights.check();
    weights.give();
}

}}  // namespace heed
