#include "attention_file.h"

#include "../../tensor/errors.h"
#include "../../tensor/ops.h"
#include "../../tensor/quote.h"
#include "../text/unicode.h"
#include "json.h"
#include "safetensors.h"

#include <array>

namespace heed { inline namespace HEED_PRECISION {
namespace {
const char* const key = "heed.attention";

// The tensors by name; those that were not recorded are empty.
template <class Record>  // const or not
auto parts_of(Record& record) {
    return std::array{std::pair("Q", &record.Q), std::pair("K", &record.K),
                      std::pair("V", &record.V), std::pair("scores", &record.scores),
                      std::pair("weights", &record.weights)};
}

// Error: `name` or a token is not UTF-8, as JSON must be.
void check_texts(const AttentionRecord& record, const CallSite& site) {
    const auto check = [&](const char* what, const std::string& text) {
        if (is_utf8(text)) return;
        fail_runtime("save_attention", site, what, " ", in_quotes(text),
                     " is not UTF-8, so it cannot be written; give the tokens as their vocabulary "
                     "has them: tokenizer.token(id)");
    };
    check("the name", record.name);
    for (const std::vector<Tokens>& lists : {record.query_tokens, record.key_tokens}) {
        for (const Tokens& list : lists) {
            for (const std::string& token : list) check("the token", token);
        }
    }
}

// [["time", "flies"], ["fruit", "flies"]]
std::string json_of(const std::vector<Tokens>& lists) {
    std::string all;
    for (const Tokens& list : lists) {
        std::string tokens;
        for (const std::string& token : list) {
            tokens += (tokens.empty() ? "" : ", ") + json_string(token);
        }
        all += (all.empty() ? "[" : ", [") + tokens + "]";
    }
    return "[" + all + "]";
}

std::string json_of(const AttentionRecord& record) {
    return "{\"name\": " + json_string(record.name) + ", \"call\": " + std::to_string(record.call) +
           ", \"scale\": " + json_number(record.scale) +
           ", \"temperature\": " + json_number(record.temperature) +
           ", \"query_tokens\": " + json_of(record.query_tokens) +
           ", \"key_tokens\": " + json_of(record.key_tokens) + "}";
}

std::vector<Tokens> tokens_of(const Json& record, const std::string& name) {
    std::vector<Tokens> lists;
    for (const Json& list : record.at(name).items(name)) {
        lists.emplace_back();
        for (const Json& token : list.items(name)) lists.back().push_back(token.string(name));
    }
    return lists;
}

// The records' tensors, of which those that were empty are not in the file.
class Reader {
  public:
    Reader(const std::string& path, const CallSite& site)
        : file_(path, site), path_(path), site_(site) {
        for (const StoredTensor& stored : file_.tensors()) places_[stored.name] = &stored;
    }

    std::vector<AttentionRecord> records() const {
        const auto found = file_.metadata().find(key);
        if (found == file_.metadata().end()) fail("it has no recorded attention");
        std::vector<AttentionRecord> all;
        const Json listed = Json::parse(found->second, path_, site_);
        for (const Json& about : listed.items(key)) {
            all.push_back(record(about, std::to_string(all.size()) + "."));
        }
        return all;
    }

  private:
    template <class... Parts>
    [[noreturn]] void fail(const Parts&... problem) const {
        fail_runtime("load_attention", site_, "'", path_, "': ", problem...);
    }

    std::optional<Tensor> find(const std::string& name) const {
        const auto place = places_.find(name);
        if (place == places_.end()) return std::nullopt;
        return file_.read(*place->second);
    }

    AttentionRecord record(const Json& about, const std::string& prefix) const {
        AttentionRecord record = {.name = about.at("name").string("name"),
                                  .call = about.at("call").whole("call"),
                                  .query_tokens = tokens_of(about, "query_tokens"),
                                  .key_tokens = tokens_of(about, "key_tokens"),
                                  .scale = about.at("scale").number("scale"),
                                  .temperature = about.at("temperature").number("temperature")};
        for (const auto& [name, part] : parts_of(record)) {
            if (const std::optional<Tensor> read = find(prefix + name)) *part = *read;
        }
        if (const std::optional<Tensor> mask = find(prefix + "mask")) {
            if (mask->rank() < 2) fail(prefix, "mask is ", mask->shape());
            record.mask = Mask::allowing(*mask != 0);
        }
        check(record, prefix);
        return record;
    }

    void check(const AttentionRecord& record, const std::string& prefix) const {
        const Shape& weights = record.weights.shape();
        if (weights.rank() < 2) fail("it lacks ", prefix, "weights");
        const auto expect = [&](const char* name, const Shape& part, bool fits) {
            if (part.rank() < 2 || fits) return;  // below 2 it was not recorded
            fail(prefix, name, " ", part, " does not fit ", prefix, "weights ", weights);
        };
        const auto has_rows = [&](const Tensor& part, std::int64_t T) {
            return part.rank() == weights.rank() && part.dim(-2) == T;
        };
        expect("Q", record.Q.shape(), has_rows(record.Q, weights.dim(-2)));
        expect("K", record.K.shape(), has_rows(record.K, weights.dim(-1)));
        expect("V", record.V.shape(), has_rows(record.V, weights.dim(-1)));
        expect("scores", record.scores.shape(), record.scores.shape() == weights);
        if (!record.mask) return;
        expect("mask", record.mask->shape(), broadcasts_to(record.mask->shape(), weights));
    }

    Safetensors file_;
    std::string path_;
    CallSite site_;
    std::map<std::string, const StoredTensor*> places_;
};

}  // namespace

void save_attention(const std::string& path, const std::vector<AttentionRecord>& records,
                    CallSite site) {
    StateDict state;
    std::string about;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const AttentionRecord& record = records[i];
        check_texts(record, site);
        const std::string prefix = std::to_string(i) + ".";
        for (const auto& [name, part] : parts_of(record)) {
            if (part->rank() >= 2)
                state.add_shared(prefix + name, *part, site);  // else not recorded
        }
        if (record.mask) {
            state.add_shared(prefix + "mask", tensor::to_tensor(record.mask->allowed()), site);
        }
        about += (about.empty() ? "" : ",\n ") + json_of(record);
    }
    write_safetensors(path, state, {.metadata = {{key, "[" + about + "]"}}}, site);
}

void save_attention(const std::string& path, const RecordAttention& recording, CallSite site) {
    save_attention(path, recording.records(), site);
}

std::vector<AttentionRecord> load_attention(const std::string& path, CallSite site) {
    return Reader(path, site).records();
}

}}  // namespace heed
