// A record of one attention call, kept while it happens: what one wants to look at, or draw.
//
//     RecordAttention recording(model);
//     recording.set_tokens({"the", "keys", "are", "here"});
//     model(ids);
//     const AttentionRecord& record = recording.at("blocks.1.attention");
//
// What is recorded has its scores and weights written out, which of more than 256 keys may change
// the last bits of what is computed (nn/attention/attention.h), and else changes nothing.
#pragma once

#include "heed/nn/module.h"
#include "heed/tensor/mask.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

using Tokens = std::vector<std::string>;

// The leading axes are those of the call: none, a batch, or a batch and its heads. There is a list
// of tokens for each sequence of the batch, or one list for all, or none if none were given.
struct AttentionRecord {
    std::string name;  // of the layer in its model, else its type, else what ran
    std::vector<Tokens> query_tokens = {};
    std::vector<Tokens> key_tokens = {};
    Tensor Q;                       // [..., T_q, d_k]
    Tensor K;                       // [..., T_k, d_k]
    Tensor V;                       // [..., T_k, d_v]
    Tensor scores;                  // [..., T_q, T_k], scaled, before the mask
    std::optional<Mask> mask = {};  // as it was given
    double scale = 1;               // what the products q·k were multiplied by
    double temperature = 1;         // what the masked scores were divided by
    Tensor weights;                 // [..., T_q, T_k], before dropout
};

// While it lives, every attention call of this thread is recorded, also by the recordings around
// it. The numbers are copies.
class RecordAttention {
  public:
    explicit RecordAttention(CallSite site = CallSite::here());
    // Calls made in a layer of `model` bear that layer's name. The model must stay where it is.
    explicit RecordAttention(const Module& model, CallSite site = CallSite::here());
    // Only the calls of one layer of it, and of the layers in that.
    // Error: the model has no layer of that name (std::invalid_argument, with the names it has).
    RecordAttention(const Module& model, const std::string& only, CallSite site = CallSite::here());
    ~RecordAttention();
    RecordAttention(const RecordAttention&) = delete;
    RecordAttention& operator=(const RecordAttention&) = delete;

    // What the rows and columns of the calls from here on are called; the second list is for keys
    // that come from another sequence. Where a call has another number of queries, keys or
    // sequences, the call is refused (std::invalid_argument, with both numbers).
    void set_tokens(const Tokens& tokens);
    void set_tokens(const Tokens& query_tokens, const Tokens& key_tokens);
    // A list for each sequence of the batch; padding needs a token too.
    void set_batch_tokens(const std::vector<Tokens>& query_tokens,
                          const std::vector<Tokens>& key_tokens);

    // In the order of the calls.
    const std::vector<AttentionRecord>& records() const { return records_; }
    // The last call of that name. Error: there is none (std::out_of_range, with the names).
    const AttentionRecord& at(const std::string& name, CallSite site = CallSite::here()) const;

    // For those who write an attention of their own: what to call, and whether anybody listens.
    static bool is_open();
    // `record` without tokens; its name is used where no layer is at work.
    static void add(const AttentionRecord& record, CallSite site = CallSite::here());

  private:
    void take(const AttentionRecord& record, const CallSite& site);
    std::string name_at_work() const;

    std::vector<std::pair<const Module*, std::string>> names_;
    std::string only_;
    std::vector<Tokens> query_tokens_;
    std::vector<Tokens> key_tokens_;
    std::vector<AttentionRecord> records_;
    RecordAttention* outer_;
};

}  // namespace HEED_PRECISION
}  // namespace heed
