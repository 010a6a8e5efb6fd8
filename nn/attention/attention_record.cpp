#include "attention_record.h"

#include "../../tensor/errors.h"
#include "../../tensor/views.h"
#include "../running.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
thread_local RecordAttention* innermost = nullptr;

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

}  // namespace

RecordAttention::RecordAttention(CallSite) : outer_(innermost) { innermost = this; }

RecordAttention::RecordAttention(const Module& model, CallSite site)
    : RecordAttention(model, "", site) {}

RecordAttention::RecordAttention(const Module& model, const std::string& only, CallSite site)
    : only_(only), outer_(innermost) {
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

const AttentionRecord& RecordAttention::at(const std::string& name, CallSite site) const {
    for (std::size_t i = records_.size(); i > 0; --i) {
        if (records_[i - 1].name == name) return records_[i - 1];
    }
    std::string names;
    for (const AttentionRecord& record : records_) {
        names += (names.empty() ? "'" : ", '") + record.name + "'";
    }
    fail_range("RecordAttention", site, "no attention of '", name,
               "' was recorded; those recorded are: ", names.empty() ? "none" : names);
}

bool RecordAttention::is_open() { return innermost != nullptr; }

void RecordAttention::add(const AttentionRecord& record, CallSite site) {
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
    records_.push_back(kept);
}

}}  // namespace heed
