#include "tutorials/exercises/judges/16_1_one_vector_walk.h"

#include "autograd/ops.h"
#include "tensor/ops.h"

#include <algorithm>

using namespace heed;

namespace exercise::one_vector_walk {

Tensor marked(const Places& texts, char which) {
    std::vector<Scalar> marks;
    for (const std::string& text : texts) {
        for (const char letter : text) marks.push_back(letter == which);
    }
    const std::int64_t B = static_cast<std::int64_t>(texts.size());
    return tensor::from_vector(marks, {B, static_cast<std::int64_t>(texts[0].size())});
}

Mask mask_of(const Places& texts) { return Mask::allowing_keys(marked(texts) == 1); }

namespace {

std::int64_t tokens_in(const std::string& places) {
    return std::count(places.begin(), places.end(), 'x');
}

// Rows of x [B, T, d], one of each text: [B, d].
Variable rows_of(const Variable& x, const std::vector<std::int64_t>& places) {
    std::vector<std::int64_t> rows;
    for (std::size_t b = 0; b < places.size(); ++b) {
        rows.push_back(static_cast<std::int64_t>(b) * x.dim(1) + places[b]);
    }
    return index_select(flatten(x, 0, 1), 0, IndexTensor(rows));
}

std::int64_t place_of_first(const std::string& text, const Slips& slip) {
    const std::int64_t T = static_cast<std::int64_t>(text.size());
    const std::int64_t first = static_cast<std::int64_t>(text.find('x'));
    if (slip("pool.row-0")) return 0;
    const std::size_t padding = text.find('.');
    if (slip("pool.first-padding") && padding != text.npos) {
        return static_cast<std::int64_t>(padding);
    }
    if (slip("pool.second-token")) return std::min(first + 1, T - 1);
    if (slip("pool.last-token")) return static_cast<std::int64_t>(text.rfind('x'));
    if (slip("pool.last-row")) return T - 1;
    if (slip("pool.counted-from-the-end")) return T - tokens_in(text);
    return first;
}

// What is added up for each text: [B, T, d].
Variable summands(const Variable& x, const Places& texts, const Slips& slip) {
    Places counted = texts;
    for (std::string& text : counted) {
        const std::size_t tokens = static_cast<std::size_t>(tokens_in(text));
        if (slip("pool.tokens-in-front")) {
            text = std::string(tokens, 'x') + std::string(text.size() - tokens, '.');
        }
        if (slip("pool.without-the-first")) text[text.find('x')] = '.';
    }
    if (slip("pool.places-of-text-0")) counted.assign(texts.size(), texts[0]);
    if (slip("pool.all") || slip("pool.all-by-count")) return x;
    const char which = slip("pool.padding-only") ? '.' : 'x';
    const Tensor marks = tensor::unsqueeze(marked(counted, which), -1);  // [B, T, 1]
    if (slip("pool.times-0")) return x * marks;
    return where(marks == 1, x, 0);
}

}  // namespace

Variable first_walk(const Variable& x, const Places& texts, const Slips& slip) {
    std::vector<std::int64_t> places;
    for (const std::string& text : texts) {
        places.push_back(place_of_first(slip("pool.place-of-text-0") ? texts[0] : text, slip));
    }
    return rows_of(slip("pool.first-constant") ? x.detach() : x, places);
}

Variable mean_walk(const Variable& given, const Places& texts, const Slips& slip) {
    const Variable x = slip("pool.mean-constant") ? given.detach() : given;
    const double T = static_cast<double>(x.dim(1));
    const Variable total = sum(summands(x, texts, slip), 1);  // [B, d]
    if (slip("pool.sum")) return total;
    if (slip("pool.all") || slip("pool.by-T")) return total / T;
    if (slip("pool.largest")) {
        return max(where(tensor::unsqueeze(marked(texts), -1) == 1, x, -infinity), 1);
    }
    const Tensor all = marked(texts, slip("pool.padding-only") ? '.' : 'x');
    if (slip("pool.mean-length")) return total / (tensor::mean(tensor::sum(all, 1)));
    const Tensor counts = tensor::sum(all, 1, keepdim);  // [B, 1]
    if (slip("pool.without-the-first")) return total / (counts - 1);
    if (slip("pool.by-count-plus-1")) return total / (counts + 1);
    if (slip("pool.by-root")) return total / tensor::sqrt(counts);
    return total / counts;
}

std::vector<Mistake> mistakes_of_first() {
    const std::string draw = "Write the mask of one text as x and dots, with dots in front.";
    return {
        {"pool.row-0",
         "row 0 of each text was read, also where it is padding",
         {"What stands in row 0 of a text that is padded in front?", draw}},
        {"pool.first-padding",
         "the first padding was read, and not the first token",
         {"What does the mask allow: tokens or padding?", draw}},
        {"pool.second-token",
         "the vector after the first token's was read",
         {"Does your count start at 0?", draw}},
        {"pool.last-token", "the last token was read", {"Where does [CLS] stand?", draw}},
        {"pool.last-row", "the last row was read", {"Where does [CLS] stand?", draw}},
        {"pool.counted-from-the-end",
         "the tokens were counted, and the place of the first was T less their number",
         {"Does padding only stand in front?", draw}},
        {"pool.place-of-text-0",
         "the place of the first token was that of text 0 in all texts",
         {"Which entries of the mask belong to text 1?", "The mask is [B, 1, 1, T]."}},
        {"pool.first-constant",
         "the first token's vector was a constant, so that the encoder would not learn",
         {"Does the graph know where the vector comes from?", "Look for value() and detach()."}},
    };
}

std::vector<Mistake> mistakes_of_mean() {
    const std::string small = "Take one text of two tokens and one padding, with d = 1.";
    return {
        {"pool.all",
         "padding counted as a token, in the sum and in the number of tokens",
         {"What would a longer sentence in the batch change for a shorter one?", small}},
        {"pool.all-by-count",
         "padding was in the sum, which was then divided by the number of tokens",
         {"What is in the sum?", small}},
        {"pool.by-T",
         "padding was left out of the sum, which was then divided by all T",
         {"By how many is a mean divided?", small}},
        {"pool.sum", "the sum was not divided", {"What makes a mean of a sum?", small}},
        {"pool.by-count-plus-1",
         "the sum was divided by one more than the number of tokens",
         {"By how many is a mean divided?", small}},
        {"pool.by-root",
         "the sum was divided by the root of the number of tokens",
         {"By how many is a mean divided?", small}},
        {"pool.mean-length",
         "all sums were divided by the same number, the mean length of the texts",
         {"How many tokens has each text?", "The shape of what you divide by."}},
        {"pool.tokens-in-front",
         "the tokens were counted, and so many rows from the first on were taken",
         {"Does padding only stand at the end?", small}},
        {"pool.without-the-first",
         "the first token was left out",
         {"Is [CLS] a token like others?", small}},
        {"pool.places-of-text-0",
         "the places of text 0's tokens were used for all texts",
         {"Which entries of the mask belong to text 1?", "The mask is [B, 1, 1, T]."}},
        {"pool.padding-only",
         "the mean was that of the padding",
         {"What does the mask allow: tokens or padding?", small}},
        {"pool.times-0",
         "padding was multiplied by 0, which leaves NaN and infinity as NaN",
         {"What is 0 · NaN?", "autograd/ops/choose.h chooses without arithmetic."}},
        {"pool.largest",
         "the largest number of each column was taken, and not the mean",
         {"What is a mean?", small}},
        {"pool.mean-constant",
         "the vectors were constants, so that the encoder would not learn",
         {"Does the graph know where the vectors come from?", "Look for value() and detach()."}},
    };
}

}  // namespace exercise::one_vector_walk
