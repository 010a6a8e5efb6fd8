#include "text_classifier.h"

#include "../../autograd/ops.h"
#include "../init.h"
#include "../running.h"

#include <ostream>

namespace heed { inline namespace HEED_PRECISION {
namespace {
TransformerOptions layer_options(const TextEncoderConfig& config) {
    return {.norm = NormPlace::before, .activation = Activation::gelu, .dropout = config.dropout};
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
    check_dropout(full.dropout, site);
    check_eps("LayerNorm", full.embedding_eps, site);
    return full;
}

std::ostream& operator<<(std::ostream& out, const TextEncoderConfig& config) {
    return out << size_lines("TextEncoderConfig", config)
               << config_line("d_hidden", config.d_hidden) << config_line("dropout", config.dropout)
               << config_line("embedding_eps", config.embedding_eps)
               << config_line("final_norm", config.final_norm) << "}";
}

TextEncoder::TextEncoder(const TextEncoderConfig& config, Random& random, CallSite site)
    : config_(complete(config, site)),
      embeddings(config_.vocab_size, config_.limit, config_.d_model, random, std::nullopt, site),
      layer_norm(config_.d_model, {.eps = config_.embedding_eps}, site),
      dropout(config_.dropout, random, site),
      layers(config_.num_layers, config_.d_model, config_.num_heads, config_.d_hidden, random,
             layer_options(config_), config_.final_norm ? FinalNorm::yes : FinalNorm::no, site) {
    initialize_as_bert(*this, random);
}

Variable TextEncoder::operator()(const IndexTensor& ids, const std::optional<Mask>& mask,
                                 CallSite site) const {
    const Running layer(*this, "TextEncoder", {}, site);
    const Variable x = dropout(layer_norm(embeddings(ids, site)));  // [..., T, d_model]
    const Variable y = layers(x, mask, site);                       // [..., T, d_model]
    return layer.gives(y);
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
    const Variable encoded = encoder(ids, mask, site);   // [..., T, d_model]
    const Variable first = select(encoded, -2, 0);       // [..., d_model]
    const Variable logits = classifier(dropout(first));  // [..., num_labels]
    return layer.gives(logits);
}

}}  // namespace heed
