// What the readers of tokenizer.json and of the older files share.
#pragma once

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "../files/file_bytes.h"
#include "../files/json.h"
#include "byte_pairs.h"
#include "tokenizer.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

template <class... Parts>
[[noreturn]] void refuse_file(const std::string& file, const CallSite& site,
                              const Parts&... parts) {
    fail_runtime("load_tokenizer", site, in_quotes(file), ": ", parts...);
}

// {"token": id, ...}
std::vector<std::pair<std::string, std::int64_t>> tokens_of(const Json& vocabulary);

// An added token, as tokenizer.json and tokenizer_config.json have it.
AddedToken added_token(const Json& json, std::int64_t id, const CallSite& site);
// For a tokenizer that normalizes. Error: the token is looked for in the normalized text.
void refuse_normalized(const AddedToken& token, const std::string& file, const CallSite& site);

// [CLS] a [SEP], and [CLS] a [SEP] b [SEP].
void use_bert_templates(TokenizerParts& parts, std::int64_t cls, std::int64_t sep);

// Merges one by one, each checked.
class MergeList {
  public:
    MergeList(const Vocabulary& vocabulary, const std::string& file, const CallSite& site)
        : vocabulary_(vocabulary), file_(file), site_(site) {}

    // `place` says where the file has it: "line 3". Error: the vocabulary lacks one of the two or
    // both together; the pair is there already (std::runtime_error).
    void add(std::string_view left, std::string_view right, const std::string& place);
    // The same of "left right". Also error: it is not two tokens and a blank.
    void add(std::string_view both, const std::string& place);
    const std::vector<Merge>& merges() const { return merges_; }

  private:
    const Vocabulary& vocabulary_;
    const std::string& file_;
    const CallSite& site_;
    std::vector<Merge> merges_;
    std::unordered_map<std::uint64_t, std::string> places_;
};

// The tokenizer of a tokenizer.json, without its name and the tasks of special tokens; and the
// values with which settings of tokenizer_config.json must agree, by their names.
struct TokenizerJsonParts {
    TokenizerParts parts;
    std::map<std::string, bool> settings;
};
TokenizerJsonParts tokenizer_json_parts(const std::string& path, const CallSite& site);

}}  // namespace heed
