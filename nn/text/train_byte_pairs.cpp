#include "train_byte_pairs.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "../files/file_bytes.h"
#include "../files/json.h"
#include "byte_level_bpe.h"
#include "unicode.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace heed { inline namespace HEED_PRECISION {
namespace {
constexpr std::int64_t most_tokens = 1'000'000;

// GPT-2's order of bytes: that of their letters.
std::vector<unsigned char> bytes_in_order() {
    std::vector<unsigned char> bytes;
    for (int byte = 0; byte < 256; ++byte) bytes.push_back(static_cast<unsigned char>(byte));
    std::stable_sort(bytes.begin(), bytes.end(), [](unsigned char a, unsigned char b) {
        const std::string &left = byte_letter(a), &right = byte_letter(b);
        return std::pair(left.size(), left) < std::pair(right.size(), right);
    });
    return bytes;
}

struct Word {
    std::vector<std::int64_t> ids;
    std::int64_t count = 0;
};

using Pair = std::pair<std::int64_t, std::int64_t>;

struct HashOfPair {
    std::size_t operator()(const Pair& pair) const {
        return static_cast<std::size_t>((static_cast<std::uint64_t>(pair.first) << 32 ^
                                         static_cast<std::uint64_t>(pair.second)) *
                                            0x9E3779B97F4A7C15u >>
                                        7);
    }
};

// How often a pair occurs, and in which words it was seen; it may be gone from some of them.
struct Seen {
    std::int64_t count = 0;
    std::vector<std::size_t> words;
};

class Training {
  public:
    Training(std::string_view text, const std::vector<unsigned char>& order) {
        std::vector<std::int64_t> ids(256);
        for (std::size_t id = 0; id < 256; ++id) ids[order[id]] = static_cast<std::int64_t>(id);
        std::unordered_map<std::string_view, std::size_t> places;
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = word_end(text, begin, TextSplit::gpt2);
            const std::string_view word = text.substr(begin, end - begin);
            const auto [place, is_new] = places.emplace(word, words_.size());
            if (is_new) {
                words_.emplace_back();
                for (const char byte : word) {
                    words_.back().ids.push_back(ids[static_cast<unsigned char>(byte)]);
                }
            }
            ++words_[place->second].count;
            begin = end;
        }
        for (std::size_t word = 0; word < words_.size(); ++word) {
            const std::vector<std::int64_t>& its = words_[word].ids;
            for (std::size_t i = 0; i + 1 < its.size(); ++i) change({its[i], its[i + 1]}, word, 1);
        }
        consider_grown();
    }

    // The merges of ids, of which new ones begin at `next`.
    std::vector<Merge> merges(std::int64_t next, std::size_t most) {
        std::vector<Merge> made;
        while (made.size() < most && !queue_.empty()) {
            const auto [count, left, right] = queue_.top();
            queue_.pop();
            const std::int64_t now = seen_.at({-left, -right}).count;
            if (now < count && now >= 2) queue_.emplace(now, left, right);
            if (now != count) continue;  // other merges took some meanwhile
            made.push_back({-left, -right, next++});
            apply(made.back());
        }
        return made;
    }

  private:
    // The pair occurs once more, or less, in each of the word's places.
    void change(const Pair& pair, std::size_t word, int by) {
        Seen& seen = seen_[pair];
        seen.count += by * words_[word].count;
        if (by < 0) return;
        if (seen.words.empty() || seen.words.back() != word) seen.words.push_back(word);
        grown_.push_back(pair);
    }

    void apply(const Merge& merge) {
        std::vector<std::size_t> words = std::move(seen_.at({merge.left, merge.right}).words);
        std::sort(words.begin(), words.end());
        words.erase(std::unique(words.begin(), words.end()), words.end());
        for (const std::size_t word : words) apply(merge, word);
        consider_grown();
    }

    void apply(const Merge& merge, std::size_t word) {
        std::vector<std::int64_t>& ids = words_[word].ids;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (ids[i] != merge.left || i + 1 == ids.size() || ids[i + 1] != merge.right) {
                ids[kept++] = ids[i];
                continue;
            }
            change({merge.left, merge.right}, word, -1);
            if (kept > 0) {
                change({ids[kept - 1], merge.left}, word, -1);
                change({ids[kept - 1], merge.both}, word, 1);
            }
            if (i + 2 < ids.size()) {
                change({merge.right, ids[i + 2]}, word, -1);
                change({merge.both, ids[i + 2]}, word, 1);
            }
            ids[kept++] = merge.both;
            ++i;
        }
        ids.resize(kept);
    }

    void consider_grown() {
        std::sort(grown_.begin(), grown_.end());
        grown_.erase(std::unique(grown_.begin(), grown_.end()), grown_.end());
        for (const Pair& pair : grown_) {
            const std::int64_t count = seen_.at(pair).count;
            if (count >= 2) queue_.emplace(count, -pair.first, -pair.second);
        }
        grown_.clear();
    }

    std::vector<Word> words_;
    std::unordered_map<Pair, Seen, HashOfPair> seen_;
    std::vector<Pair> grown_;
    // Count, and both ids, negative: the largest is the most frequent, then that of small ids.
    std::priority_queue<std::tuple<std::int64_t, std::int64_t, std::int64_t>> queue_;
};

void check(std::int64_t vocab_size, const std::vector<std::string>& special,
           const std::vector<std::pair<std::string, std::int64_t>>& bytes, const CallSite& site) {
    const std::int64_t least = 256 + static_cast<std::int64_t>(special.size());
    if (vocab_size < least || vocab_size > most_tokens) {
        fail_argument("train_byte_pairs", site, "vocab_size is ", vocab_size, "; it must be ",
                      least, ", the 256 bytes and ", special.size(), " special tokens, to ",
                      most_tokens);
    }
    for (std::size_t i = 0; i < special.size(); ++i) {
        if (special[i].empty()) {
            fail_argument("train_byte_pairs", site, "special token ", i, " is empty");
        }
        if (!is_utf8(special[i])) {
            fail_argument("train_byte_pairs", site, "the special token ", in_quotes(special[i]),
                          " is not UTF-8");
        }
        if (std::find(special.begin(), special.begin() + static_cast<std::ptrdiff_t>(i),
                      special[i]) != special.begin() + static_cast<std::ptrdiff_t>(i)) {
            fail_argument("train_byte_pairs", site, "the special token ", in_quotes(special[i]),
                          " is given twice");
        }
        for (const auto& [letter, id] : bytes) {
            if (letter != special[i]) continue;
            fail_argument("train_byte_pairs", site, "the special token ", in_quotes(letter),
                          " is the letter of a byte");
        }
    }
}

const ByteLevelBpe& gpt2_kind(const Tokenizer& tokenizer, const CallSite& site) {
    const TokenizerParts& parts = tokenizer.parts();
    const auto* const model = dynamic_cast<const ByteLevelBpe*>(parts.model.get());
    const bool is_gpt2 = model && model->options() == ByteLevelOptions() &&
                         parts.one_text.size() == 1 && parts.two_texts.size() == 2;
    if (!is_gpt2) {
        fail_argument("write_tokenizer", site, in_quotes(tokenizer.name()), " is ",
                      tokenizer.kind(), model ? " with settings of its own" : "",
                      "; written is only byte-level BPE as GPT-2 has it");
    }
    return *model;
}

std::string vocabulary_json(const Tokenizer& tokenizer) {
    std::string json = "{";
    for (std::int64_t id = 0; id < tokenizer.size(); ++id) {
        json += text(id == 0 ? "\n" : ",\n", json_string(tokenizer.token(id)), ": ", id);
    }
    return json + "\n}";
}

std::string merge_text(const Tokenizer& tokenizer, const Merge& merge) {
    return tokenizer.token(merge.left) + " " + tokenizer.token(merge.right);
}

std::string added_json(const Tokenizer& tokenizer) {
    std::string json;
    for (const AddedToken& one : tokenizer.parts().vocabulary->added()) {
        const auto word = [](bool is_so) { return is_so ? "true" : "false"; };
        json += text(json.empty() ? "\n" : ",\n", "{\"id\": ", one.id,
                     ", \"content\": ", json_string(one.content),
                     ", \"single_word\": false, \"lstrip\": ", word(one.strips_left),
                     ", \"rstrip\": ", word(one.strips_right),
                     ", \"normalized\": false, \"special\": ", word(one.is_special), "}");
    }
    return json;
}

}  // namespace

Tokenizer train_byte_pairs(const std::string& text, std::int64_t vocab_size,
                           const std::vector<std::string>& special, CallSite site) {
    const std::vector<unsigned char> order = bytes_in_order();
    std::vector<std::pair<std::string, std::int64_t>> tokens;
    const auto next_id = [&] { return static_cast<std::int64_t>(tokens.size()); };
    for (const unsigned char byte : order) tokens.emplace_back(byte_letter(byte), next_id());
    check(vocab_size, special, tokens, site);
    const std::size_t most = static_cast<std::size_t>(vocab_size) - tokens.size() - special.size();
    std::vector<Merge> merges = Training(text, order).merges(next_id(), most);
    for (const Merge& merge : merges) {
        const std::string& left = tokens[static_cast<std::size_t>(merge.left)].first;
        tokens.emplace_back(left + tokens[static_cast<std::size_t>(merge.right)].first, merge.both);
    }
    TokenizerParts parts;
    parts.name = "a trained tokenizer";
    std::vector<AddedToken> added;
    for (const std::string& one : special) {
        added.push_back(
            {.content = one, .id = next_id() + static_cast<std::int64_t>(added.size())});
    }
    parts.vocabulary = std::make_shared<const Vocabulary>(tokens, added, parts.name, site);
    parts.model = std::make_shared<const ByteLevelBpe>(parts.vocabulary, merges, ByteLevelOptions(),
                                                       parts.name, site);
    if (!added.empty()) parts.special.bos = parts.special.eos = added[0].id;
    return Tokenizer(std::move(parts));
}

void write_tokenizer_json(const std::string& path, const Tokenizer& tokenizer, CallSite site) {
    const ByteLevelBpe& model = gpt2_kind(tokenizer, site);
    const std::string byte_level =
        R"({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, )"
        R"("use_regex": true})";
    std::string merges;
    for (const Merge& merge : model.merges()) {
        merges += (merges.empty() ? "\n" : ",\n") + json_string(merge_text(tokenizer, merge));
    }
    const std::string json =
        "{\n\"version\": \"1.0\",\n\"truncation\": null,\n\"padding\": null,\n\"added_tokens\": [" +
        added_json(tokenizer) + "],\n\"normalizer\": null,\n\"pre_tokenizer\": " + byte_level +
        ",\n\"post_processor\": " + byte_level + ",\n\"decoder\": " + byte_level +
        ",\n\"model\": {\"type\": \"BPE\", \"dropout\": null, \"unk_token\": null, "
        "\"continuing_subword_prefix\": null, \"end_of_word_suffix\": null, \"fuse_unk\": false, "
        "\"byte_fallback\": false, \"ignore_merges\": false,\n\"vocab\": " +
        vocabulary_json(tokenizer) + ",\n\"merges\": [" + merges + "]}\n}\n";
    write_whole(path, json, site);
}

void write_byte_pairs(const std::string& vocabulary, const std::string& merges,
                      const Tokenizer& tokenizer, CallSite site) {
    const ByteLevelBpe& model = gpt2_kind(tokenizer, site);
    std::string list = "#version: 0.2\n";
    for (const Merge& merge : model.merges()) list += merge_text(tokenizer, merge) + "\n";
    write_whole(vocabulary, vocabulary_json(tokenizer) + "\n", site);
    write_whole(merges, list, site);
}

}}  // namespace heed
