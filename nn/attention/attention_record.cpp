#include "attention_record.h"

#include "../../tensor/errors.h"
#include "../../tensor/views.h"
#include "../running.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
thread_local RecordAttention* innermost = nullptr;
thread_local int paused = 0;

bool is_within(const std::string& name, const std::string& outer) {
    return outer.empty() || name == outer || name.rfind(outer + ".", 0) == 0;
}

// Checks that there is one list, or one per sequence, with a token for every row (or column).
void check_tokens(const AttentionRecord& record, const std::vector<Tokens>& tokens, int axis,
                  const char* what, const CallSite& site) {
    if (tokens.empty()) return;
    const Shape& shape = record.weights.shape();
    const std::size_t sequences = shape.rank() > 2 ? static_cast<std::size_t>(shape.dim(0)) : 1;
    if (tokens.size() != 1 && tokens.size() != sequences) {
        fail_argument("RecordAttention", site, tokens.size(),
                      " lists of tokens are given, but the weights ", shape, " of '", record.name,
                      "' have ", sequences, " sequences");
    }
    for (const Tokens& list : tokens) {
        if (static_cast<std::int64_t>(list.size()) == shape.dim(axis)) continue;
        fail_argument("RecordAttention", site, list.size(), " ", what,
                      " tokens are given, but the weights ", shape, " of '", record.name, "' have ",
                      shape.dim(axis), " ", what, axis == -2 ? " rows" : " columns");
    }
}

// Checks that there is one text, or one per sequence, with a token for every key.
void check_texts(const AttentionRecord& record, const std::vector<Tokens>& texts,
                 const CallSite& site) {
    const Shape& shape = record.weights.shape();
    const std::size_t sequences = shape.rank() > 2 ? static_cast<std::size_t>(shape.dim(0)) : 1;
    if (texts.size() != 1 && texts.size() != sequences) {
        fail_argument("RecordAttention", site, texts.size(), " texts are given, but the weights ",
                      shape, " of '", record.full_name(), "' have ", sequences, " sequences");
    }
    for (const Tokens& text : texts) {
        if (static_cast<std::int64_t>(text.size()) >= shape.dim(-1)) continue;
        fail_argument("RecordAttention", site, "a text of ", text.size(), " tokens is given, but '",
                      record.full_name(), "' attended to ", shape.dim(-1), " keys");
    }
}

}  // namespace

std::string AttentionRecord::full_name() const {
    return call == 0 ? name : name + "#" + std::to_string(call);
}

RecordAttention::RecordAttention(CallSite) : outer_(innermost) { innermost = this; }

RecordAttention::RecordAttention(const Module& model, CallSite site)
    : RecordAttention(model, "", site) {}

RecordAttention::RecordAttention(const Module& model, const std::string& only, CallSite site)
    : only_(only) {
    layers_ = layer_members(readable_member_tree(model, site));
    std::string known;
    bool found = only.empty();
    for (const auto& [name, layer] : layers_) {
        found = found || name == only;
        if (!name.empty()) known += (known.empty() ? "'" : ", '") + name + "'";
    }
    if (!found) {
        fail_argument("RecordAttention", site, "the ", type_name(model), " has no layer '", only,
                      "'; its layers are: ", known.empty() ? "none" : known);
    }
    outer_ = innermost;
    innermost = this;
}

// Searches the list, since recordings on the heap may end in any order.
RecordAttention::~RecordAttention() {
    RecordAttention** link = &innermost;
    while (*link && *link != this) link = &(*link)->outer_;
    if (*link) *link = outer_;
}

void RecordAttention::set_tokens(const Tokens& tokens) { set_tokens(tokens, tokens); }

void RecordAttention::set_tokens(const Tokens& query_tokens, const Tokens& key_tokens) {
    set_batch_tokens({query_tokens}, {key_tokens});
}

void RecordAttention::set_batch_tokens(const std::vector<Tokens>& query_tokens,
                                       const std::vector<Tokens>& key_tokens) {
    query_tokens_ = query_tokens;
    key_tokens_ = key_tokens;
}

void RecordAttention::label_steps(const Tokens& text, CallSite site) {
    label_steps(std::vector<Tokens>{text}, site);
}

void RecordAttention::label_steps(const std::vector<Tokens>& texts, CallSite site) {
    for (const AttentionRecord& record : records_) check_texts(record, texts, site);
    for (AttentionRecord& record : records_) {
        const std::int64_t T_q = record.weights.dim(-2), T_k = record.weights.dim(-1);
        record.query_tokens.clear();
        record.key_tokens.clear();
        for (const Tokens& text : texts) {
            record.key_tokens.emplace_back(text.begin(), text.begin() + T_k);
            record.query_tokens.emplace_back(text.begin() + T_k - T_q, text.begin() + T_k);
        }
    }
}

const AttentionRecord& RecordAttention::at(const std::string& name, CallSite site) const {
    std::vector<const AttentionRecord*> of_name;
    std::string names;
    for (const AttentionRecord& record : records_) {
        if (record.full_name() == name) return record;
        if (record.name == name) of_name.push_back(&record);
        names += (names.empty() ? "'" : ", '") + record.full_name() + "'";
    }
    if (!of_name.empty()) {
        fail_argument("RecordAttention", site, "'", name, "' attended ", of_name.size(),
                      " times: ask for one of '", of_name.front()->full_name(), "' to '",
                      of_name.back()->full_name(), "'");
    }
    fail_range("RecordAttention", site, "no attention of '", name,
               "' was recorded; those recorded are: ", names.empty() ? "none" : names);
}

std::int64_t RecordAttention::bytes() const {
    std::int64_t numbers = 0;
    for (const AttentionRecord& record : records_) {
        for (const Tensor* part :
             {&record.Q, &record.K, &record.V, &record.scores, &record.weights}) {
            numbers += part->numel();
        }
    }
    return numbers * static_cast<std::int64_t>(sizeof(Scalar));
}

RecordAttention::Paused::Paused() { ++paused; }
RecordAttention::Paused::~Paused() { --paused; }

bool RecordAttention::is_open() { return innermost && paused == 0; }

void RecordAttention::add(const AttentionRecord& record, CallSite site) {
    if (!is_open()) return;
    for (RecordAttention* open = innermost; open; open = open->outer_) open->take(record, site);
}

std::string RecordAttention::running_layer_name() const {
    const std::vector<LayerScope::Layer> running = LayerScope::running();
    for (const LayerScope::Layer& inner : running) {
        for (const auto& [name, layer] : layers_) {
            if (layer == inner.layer && !name.empty()) return name;
        }
    }
    return running.empty() ? "" : running.front().type;
}

void RecordAttention::take(const AttentionRecord& record, const CallSite& site) {
    AttentionRecord kept = record;
    const std::string name = running_layer_name();
    if (!name.empty()) kept.name = name;
    if (!is_within(kept.name, only_)) return;
    check_tokens(kept, query_tokens_, -2, "query", site);
    check_tokens(kept, key_tokens_, -1, "key", site);
    kept.query_tokens = query_tokens_;
    kept.key_tokens = key_tokens_;
    for (Tensor* numbers : {&kept.Q, &kept.K, &kept.V, &kept.scores, &kept.weights}) {
        *numbers = tensor::clone(*numbers);
    }
    std::vector<std::size_t>& calls = calls_[kept.name];
    if (calls.size() == 1) records_[calls[0]].call = 1;
    if (!calls.empty()) kept.call = static_cast<std::int64_t>(calls.size()) + 1;
    calls.push_back(records_.size());
    records_.push_back(kept);
}

}}  // namespace heed
