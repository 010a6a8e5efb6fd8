#include "npy_header.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"

#include <bit>
#include <charconv>
#include <optional>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {
namespace {

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

// What a type that is not read is called; "" for one that does not exist.
const char* foreign(char kind) {
    switch (kind) {
    case 'O':
        return "Python objects, pickled, and to read those is to run them";
    case 'c':
        return "complex numbers";
    case 'U':
    case 'S':
    case 'a':
        return "strings";
    case 'V':
        return "raw bytes or records";
    case 'M':
    case 'm':
        return "dates or times";
    default:
        return "";
    }
}

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
    for (const char* known :
         {"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"}) {
        if (is_type && dtype.substr(1) == known) return;
    }
    const char* const what = foreign(header.kind);
    refuse("it holds ", *what ? what : "numbers of a type that is not read", " (", in_quotes(dtype),
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

}  // namespace

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

}}  // namespace heed
