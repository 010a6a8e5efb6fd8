// What the configs of models share: a check of sizes, and how a field is printed.
#pragma once

#include "../../tensor/errors.h"
#include "../argument_checks.h"

#include <concepts>

namespace heed { inline namespace HEED_PRECISION {

// Error: `whole` is not a multiple of `part` (std::invalid_argument).
inline void check_config_multiple(const char* config, const char* field, std::int64_t whole,
                                  const char* of, std::int64_t part, const CallSite& site) {
    if (whole % part == 0) return;
    fail_argument(config, site, field, " is ", whole, " and ", of, " is ", part, "; ", field,
                  " must be a multiple of ", of);
}

// Checks the sizes that all models have, and replaces a d_hidden of 0 by 4·d_model. Errors
// (std::invalid_argument): a size below 1, or too large.
template <class Config>
void complete_sizes(const char* name, Config& config, const CallSite& site) {
    check_sizes(name, {{"vocab_size", config.vocab_size}}, site);
    check_sizes(name, {{"limit", config.limit}}, site);
    check_sizes(name, {{"d_model", config.d_model}}, site);
    check_number_of(name, "num_layers", config.num_layers, site);
    check_sizes(name, {{"num_heads", config.num_heads}}, site);
    if (config.d_hidden == 0 && __builtin_mul_overflow(config.d_model, 4, &config.d_hidden)) {
        fail_argument(name, site, "d_model is ", config.d_model,
                      "; 4·d_model does not fit in 64 bits");
    }
    check_sizes(name, {{"d_hidden", config.d_hidden}}, site);
}

// "  .d_model = 64,\n"
template <class Value>
std::string config_line(const char* field, const Value& value) {
    if constexpr (std::same_as<Value, bool>) {
        return text("  .", field, " = ", value ? "true" : "false", ",\n");
    } else {
        return text("  .", field, " = ", value, ",\n");
    }
}
// The beginning of a config, with the sizes that all models have.
template <class Config>
std::string size_lines(const char* name, const Config& config) {
    return text(name, "{\n", config_line("vocab_size", config.vocab_size),
                config_line("limit", config.limit), config_line("d_model", config.d_model),
                config_line("num_layers", config.num_layers),
                config_line("num_heads", config.num_heads));
}

}}  // namespace heed
