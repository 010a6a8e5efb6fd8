// ModelSettings: the settings of a config.json, each asked for by its name; those that would change
// what is computed, and that nobody asks for, are refused.
#pragma once

#include "json.h"

#include <cstdint>
#include <string>

namespace heed { inline namespace HEED_PRECISION {

class ModelSettings {
  public:
    // Errors of this and all below (std::runtime_error, with the file): it cannot be read, is not
    // JSON; a setting is missing, or of another kind; refuse() and those that are refused.
    explicit ModelSettings(const std::string& path, CallSite site = CallSite::here());

    // Of Json: the setting, if it is there (and not null), or `otherwise`.
    const Json* find(const std::string& name) const { return json_.find(name); }
    bool given(const std::string& name) const { return json_.given(name) != nullptr; }
    std::int64_t whole(const std::string& name) const { return json_.at(name).whole(name); }
    std::int64_t whole_or(const std::string& name, std::int64_t otherwise) const {
        return json_.whole_or(name, otherwise);
    }
    double number_or(const std::string& name, double otherwise) const {
        return json_.number_or(name, otherwise);
    }
    bool is_true(const std::string& name, bool otherwise = false) const {
        return json_.is_true(name, otherwise);
    }
    const std::string& string(const std::string& name) const { return json_.at(name).string(name); }
    std::string string_or(const std::string& name, const std::string& otherwise) const {
        return json_.string_or(name, otherwise);
    }

    [[noreturn]] void refuse(const std::string& name, const std::string& why) const;
    void refuse_if(bool is_so, const std::string& name, const std::string& why) const {
        if (is_so) refuse(name, why);
    }
    // What is not computed in any model here: layers of other types, experts, quantized weights,
    // norms of queries and keys, scaled or capped logits, code of the folder's own.
    void refuse_unknown_parts() const;

    const std::string& file() const { return json_.file(); }

  private:
    CallSite site_;
    Json json_;
};

}}  // namespace heed
