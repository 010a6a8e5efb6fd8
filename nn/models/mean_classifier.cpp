#include "mean_classifier.h"

#include "../../autograd/ops.h"
#include "../running.h"

#include <ostream>

namespace heed { inline namespace HEED_PRECISION {
namespace {
void check_padding(const IndexTensor& ids, const std::optional<Mask>& padding,
                   const CallSite& site) {
    if (ids.rank() < 1 || ids.dim(-1) < 1) {
        fail_shape("MeanClassifier", site, "ids have shape ", ids.shape(),
                   "; they must be [..., T] with at least one token, to have a mean");
    }
    if (!padding) return;
    if (ids.rank() != 2 || padding->shape() != Shape({ids.dim(0), 1, 1, ids.dim(1)})) {
        fail_shape("MeanClassifier", site, "the mask has shape ", padding->shape(),
                   " and ids have shape ", ids.shape(),
                   "; for ids [B, T] it must be [B, 1, 1, T], as Mask::padding(lengths, T)");
    }
}

// The mean over the tokens of x [..., T, d] that the mask [B, 1, 1, T] allows as keys: [..., d].
Variable mean_of_tokens(const Variable& x, const std::optional<Mask>& padding,
                        const CallSite& site) {
    if (!padding) return sum(x, -2) / static_cast<double>(x.dim(-2));
    const Tensor real = tensor::reshape(tensor::to_tensor(padding->allowed()),
                                        {x.dim(0), x.dim(1), 1});  // [B, T, 1]: 1 or 0
    const Tensor count = tensor::sum(real, -2);                    // [B, 1]
    for (std::int64_t b = 0; b < x.dim(0); ++b) {
        if (count(b, 0) > 0) continue;
        fail_argument("MeanClassifier", site, "text ", b,
                      " of the batch is all padding, which has no mean");
    }
    return sum(x * Variable(real), -2) / Variable(count);  // [B, d]
}

}  // namespace

MeanClassifierConfig complete(const MeanClassifierConfig& config, CallSite site) {
    MeanClassifierConfig full = config;
    complete_sizes("MeanClassifierConfig", full, site);
    check_config_multiple("MeanClassifierConfig", "d_model", full.d_model, "num_heads",
                          full.num_heads, site);
    check_sizes("MeanClassifierConfig", {{"num_classes", full.num_classes}}, site);
    check_dropout(full.dropout, site);
    return full;
}

std::ostream& operator<<(std::ostream& out, const MeanClassifierConfig& config) {
    return out << size_lines("MeanClassifierConfig", config)
               << config_line("d_hidden", config.d_hidden)
               << config_line("num_classes", config.num_classes)
               << config_line("dropout", config.dropout) << "}";
}

MeanClassifier::MeanClassifier(const MeanClassifierConfig& config, Random& random, CallSite site)
    : config_(complete(config, site)),
      embeddings(config_.vocab_size, config_.limit, config_.d_model, random, std::nullopt, site),
      blocks(config_.num_layers, config_.d_model, config_.num_heads, config_.d_hidden, random,
             {.norm = NormPlace::after, .activation = Activation::relu, .dropout = config_.dropout},
             FinalNorm::no, site),
      to_classes(config_.d_model, config_.num_classes, random, Bias::yes, site) {}

Variable MeanClassifier::operator()(const IndexTensor& ids, const std::optional<Mask>& padding,
                                    CallSite site) const {
    check_padding(ids, padding, site);
    const Running layer(*this, "MeanClassifier", {}, site);
    const Variable x = blocks(embeddings(ids, site), padding, site);  // [..., T, d_model]
    const Variable pooled = mean_of_tokens(x, padding, site);         // [..., d_model]
    const Variable y = log_softmax(to_classes(pooled), -1);           // [..., num_classes]
    return layer.gives(y);
}

}}  // namespace heed
