#include "tests/benchmarks/options.h"

#include "tensor/quote.h"

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

const char* const help_text =
    R"(heed_benchmarks measures heed beside PyTorch and OpenBLAS, in turn: ours, theirs, ours, ...

  --only PATTERN   only the works whose name has PATTERN in it, such as "attention" or "GPT step S";
                   given several times: those that have any of them
  --quick          two short turns of each instead of several: a look, not a measurement
  --no-peers       ours alone
  --output FILE    write all that was measured to FILE, as JSON
  --python PROGRAM the Python that has PyTorch (/usr/bin/python3)
  --twins          small works of every kind instead, for whether the peers compute the same
  --list           say what would be measured, and end
  --help           this

It runs the peers as they are fastest: PyTorch with the OpenMP OpenBLAS and bound threads. On Debian:
apt-get install python3-torch libopenblas0-openmp. A peer that is missing is left out.
)";

namespace {

class Words {
  public:
    Words(int count, char** words) : count_(count), words_(words) {}
    bool any() const { return next_ < count_; }
    std::string take() { return words_[next_++]; }
    std::string value_of(const std::string& option) {
        if (!any()) throw BadOption(option + " needs a value");
        return take();
    }

  private:
    int count_;
    char** words_;
    int next_ = 1;
};

}  // namespace

Options options_from(int count, char** words_given) {
    Options options;
    Words words(count, words_given);
    while (words.any()) {
        const std::string word = words.take();
        if (word == "--only") {
            options.only.push_back(words.value_of(word));
        } else if (word == "--output") {
            options.output = words.value_of(word);
        } else if (word == "--python") {
            options.python = words.value_of(word);
        } else if (word == "--quick") {
            options.quick = true;
        } else if (word == "--twins") {
            options.twins = true;
        } else if (word == "--no-peers") {
            options.peers = false;
        } else if (word == "--list") {
            options.list = true;
        } else if (word == "--help") {
            options.help = true;
        } else if (word == "--serve") {
            options.serve = true;
        } else {
            throw BadOption("there is no option " + quoted(word) +
                            "; --help lists those there are");
        }
    }
    return options;
}

}}}  // namespace heed::benchmarks
