// The library prints, writes and reads the same bytes whatever locale the program has set.
#include "autograd/inspect/keep.h"
#include "nn/files/json.h"
#include "nn/heed.h"
#include "nn/pages/attention_data.h"
#include "nn/pages/display.h"
#include "nn/pages/html.h"
#include "nn/pages/table.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/files/folder.h"

#include <iostream>
#include <locale>
#include <sstream>

using namespace heed;

namespace {
// Writes 1234.5 as "1.234,5" and true as "wahr".
struct Grouping : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
    std::string do_truename() const override { return "wahr"; }
};
// Takes the byte 0xA0 for a space, as in ISO 8859.
struct WideSpace : std::ctype<char> {
    WideSpace() : std::ctype<char>(table()) {}
    static const mask* table() {
        static std::vector<mask> masks(classic_table(), classic_table() + table_size);
        masks[0xA0] = space;
        return masks.data();
    }
};
const std::locale grouping(std::locale(std::locale::classic(), new Grouping), new WideSpace);

// The bytes of the file that `save` writes.
std::string saved(void (*save)(const std::string& path)) {
    const Folder folder;
    save(folder.file("x"));
    return contents(folder.file("x"));
}

Tensor random_tensor(const Shape& shape) {
    Random random(1);
    return tensor::normal(shape, random);
}

Variable long_graph() {
    Variable x(tensor::ones({1234}), requires_grad);
    x.set_name("x");
    Variable y = x;
    for (int i = 0; i < 1300; ++i) y = y * 1.5;
    return y;
}

void explain_derivative(std::ostream& out) {
    Variable x(tensor::of({1234.5, 0.25}), requires_grad);
    x.set_name("x");
    KeepGraph keep;
    sum(x * x * 1000.0).backward();
    out << explain(x, {0});
}

std::vector<AttentionRecord> records() {
    RecordAttention recording;
    const Variable x(random_tensor({3, 4}));
    scaled_dot_product_attention(x, x, x, Mask::causal(3));
    return recording.records();
}

void print_json_numbers(std::ostream& out) {
    const Json list = Json::parse("[1234.5, -2e3, -0, 0.1]", "x");
    for (const Json& number : list.items("x")) out << fixed(number.number("x"), 20) << ' ';
}

void save_state(const std::string& path) {
    StateDict state;
    state.add("x", random_tensor({1234}));
    write_safetensors(path, state);
    state.add("again", read_safetensors(path).at("x"));
    write_safetensors(path, state, {.metadata = {{"by", "İıi"}}});
}

void save_checkpoint(const std::string& path) {
    int step = 1234567;
    double loss = 1234.5;
    Checkpoint run;
    run.add("à", step);
    run.add("loss", loss);
    run.save(path);
    step = 0;
    run.load(path);
    run.save(path);
}

Tokenizer tokenizer() { return train_byte_pairs("i I ı İ in it is, i 1.234,5 i in it is", 270); }

IndexTensor loaded_tokens() {
    const Folder folder;
    write_tokenizer_json(folder.file("tokenizer.json"), tokenizer());
    return IndexTensor(load_tokenizer(folder.path()).encode("İ is in 1.234,5 i"));
}

void print_lower_case_words(std::ostream& out) {
    const WordTokenizer tokens({"TITLE It à"}, {.lower_case = true});
    for (std::int64_t id = 0; id < tokens.size(); ++id) out << tokens.word(id) << ' ';
}

// Each prints a text; the stream has the locale of the program, like a user's own.
// clang-format off
const std::vector<std::pair<const char*, void (*)(std::ostream&)>> cases = {
    {"a printed tensor", [](auto& out) { out << random_tensor({2, 3}) * 12345.0; }},
    {"a printed tensor of integers", [](auto& out) { out << tensor::of({1234567}); }},
    {"a printed index tensor", [](auto& out) { out << IndexTensor({1234567}); }},
    {"a printed variable", [](auto& out) { out << long_graph(); }},
    {"a printed mask", [](auto& out) { out << Mask::causal(3); }},
    {"a printed shape", [](auto& out) { out << Shape{1234, 5678}; }},
    {"a number of fixed decimals", [](auto& out) { out << fixed(-1234567.891, 2); }},
    {"an error", [](auto& out) { out << message_of<ShapeError>([] { tensor::ones({1234}) + tensor::ones({5678}); }); }},
    {"an error with a fraction", [](auto& out) { out << message_of<std::invalid_argument>([] { Random random(1); Dropout(1234.5, random); }); }},
    {"a printed configuration", [](auto& out) { out << GptConfig{.vocab_size = 50257, .dropout = 0.25, .soft_cap = 1234.5}; }},
    {"a printed network", [](auto& out) { Random random(1); out << Linear(1234, 5678, random); }},
    {"the text of a graph", [](auto& out) { out << graph_text(long_graph(), {.max_depth = 2000, .max_entries = 1250}); }},
    {"a graph for Graphviz", [](auto& out) { out << graph_dot(long_graph(), {.max_entries = 1250}); }},
    {"a graph as SVG", [](auto& out) { out << graph_svg(long_graph(), 100); }},
    {"an explanation", explain_derivative},
    {"a heat map", [](auto& out) { print_heat_map(out, records().front()); }},
    {"a table of many columns", [](auto& out) { terminal::print_table(out, {"", "key", {"row"}, terminal::Words(1234, "column"), {1234, {"0.25"}}}); }},
    {"wrapped prose", [](auto& out) { terminal::print_wrapped(out, "", "voilà à", 40); }},  // "à" ends with 0xA0
    {"attention as JSON", [](auto& out) { out << attention_json(records(), AttentionDetail::everything); }},
    {"an attention page", [](auto& out) { out << saved([](auto& path) { save_attention_page(path, records()); }); }},
    {"an escaped character", [](auto& out) { out << html_text("\u202E"); }},
    {"a number as JSON", [](auto& out) { out << json_number(-1234567.0625); }},
    {"numbers of JSON", print_json_numbers},
    {"a safetensors file", [](auto& out) { out << saved(save_state); }},
    {"a file of attention", [](auto& out) { out << saved([](auto& path) { save_attention(path, records()); save_attention(path, load_attention(path)); }); }},
    {"a checkpoint", [](auto& out) { out << saved(save_checkpoint); }},
    {"a tokenizer.json", [](auto& out) { out << saved([](auto& path) { write_tokenizer_json(path, tokenizer()); }); }},
    {"vocab.json", [](auto& out) { out << saved([](auto& path) { write_byte_pairs(path, path + "_merges", tokenizer()); }); }},
    {"merges.txt", [](auto& out) { out << saved([](auto& path) { write_byte_pairs(path + "_vocab", path, tokenizer()); }); }},
    {"a loaded tokenizer", [](auto& out) { out << loaded_tokens(); }},
    {"words in lower case", print_lower_case_words},
};
// clang-format on

std::vector<std::string> texts_under(const std::locale& locale) {
    struct Restore {
        std::locale former;
        ~Restore() { std::locale::global(former); }
    };
    const Restore restore{std::locale::global(locale)};  // C's locale as well, if it has a name
    std::vector<std::string> texts;
    for (const auto& [name, print] : cases) {
        std::ostringstream out;
        print(out);
        texts.push_back(out.str());
    }
    return texts;
}

void check_same(const std::string& name, const std::locale& locale) {
    static const std::vector<std::string> expected = texts_under(std::locale::classic());
    const std::vector<std::string> texts = texts_under(locale);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        INFO(cases[i].first << " under " << name);
        CHECK(texts[i] == expected[i]);
    }
}

}  // namespace

TEST_CASE("a locale that groups digits changes no byte", "[nn][locale]") {
    std::ostringstream plain;
    plain.imbue(grouping);
    plain << 1234 << ' ' << 0.5;
    REQUIRE(plain.str() == "1.234 0,5");
    check_same("a locale that groups digits", grouping);
}

TEST_CASE("the locales of three languages change no byte", "[nn][locale]") {
    for (const std::string language : {"tr_TR", "de_DE", "fa_IR"}) {
        const std::string name = language + ".UTF-8";
        std::locale locale;
        try {
            locale = std::locale(name);
        } catch (const std::runtime_error&) {
            std::cout << "skipped in part: needs " << name << " (localedef -i " << language
                      << " -f UTF-8 " << name << ")\n";
            continue;
        }
        check_same(name, locale);
    }
}
