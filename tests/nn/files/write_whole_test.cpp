// write_whole(): whatever happens while a file is written, it is there whole: the process is
// killed, the disk is full, another writes the same file, or what is there is not a file.
#include "nn/files/file_bytes.h"
#include "nn/files/save.h"
#include "nn/heed.h"
#include "tensor/quote.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/files/folder.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace heed;
namespace fs = std::filesystem;

namespace {

// Version n is n, a thousand times or more, and how often: of any other bytes it is not a version.
std::string version(int n) {
    const int times = 1000 + 997 * (n % 50);
    std::string bytes = text(n, " ", times);
    const std::string one = " " + std::to_string(n);
    for (int i = 0; i < times; ++i) bytes += one;
    return bytes;
}

// Which version it is; -1 if it is none.
int version_of(const std::string& bytes) {
    const int n = std::atoi(bytes.c_str());
    return bytes == version(n) ? n : -1;
}

void save_version(const std::string& path, int n) {
    const std::string bytes = version(n);
    write_whole(path, [&bytes](const WriteBytes& append) {
        for (std::size_t at = 0; at < bytes.size(); at += 5000) {
            append(bytes.data() + at, std::min<std::size_t>(5000, bytes.size() - at));
        }
    });
}

// Runs `work` in a process of its own, which ends with what it returns.
pid_t in_process(const std::function<int()>& work) {
    const pid_t process = ::fork();
    if (process == 0) {
        try {
            ::_exit(work());
        } catch (...) {
            ::_exit(99);
        }
    }
    REQUIRE(process > 0);
    return process;
}

int ended_with(pid_t process) {
    int status = 0;
    REQUIRE(::waitpid(process, &status, 0) == process);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// The first line of the error that writing to `path` gives.
std::string refused(const std::string& path) {
    return message_of<std::runtime_error>([&] { save_version(path, 1); });
}

mode_t permissions(const std::string& path) {
    struct stat now;
    REQUIRE(::stat(path.c_str(), &now) == 0);
    return now.st_mode & 0777;
}

}  // namespace

// HEED_KILLS: how often; 200 if it is not set.
TEST_CASE("a writer killed at any moment leaves a whole version", "[nn][files]") {
    const Folder folder;
    const std::string path = folder.file("run.safetensors");
    const char* const asked = std::getenv("HEED_KILLS");
    const int kills = asked ? std::atoi(asked) : 200;
    save_version(path, 1);
    Random random(28);
    int last = 1, broken = 0, older = 0, leftovers = 0, versions = 0;
    for (int i = 0; i < kills; ++i) {
        const pid_t writer = in_process([&] {
            for (int n = last;; ++n) save_version(path, n);
            return 0;
        });
        // Later and later, until one was written: the disk may be slow.
        const std::int64_t longest = versions > 0 ? 6000 : 6000 + 1000 * i;
        std::this_thread::sleep_for(std::chrono::microseconds(500 + random.below(longest)));
        ::kill(writer, SIGKILL);
        REQUIRE(ended_with(writer) == -SIGKILL);
        const int n = version_of(contents(path));
        broken += n < 0;
        older += n >= 0 && n < last;
        versions += n > last;
        last = std::max(last, n);
        leftovers += folder.files() > 1;
        REQUIRE(folder.files() <= 2);  // of the last killed writer only
    }
    CAPTURE(kills, leftovers, versions);
    CHECK(broken == 0);
    CHECK(older == 0);
    CHECK(versions > 0);
    CHECK(leftovers > 0);  // some were killed while they wrote
    save_version(path, last + 1);
    CHECK(version_of(contents(path)) == last + 1);
    CHECK(folder.files() == 1);
    if (asked) std::printf("%d kills, %d in a saving, %d versions\n", kills, leftovers, last);
}

TEST_CASE("only what a killed writer left is removed", "[nn][files]") {
    const Folder folder;
    const std::string path = folder.file("x");
    const std::vector<std::string> others = {"x.part",     "x.1.part.bak", "x.1a.part", "y.1.part",
                                             "x.1.2.part", "ax.1.part",    "x..part2"};
    for (const std::string& name : others) write(folder.file(name), name);
    write(folder.file("x.17.part"), "left");
    save_version(path, 1);
    for (const std::string& name : others) {
        INFO(name);
        CHECK(contents(folder.file(name)) == name);
    }
    CHECK_FALSE(fs::exists(folder.file("x.17.part")));
}

TEST_CASE("several save the same file at once, and it is always whole", "[nn][files]") {
    const Folder folder;
    const std::string path = folder.file("x");
    save_version(path, 1);
    std::vector<pid_t> writers;
    for (int w = 0; w < 4; ++w) {
        writers.push_back(in_process([&path, w] {
            for (int i = 0; i < 25; ++i) save_version(path, 100 * w + i);
            return 7;
        }));
    }
    int broken = 0;
    for (int i = 0; i < 200; ++i) broken += version_of(contents(path)) < 0;
    for (const pid_t writer : writers) CHECK(ended_with(writer) == 7);
    CHECK(broken == 0);
    CHECK(version_of(contents(path)) % 100 == 24);
    CHECK(folder.files() == 1);
}

TEST_CASE("a full disk is an error, and the file before it stays", "[nn][files][errors]") {
    const Folder folder;
    const std::string path = folder.file("x"), said = folder.file("said");
    save_version(path, 1);
    // A file of this process may not be longer: what a full disk is to a writer.
    const pid_t writer = in_process([&] {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{3000, 3000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        write(said, refused(path));
        return 0;
    });
    REQUIRE(ended_with(writer) == 0);
    CHECK(contents(said) == "write: \"" + path + "\": File too large; nothing was changed");
    CHECK(version_of(contents(path)) == 1);
    CHECK(folder.files() == 2);
}

// The same with a real one, if HEED_FULL_DISK names a folder on a small disk.
TEST_CASE("a disk fills while a network is saved again and again", "[.full_disk]") {
    const char* const disk = std::getenv("HEED_FULL_DISK");
    REQUIRE(disk);
    const std::string path = text(disk, "/x.safetensors");
    Random random(1);
    Linear small(10, 10, random), large(4000, 4000, random), loaded(10, 10, random);
    save(path, small);
    for (int i = 0; i < 20; ++i) {
        CHECK(message_of<std::runtime_error>([&] { save(path, large); }) ==
              "write: \"" + path + "\": No space left on device; nothing was changed");
        CHECK(std::distance(fs::directory_iterator(disk), fs::directory_iterator()) == 1);
        load(path, loaded);
        CHECK(tensor::same_bits(loaded.weight.value(), small.weight.value()));
        save(path, loaded);
    }
}

TEST_CASE("what is at the path stays what it is", "[nn][files]") {
    const Folder folder;
    const std::string path = folder.file("x"), link = folder.file("link");
    save_version(path, 1);
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
    save_version(path, 2);
    CHECK(permissions(path) == 0640);

    fs::create_symlink("x", link);
    save_version(link, 3);
    CHECK(fs::is_symlink(link));
    CHECK(version_of(contents(path)) == 3);

    fs::create_directory(folder.file("inner"));
    fs::create_symlink("../not_yet", folder.file("inner/dangling"));
    save_version(folder.file("inner/dangling"), 4);
    CHECK(fs::is_symlink(folder.file("inner/dangling")));
    CHECK(version_of(contents(folder.file("not_yet"))) == 4);
}

TEST_CASE("what cannot be written to is said, and stays", "[nn][files][errors]") {
    const Folder folder;
    const auto begin = [](const std::string& path) {
        return "write: " + heed::in_quotes(path) + ": ";
    };
    const std::string inner = folder.file("inner"), pipe = folder.file("pipe");
    fs::create_directory(inner);
    CHECK(refused(inner) == begin(inner) + "this is a folder, not a file");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(refused(pipe) == begin(pipe) + "this is a pipe or a device, not a file");
    CHECK(fs::is_fifo(pipe));
    const std::string loop = folder.file("loop");
    fs::create_symlink("loop", loop);
    CHECK_THAT(refused(loop), Contains(begin(loop) + "Too many levels of symbolic links"));
    CHECK(refused(folder.file("no/x")) ==
          begin(folder.file("no/x")) + "No such file or directory; nothing was changed");
    write(folder.file("file"), "");
    CHECK_THAT(refused(folder.file("file/x")), Contains("Not a directory"));
    const std::string long_name = folder.file(std::string(300, 'x'));
    CHECK_THAT(refused(long_name), Contains("File name too long"));
    CHECK(folder.files() == 4);
}

TEST_CASE("what a user may not read or write is said", "[nn][files][errors]") {
    const Folder folder;
    const std::string path = folder.file("x"), said = folder.file("said");
    const std::string secret = folder.file("secret"), shut = folder.file("shut");
    save_version(path, 1);
    save_version(secret, 1);
    fs::create_directory(shut);
    save_version(shut + "/x", 1);
    write(said, "");
    fs::permissions(folder.file(""), fs::perms(0777));
    fs::permissions(said, fs::perms(0666));
    fs::permissions(path, fs::perms(0444));
    fs::permissions(secret, fs::perms(0000));
    fs::permissions(shut, fs::perms(0555));
    const pid_t user = in_process([&] {
        if (::geteuid() == 0 && ::setuid(65534) != 0) return 1;
        const auto read = [](const std::string& from) {
            return message_of<std::runtime_error>([&] { FileBytes bytes(from); });
        };
        write(said, text(refused(path), "\n", read(secret), "\n", refused(shut + "/y"), "\n",
                         FileBytes(path).size()));
        return 0;
    });
    REQUIRE(ended_with(user) == 0);
    fs::permissions(shut, fs::perms(0755));  // so that it can be removed
    CHECK(contents(said) == text("write: \"", path, "\": Permission denied; nothing was changed\n",
                                 "read: \"", secret, "\": Permission denied\n", "write: \"", shut,
                                 "/y\": Permission denied; nothing was changed\n",
                                 version(1).size()));
    CHECK(version_of(contents(path)) == 1);
    CHECK(std::distance(fs::directory_iterator(shut), fs::directory_iterator()) == 1);
}

TEST_CASE("what is not a file to read is said", "[nn][files][errors]") {
    const Folder folder;
    const auto refused_to_read = [](const std::string& path) {
        return message_of<std::runtime_error>([&] { read_safetensors(path); });
    };
    const std::string pipe = folder.file("pipe"), empty = folder.file("empty");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(refused_to_read(pipe) ==
          "read: \"" + pipe + "\": this is a pipe or a device, not a file");
    CHECK(refused_to_read("/dev/zero") ==
          "read: \"/dev/zero\": this is a pipe or a device, not a file");
    write(empty, "");
    CHECK_THAT(refused_to_read(empty), Contains("it has 0 bytes, less than the 8"));
    CHECK(FileBytes(empty).text().empty());
    CHECK(refused_to_read(empty + "/x") == "read: \"" + empty + "/x\": there is no such file");
    const std::string loop = folder.file("loop");
    fs::create_symlink("loop", loop);
    CHECK_THAT(refused_to_read(loop), Contains("Too many levels of symbolic links"));
}

TEST_CASE("a file larger than the memory is mapped", "[nn][files]") {
    const Folder folder;
    const std::string path = folder.file("x");
    write(path, "begin");
    std::error_code problem;
    const std::uintmax_t size = std::uintmax_t{1} << 40;
    fs::resize_file(path, size, problem);
    if (problem) return;  // a disk without holes in files
    const FileBytes bytes(path);
    CHECK(bytes.size() == size);
    CHECK(bytes.text().substr(0, 6) == std::string("begin\0", 6));
    CHECK(bytes.data()[size - 1] == std::byte{0});
}
