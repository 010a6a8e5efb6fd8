#include "safetensors.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "../../tensor/views.h"
#include "../text/unicode.h"
#include "json.h"
#include "stored_numbers.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace heed { inline namespace HEED_PRECISION {
namespace {
namespace fs = std::filesystem;

constexpr std::size_t length_bytes = 8, longest_header = 100'000'000;
constexpr const char* metadata_key = "__metadata__";

template <class... Parts>
[[noreturn]] void refuse_file(const std::string& path, const CallSite& site,
                              const Parts&... parts) {
    fail_runtime("safetensors", site, in_quotes(path), ": ", parts...);
}

// Other formats of numbers, by their first bytes.
struct OtherFormat {
    std::string_view begin;
    const char* description;
};
constexpr OtherFormat other_formats[] = {
    {"PK\x03\x04", "a zip file, as NumPy's .npz and PyTorch's .pt are"},
    {"\x93NUMPY", "NumPy's .npy"},
};

std::size_t header_length(const FileBytes& bytes, const std::string& path, const CallSite& site) {
    if (bytes.size() < length_bytes) {
        refuse_file(path, site, "it has ", bytes.size(),
                    " bytes, less than the 8 of the header's length");
    }
    std::uint64_t length = 0;
    for (int i = length_bytes - 1; i >= 0; --i) {
        length = length << 8 | static_cast<std::uint64_t>(bytes.data()[i]);
    }
    if (length > longest_header) {
        for (const OtherFormat& format : other_formats) {
            if (!bytes.text().starts_with(format.begin)) continue;
            refuse_file(path, site, "this is ", format.description,
                        ", which heed does not read; save the numbers as safetensors in Python, "
                        "with safetensors.numpy.save_file() or safetensors.torch.save_file()");
        }
        refuse_file(path, site, "the header's length is ", length, " bytes, over the limit of ",
                    longest_header, "; this is probably not a safetensors file");
    }
    if (length > bytes.size() - length_bytes) {
        refuse_file(path, site, "the header's length is ", length, " bytes, and only ",
                    bytes.size() - length_bytes,
                    " follow; the file is cut off, or not a safetensors file");
    }
    return length;
}

// What is wrong with a tensor of the header.
class HeaderEntry {
  public:
    HeaderEntry(const std::string& path, const std::string& name, const CallSite& site)
        : path_(path), name_(name), site_(site) {}

    StoredTensor stored(const Json& json) const {
        for (const auto& [member, value] : json.members(name_)) {
            if (member != "dtype" && member != "shape" && member != "data_offsets") {
                refuse("has a member ", in_quotes(member),
                       "; there should be dtype, shape and data_offsets");
            }
        }
        StoredTensor stored{name_, json.at("dtype").string("dtype"), shape(json.at("shape")), 0, 0};
        const std::vector<Json>& offsets = json.at("data_offsets").items("data_offsets");
        if (offsets.size() != 2) refuse("has ", offsets.size(), " data_offsets; there must be two");
        stored.begin = size(offsets[0], "data_offsets");
        stored.end = size(offsets[1], "data_offsets");
        if (!is_stored_type(stored.dtype)) {
            refuse("is of type ", in_quotes(stored.dtype),
                   "; F64, F32, F16, BF16, I8 to I64, U8 to U64 and BOOL can be read");
        }
        const std::size_t bytes = stored_bytes(stored.dtype);
        if (stored.end < stored.begin ||
            stored.end - stored.begin != static_cast<std::size_t>(stored.shape.numel()) * bytes) {
            refuse("is ", stored.dtype, " ", stored.shape, " and lies in bytes ", stored.begin,
                   " to ", stored.end, ", which is not its length");
        }
        return stored;
    }

  private:
    template <class... Parts>
    [[noreturn]] void refuse(const Parts&... parts) const {
        refuse_file(path_, site_, in_quotes(name_), " ", parts...);
    }

    std::size_t size(const Json& json, const char* what) const {
        const std::int64_t size = json.whole(what);
        if (size < 0) refuse("has a negative number, ", size, ", in ", what);
        return static_cast<std::size_t>(size);
    }

    Shape shape(const Json& json) const {
        const std::vector<Json>& axes = json.items("shape");
        if (axes.size() > std::size_t{max_rank}) {
            refuse("has ", axes.size(), " axes; a tensor has at most ", max_rank);
        }
        std::vector<std::int64_t> dims;
        std::int64_t numel = 1;
        for (const Json& axis : axes) {
            dims.push_back(static_cast<std::int64_t>(size(axis, "shape")));
            // Without lengths of 0, as a tensor counts.
            const std::int64_t length = std::max(dims.back(), std::int64_t{1});
            if (__builtin_mul_overflow(numel, length, &numel) || numel > INT64_MAX / 16) {
                refuse("has a shape with more numbers than memory can hold");
            }
        }
        return Shape(Dims(dims, site_), site_);
    }

    const std::string &path_, &name_;
    const CallSite& site_;
};

const char* name_of(StoredType type) {
    constexpr const char* names[] = {"F32", "F64", "F16", "BF16"};
    return names[static_cast<int>(type)];
}

// A name that a reader would not find again.
void check_name(const std::string& path, const std::string& name, const CallSite& site) {
    const bool is_text = is_utf8(name);
    if (is_text && name != metadata_key) return;
    refuse_file(path, site, in_quotes(name), " cannot be a tensor's name in a file",
                is_text ? "" : ": it is not UTF-8");
}

void check_metadata(const std::string& path, const std::map<std::string, std::string>& metadata,
                    const CallSite& site) {
    for (const auto& [key, value] : metadata) {
        if (!is_utf8(key)) {
            refuse_file(path, site, in_quotes(key),
                        " cannot be a key of the metadata: it is not UTF-8");
        }
        if (!is_utf8(value)) {
            refuse_file(path, site, in_quotes(value), ", the metadata of ", in_quotes(key),
                        ", cannot be written: it is not UTF-8");
        }
    }
}

std::string header_of(const StateDict& state, const std::string& dtype,
                      const SafetensorsOptions& options) {
    std::string header = "{", comma;
    if (!options.metadata.empty()) {
        std::string between;
        header += json_string(metadata_key) + ":{";
        for (const auto& [name, value] : options.metadata) {
            header += between + json_string(name) + ":" + json_string(value);
            between = ",";
        }
        header += "}";
        comma = ",";
    }
    std::size_t begin = 0;
    for (const StateDict::Entry& entry : state) {
        const std::size_t end =
            begin + static_cast<std::size_t>(entry.value.numel()) * stored_bytes(dtype);
        std::string dims;
        for (int axis = 0; axis < entry.value.rank(); ++axis) {
            dims += (axis > 0 ? "," : "") + std::to_string(entry.value.dim(axis));
        }
        header += text(comma, json_string(entry.name), ":{\"dtype\":\"", dtype, "\",\"shape\":[",
                       dims, "],\"data_offsets\":[", begin, ",", end, "]}");
        begin = end;
        comma = ",";
    }
    header += "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');  // so that the numbers begin aligned
    return header;
}

}  // namespace

Safetensors::Safetensors(const std::string& path, CallSite site) : path_(path), bytes_(path, site) {
    const std::size_t length = header_length(bytes_, path, site);
    data_ = length_bytes + length;
    read_header(bytes_.text().substr(length_bytes, length), site);
    std::stable_sort(tensors_.begin(), tensors_.end(),
                     [](const StoredTensor& a, const StoredTensor& b) {
                         return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
                     });
    check_places(site);
}

void Safetensors::read_header(std::string_view header, const CallSite& site) {
    if (header.substr(0, 1) != "{") refuse_file(path_, site, "the header does not begin with {");
    const Json json = Json::parse(header, path_, site);
    for (const auto& [name, value] : json.members("the header")) {
        if (name != metadata_key) {
            tensors_.push_back(HeaderEntry(path_, name, site).stored(value));
            continue;
        }
        for (const auto& [key, text] : value.members(metadata_key)) {
            metadata_[key] = text.string(key);
        }
    }
}

void Safetensors::check_places(const CallSite& site) const {
    const std::size_t size = bytes_.size() - data_;
    std::size_t before = 0;
    for (const StoredTensor& stored : tensors_) {
        if (stored.end > size) {
            refuse_file(path_, site, in_quotes(stored.name), " ends at byte ", stored.end, " of ",
                        size, "; the file is cut off");
        }
        if (stored.begin != before) {
            refuse_file(path_, site, in_quotes(stored.name), " begins at byte ", stored.begin,
                        stored.begin < before ? ", inside the tensor before it, which ends at "
                                              : ", after a hole: what is before it ends at ",
                        before);
        }
        before = stored.end;
    }
    if (before != size) {
        refuse_file(path_, site, "the last tensor ends at byte ", before, " of ", size,
                    "; nothing says what the rest is");
    }
}

Tensor Safetensors::read(const StoredTensor& stored) const {
    const std::shared_ptr<std::byte> from(bytes_.owner(), bytes_.data() + data_ + stored.begin);
    return stored_tensor(stored.dtype, from, stored.shape);
}

namespace {
void add_all(const Safetensors& file, StateDict& state, const CallSite& site) {
    for (const StoredTensor& stored : file.tensors()) {
        state.add_shared(stored.name, file.read(stored), site);
    }
}

// The file of each name, from an index.
std::map<std::string, std::string> file_of_each(const std::string& path, const CallSite& site) {
    const FileBytes bytes(path, site);
    if (bytes.size() > longest_header) {
        refuse_file(path, site, "it has ", bytes.size(), " bytes, over the limit of ",
                    longest_header);
    }
    std::map<std::string, std::string> file_of;
    const Json index = Json::parse(bytes.text(), path, site);
    for (const auto& [name, file] : index.at("weight_map").members("weight_map")) {
        const std::string& shard = file.string(name);
        if (shard.empty() || fs::path(shard).filename() != shard || shard == "..") {
            refuse_file(path, site, in_quotes(name), " is in ", in_quotes(shard),
                        "; a file of the same folder must be named");
        }
        file_of[name] = shard;
    }
    return file_of;
}

}  // namespace

StateDict read_safetensors(const std::string& path, CallSite site) {
    StateDict state;
    if (fs::path(path).extension() != ".json") {
        add_all(Safetensors(path, site), state, site);
        return state;
    }
    const std::map<std::string, std::string> file_of = file_of_each(path, site);
    std::set<std::string> files;
    for (const auto& [name, file] : file_of) files.insert(file);
    for (const std::string& file : files) {
        const Safetensors shard((fs::path(path).parent_path() / file).string(), site);
        for (const StoredTensor& stored : shard.tensors()) {
            const auto listed = file_of.find(stored.name);
            if (listed == file_of.end() || listed->second != file) {
                refuse_file(path, site, in_quotes(stored.name), " is in ", in_quotes(file),
                            ", and the index does not say so");
            }
        }
        add_all(shard, state, site);
    }
    for (const auto& [name, file] : file_of) {
        if (!state.contains(name)) {
            refuse_file(path, site, in_quotes(name), " should be in ", in_quotes(file),
                        ", and is not");
        }
    }
    return state;
}

void write_safetensors(const std::string& path, const StateDict& state,
                       const SafetensorsOptions& options, CallSite site) {
    check_enum("write_safetensors", "type", options.type, StoredType::bf16, site);
    for (const StateDict::Entry& entry : state) check_name(path, entry.name, site);
    check_metadata(path, options.metadata, site);
    const std::string dtype = name_of(options.type);
    const std::string header = header_of(state, dtype, options);
    if (header.size() > longest_header) {
        refuse_file(path, site, "its header would have ", header.size(),
                    " bytes, over the limit of ", longest_header);
    }
    const auto write = [&](const WriteBytes& append) {
        std::byte length[length_bytes];
        for (std::size_t i = 0; i < length_bytes; ++i) {
            length[i] = static_cast<std::byte>(header.size() >> 8 * i & 0xFF);
        }
        append(length, length_bytes);
        append(header.data(), header.size());
        constexpr std::int64_t most_at_once = 1 << 16;
        std::vector<std::byte> bytes;
        for (const StateDict::Entry& entry : state) {
            const Tensor numbers = tensor::contiguous(entry.value);
            for (std::int64_t at = 0; at < numbers.numel(); at += most_at_once) {
                const std::int64_t n = std::min(most_at_once, numbers.numel() - at);
                bytes.resize(static_cast<std::size_t>(n) * stored_bytes(dtype));
                write_stored(dtype, numbers.data() + at, n, bytes.data());
                append(bytes.data(), bytes.size());
            }
        }
    };
    write_whole(path, write, site);
}

}}  // namespace heed
