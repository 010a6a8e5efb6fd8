// The library prints, writes and reads the same bytes whatever locale the program has set.
#include "autograd/inspect/keep.h"
#include "nn/files/json.h"
#include "nn/heed.h"
#include "nn/pages/attention_data.h"
#include "nn/pages/display.h"
#include "nn/pages/html.h"
#include "nn/pages/table.h"
#include "tests/catch.h"
#include "tests/nn/files/folder.h"

#include <clocale>
#include <functional>
#include <iostream>
#include <locale>
#include <optional>
#include <sstream>

using namespace heed;

namespace {
// Writes 1234.5 as "1.234,5" and true as "wahr", and takes the byte 0xA0, as in ISO 8859, for a
// space.
struct Grouping : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
    std::string do_truename() const override { return "wahr"; }
};
struct WideSpace : std::ctype<char> {
    WideSpace() : std::ctype<char>(table()) {}
    static const mask* table() {
        static std::vector<mask> masks(classic_table(), classic_table() + table_size);
        masks[0xA0] = space;
        return masks.data();
    }
};

std::locale grouping() {
    return std::locale(std::locale(std::locale::classic(), new Grouping), new WideSpace);
}

// Sets C's and C++'s locale; sets the former ones again at the end.
class SetLocale {
  public:
    explicit SetLocale(const std::locale& locale)
        : c_(std::setlocale(LC_ALL, nullptr)), cpp_(std::locale::global(locale)) {}
    SetLocale(const SetLocale&) = delete;
    ~SetLocale() {
        std::locale::global(cpp_);
        std::setlocale(LC_ALL, c_.c_str());
    }

  private:
    std::string c_;
    std::locale cpp_;
};

std::string printed(const auto& shown) {
    std::ostringstream out;  // has the global locale, like a user's own stream
    out << shown;
    return out.str();
}

Tensor random_tensor(const Shape& shape) {
    Random random(1);
    return tensor::normal(shape, random);
}

std::string written(const Folder& folder, const std::function<void(const std::string&)>& write) {
    write(folder.file("written"));
    return contents(folder.file("written"));
}

std::string error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "nothing was thrown";
}

Variable long_graph() {
    Variable x(tensor::ones({1234}), requires_grad);
    x.set_name("x");
    Variable y = x;
    for (int i = 0; i < 1300; ++i) y = y * 1.5;
    return y;
}

std::vector<AttentionRecord> records() {
    RecordAttention recording;
    const Variable x(random_tensor({3, 4}));
    scaled_dot_product_attention(x, x, x, Mask::causal(3));
    return recording.records();
}

std::string numpy_file(const std::string& dtype, const std::string& numbers, const char* shape) {
    std::string header = "{'descr': '" + dtype + "', 'fortran_order': False, 'shape': " + shape;
    header += "}\n";
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size());
    return bytes + '\0' + header + numbers;
}

std::string read_numpy(const Folder& folder, const std::string& dtype) {
    write(folder.file("x.npy"),
          numpy_file(dtype, {"\1\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0", 16}, "(2,)"));
    return to_string(read_npy(folder.file("x.npy")));
}

Tokenizer tokenizer() { return train_byte_pairs("i I ı İ in it is, i 1.234,5 i in it is", 270); }

struct Case {
    const char* name;
    std::function<std::string(const Folder&)> text;
};

const std::vector<Case> cases = {
    {"a printed tensor",
     [](const Folder&) {
         return printed(random_tensor({2, 3}) * 12345.0);
     }},
    {"a printed tensor of integers", [](const Folder&) { return printed(tensor::of({1234567})); }},
    {"a printed index tensor", [](const Folder&) { return printed(IndexTensor({1234567})); }},
    {"a printed variable", [](const Folder&) { return printed(long_graph()); }},
    {"a printed mask", [](const Folder&) { return printed(Mask::causal(3)); }},
    {"a printed shape",
     [](const Folder&) {
         return printed(Shape{1234, 5678});
     }},
    {"a number of fixed decimals", [](const Folder&) { return fixed(-1234567.891, 2); }},
    {"an error",
     [](const Folder&) { return error_of([] { tensor::ones({1234}) + tensor::ones({5678}); }); }},
    {"an error with a fraction",
     [](const Folder&) {
         return error_of([] {
             Random random(1);
             Dropout(1234.5, random);
         });
     }},
    {"a printed configuration",
     [](const Folder&) {
         return printed(GptConfig{.vocab_size = 50257, .dropout = 0.25, .soft_cap = 1234.5});
     }},
    {"a printed network",
     [](const Folder&) {
         Random random(1);
         return printed(Linear(1234, 5678, random));
     }},
    {"the text of a graph",
     [](const Folder&) {
         return graph_text(long_graph(), {.max_depth = 2000, .max_entries = 1250});
     }},
    {"a graph for Graphviz",
     [](const Folder&) { return graph_dot(long_graph(), {.max_entries = 1250}); }},
    {"a graph as SVG", [](const Folder&) { return graph_svg(long_graph(), 100); }},
    {"an explanation",
     [](const Folder&) {
         Variable x(tensor::of({1234.5, 0.25}), requires_grad);
         x.set_name("x");
         KeepGraph keep;
         sum(x * x * 1000.0).backward();
         return printed(explain(x, {0}));
     }},
    {"a heat map",
     [](const Folder&) {
         std::ostringstream out;
         print_heat_map(out, records().front());
         return out.str();
     }},
    {"a table of many columns",
     [](const Folder&) {
         terminal::Table table{"", "key", {"row"}, {}, {}};
         table.columns.assign(1234, "column");
         table.cells.assign(1234, {"0.25"});
         std::ostringstream out;
         terminal::print_table(out, table);
         return out.str();
     }},
    {"wrapped prose",
     [](const Folder&) {
         std::ostringstream out;
         terminal::print_wrapped(out, "", "voilà à", 40);  // "à" ends with the byte 0xA0
         return out.str();
     }},
    {"attention as JSON",
     [](const Folder&) { return attention_json(records(), AttentionDetail::everything); }},
    {"an attention page",
     [](const Folder& folder) {
         return written(folder, [](auto& path) { save_attention_page(path, records()); });
     }},
    {"an escaped character", [](const Folder&) { return html_text("\u202E"); }},
    {"a number as JSON", [](const Folder&) { return json_number(-1234567.0625); }},
    {"numbers of JSON",
     [](const Folder&) {
         const Json list = Json::parse("[1234.5, -2e3, -0, 0.1]", "x");
         std::string all;
         for (const Json& number : list.items("x")) {
             all += fixed(number.number("x"), 20) + " ";
         }
         return all;
     }},
    {"a safetensors file",
     [](const Folder& folder) {
         return written(folder, [](auto& path) {
             StateDict state;
             state.add("x", random_tensor({1234}));
             write_safetensors(path, state, {.metadata = {{"by", "İıi"}}});
             state.add("again", read_safetensors(path).at("x"));
             write_safetensors(path, state);
         });
     }},
    {"a file of attention",
     [](const Folder& folder) {
         return written(folder, [](auto& path) {
             save_attention(path, records());
             save_attention(path, load_attention(path));
         });
     }},
    {"a checkpoint",
     [](const Folder& folder) {
         return written(folder, [](auto& path) {
             int step = 1234567;
             double loss = 1234.5;
             Checkpoint run;
             run.add("à", step);
             run.add("loss", loss);
             run.save(path);
             step = 0;
             run.load(path);
             run.save(path);
         });
     }},
    {"a tokenizer.json",
     [](const Folder& folder) {
         return written(folder, [](auto& path) { write_tokenizer_json(path, tokenizer()); });
     }},
    {"vocab.json and merges.txt",
     [](const Folder& folder) {
         write_byte_pairs(folder.file("v"), folder.file("m"), tokenizer());
         return contents(folder.file("v")) + contents(folder.file("m"));
     }},
    {"a loaded tokenizer",
     [](const Folder& folder) {
         write_tokenizer_json(folder.file("tokenizer.json"), tokenizer());
         return printed(IndexTensor(load_tokenizer(folder.path()).encode("İ is in 1.234,5 i")));
     }},
    {"words in lower case",
     [](const Folder&) {
         std::string all;
         const WordTokenizer words({"TITLE It à"}, {.lower_case = true});
         for (std::int64_t id = 0; id < words.size(); ++id) all += words.word(id) + " ";
         return all;
     }},
    {"npy of i8", [](const Folder& folder) { return read_numpy(folder, "<i8"); }},
    {"npy of u8", [](const Folder& folder) { return read_numpy(folder, "<u8"); }},
    {"npy of f8", [](const Folder& folder) { return read_numpy(folder, "<f8"); }},
};

std::vector<std::string> all_texts() {
    std::vector<std::string> texts;
    for (const Case& one : cases) texts.push_back(one.text(Folder()));
    return texts;
}

void check_same(const std::string& name, const std::locale& locale) {
    static const std::vector<std::string> expected = all_texts();
    std::vector<std::string> seen;
    {
        const SetLocale set(locale);
        seen = all_texts();
    }
    for (std::size_t i = 0; i < cases.size(); ++i) {
        INFO(cases[i].name << " under " << name);
        CHECK(seen[i] == expected[i]);
    }
}

}  // namespace

TEST_CASE("a locale that groups digits changes no byte", "[nn][locale]") {
    std::ostringstream plain;
    plain.imbue(grouping());
    plain << 1234 << ' ' << 0.5;
    REQUIRE(plain.str() == "1.234 0,5");
    check_same("a locale that groups digits", grouping());
}

TEST_CASE("the locales of three languages change no byte", "[nn][locale]") {
    for (const std::string language : {"tr_TR", "de_DE", "fa_IR"}) {
        const std::string name = language + ".UTF-8";
        std::optional<std::locale> locale;
        try {
            locale.emplace(name);
        } catch (const std::runtime_error&) {
            std::cout << "skipped in part: needs " << name << " (localedef -i " << language
                      << " -f UTF-8 " << name << ")\n";
        }
        if (locale) check_same(name, *locale);
    }
}
