// ModelSettings: the settings of a config.json by name, with the publisher's default if a setting
// is absent. The table settings_table.inc lists them; a setting that would change the output and
// that heed does not compute is refused.
#pragma once

#include "json.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// A row of the table.
struct ModelSetting {
    enum class Use { computed, nullable, fixed, unused };
    std::string types, names;  // separated by blanks; or "all" types
    const char* otherwise;     // JSON: the value if it is absent
    Use use;
    const char* note;

    bool is_for(const std::string& type) const;
};
const std::vector<ModelSetting>& model_settings();

class ModelSettings {
  public:
    // Errors of this and all below (std::runtime_error, with the file): it cannot be read, is not
    // JSON; there is no model_type; a setting is of another kind, or null although the table does
    // not allow it; a size is below 1; refuse() and the functions that call it.
    explicit ModelSettings(const std::string& path, CallSite site = CallSite::here());

    const std::string& type() const { return type_; }
    bool contains(const std::string& name) const { return json_.find(name); }

    // The value of a setting, or its default. Error: the table has no such setting for this type
    // (std::logic_error).
    Json at(const std::string& name) const;
    bool is_null(const std::string& name) const { return at(name).is_null(); }
    bool is_true(const std::string& name) const { return at(name).boolean(name); }
    double number(const std::string& name) const { return at(name).number(name); }
    std::string string(const std::string& name) const { return at(name).string(name); }
    std::int64_t size(const std::string& name) const;
    // The size, or 0 if it is null.
    std::int64_t size_or_null(const std::string& name) const {
        return is_null(name) ? 0 : size(name);
    }
    // The size of a setting with two names. Also an error: the file has both, and they differ.
    std::int64_t size(const std::string& name, const std::string& other_name) const;

    [[noreturn]] void refuse(const std::string& name, const std::string& why) const;
    void refuse_if(bool is_so, const std::string& name, const std::string& why) const {
        if (is_so) refuse(name, why);
    }
    // Refuses fixed settings, and a model that Python code in its folder computes.
    void refuse_unsupported() const;

    const std::string& file() const { return json_.file(); }

  private:
    CallSite site_;
    Json json_;
    std::string type_;
};

}}  // namespace heed
