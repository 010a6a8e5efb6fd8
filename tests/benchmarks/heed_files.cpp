// What is done with text and files: tokens of a text, and a model's weights from a file.
#include "nn/files/save.h"
#include "nn/text/train_byte_pairs.h"
#include "tensor/factories.h"
#include "tests/benchmarks/heed_works.h"
#include "tests/benchmarks/models.h"

#include <unistd.h>

#include <filesystem>
#include <memory>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {
namespace {
// Words of 2 to 9 letters, of which there are 5,000, the first ones more often: each is as likely
// as the square of a number in [0, 1) hits it.
std::string words_of(std::int64_t bytes) {
    const IndexTensor letters = noise_ids({5000, 10}, 1, 26);
    const IndexTensor places = noise_ids({bytes / 3}, 2, 1000003);
    std::string words;
    for (std::int64_t i = 0; std::ssize(words) < bytes; ++i) {
        const double place = static_cast<double>(places.data()[i]) / 1000003;
        const std::int64_t* const word =
            letters.data() + static_cast<std::int64_t>(place * place * 5000) * 10;
        for (std::int64_t l = 0; l < 2 + word[9] % 8; ++l) {
            words.push_back(static_cast<char>('a' + word[l]));
        }
        words.push_back(' ');
    }
    words.resize(static_cast<std::size_t>(bytes));
    return words;
}

Run tokens(std::int64_t bytes) {
    const std::string text = words_of(bytes);
    const auto tokenizer =
        std::make_shared<Tokenizer>(train_byte_pairs(text.substr(0, 200000), 2000));
    return [text, tokenizer] {
        const IndexTensor ids = tokenizer->encode(text);
        return std::vector<Tensor>{tensor::of(static_cast<double>(ids.numel()))};
    };
}

struct ScratchFile {
    std::string path = std::filesystem::temp_directory_path() /
                       ("heed-benchmark-" + std::to_string(getpid()) + ".safetensors");
    ~ScratchFile() {
        std::error_code none;
        std::filesystem::remove(path, none);
    }
};

// Copies the numbers of a file, which the system has read before, to a model that has others.
Run loading(const GptSizes& sizes) {
    Random random(1);
    const std::shared_ptr<Gpt> model = std::make_shared<Gpt>(gpt_config(sizes), random);
    fill_with_noise(*model);
    const auto file = std::make_shared<ScratchFile>();
    save(file->path, *model);
    return [model, file] {
        load(file->path, *model);
        return std::vector<Tensor>{parameters(*model).back().parameter.value()};
    };
}

}  // namespace

Run prepare_file(const std::string& kind, std::istream& line) {
    if (kind == "tokens") {
        std::int64_t bytes = 0;
        line >> bytes;
        return tokens(bytes);
    }
    if (kind != "load") return {};
    std::string name;
    line >> name;
    return loading(gpt_sizes(name));
}

}}}  // namespace heed::benchmarks
