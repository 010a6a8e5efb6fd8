// Broken files by the million: every reader of nn/files/ is given files that were valid once, each
// changed at a few places. It must read or refuse them, in words, with nothing changed; a crash, an
// endless loop or a huge allocation ends the program and leaves the file. Built on request, for the
// sanitizers:
//     cmake --build --preset asan --target fuzz_files
//     build/asan/tests/nn/fuzz_files --files 1000000 --seed 1
//     build/asan/tests/nn/fuzz_files --only json --from 4711 --files 1      one of them again
//     build/asan/tests/nn/fuzz_files --read json FILE                      a file as it is
#include "nn/files/checkpoint.h"
#include "nn/files/json.h"
#include "nn/files/save.h"
#include "nn/heed.h"
#include "tests/nn/files/folder.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <string>
#include <vector>

#include <unistd.h>

// Read by the address sanitizer: no file is larger than a few thousand bytes, so no reader may ask
// for more than this at once.
extern "C" const char* __asan_default_options() { return "max_allocation_size_mb=64"; }

using namespace heed;

namespace {

constexpr unsigned longest_seconds = 20;

[[noreturn]] void fail(const std::string& problem) {
    std::fprintf(stderr, "fuzz_files: %s\n", problem.c_str());
    std::abort();
}

// --- Mutations -----------------------------------------------------------------------------------

const std::vector<std::string> pieces = {"\"",
                                         "\\",
                                         "{",
                                         "}",
                                         "[",
                                         "]",
                                         ",",
                                         ":",
                                         "'",
                                         "\\u0000",
                                         "\\ud800",
                                         "\\udc00",
                                         "\xFF",
                                         "\xC0\x80",
                                         "null",
                                         "true",
                                         "-0",
                                         "1e999",
                                         "-1e999",
                                         "1e-999",
                                         "1.5",
                                         "9223372036854775807",
                                         "9223372036854775808",
                                         "18446744073709551615",
                                         "-1",
                                         "0",
                                         "00",
                                         "4294967296",
                                         "NaN",
                                         "__metadata__",
                                         "\"dtype\":\"F16\"",
                                         "\"dtype\":\"BOOL\"",
                                         "\"shape\":[]",
                                         "\"shape\":[0]",
                                         "\"data_offsets\":[0,0]",
                                         "\"data_offsets\":[8,4]",
                                         "F64",
                                         "BF16",
                                         "I8",
                                         "weight_map",
                                         "../",
                                         "heed.checkpoint",
                                         "heed.precision",
                                         "network",
                                         "optimizer",
                                         "7ff8000000000000",
                                         "7ff0000000000000",
                                         "ffffffffffffffff",
                                         "[[[[[[[[[[[[[[[[",
                                         "{\"a\":{\"a\":{\"a\":"};

struct Mutator {
    Random& random;

    std::size_t below(std::size_t n) {
        return static_cast<std::size_t>(random.below(static_cast<std::int64_t>(n)));
    }

    // Of a little-endian number somewhere, another.
    void number(std::string& bytes) {
        const std::size_t size = std::size_t{1} << below(4);
        if (bytes.size() < size) return;
        const std::size_t at = below(bytes.size() - size + 1);
        const std::uint64_t values[] = {0,
                                        1,
                                        2,
                                        0x7F,
                                        0xFF,
                                        0xFFFF,
                                        0x7FFF,
                                        1u << 31,
                                        0xFFFFFFFF,
                                        bytes.size(),
                                        ~std::uint64_t{0},
                                        ~std::uint64_t{0} >> 1,
                                        bytes.size() - 1};
        const std::uint64_t value = values[below(std::size(values))];
        std::memcpy(bytes.data() + at, &value, size);
    }

    // Of a decimal number somewhere, another.
    void decimal(std::string& bytes) {
        std::size_t begin = bytes.find_first_of("0123456789", below(bytes.size() + 1));
        if (begin == bytes.npos) return;
        const std::size_t end =
            std::min(bytes.find_first_not_of("0123456789", begin), bytes.size());
        const std::string old = bytes.substr(begin, end - begin);
        const std::uint64_t value = std::strtoull(old.c_str(), nullptr, 10);
        const std::string values[] = {"0",
                                      "-1",
                                      std::to_string(value + 1),
                                      std::to_string(value - 1),
                                      std::to_string(value * 2),
                                      std::to_string(value / 2),
                                      pieces[below(pieces.size())],
                                      "4611686018427387904"};
        bytes.replace(begin, end - begin, values[below(std::size(values))]);
    }

    void once(std::string& bytes, const std::string& other) {
        const std::size_t at = below(bytes.size() + 1);
        const std::size_t length =
            below(std::min(bytes.size() - at, std::size_t{1} << below(9)) + 1);
        switch (below(11)) {
        case 0:
            bytes.resize(at);
            break;
        case 1:
            bytes.erase(at, length);
            break;
        case 2:
            bytes.insert(at, bytes.substr(below(bytes.size() + 1), length));
            break;
        case 3:
            bytes.insert(at, pieces[below(pieces.size())]);
            break;
        case 4: {
            const std::string& piece = pieces[below(pieces.size())];
            bytes.replace(at, std::min(piece.size(), bytes.size() - at), piece);
            break;
        }
        case 5:
            number(bytes);
            break;
        case 6:
        case 7:
            decimal(bytes);
            break;
        case 8:
            bytes = bytes.substr(0, at) + other.substr(std::min(at, other.size()));
            break;
        case 9:
            bytes.insert(at, std::string(length, static_cast<char>(below(256))));
            break;
        default:
            if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        }
    }

    std::string mutated(const std::vector<std::string>& seeds) {
        std::string bytes = seeds[below(seeds.size())];
        const std::string& other = seeds[below(seeds.size())];
        const std::size_t times = 1 + below(1 + below(6));  // often one
        for (std::size_t i = 0; i < times; ++i) once(bytes, other);
        if (bytes.size() > 100'000) bytes.resize(100'000);
        return bytes;
    }
};

// Of a safetensors file the header says how long it is; or else most changes would end there.
std::string with_right_length(const std::string& bytes) {
    const std::size_t begin = std::min<std::size_t>(8, bytes.size());
    const std::size_t end = bytes.rfind('}') + 1;
    const std::size_t length = end > begin ? end - begin : 0;
    std::string fixed = bytes;
    for (std::size_t i = 0; i < begin; ++i) fixed[i] = static_cast<char>(length >> 8 * i & 0xFF);
    return fixed;
}

// --- What reads the files ------------------------------------------------------------------------

double touched;  // the sum of all that was read, so that it was

void touch(const Tensor& x) {
    for (const Scalar number : x.to_vector()) touched += static_cast<double>(number);
}

void touch(const StateDict& state) {
    for (const StateDict::Entry& entry : state) touch(entry.value);
}

std::string bits_of(const StateDict& state) {
    std::string bits;
    for (const StateDict::Entry& entry : state) {
        const std::vector<Scalar> numbers = entry.value.to_vector();
        bits.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Scalar));
    }
    return bits;
}

// A run with every kind of part.
struct Run {
    Run()
        : random(1), model{Linear(3, 4, random), Dropout(0.5, random), Linear(4, 2, random)},
          adam(parameters(model)), batches({1, 2, 3, 4, 5}, 2, random) {
        checkpoint.add("model", model);
        checkpoint.add("adam", adam);
        checkpoint.add("random", random);
        checkpoint.add("batches", batches);
        checkpoint.add("average", average);
        checkpoint.add("step", step);
        checkpoint.add("count", count);
        checkpoint.add("best", best);
        checkpoint.add("losses", losses);
    }
    Run(const Run&) = delete;

    void train() {
        batches.next();
        mean(model(Variable(tensor::ones({2, 3})))).backward();
        adam.step();
        average.add(++step);
        losses.push_back(best);
    }

    std::string bits() const {
        std::string bits = bits_of(state_dict(model)) + bits_of(adam.state());
        const auto add = [&bits](const auto& value) {
            bits.append(reinterpret_cast<const char*>(&value), sizeof(value));
        };
        add(random.state());
        add(batches.state().generator);
        add(batches.state().epoch);
        add(batches.state().batch);
        add(average.state().m);
        add(average.state().beta_to_t);
        add(adam.lr());
        add(step);
        add(count);
        add(best);
        for (const double loss : losses) add(loss);
        return bits;
    }

    Random random;
    Sequential model;
    Adam adam;
    BatchStream batches;
    ExponentialAverage average;
    std::int64_t step = 0;
    int count = 3;
    double best = 0.5;
    std::vector<double> losses;
    Checkpoint checkpoint;
};

void walk(const Json& json) {
    if (json.is_array()) {
        for (const Json& item : json.items("it")) walk(item);
    } else if (json.is_object()) {
        for (const auto& [name, value] : json.members("it")) {
            if (json.find(name) != &value) fail("a member is not found by its name");
            walk(value);
        }
    } else if (json.is_string()) {
        const std::string& string = json.string("it");
        if (Json::parse(json_string(string), "again").string("it") != string) {
            fail("a string does not come back from json_string()");
        }
    } else if (!json.is_null()) {
        try {
            touched += json.number("it");
        } catch (const std::runtime_error&) {
            touched += json.boolean("it");
        }
    }
}

class Target {
  public:
    explicit Target(const Folder& folder) : folder_(folder) {}

    void read(const std::string& format, const std::string& bytes) {
        if (format == "json") return walk(Json::parse(bytes, "a.json"));
        const std::string path = folder_.file(format == "index" ? "index.json" : format);
        write(path, bytes);
        if (format == "checkpoint") {
            load_whole([&] { run_.checkpoint.load(path); });
        } else {
            touch(read_safetensors(path));
            load_whole([&] { load(path, run_.model); });
        }
    }

    // Valid files of each format.
    std::vector<std::string> seeds(const std::string& format) {
        if (format == "json") {
            return {
                R"( {"a": [1, -2.5e3, true, false, null, [], {}], "b": {"c": "x\n\u00e9\ud83d\ude00"}} )",
                "[0, -0, 1E+2, 123456789012345678901234567890]", "\"\"", "\xEF\xBB\xBFnull"};
        }
        const std::string path = folder_.file("seed");
        if (format == "checkpoint") {
            Run run;
            run.checkpoint.save(path);
            std::vector<std::string> files = {contents(path)};
            for (int i = 0; i < 4; ++i) run.train();
            run.checkpoint.save(path);
            files.push_back(contents(path));
            return files;
        }
        std::vector<std::string> files;
        for (const StoredType type :
             {StoredType::f32, StoredType::f64, StoredType::f16, StoredType::bf16}) {
            Run run;
            run.train();
            save(path, run.model, {.type = type, .metadata = {{"by", "heed"}, {"\"\n", "\\"}}});
            files.push_back(contents(path));
        }
        if (format == "safetensors") {
            StateDict odd;
            odd.add("", tensor::full({}, 3));
            odd.add("none", tensor::zeros({2, 0, 3}));
            odd.add("\u00fc\"\\", tensor::zeros({1, 1, 1, 1, 1, 1, 1, 2}));
            write_safetensors(path, odd);
            files.push_back(contents(path));
            return files;
        }
        // An index, whose shards stay as they are.
        std::string map, comma;
        for (const StateDict::Entry& entry : state_dict(run_.model)) {
            StateDict one;
            one.add(entry.name, entry.value);
            write_safetensors(folder_.file("shard" + entry.name), one);
            map += comma + json_string(entry.name) + ":" + json_string("shard" + entry.name);
            comma = ",";
        }
        return {"{\"metadata\":{\"total_size\":104},\"weight_map\":{" + map + "}}"};
    }

  private:
    // All or nothing.
    template <class Load>
    void load_whole(const Load& load) {
        const std::string before = run_.bits();
        try {
            load();
        } catch (const std::exception&) {
            if (run_.bits() != before) fail("a refused file changed something");
            throw;
        }
        for (const StateDict::Entry& entry : state_dict(run_.model)) {
            if (tensor::is_nan(entry.value).any()) fail("NaN was loaded");
        }
    }

    const Folder& folder_;
    Run run_;
};

// An error that a reader may throw: it says where the caller was, is text, and not endless.
void check_words(const std::string& message) {
    if (message.find("\n  at fuzz_files.cpp") == message.npos) fail("no line: " + message);
    if (message.size() > 20'000) fail("a message of " + std::to_string(message.size()) + " bytes");
    for (const char c : message) {
        if (static_cast<unsigned char>(c) < 0x20 && c != '\n')
            fail("a control character: " + message);
    }
}

struct Count {
    std::int64_t read = 0, refused = 0;
    double slowest = 0;
};

void read_one(Target& target, const std::string& format, const std::string& bytes, Count& count) {
    ::alarm(longest_seconds);
    const auto start = std::chrono::steady_clock::now();
    try {
        target.read(format, bytes);
        ++count.read;
    } catch (const std::runtime_error& error) {
        check_words(error.what());
        ++count.refused;
    } catch (const std::invalid_argument& error) {
        check_words(error.what());
        ++count.refused;
    } catch (const std::exception& error) {
        fail(std::string("an error of another kind: ") + error.what());
    }
    ::alarm(0);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    count.slowest = std::max(count.slowest, took.count());
}

}  // namespace

int main(int argc, char** argv) {
    std::map<std::string, std::string> options = {{"--files", "10000"},
                                                  {"--from", "0"},
                                                  {"--seed", "1"},
                                                  {"--only", ""},
                                                  {"--seconds", "1e9"}};
    const Folder folder;
    Target target(folder);
    if (argc == 4 && std::string(argv[1]) == "--read") {
        target.seeds(argv[2]);
        target.read(argv[2], contents(argv[3]));
        return 0;
    }
    for (int i = 1; i + 1 < argc; i += 2) {
        if (options.count(argv[i]) == 0) fail(std::string("no option ") + argv[i]);
        options[argv[i]] = argv[i + 1];
    }
    const std::int64_t from = std::stoll(options["--from"]), files = std::stoll(options["--files"]);
    const std::uint64_t seed = std::stoull(options["--seed"]);
    const double seconds = std::stod(options["--seconds"]);

    std::vector<std::string> formats = {"safetensors", "checkpoint", "index", "json"};
    if (!options["--only"].empty()) formats = {options["--only"]};
    std::map<std::string, std::vector<std::string>> seeds;
    std::map<std::string, Count> counts;
    for (const std::string& format : formats) {
        seeds[format] = target.seeds(format);
        Count unchanged;
        for (const std::string& bytes : seeds[format]) read_one(target, format, bytes, unchanged);
    }
    std::printf("each file is written to %s before it is read\n", folder.file("mutated").c_str());
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t i = from; i < from + files; ++i) {
        const std::string& format = formats[static_cast<std::size_t>(i) % formats.size()];
        Random random(seed * 1'000'003 + static_cast<std::uint64_t>(i));
        Mutator mutator{random};
        std::string bytes = mutator.mutated(seeds[format]);
        const bool has_length = format == "safetensors" || format == "checkpoint";
        if (has_length && mutator.below(4) > 0) bytes = with_right_length(bytes);
        write(folder.file("mutated"), bytes);
        read_one(target, format, bytes, counts[format]);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        if (took.count() > seconds) break;
    }
    std::int64_t all = 0;
    for (const auto& [format, count] : counts) {
        std::printf("%-12s %9lld read, %9lld refused, the slowest in %.1f ms\n", format.c_str(),
                    static_cast<long long>(count.read), static_cast<long long>(count.refused),
                    1e3 * count.slowest);
        all += count.read + count.refused;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::printf("%lld files in %.0f s\n", static_cast<long long>(all), took.count());
}
