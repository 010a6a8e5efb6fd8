// What the files of lesson 20 share, and its sections.
#pragma once

#include "nn/models/gpt.h"
#include "nn/models/text_classifier.h"
#include "nn/text/tokenizer.h"
#include "tutorials/20_other_peoples_weights/small.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

const char* const sentences = "time flies like an arrow fruit flies like a banana";

using Pieces = std::vector<std::string>;

Pieces pieces_of(const heed::Tokenizer& tokenizer, const heed::IndexTensor& ids);

// A model that was loaded, and a text for it.
struct Loaded {
    heed::Tokenizer tokenizer;
    std::optional<heed::Gpt> gpt;  // or
    std::optional<heed::TextEncoder> encoder;
    heed::IndexTensor ids;  // of "time flies like an arrow"
    Pieces tokens;          // the same as the tokenizer writes them
    bool is_given;          // --model

    const heed::Module& network() const {
        return gpt ? static_cast<const heed::Module&>(*gpt) : *encoder;
    }
    // Logits [T, vocab_size]; of an encoder vectors [T, d_model].
    heed::Variable output() const { return gpt ? (*gpt)(ids) : (*encoder)(ids); }
};

heed::Tokenizer byte_pairs();                                                     // 20.1
void word_pieces(const Files& files);                                             // 20.2
void by_bytes(const Files& files);                                                // 20.3
void same_network(const Loaded& loaded);                                          // 20.4
void written_out(const Files& files, const Published& gpt2, const Loaded& small,  // 20.4
                 heed::Random& random);
// Q and K of layer 0 from the files of Llama and BERT: prints how far they are from the loaded
// ones, and returns the largest distance.
double other_layouts(const Files& files, const heed::IndexTensor& ids, heed::Random& random);
void wrong_loads(const Files& files, const heed::IndexTensor& ids, heed::Random& random);  // 20.5
void writes(const Loaded& loaded, const heed::IndexTensor& prompt);                        // 20.6
