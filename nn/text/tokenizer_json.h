// A tokenizer.json: its model, its vocabulary and merges, and its steps: normalizers,
// pre-tokenizers, post-processors, decoders. What the three models make of the steps is in
// tokenizer_json_models.cpp.
#pragma once
#include "tokenizer_files.h"

namespace heed { inline namespace HEED_PRECISION {

class TokenizerJson {
  public:
    // Keeps references to both.
    TokenizerJson(const Json& json, const CallSite& site) : json_(json), site_(site) {}

    template <class... Parts>
    [[noreturn]] void refuse(const Parts&... parts) const {
        refuse_file(json_.file(), site_, parts...);
    }
    [[noreturn]] void refuse_step(const char* what, const std::string& type,
                                  const std::string& why = "") const {
        refuse("the ", what, " ", in_quotes(type), why.empty() ? "" : " with ", why,
               " is not supported");
    }

    static std::string type_of(const Json& step) { return step.at("type").string("type"); }
    // The steps of "normalizer" and so on; a Sequence has them in its member `list`.
    std::vector<const Json*> steps(const char* what, const char* list) const;

    const Json& model() const { return json_.at("model"); }
    std::string model_type() const;
    std::shared_ptr<const Vocabulary> vocabulary(bool is_normalized) const;
    std::vector<Merge> merges(const Vocabulary& vocabulary) const;
    // Where the post-processor puts special tokens, as ids of parts.vocabulary.
    void add_templates(TokenizerParts& parts) const;

    const std::string& name() const { return json_.file(); }
    const CallSite& site() const { return site_; }

  private:
    std::int64_t known_id(const Json& id, const Vocabulary& vocabulary) const;
    std::vector<TemplateToken> pattern(const Json& processor, const std::string& name,
                                       const Vocabulary& vocabulary) const;

    const Json& json_;
    const CallSite& site_;
};

}}  // namespace heed
