#include "npy.h"

#include "../../tensor/errors.h"
#include "../../tensor/ops/index.h"
#include "../../tensor/quote.h"
#include "stored_numbers.h"
#include "zip.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// What the beginning of a .npy file says of the numbers after it.
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html)
struct NpyHeader {
    std::string dtype;   // as NumPy writes it: "<f4"
    char kind;           // its letter: f, i, u, or b for true and false
    std::size_t bytes;   // of a number
    const char* stored;  // the type's name in stored_numbers.h: "F32"
    bool is_big_endian;
    bool is_fortran;  // the first axis varies fastest
    Shape shape;
    std::size_t length;  // of the header

    std::size_t file_size() const {
        return length + static_cast<std::size_t>(shape.numel()) * bytes;
    }
};

// NumPy's own limit, without the first 12 bytes. (The headers of arrays of numbers have about 100.)
constexpr std::size_t longest_npy_header = 10'000;

// Throws the errors of one file.
struct Refusal {
    const std::string& name;
    const CallSite& site;

    template <class... Parts>
    [[noreturn]] void operator()(const Parts&... parts) const {
        fail_runtime("npy", site, name, ": ", parts...);
    }
};

// {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }: a dict as Python writes it, of
// these three names.
class HeaderText {
  public:
    HeaderText(std::string_view its_text, const Refusal& its_refusal)
        : text_(its_text), refuse_(its_refusal) {}

    void read() {
        expect("{");
        while (!takes("}")) {
            member(string());
            if (!takes(",")) {
                expect("}");
                break;
            }
        }
        skip_blanks();
        if (at_ < text_.size()) fail("something follows the header's }");
        if (!descr) refuse_("its header has no 'descr'");
        if (!is_fortran) refuse_("its header has no 'fortran_order'");
        if (!shape) refuse_("its header has no 'shape'");
    }

    std::optional<std::string> descr;
    std::optional<bool> is_fortran;
    std::optional<std::vector<std::int64_t>> shape;

  private:
    void member(const std::string& name) {
        expect(":");
        const bool is_there = (name == "descr" && descr) || (name == "shape" && shape) ||
                              (name == "fortran_order" && is_fortran);
        if (is_there) fail("'" + name + "' is there already");
        if (name == "descr") {
            if (sees("[") || sees("(")) {
                refuse_("it holds records of several fields; arrays of numbers can be read");
            }
            descr = string();
        } else if (name == "fortran_order") {
            is_fortran = takes("True");
            if (!*is_fortran) expect("False");
        } else if (name == "shape") {
            shape = tuple();
        } else {
            fail("a header has no member " + in_quotes(name));
        }
    }

    std::string string() {
        skip_blanks();
        const char quote = at_ < text_.size() ? text_[at_] : ' ';
        const std::size_t end = text_.find(quote, at_ + 1);
        if ((quote != '\'' && quote != '"') || end == text_.npos) fail("a string must be here");
        const std::string string(text_.substr(at_ + 1, end - at_ - 1));
        if (string.find('\\') != string.npos) fail("a string with a backslash is not read");
        at_ = end + 1;
        return string;
    }

    std::vector<std::int64_t> tuple() {
        std::vector<std::int64_t> numbers;
        expect("(");
        while (!takes(")")) {
            numbers.push_back(whole());
            if (takes(",")) continue;
            if (numbers.size() == 1) fail("a comma must be here: (n) is not a tuple");
            expect(")");
            break;
        }
        return numbers;
    }

    std::int64_t whole() {
        skip_blanks();
        std::int64_t number = 0;
        const char* const begin = text_.data() + at_;
        const auto [end, problem] = std::from_chars(begin, text_.data() + text_.size(), number);
        if (problem != std::errc() || number < 0) fail("a length of 0 to 2^63 - 1 must be here");
        at_ += static_cast<std::size_t>(end - begin);
        if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // as Python 2 wrote it
        return number;
    }

    void skip_blanks() {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) {
            ++at_;
        }
    }

    bool sees(std::string_view word) {
        skip_blanks();
        return text_.substr(at_, word.size()) == word;
    }

    bool takes(std::string_view word) {
        if (!sees(word)) return false;
        at_ += word.size();
        return true;
    }

    void expect(const std::string& word) {
        if (!takes(word)) fail(word + " must be here");
    }

    [[noreturn]] void fail(const std::string& problem) const {
        refuse_("its header, at character ", at_ + 1, ": ", problem);
    }

    std::string_view text_;
    const Refusal& refuse_;
    std::size_t at_ = 0;
};

// The types that are read, by their names in the header and in stored_numbers.h.
struct NpyType {
    std::string_view name;
    const char* stored;
};
constexpr NpyType npy_types[] = {
    {"f2", "F16"}, {"f4", "F32"}, {"f8", "F64"}, {"i1", "I8"},  {"i2", "I16"}, {"i4", "I32"},
    {"i8", "I64"}, {"u1", "U8"},  {"u2", "U16"}, {"u4", "U32"}, {"u8", "U64"}, {"b1", "BOOL"},
};

// Names of the unsupported types.
struct Foreign {
    char kind;
    const char* what;
};
constexpr Foreign foreign[] = {
    {'O', "Python objects, pickled, and to read those is to run them"},
    {'c', "complex numbers"},
    {'U', "strings"},
    {'S', "strings"},
    {'a', "strings"},
    {'V', "raw bytes or records"},
    {'M', "dates or times"},
    {'m', "dates or times"},
};

// "<f4": the order of the bytes, the kind, and how many bytes.
void read_type(const std::string& dtype, NpyHeader& header, const Refusal& refuse) {
    const bool is_type = dtype.size() >= 2 && std::string_view("<>|=").find(dtype[0]) < 4;
    header.dtype = dtype;
    header.kind = is_type ? dtype[1] : '?';
    header.bytes = dtype.size() == 3 && is_type ? static_cast<std::size_t>(dtype[2] - '0') : 0;
    // Without an order it is that of the machine.
    header.is_big_endian = is_type && dtype[0] == '>';
    if (is_type && dtype[0] != '<' && std::endian::native == std::endian::big) {
        header.is_big_endian = true;
    }
    for (const NpyType& known : npy_types) {
        if (!is_type || dtype.substr(1) != known.name) continue;
        header.stored = known.stored;
        return;
    }
    const char* what = "numbers of a type that is not read";
    for (const Foreign& one : foreign) {
        if (one.kind == header.kind) what = one.what;
    }
    refuse("it holds ", what, " (", in_quotes(dtype),
           "); f2, f4, f8, i1 to i8, u1 to u8 and b1 can be read");
}

Shape shape_of(const std::vector<std::int64_t>& dims, std::size_t bytes, const Refusal& refuse) {
    if (dims.size() > std::size_t{max_rank}) {
        refuse("it has ", dims.size(), " axes; a tensor has at most ", max_rank);
    }
    // Counted without lengths of 0, as a tensor has them to be.
    std::int64_t size = static_cast<std::int64_t>(bytes > sizeof(Scalar) ? bytes : sizeof(Scalar));
    for (const std::int64_t length : dims) {
        if (length == 0) continue;
        if (__builtin_mul_overflow(size, length, &size)) {
            refuse("its shape has more numbers than memory can hold");
        }
    }
    return Shape(Dims(dims));
}

// The header, which `begin` begins with. `name` stands in messages: "x.npy", in quotes.
NpyHeader npy_header(std::string_view begin, const std::string& name, const CallSite& site) {
    const Refusal refuse{name, site};
    constexpr std::string_view magic = "\x93NUMPY";
    if (begin.substr(0, magic.size()) != magic) {
        refuse("it does not begin as a .npy file does",
               begin.substr(0, 4) == "PK\x03\x04" ? "; it is a zip file, for read_npz()" : "");
    }
    const auto byte = [&](std::size_t i) {
        if (i >= begin.size()) refuse("it ends inside its header; it is cut off");
        return static_cast<unsigned char>(begin[i]);
    };
    const int version = byte(6), minor = byte(7);
    if (version < 1 || version > 3 || minor != 0) {
        refuse("it is of format ", version, ".", minor, "; 1.0, 2.0 and 3.0 can be read");
    }
    const std::size_t length_bytes = version == 1 ? 2 : 4, before = 8 + length_bytes;
    std::size_t length = 0;
    for (std::size_t i = before; i-- > 8;) length = length << 8 | byte(i);
    if (length > longest_npy_header) {
        refuse("its header's length is ", length, ", over the limit of ", longest_npy_header);
    }
    if (length > begin.size() - before) {
        refuse("its header's length is ", length, ", and only ", begin.size() - before,
               " bytes follow; it is cut off");
    }
    HeaderText members(begin.substr(before, length), refuse);
    members.read();
    NpyHeader header{};
    read_type(*members.descr, header, refuse);
    header.is_fortran = *members.is_fortran;
    header.shape = shape_of(*members.shape, header.bytes, refuse);
    header.length = before + length;
    return header;
}

// The header, if the file is as long as it says.
NpyHeader checked_header(std::string_view begin, std::size_t size, const std::string& name,
                         const CallSite& site) {
    const NpyHeader header = npy_header(begin, name, site);
    if (size == header.file_size()) return header;
    fail_runtime("npy", site, name, ": ", header.shape, " of ", in_quotes(header.dtype), " takes ",
                 header.file_size(), " bytes with the header, and it has ", size,
                 size < header.file_size() ? "; it is cut off" : "; what follows is not read");
}

// As the numbers lie in the file, the last axis varies fastest.
Shape shape_in_file(const NpyHeader& header) {
    if (!header.is_fortran) return header.shape;
    std::vector<std::int64_t> dims(header.shape.begin(), header.shape.end());
    std::reverse(dims.begin(), dims.end());
    return Shape(Dims(dims));
}

// The numbers with the bytes of each turned round.
std::shared_ptr<std::byte> turned(const std::byte* from, const NpyHeader& header) {
    const std::size_t size = header.file_size() - header.length;
    const auto bytes = std::make_shared<std::vector<std::byte>>(from, from + size);
    for (auto number = bytes->begin(); number != bytes->end();
         number += static_cast<std::ptrdiff_t>(header.bytes)) {
        std::reverse(number, number + static_cast<std::ptrdiff_t>(header.bytes));
    }
    return {bytes, bytes->data()};
}

// `file` are the bytes of the whole file.
Tensor tensor_of(const NpyHeader& header, const std::shared_ptr<std::byte>& file,
                 const CallSite& site) {
    std::shared_ptr<std::byte> numbers(file, file.get() + header.length);
    if (header.is_big_endian && header.bytes > 1) numbers = turned(numbers.get(), header);
    const Tensor read = stored_tensor(header.stored, numbers, shape_in_file(header), site);
    if (!header.is_fortran) return read;
    Dims from_last;
    for (int axis = read.rank(); axis-- > 0;) from_last.append(axis);
    return tensor::permute(read, from_last);
}

// A whole number of any length and order.
std::int64_t whole_number(const std::byte* from, const NpyHeader& header) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < header.bytes; ++i) {
        const std::size_t place = header.is_big_endian ? i : header.bytes - 1 - i;
        bits = bits << 8 | static_cast<std::uint64_t>(from[place]);
    }
    if (header.kind == 'b') return bits != 0;
    if (header.kind == 'u') return static_cast<std::int64_t>(bits);
    const int unused = static_cast<int>(64 - 8 * header.bytes);
    return static_cast<std::int64_t>(bits << unused) >> unused;  // the sign's bit is repeated
}

}  // namespace

Tensor read_npy(const std::string& path, CallSite site) {
    const FileBytes file(path, site);
    const NpyHeader header = checked_header(file.text(), file.size(), in_quotes(path), site);
    return tensor_of(header, file.owner(), site);
}

IndexTensor read_npy_integers(const std::string& path, CallSite site) {
    const FileBytes file(path, site);
    const NpyHeader header = checked_header(file.text(), file.size(), in_quotes(path), site);
    if (header.kind == 'f') {
        fail_runtime("npy", site, in_quotes(path), ": it holds floating-point numbers (",
                     in_quotes(header.dtype), "), which read_npy() reads");
    }
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(header.shape.numel()));
    const std::byte* from = file.data() + header.length;
    for (std::int64_t& number : numbers) {
        number = whole_number(from, header);
        from += header.bytes;
        if (number < 0 && header.kind == 'u') {
            fail_runtime("npy", site, in_quotes(path), ": it holds the number ",
                         static_cast<std::uint64_t>(number), ", which is over 2^63 - 1");
        }
    }
    IndexTensor read(numbers, shape_in_file(header), site);
    if (!header.is_fortran) return read;
    for (int axis = 0; axis < read.rank() / 2; ++axis) {
        read = tensor::transpose(read, axis, read.rank() - 1 - axis);
    }
    return read;
}

StateDict read_npz(const std::string& path, CallSite site) {
    constexpr std::string_view ending = ".npy";
    const Zip zip(path, site);
    StateDict state;
    for (const ZipEntry& entry : zip.entries()) {
        const std::string name = in_quotes(path) + ": " + in_quotes(entry.name);
        if (!entry.name.ends_with(ending)) fail_runtime("npz", site, name, " is not a .npy file");
        // The header is looked at first: what it does not ask for is not unpacked.
        const std::string begin = zip.beginning(entry, longest_npy_header + 12);
        const NpyHeader header = checked_header(begin, entry.size, name, site);
        state.add_shared(entry.name.substr(0, entry.name.size() - ending.size()),
                         tensor_of(header, zip.bytes(entry), site), site);
    }
    return state;
}

}}  // namespace heed
