#include "gpt_config.h"

#include "../../tensor/errors.h"
#include "../../tensor/fused/attention.h"
#include "../dropout.h"
#include "../norms.h"
#include "config_parts.h"

#include <ostream>

namespace heed { inline namespace HEED_PRECISION {

const char* name_of(PositionKind kind, CallSite site) {
    static constexpr const char* names[] = {"none",   "learned",  "sinusoidal",
                                            "rotary", "relative", "alibi"};
    check_enum("name_of", "the kind of positions", kind, PositionKind::alibi, site);
    return names[static_cast<std::size_t>(kind)];
}

namespace {
// Options that nothing would look at.
void check_not_rotary(const GptConfig& config, const CallSite& site) {
    const RotaryOptions defaults;
    const auto refuse = [&](const char* field, const auto& value) {
        fail_argument("GptConfig", site, "rotary.", field, " is ", value, " and positions is ",
                      name_of(config.positions),
                      "; only rotary positions have these options: PositionKind::rotary");
    };
    if (config.rotary.base != defaults.base) refuse("base", config.rotary.base);
    if (config.rotary.pairs != defaults.pairs) refuse("pairs", "not RotatedPairs::halves");
    if (config.rotary.d_rotated != 0) refuse("d_rotated", config.rotary.d_rotated);
    if (config.rotary.scaling != defaults.scaling) refuse("scaling", config.rotary.scaling);
}

}  // namespace

GptConfig complete(const GptConfig& config, CallSite site) {
    GptConfig full = config;
    complete_sizes("GptConfig", full, site);
    if (full.d_head == 0) {
        check_config_multiple("GptConfig", "d_model", full.d_model, "num_heads", full.num_heads,
                              site);
    }
    if (full.num_kv_heads == 0) full.num_kv_heads = full.num_heads;
    check_sizes("GptConfig", {{"num_kv_heads", full.num_kv_heads}}, site);
    if (full.d_head != 0) check_sizes("GptConfig", {{"d_head", full.d_head}}, site);
    std::int64_t all_heads = 0;
    if (__builtin_mul_overflow(full.num_heads, full.d_head, &all_heads)) {
        fail_argument("GptConfig", site, "num_heads is ", full.num_heads, " and d_head is ",
                      full.d_head, "; their product does not fit in 64 bits");
    }
    check_config_multiple("GptConfig", "num_heads", full.num_heads, "num_kv_heads",
                          full.num_kv_heads, site);
    if (full.rotary.limit != 0) {
        fail_argument("GptConfig", site, "rotary.limit is ", full.rotary.limit,
                      "; the limit of all kinds of positions is `limit`, here ", full.limit);
    }
    check_enum("GptConfig", "positions", full.positions, PositionKind::alibi, site);
    check_enum("GptConfig", "activation", full.activation, Activation::silu, site);
    check_norm("GptConfig", "norm", full.norm, full.norm_eps, site);
    check_dropout(full.dropout, site);
    tensor::check_score_options("GptConfig", std::nullopt, full.soft_cap, site);
    if (full.positions == PositionKind::rotary) {  // which check what is theirs
        RotaryPositions(d_head(full), full.rotary, site);
    } else {
        check_not_rotary(full, site);
    }
    return full;
}

std::int64_t d_head(const GptConfig& complete) {
    return complete.d_head > 0 ? complete.d_head : complete.d_model / complete.num_heads;
}

std::ostream& operator<<(std::ostream& out, const GptConfig& config) {
    out << size_lines("GptConfig", config) << config_line("num_kv_heads", config.num_kv_heads);
    if (config.d_head != 0) out << config_line("d_head", config.d_head);
    out << config_line("d_hidden", config.d_hidden)
        << config_line("positions", text("PositionKind::", name_of(config.positions)));
    if (config.positions == PositionKind::rotary) {
        const bool halves = config.rotary.pairs == RotatedPairs::halves;
        const char* pairs = halves ? "halves" : "neighbours";
        const bool is_scaled = config.rotary.scaling != RotaryScaling();
        out << config_line(
            "rotary", text("{.base = ", config.rotary.base, ", .pairs = RotatedPairs::", pairs,
                           ", .d_rotated = ", config.rotary.d_rotated,
                           is_scaled ? text(", .scaling = ", config.rotary.scaling) : "", "}"));
    }
    out << config_line("norm", text("NormKind::", name_of(config.norm)))
        << config_line("norm_eps", config.norm_eps)
        << config_line("activation", text("Activation::", name_of(config.activation)))
        << config_line("gated", config.gated) << config_line("bias", config.bias);
    if (config.qkv_bias) out << config_line("qkv_bias", *config.qkv_bias);
    if (config.output_bias) out << config_line("output_bias", *config.output_bias);
    if (config.feed_forward_bias) {
        out << config_line("feed_forward_bias", *config.feed_forward_bias);
    }
    out << config_line("dropout", config.dropout) << config_line("tied_head", config.tied_head);
    if (config.soft_cap) out << config_line("soft_cap", *config.soft_cap);
    if (config.recompute) out << config_line("recompute", config.recompute);
    return out << "}";
}

}}  // namespace heed
