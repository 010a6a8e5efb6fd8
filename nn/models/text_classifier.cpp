#include "text_classifier.h"

#include "../../autograd/ops.h"
#include "../init.h"
#include "../running.h"

#include <ostream>

namespace heed { inline namespace HEED_PRECISION {
namespace {
TransformerOptions layer_options(const TextEncoderConfig& config) {
    return {.norm = config.norm,
            .activation = config.activation,
            .dropout = config.dropout,
            .layer_norm_eps = config.norm_eps};
}

// Weights and tables have two axes. The parameters of norms have one, and keep their values.
void initialize_as_bert(Module& module, Random& random) {
    for (const ParameterMember& member : parameter_members(member_tree(module))) {
        if (member.parameter->rank() == 2) {
            init::truncated_normal(*member.parameter, random, 0, 0.02);
        } else if (member.name.ends_with("bias")) {
            init::zeros(*member.parameter);
        }
    }
}

// Before the encoder draws its weights.
const TextEncoderConfig& with_labels(const TextEncoderConfig& config, std::int64_t num_labels,
                                     const CallSite& site) {
    check_sizes("TextClassifier", {{"num_labels", num_labels}}, site);
    return config;
}

}  // namespace

TextEncoderConfig complete(const TextEncoderConfig& config, CallSite site) {
    TextEncoderConfig full = config;
    complete_sizes("TextEncoderConfig", full, site);
    check_config_multiple("TextEncoderConfig", "d_model", full.d_model, "num_heads", full.num_heads,
                          site);
    check_dropout(full.dropout, site);
    check_eps("LayerNorm", full.embedding_eps, site);
    check_eps("LayerNorm", full.norm_eps, site);
    check_enum("TextEncoderConfig", "norm", full.norm, NormPlace::before, site);
    check_enum("TextEncoderConfig", "activation", full.activation, Activation::silu, site);
    if (full.num_token_types < 0) {
        fail_argument("TextEncoderConfig", site, "num_token_types is ", full.num_token_types,
                      "; it cannot be negative");
    }
    return full;
}

std::ostream& operator<<(std::ostream& out, const TextEncoderConfig& config) {
    out << size_lines("TextEncoderConfig", config) << config_line("d_hidden", config.d_hidden)
        << config_line("dropout", config.dropout)
        << config_line("embedding_eps", config.embedding_eps)
        << config_line("final_norm", config.final_norm);
    const TextEncoderConfig defaults;  // which the note has, and does not write
    if (config.norm != defaults.norm) out << config_line("norm", "NormPlace::after");
    if (config.norm_eps != defaults.norm_eps) out << config_line("norm_eps", config.norm_eps);
    if (config.activation != defaults.activation) {
        out << config_line("activation", text("Activation::", name_of(config.activation)));
    }
    if (config.num_token_types != 0) {
        out << config_line("num_token_types", config.num_token_types);
    }
    if (config.pooler) out << config_line("pooler", config.pooler);
    return out << "}";
}

TextEncoder::TextEncoder(const TextEncoderConfig& config, Random& random, CallSite site)
    : config_(complete(config, site)),
      embeddings(config_.vocab_size, config_.limit, config_.d_model, random, std::nullopt, site),
      layer_norm(config_.d_model, {.eps = config_.embedding_eps}, site),
      dropout(config_.dropout, random, site),
      layers(config_.num_layers, config_.d_model, config_.num_heads, config_.d_hidden, random,
             layer_options(config_), config_.final_norm ? FinalNorm::yes : FinalNorm::no, site) {
    const std::int64_t types = config_.num_token_types, d_model = config_.d_model;
    if (types > 0) token_types.emplace(types, d_model, random, std::nullopt, site);
    if (config_.pooler) pooler.emplace(d_model, d_model, random, Bias::yes, site);
    initialize_as_bert(*this, random);
}

Variable TextEncoder::operator()(const IndexTensor& ids, const std::optional<Mask>& mask,
                                 CallSite site) const {
    return encoded(ids, nullptr, mask, site);
}

Variable TextEncoder::operator()(const IndexTensor& ids, const IndexTensor& types,
                                 const std::optional<Mask>& mask, CallSite site) const {
    if (!token_types) {
        fail_argument("TextEncoder", site,
                      "this encoder knows no types of tokens: num_token_types is 0");
    }
    if (types.shape() != ids.shape()) {
        fail_shape("TextEncoder", site, "ids have shape ", ids.shape(), " and their types ",
                   types.shape(), "; each token has one type");
    }
    return encoded(ids, &types, mask, site);
}

Variable TextEncoder::encoded(const IndexTensor& ids, const IndexTensor* types,
                              const std::optional<Mask>& mask, const CallSite& site) const {
    const Running layer(*this, "TextEncoder", {}, site);
    Variable x = embeddings(ids, site);  // [..., T, d_model]
    if (types) {
        x = x + (*token_types)(*types, site);
    } else if (token_types) {
        x = x + (*token_types)(IndexTensor({0}), site);  // the row of type 0, for each token
    }
    const Variable normed = dropout(layer_norm(x));
    const Variable y = layers(normed, mask, site);  // [..., T, d_model]
    return layer.gives(y);
}

Variable TextEncoder::pooled(const Variable& encoded, CallSite site) const {
    if (!pooler) {
        fail_argument("TextEncoder", site,
                      "this encoder has no pooler; read the vector of the "
                      "first token: select(encoded, -2, 0)");
    }
    if (encoded.rank() < 2 || encoded.dim(-2) < 1) {
        fail_shape("TextEncoder", site, "encoded has shape ", encoded.shape(),
                   "; it must be [..., T, d_model] with at least one token");
    }
    const LayerScope scope(*this, "TextEncoder", site);
    const Variable first = select(encoded, -2, 0);  // [..., d_model]
    return tanh((*pooler)(first, site));
}

TextClassifier::TextClassifier(const TextEncoderConfig& config, std::int64_t num_labels,
                               Random& random, CallSite site)
    : encoder(with_labels(config, num_labels, site), random, site),
      dropout(config.dropout, random, site),
      classifier(config.d_model, num_labels, random, Bias::yes, site) {
    initialize_as_bert(classifier, random);
}

Variable TextClassifier::operator()(const IndexTensor& ids, const std::optional<Mask>& mask,
                                    CallSite site) const {
    if (ids.rank() < 1 || ids.dim(-1) < 1) {
        fail_shape("TextClassifier", site, "ids have shape ", ids.shape(),
                   "; they must be [..., T] with at least one token, since the vector of the first "
                   "is read");
    }
    const Running layer(*this, "TextClassifier", {}, site);
    const Variable encoded = encoder(ids, mask, site);  // [..., T, d_model]
    const Variable summary =
        encoder.pooler ? encoder.pooled(encoded) : select(encoded, -2, 0);  // [..., d_model]
    const Variable logits = classifier(dropout(summary));                   // [..., num_labels]
    return layer.gives(logits);
}

}}  // namespace heed
