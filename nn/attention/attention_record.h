// Recording of attention calls as they run, to inspect or draw their inputs, scores and weights.
//
//     RecordAttention recording(model);
//     recording.set_tokens({"the", "keys", "are", "here"});
//     model(ids);
//     const AttentionRecord& record = recording.at("blocks.1.attention");
//
// A recorded call materializes its scores and weights, and copies its inputs: bytes() says how much
// a recording holds. With more than 384 keys this may change the last bits of the result
// (nn/attention/attention.h); it has no other effect. Where nothing records, a call asks once
// whether it should.
#pragma once

#include "../../tensor/mask.h"
#include "../module.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

using Tokens = std::vector<std::string>;

// The leading axes are those of the call: none, a batch, or a batch and its heads. Tokens come as
// one list per sequence of the batch, one list for all, or no list if none were given.
struct AttentionRecord {
    std::string name;  // the layer's name in its model, else its type, else the operation
    // If the recording has several calls of this name, which of them: 1, 2, …; otherwise 0.
    std::int64_t call = 0;
    std::vector<Tokens> query_tokens = {};
    std::vector<Tokens> key_tokens = {};
    Tensor Q = {};                  // [..., T_q, d_k]
    Tensor K = {};                  // [..., T_k, d_k]
    Tensor V = {};                  // [..., T_k, d_v]
    Tensor scores = {};             // [..., T_q, T_k], scaled, before the mask
    std::optional<Mask> mask = {};  // as given
    double scale = 1;               // factor applied to q·k
    double temperature = 1;         // divisor of the masked scores
    Tensor weights = {};            // [..., T_q, T_k], before dropout

    // "blocks.1.attention", or "blocks.1.attention#2" for the second of several calls.
    std::string full_name() const;
};

// While it is alive, records every attention call of this thread; enclosing recordings record them
// too. The tensors are copies.
class RecordAttention {
  public:
    explicit RecordAttention(CallSite site = CallSite::here());
    // Calls made inside a layer of `model` are recorded under that layer's name. The model must
    // outlive the recording and must not be moved.
    explicit RecordAttention(const Module& model, CallSite site = CallSite::here());
    // Records only the calls of the layer named `only` and of the layers inside it. Error: the
    // model has no layer of that name (std::invalid_argument, which lists its names).
    RecordAttention(const Module& model, const std::string& only, CallSite site = CallSite::here());
    ~RecordAttention();
    RecordAttention(const RecordAttention&) = delete;
    RecordAttention& operator=(const RecordAttention&) = delete;

    // Labels for the rows and columns of the following calls; the second list is for keys from
    // another sequence. A call with a different number of queries, keys or sequences is an error
    // (std::invalid_argument, with both numbers).
    void set_tokens(const Tokens& tokens);
    void set_tokens(const Tokens& query_tokens, const Tokens& key_tokens);
    // One list per sequence of the batch; padding positions need a token too.
    void set_batch_tokens(const std::vector<Tokens>& query_tokens,
                          const std::vector<Tokens>& key_tokens);
    // Labels the calls so far, made by a model that read a text step by step: the keys of a call
    // are the first tokens of the text, its queries the last of these. The second form has one text
    // for each sequence of the batch. Error: a call with more keys than there are tokens, or with
    // another number of sequences than of texts (std::invalid_argument); then none is labelled.
    void label_steps(const Tokens& text, CallSite site = CallSite::here());
    void label_steps(const std::vector<Tokens>& texts, CallSite site = CallSite::here());

    // In call order.
    const std::vector<AttentionRecord>& records() const { return records_; }
    // The call with that full name. Errors: there is none (std::out_of_range, with the names); the
    // name is that of several calls (std::invalid_argument, with their full names).
    const AttentionRecord& at(const std::string& name, CallSite site = CallSite::here()) const;
    // The numbers it holds, in bytes.
    std::int64_t bytes() const;

    // For a new attention operation: whether any recording is active, and if so, what to call.
    static bool is_open();
    // For its lifetime, nothing is recorded in this thread.
    class Paused {
      public:
        Paused();
        ~Paused();
        Paused(const Paused&) = delete;
        Paused& operator=(const Paused&) = delete;
    };

    // Adds `record`, which has no tokens; its name is used only outside any layer.
    static void add(const AttentionRecord& record, CallSite site = CallSite::here());

  private:
    void take(const AttentionRecord& record, const CallSite& site);
    std::string running_layer_name() const;

    std::vector<LayerMember> layers_;
    std::string only_;
    std::vector<Tokens> query_tokens_;
    std::vector<Tokens> key_tokens_;
    std::vector<AttentionRecord> records_;
    std::map<std::string, std::vector<std::size_t>> calls_;  // of each name: where in records_
    RecordAttention* outer_;
};

}}  // namespace heed
