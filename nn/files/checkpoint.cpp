// The file of a checkpoint: its parts' tensors and words, which part is whose, and that nothing is
// set before all of it fits.
#include "checkpoint.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "../../tensor/views.h"
#include "../problems.h"

#include <algorithm>
#include <charconv>
#include <locale>
#include <sstream>
#include <utility>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// The metadata that makes a file a checkpoint: "model:network step:integer", and "float".
const char* const parts_key = "heed.checkpoint";
const char* const precision_key = "heed.precision";
const char* const own_precision = sizeof(Scalar) == sizeof(float) ? "float" : "double";

// 64 bits as 16 hexadecimal digits, with a blank between words: exact, and the same everywhere.
std::string hexadecimal(const std::vector<std::uint64_t>& words) {
    std::string digits;
    for (const std::uint64_t word : words) {
        if (!digits.empty()) digits += " ";
        for (int bit = 60; bit >= 0; bit -= 4) digits += "0123456789abcdef"[word >> bit & 15];
    }
    return digits;
}

// Nothing if it is not what hexadecimal() writes.
std::optional<std::vector<std::uint64_t>> words_of(const std::string& digits) {
    std::vector<std::uint64_t> words;
    for (std::size_t at = 0; at < digits.size(); at += 17) {
        const char* const begin = digits.data() + at;
        const std::size_t left = digits.size() - at;
        words.push_back(0);
        std::from_chars(begin, begin + (left < 16 ? left : 16), words.back(), 16);
    }
    if (hexadecimal(words) != digits) return std::nullopt;
    return words;
}

using Metadata = std::map<std::string, std::string>;

// The kind of each part: {"model", "network"}.
Metadata kinds_of(const Metadata& metadata) {
    Metadata kinds;
    const auto found = metadata.find(parts_key);
    std::istringstream parts(found == metadata.end() ? "" : found->second);
    parts.imbue(std::locale::classic());
    for (std::string part; parts >> part;) {
        const std::size_t colon = part.find(':');
        if (colon != part.npos) kinds[part.substr(0, colon)] = part.substr(colon + 1);
    }
    return kinds;
}

// "model.fc.weight" -> "model" and "fc.weight"; "step" -> "step" and "".
std::pair<std::string, std::string> split(const std::string& name) {
    const std::size_t dot = name.find('.');
    if (dot == name.npos) return {name, ""};
    return {name.substr(0, dot), name.substr(dot + 1)};
}

template <class... Parts>
[[noreturn]] void refuse(const std::string& path, const CallSite& site, const Parts&... parts) {
    fail_runtime("Checkpoint", site, in_quotes(path), ": ", parts...);
}

void check_written(const std::string& path, const std::string& name, const std::string& kind,
                   const Tensor& numbers, const CallSite& site) {
    const Tensor entries = tensor::contiguous(numbers);
    const Scalar *const begin = entries.data(), *const end = begin + entries.numel();
    const bool may_be_infinite = kind == "network";  // as load() takes it
    const Scalar* const wrong = std::find_if(begin, end, [may_be_infinite](Scalar entry) {
        return entry != entry || (!may_be_infinite && !__builtin_isfinite(entry));
    });
    if (wrong == end) return;
    refuse(path, site, in_quotes(name),
           *wrong != *wrong ? " holds NaN" : " holds an infinite number",
           ", and nothing was written; the file is as it was");
}

}  // namespace

bool Checkpoint::has(const std::string& name) const {
    return std::any_of(parts_.begin(), parts_.end(),
                       [&name](const Part& part) { return part.name == name; });
}

void Checkpoint::add_part(const Part& part, const CallSite& site) {
    if (part.name.empty() || part.name.find_first_of(".: \t\n") != std::string::npos) {
        fail_argument("Checkpoint", site, in_quotes(part.name),
                      " cannot be a part's name: it must not be empty, or contain a dot, a colon "
                      "or white space");
    }
    if (part.name == split(parts_key).first) {
        fail_argument("Checkpoint", site, in_quotes(part.name),
                      " is taken, by what says that the file is a checkpoint");
    }
    if (has(part.name)) {
        fail_argument("Checkpoint", site, in_quotes(part.name), " was added already");
    }
    parts_.push_back(part);
}

void Checkpoint::save(const std::string& path, CallSite site) const {
    StateDict state;
    SafetensorsOptions options;
    std::string kinds;
    for (const Part& part : parts_) {
        const Contents contents = part.contents(site);
        for (const auto& [name, numbers] : contents.tensors) {
            check_written(path, part.name + "." + name, part.kind, numbers, site);
            state.add_shared(part.name + "." + name, numbers, site);
        }
        for (const auto& [key, words] : contents.words) {
            options.metadata[part.name + (key.empty() ? "" : ".") + key] = hexadecimal(words);
        }
        kinds += (kinds.empty() ? "" : " ") + part.name + ":" + part.kind;
    }
    options.metadata[parts_key] = kinds;
    options.metadata[precision_key] = own_precision;
    write_safetensors(path, state, options, site);
}

void Checkpoint::load(const std::string& path, CallSite site) {
    std::map<std::string, Contents> contents = read(path, site);
    std::vector<std::function<void()>> setters;
    for (const Part& part : parts_) setters.push_back(part.checked(contents[part.name], site));
    for (const std::function<void()>& set : setters) set();
}

std::map<std::string, Checkpoint::Contents> Checkpoint::read(const std::string& path,
                                                             const CallSite& site) const {
    const Safetensors file(path, site);
    if (file.metadata().count(parts_key) == 0) {
        refuse(path, site, "this is not a checkpoint; load(path, network) reads a network alone");
    }
    check_parts(kinds_of(file.metadata()), path, site);
    std::map<std::string, Contents> contents;
    for (const StoredTensor& stored : file.tensors()) {
        const auto [part, name] = split(stored.name);
        contents[part].tensors.add_shared(name, file.read(stored), site);
    }
    for (const auto& [key, digits] : file.metadata()) {
        const auto [part, name] = split(key);
        if (key == parts_key) continue;
        if (key == precision_key) {
            if (digits == own_precision) continue;
            refuse(path, site, "it was written by a program that computes in ", printable(digits),
                   "; this one computes in ", own_precision,
                   ", and would not go on with the same bits");
        }
        const std::optional<Words> words = words_of(digits);
        if (!words) refuse(path, site, in_quotes(key), " is not words of 16 hexadecimal digits");
        contents[part].words[name] = *words;
    }
    for (const auto& [part, unused] : contents) {
        if (!has(part)) refuse(path, site, "no part is called ", in_quotes(part));
    }
    return contents;
}

// The parts must be the same, of the same kinds; in any order.
void Checkpoint::check_parts(const Metadata& kinds, const std::string& path,
                             const CallSite& site) const {
    Problems problems;
    for (const Part& part : parts_) {
        const auto found = kinds.find(part.name);
        if (found != kinds.end() && found->second == part.kind) continue;
        if (found == kinds.end()) {
            problems.add("not in the file: ", in_quotes(part.name));
        } else {
            problems.add("of another kind: ", in_quotes(part.name), " is ", part.kind, " here, ",
                         printable(found->second), " in the file");
        }
    }
    for (const auto& [name, kind] : kinds) {
        if (!has(name)) problems.add("not added here: ", in_quotes(name), ", ", printable(kind));
    }
    const std::string all = problems.text("do not fit");
    if (!all.empty()) refuse(path, site, "it has other parts, and nothing was loaded", all);
}

std::optional<StateDict> network_of(const std::string& path, CallSite site) {
    const Safetensors file(path, site);
    if (file.metadata().count(parts_key) == 0) return std::nullopt;
    std::vector<std::string> networks;
    for (const auto& [name, kind] : kinds_of(file.metadata())) {
        if (kind == "network") networks.push_back(name);
    }
    if (networks.size() != 1) {
        refuse(path, site, "this is a checkpoint of ", networks.size(),
               " networks; one can be loaded alone only if there is one");
    }
    StateDict state;
    for (const StoredTensor& stored : file.tensors()) {
        const auto [part, name] = split(stored.name);
        if (part == networks[0]) state.add_shared(name, file.read(stored), site);
    }
    return state;
}

}}  // namespace heed
