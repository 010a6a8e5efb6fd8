// Zip and inflate(): what a hostile zip file or deflate stream says is refused in words, and what
// is unusual is read. (What NumPy writes is read in npy_test.cpp.)
#include "nn/files/zip.h"

#include "nn/files/inflate.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/files/folder.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace heed;

namespace {

std::string number(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) {
        text += static_cast<char>(value & 0xFF);
        value >>= 8;
    }
    return text;
}

struct Entry {
    std::string name, packed;
    std::uint64_t size;
    std::uint32_t crc;
    int method = 0, flags = 0;
    bool is_zip64 = false;
    std::string local_name = "";  // if it is another
};

Entry stored(const std::string& name, const std::string& bytes) {
    return {name, bytes, bytes.size(), crc32(bytes)};
}

std::string zip_of(const std::vector<Entry>& entries, const std::string& comment = "") {
    std::string zip, list;
    for (const Entry& entry : entries) {
        const std::size_t begin = zip.size();
        const std::string& local = entry.local_name.empty() ? entry.name : entry.local_name;
        const std::string common =
            number(entry.flags, 2) + number(entry.method, 2) + number(0, 4) + number(entry.crc, 4);
        const std::string sizes = number(entry.packed.size(), 4) + number(entry.size, 4);
        zip += "PK\x03\x04" + number(20, 2) + common + sizes + number(local.size(), 2) +
               number(0, 2) + local + entry.packed;
        const std::string wide = number(1, 2) + number(24, 2) + number(entry.size, 8) +
                                 number(entry.packed.size(), 8) + number(begin, 8);
        const std::string other = number(7, 2) + number(2, 2) + "xx";  // an extra to be passed over
        const std::string extra = entry.is_zip64 ? other + wide : "";
        list += "PK\x01\x02" + number(20, 2) + number(20, 2) + common +
                (entry.is_zip64 ? std::string(8, '\xFF') : sizes) + number(entry.name.size(), 2) +
                number(extra.size(), 2) + number(0, 10) +
                (entry.is_zip64 ? std::string(4, '\xFF') : number(begin, 4)) + entry.name + extra;
    }
    const std::string end = number(entries.size(), 2) + number(entries.size(), 2) +
                            number(list.size(), 4) + number(zip.size(), 4);
    return zip + list + "PK\x05\x06" + number(0, 4) + end + number(comment.size(), 2) + comment;
}

class ZipFolder : public Folder {
  public:
    std::string with(const std::string& bytes) const {
        write(file("x.zip"), bytes);
        return file("x.zip");
    }
    // What is wrong, in opening it or reading all of it.
    std::string refused(const std::string& bytes) const {
        const std::string path = with(bytes), begin = "zip: \"" + path + "\": ";
        const std::string message = message_of<std::runtime_error>([&] {
            const Zip zip(path);
            for (const ZipEntry& entry : zip.entries()) zip.bytes(entry);
        });
        return message.substr(0, begin.size()) == begin ? message.substr(begin.size()) : message;
    }
};

std::string read(const Zip& zip, std::size_t entry) {
    const ZipEntry& its = zip.entries().at(entry);
    return {reinterpret_cast<const char*>(zip.bytes(its).get()), its.size};
}

// Bits as deflate has them: numbers from their lowest bit, codes from their highest.
struct Stream {
    std::string bytes = "";
    int used = 8;

    Stream& bit(int bit) {
        if (used == 8) bytes += '\0';
        used = used % 8;
        bytes.back() = static_cast<char>(bytes.back() | bit << used++);
        return *this;
    }
    Stream& put(int value, int bits) {
        for (int i = 0; i < bits; ++i) bit(value >> i & 1);
        return *this;
    }
    Stream& code(int value, int bits) {
        for (int i = bits; i-- > 0;) bit(value >> i & 1);
        return *this;
    }
};

Stream block(int kind) { return Stream().put(1, 1).put(kind, 2); }

// A literal, and the end of a block, in the fixed code.
int literal(char c) { return 0x30 + static_cast<unsigned char>(c); }

std::string unpacked(const std::string& packed, std::size_t size) {
    std::string bytes(size, '\0');
    const std::string_view why = inflate(packed, reinterpret_cast<std::byte*>(bytes.data()), size);
    return why.empty() ? bytes : "refused: " + std::string(why);
}

}  // namespace

TEST_CASE("crc32 has the check value of its definition", "[nn][files]") {
    CHECK(crc32("123456789") == 0xCBF43926);
    CHECK(crc32("") == 0);
    CHECK(crc32("a") == 0xE8B7BE43);
}

TEST_CASE("zip files with a comment, in zip64, empty or deflated are read", "[nn][files]") {
    const ZipFolder folder;
    const Entry one = stored("one", "first"), two = stored("two", "");
    for (const std::string& comment :
         {std::string(), std::string("PK\x05\x06"), std::string(65535, 'c')}) {
        const Zip zip(folder.with(zip_of({one, two}, comment)));
        REQUIRE(zip.entries().size() == 2);
        CHECK(zip.entries()[1].name == "two");
        CHECK(read(zip, 0) == "first");
        CHECK(read(zip, 1).empty());
        CHECK(zip.beginning(zip.entries()[0], 3) == "fir");
        CHECK(zip.beginning(zip.entries()[0], 9) == "first");
    }
    Entry wide = stored("wide", "bytes");
    wide.is_zip64 = true;
    CHECK(read(Zip(folder.with(zip_of({one, wide}))), 1) == "bytes");
    const std::string packed =
        block(1).code(literal('a'), 8).code(1, 7).code(0, 5).code(0, 7).bytes;
    const Zip deflated(folder.with(zip_of({{"a", packed, 4, crc32("aaaa"), 8}})));
    CHECK(read(deflated, 0) == "aaaa");
    CHECK(deflated.beginning(deflated.entries()[0], 2) == "aa");
    CHECK(Zip(folder.with(zip_of({}))).entries().empty());
}

TEST_CASE("whatever is wrong with a zip file is said", "[nn][files][errors]") {
    const ZipFolder folder;
    const auto changed = [](const auto& change) {
        Entry entry = stored("x", "0123456789");
        change(entry);
        return zip_of({entry, stored("y", "abc")});
    };
    const std::string whole = changed([](Entry&) {});
    CHECK(folder.refused(whole) == "nothing was thrown");
    const std::pair<std::string, const char*> wrong[] = {
        {"", "it does not end as a zip file does; it is cut off, or not a zip file"},
        {whole.substr(0, whole.size() - 1), "it does not end as a zip file does"},
        {whole.substr(3), "its list of files is broken at byte 75"},
        {whole.substr(whole.size() - 22),
         "its list of 2 files, 94 bytes at byte 75, does not fit into "
         "its 22 bytes; it is cut off"},
        {changed([](Entry& e) { e.crc ^= 1; }),
         "\"x\" is broken: its CRC is not the one it was written with"},
        {changed([](Entry& e) { e.flags = 1; }), "\"x\" is encrypted, which is not read"},
        {changed([](Entry& e) { e.method = 12; }),
         "\"x\" is packed by bzip2; what is stored or deflated can be read"},
        {changed([](Entry& e) { e.method = 77; }), "\"x\" is packed by method 77"},
        {changed([](Entry& e) { e.local_name = "z"; }),
         "\"x\" has another name at its place, byte 0"},
        {changed([](Entry& e) { e.size = 11; }),
         "\"x\" cannot be 11 bytes long: it is 10, stored as they are"},
        {changed([](Entry& e) { e.method = 8, e.size = 20'000; }),
         "\"x\" cannot be 20000 bytes long: it is 10, deflated"},
        {changed([](Entry& e) { e.name = "y"; }), "\"y\" is there twice"},
    };
    for (const auto& [bytes, problem] : wrong) {
        INFO(problem);
        CHECK_THAT(folder.refused(bytes), Contains(problem));
    }
    // The list says that x goes on into y.
    std::string overlapping = whole;
    const std::size_t list = overlapping.find("PK\x01\x02");
    overlapping[list + 20] = overlapping[list + 24] = 20;
    CHECK(folder.refused(overlapping) == "\"x\" overlaps what comes after it");
}

TEST_CASE("deflate streams are read to their last bit", "[nn][files]") {
    const std::string hello("\x01\x05\0\xFA\xFFhello", 10);
    CHECK(unpacked(hello, 5) == "hello");
    CHECK(unpacked(block(1).code(0, 7).bytes, 0).empty());
    // ab, and then three bytes that begin two before: aba
    const Stream overlapping = block(1).code(literal('a'), 8).code(literal('b'), 8);
    CHECK(unpacked(Stream(overlapping).code(1, 7).code(1, 5).code(0, 7).bytes, 5) == "ababa");

    const auto refused = [](const std::string& packed, std::size_t size) {
        return unpacked(packed, size);
    };
    CHECK(refused(hello, 4) == "refused: it stands for more bytes than it should");
    CHECK(refused(hello, 6) == "refused: it stands for fewer bytes than it should");
    CHECK(refused("", 1) == "refused: it is cut off");
    CHECK(refused(hello.substr(0, 9), 5) == "refused: it is cut off");
    for (const std::size_t check : {3, 4}) {
        std::string other = hello;
        other[check] ^= 1;
        CHECK(refused(other, 5) == "refused: a block's length is not what its check says");
    }
    CHECK(refused(block(3).bytes, 1) == "refused: a block is of an unknown kind");
    CHECK(refused(block(1).code(1, 7).code(0, 5).code(0, 7).bytes, 3) ==
          "refused: it repeats bytes from before its beginning");
    CHECK(refused(block(1).code(0xC6, 8).bytes + "12", 3) ==
          "refused: a symbol stands for no length");
    CHECK(refused(block(1).code(literal('a'), 8).code(1, 7).code(0, 5).code(0, 7).bytes, 2) ==
          "refused: it stands for more bytes than it should");
    // 257 and 1 codes, whose lengths are written in a code of the lengths of 16, 17, 18 and 0.
    const auto lengths = [](int of_16, int of_17, int of_18, int of_0) {
        return block(2).put(0, 5).put(0, 5).put(0, 4).put(of_16, 3).put(of_17, 3).put(of_18, 3).put(
            of_0, 3);
    };
    CHECK(refused(lengths(1, 1, 1, 0).bytes + "12345678", 1) ==
          "refused: a code has more symbols than there is room for");
    CHECK(refused(lengths(0, 0, 1, 1).code(1, 1).put(127, 7).code(1, 1).put(127, 7).bytes, 1) ==
          "refused: there are more lengths than codes");
    CHECK(refused(lengths(1, 0, 0, 1).code(1, 1).put(0, 2).bytes, 1) ==
          "refused: the first code's length is that of the one before");
    CHECK(refused(block(2).put(30, 5).put(0, 5).put(0, 4).bytes, 1) ==
          "refused: a code has symbols that mean nothing");
    // No code has a symbol: 138 and 120 lengths of 0.
    CHECK(refused(lengths(0, 0, 1, 1).code(1, 1).put(127, 7).code(1, 1).put(109, 7).bytes + "12",
                  1) == "refused: a code stands for no symbol");
}
