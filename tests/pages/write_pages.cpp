// Writes pages of recorded attention into a folder, for check_pages_in_chromium.py to open: each
// kind of recording once, with tokens that would break a careless page.
#include "nn/files/file_bytes.h"
#include "nn/nn.h"
#include "nn/pages/attention_page.h"
#include "nn/pages/attention_view.h"
#include "nn/pages/html.h"
#include "tensor/ops.h"
#include "tensor/print.h"

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

using namespace heed;

namespace {
std::string folder;

void save(const std::string& name, const std::vector<AttentionRecord>& records,
          const AttentionPageOptions& options = {}) {
    save_attention_page(folder + "/" + name + ".html", records, options);
}

const Tokens sentence = {"the", "keys", "to", "the", "cabinet", "are", "here", "."};

// Attention of random Q, K and V, one layer deep.
std::vector<AttentionRecord> recorded(const Shape& Q, const Shape& K, const Shape& V,
                                      const std::optional<Mask>& mask) {
    Random random(7);
    RecordAttention recording;
    scaled_dot_product_attention(Variable(tensor::normal(Q, random)),
                                 Variable(tensor::normal(K, random)),
                                 Variable(tensor::normal(V, random)), mask);
    return recording.records();
}

// A GPT whose queries and keys are large enough that its heads differ.
std::vector<AttentionRecord> of_model(std::int64_t layers, std::int64_t heads, std::int64_t T,
                                      const Tokens& tokens) {
    Random random(11);
    Gpt model({.vocab_size = 50,
               .limit = T,
               .d_model = 8 * heads,
               .num_layers = layers,
               .num_heads = heads},
              random);
    for (GptBlock& block : model.blocks) {
        for (Linear* projection : {&block.attention.W_Q, &block.attention.W_K}) {
            projection->weight = Parameter(projection->weight.value() * 16);
        }
    }
    std::vector<std::int64_t> ids;
    for (std::int64_t t = 0; t < T; ++t) ids.push_back(t * t % 50);
    RecordAttention recording(model);
    if (!tokens.empty()) recording.set_tokens(tokens);
    model(IndexTensor(ids, {T}));
    return recording.records();
}

void write_small() {
    AttentionRecord tiny{.name = "tiny"};
    tiny.weights = tensor::of({{1, 0}, {0.25, 0.75}});
    tiny.query_tokens = tiny.key_tokens = {{"a", "b"}};
    tiny.mask = Mask::causal(2);
    save("tiny", {tiny});

    std::vector<AttentionRecord> cross = recorded({4, 8}, {6, 8}, {6, 3}, std::nullopt);
    cross[0].query_tokens = {{"elle", "lit", "un", "livre"}};
    cross[0].key_tokens = {{"she", "is", "reading", "a", "book", "."}};
    save("cross", cross, {.title = "A translation", .note = "Queries and keys of two languages."});

    std::vector<AttentionRecord> batch =
        recorded({2, 3, 5, 4}, {2, 3, 5, 4}, {2, 3, 5, 4}, Mask::padding({5, 3}, 5));
    batch[0].query_tokens = batch[0].key_tokens = {{"time", "flies", "like", "an", "arrow"},
                                                   {"fruit", "flies", "?", "[pad]", "[pad]"}};
    save("batch", batch);

    std::vector<AttentionRecord> nothing =
        recorded({3, 4}, {3, 4}, {3, 4}, Mask::blocking(BoolTensor::full({3, 3}, true)));
    save("all_masked", nothing);
    save("no_tokens", recorded({3, 6, 4}, {3, 6, 4}, {3, 6, 4}, std::nullopt));
}

void write_hostile() {
    std::vector<AttentionRecord> records = recorded({9, 4}, {9, 4}, {9, 4}, Mask::causal(9));
    const Tokens tokens = {"</script><script>document.title='broken'</script>",
                           "<img alt=x onerror=document.title='broken'>",
                           "\"'`&amp;<!--",
                           "\x1b[31mred",
                           "\u202Eright to left",
                           "👩\u200D💻",
                           std::string(300, 'w'),
                           "\xff\xfe",
                           "\u2028${1}\\"};
    records[0].query_tokens = records[0].key_tokens = {tokens};
    records[0].name = "</title><b>\"layer\"";
    save("hostile", records, {.title = "<b>hostile</b> & \"quoted\"", .note = "</p><script>"});
}

// What the pages must show: a line for each, "page, state, words", separated by tabs.
void write_expected(const std::vector<AttentionRecord>& gpt) {
    std::ofstream out(folder + "/expected.txt");
    const auto shown = [](double number) {
        const std::string digits = fixed(number, 4);
        return digits[0] == '-' ? "\u2212" + digits.substr(1) : digits;
    };
    const Tensor &weights = gpt[1].weights, &scores = gpt[1].scores;
    for (std::int64_t j = 0; j < 8; ++j) {
        const std::string place = "&layer=1&head=1&query=5&key=" + std::to_string(j);
        const std::string weight = j > 5 ? "masked." : "weight " + shown(weights(1, 5, j)) + ".";
        out << "gpt\tview=head&as=map" << place << "\t: " << weight << "\n";
        out << "gpt\tview=matrices" << place << "\tscore " << shown(scores(1, 5, j)) << ", "
            << weight << "\n";
    }
    const Tensor products = tensor::matmul(gpt[0].Q, tensor::transpose(gpt[0].K, -1, -2));
    out << "gpt\tview=neuron&layer=0&head=1&query=3&key=2\t = " << shown(products(1, 3, 2))
        << ". Times the scale 0.3536 = 1/√8, the score is " << shown(gpt[0].scores(1, 3, 2))
        << ".\n";
}

void write_models() {
    const std::vector<AttentionRecord> gpt = of_model(2, 2, 8, sentence);
    save("gpt", gpt, {.title = "A GPT", .note = "Two layers, two heads."});
    write_expected(gpt);
    std::vector<AttentionRecord> weights_only = of_model(2, 2, 8, sentence);
    for (AttentionRecord& record : weights_only) {
        record.Q = record.K = record.V = record.scores = {};
    }
    save("weights_only", weights_only);
    for (const std::int64_t T : {16, 64, 128}) {
        save("large_" + std::to_string(T), of_model(12, 12, T, {}));
    }
    std::vector<AttentionRecord> open = of_model(12, 12, 128, {});
    for (AttentionRecord& record : open) {  // as in an encoder, where nothing is masked
        record.mask = std::nullopt;
        record.weights = tensor::softmax(record.scores, -1);
    }
    save("large_open", open);
}

void write_other() {
    Random random(5);
    RecordAttention recording;
    const Variable Q(tensor::normal({4, 3}, random)), K(tensor::normal({4, 3}, random));
    const Variable V(tensor::normal({4, 2}, random));
    scaled_dot_product_attention(Q, K, V, Mask::causal(4), NeedWeights::yes, nullptr,
                                 {.scale = -0.5});
    scaled_dot_product_attention(Q, K, V, std::nullopt, NeedWeights::yes, nullptr, {.scale = 0});
    scaled_dot_product_attention(
        Q, K, V, std::nullopt, NeedWeights::yes, nullptr,
        {.bias = Variable(tensor::of({{0, 1, 2, 3}, {1, 0, 1, 2}, {2, 1, 0, 1}, {3, 2, 1, 0}}))});
    attend(ScaledDotScore(), Q, K, V, {.temperature = 2});
    attend(ScaledDotScore(), Q, K, V, {.temperature = 0});
    save("other_scores", recording.records());

    const std::string two =
        "<main>\n" +
        attention_view(of_model(1, 2, 8, sentence), {.id = "first", .title = "First"}) +
        attention_view(recorded({3, 4}, {3, 4}, {3, 4}, std::nullopt),
                       {.id = "second", .title = "Second"}) +
        "</main>\n";
    const std::string page =
        html_page("Two views", attention_view_style(), two, attention_view_script());
    write_whole(folder + "/two.html",
                [&](const WriteBytes& write) { write(page.data(), page.size()); });
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::cerr << "usage: write_pages FOLDER\n";
        return 2;
    }
    folder = arguments[1];
    write_small();
    write_hostile();
    write_models();
    write_other();
}
