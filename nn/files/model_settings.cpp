#include "model_settings.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "file_bytes.h"

#include <stdexcept>

namespace heed { inline namespace HEED_PRECISION {
namespace {
bool has_word(const std::string& words, const std::string& word) {
    return (" " + words + " ").find(" " + word + " ") != std::string::npos;
}

// Is this value of a fixed setting the default, or off as the default is?
bool changes_nothing(const Json& value, const Json& otherwise) {
    if (otherwise.is_string()) {
        return value.is_string() && value.string("") == otherwise.string("");
    }
    const bool is_on = otherwise.is_boolean() && otherwise.boolean("");
    if (value.is_boolean()) return value.boolean("") == is_on;
    if (value.is_number()) {
        return value.number("") == (otherwise.is_number() ? otherwise.number("") : is_on);
    }
    if (is_on || value.is_string()) return false;
    return value.is_null() ||
           (value.is_array() ? value.items("").empty() : value.members("").empty());
}

}  // namespace

bool ModelSetting::is_for(const std::string& type) const {
    return types == "all" || has_word(types, type);
}

const std::vector<ModelSetting>& model_settings() {
    using Use = ModelSetting::Use;
    static const std::vector<ModelSetting> settings = {
#include "settings_table.inc"
    };
    return settings;
}

ModelSettings::ModelSettings(const std::string& path, CallSite site)
    : site_(site), json_(read_json(path, site)) {
    json_.members("the config");
    type_ = json_.at("model_type").string("model_type");
}

Json ModelSettings::at(const std::string& name) const {
    for (const ModelSetting& setting : model_settings()) {
        if (!setting.is_for(type_) || !has_word(setting.names, name)) continue;
        const Json otherwise = Json::parse(setting.otherwise, file(), site_);
        const Json* const value = json_.find(name);
        if (!value) return otherwise;
        if (!value->is_null() || setting.use == ModelSetting::Use::nullable) return *value;
        if (otherwise.is_boolean()) return Json::parse("false", file(), site_);
        refuse_if(!otherwise.is_null(), name,
                  text("it is null; if it is absent, it is ", setting.otherwise));
        return otherwise;
    }
    throw std::logic_error(text("settings_table.inc has no ", in_quotes(name), " of ", type_));
}

std::int64_t ModelSettings::size(const std::string& name) const {
    const std::int64_t value = at(name).whole(name);
    refuse_if(value < 1, name, text("it is ", value, "; it must be at least 1"));
    return value;
}

std::int64_t ModelSettings::size(const std::string& name, const std::string& other_name) const {
    if (is_null(other_name)) return size(name);
    const std::int64_t value = size(other_name);
    refuse_if(contains(name) && size(name) != value, name,
              text("it is ", size(name), ", but ", in_quotes(other_name), ", its other name, is ",
                   value));
    return value;
}

void ModelSettings::refuse(const std::string& name, const std::string& why) const {
    fail_runtime("model", site_, in_quotes(file()), ": ", in_quotes(name), ": ", why);
}

void ModelSettings::refuse_unsupported() const {
    for (const ModelSetting& setting : model_settings()) {
        if (setting.use != ModelSetting::Use::fixed || !setting.is_for(type_)) continue;
        const Json otherwise = Json::parse(setting.otherwise, file(), site_);
        for (const auto& [name, value] : json_.members("the config")) {
            if (!has_word(setting.names, name)) continue;
            refuse_if(!changes_nothing(value, otherwise), name, setting.note);
        }
    }
    const Json code = at("auto_map");
    if (code.is_null()) return;
    for (const auto& [name, where] : code.members("auto_map")) {
        refuse_if(name.starts_with("AutoModel"), "auto_map",
                  "this model is computed by Python code in its folder");
    }
}

}}  // namespace heed
