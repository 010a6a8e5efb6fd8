// What a checkpoint writes of each kind of part, and how it checks and sets that.
#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "checkpoint.h"
#include "save.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION {
namespace {
using Words = std::vector<std::uint64_t>;

std::uint64_t word_of(double number) { return __builtin_bit_cast(std::uint64_t, number); }
std::uint64_t word_of(std::int64_t number) { return static_cast<std::uint64_t>(number); }
double number_of(std::uint64_t word) { return __builtin_bit_cast(double, word); }
std::int64_t integer_of(std::uint64_t word) { return static_cast<std::int64_t>(word); }

Words words_of(const Random::State& state) { return {state.begin(), state.end()}; }

// The first four words.
Random::State generator_of(const Words& words, const CallSite& site) {
    Random::State state;
    std::copy_n(words.begin(), state.size(), state.begin());
    Random(0).set_state(state, site);  // refuses zeros
    return state;
}

void check_count(const std::string& part, const char* kind, std::size_t given, std::size_t expected,
                 const CallSite& site) {
    if (given == expected) return;
    fail_argument("Checkpoint", site, in_quotes(part), ": there are ", given, " words; a ", kind,
                  " has ", expected);
}

// The generators of a network's layers, by name: "dropout1.generator".
std::map<std::string, Random*> generators(const Member& tree) {
    std::map<std::string, Random*> found;
    for (const LayerMember& layer : layer_members(tree)) {
        Random* const generator = layer.module->generator();
        const std::string before = layer.name.empty() ? "" : layer.name + ".";
        if (generator) found[before + "generator"] = generator;
    }
    return found;
}

}  // namespace

void Checkpoint::add(const std::string& name, const LayerRef& network, CallSite site) {
    const auto contents = [network](const CallSite& at) {
        const Member members = member_tree(network, at);
        Contents contents{written_state(members, at), {}};
        for (const auto& [key, random] : generators(members)) {
            contents.words[key] = words_of(random->state());
        }
        return contents;
    };
    const auto checked = [network, name](const Contents& contents, const CallSite& at) {
        const Member members = member_tree(network, at);
        const std::map<std::string, Random*> own = generators(members);
        std::vector<std::pair<Random*, Random::State>> states;
        for (const auto& [key, words] : contents.words) {
            const auto found = own.find(key);
            check_count(name + "." + key, "generator", words.size(), 4, at);
            if (found != own.end()) states.emplace_back(found->second, generator_of(words, at));
        }
        if (states.size() != own.size() || contents.words.size() != own.size()) {
            fail_argument("Checkpoint", at, in_quotes(name), " has the generators of ",
                          contents.words.size(), " layers; the network has ", own.size(),
                          ", or they have other names");
        }
        const std::function<void()> load =
            checked_load(members, contents.tensors, at, {"Checkpoint", in_quotes(name), true});
        return [load, states] {
            load();
            for (const auto& [random, state] : states) random->set_state(state);
        };
    };
    add_part({name, "network", contents, checked}, site);
}

void Checkpoint::add(const std::string& name, Optimizer& optimizer, CallSite site) {
    const auto contents = [&optimizer](const CallSite&) {
        return Contents{optimizer.state(), {{"lr", {word_of(optimizer.lr())}}}};
    };
    const auto checked = [&optimizer, name](const Contents& contents, const CallSite& at) {
        const auto lr = contents.words.find("lr");
        if (lr == contents.words.end() || contents.words.size() != 1) {
            fail_argument("Checkpoint", at, in_quotes(name), " has no lr, or more than that");
        }
        check_count(name + ".lr", "number", lr->second.size(), 1, at);
        return optimizer.checked_state(contents.tensors, number_of(lr->second[0]), at);
    };
    add_part({name, "optimizer", contents, checked}, site);
}

template <class Now, class StateOf, class Set>
void Checkpoint::add_words(const std::string& name, const char* kind, std::size_t count, Now now,
                           StateOf state_of, Set set, const CallSite& site) {
    const auto contents = [now](const CallSite&) { return Contents{{}, {{"", now()}}}; };
    const auto checked = [=](const Contents& contents, const CallSite& at) {
        const auto words = contents.words.find("");
        if (words == contents.words.end() || contents.words.size() + contents.tensors.size() != 1) {
            fail_argument("Checkpoint", at, in_quotes(name), " has parts of its own; a ", kind,
                          " has none");
        }
        if (count > 0) check_count(name, kind, words->second.size(), count, at);
        return [set, state = state_of(words->second, at)] { set(state); };
    };
    add_part({name, kind, contents, checked}, site);
}

void Checkpoint::add(const std::string& name, Random& random, CallSite site) {
    add_words(
        name, "generator", 4, [&random] { return words_of(random.state()); }, generator_of,
        [&random](const Random::State& state) { random.set_state(state); }, site);
}

void Checkpoint::add(const std::string& name, BatchStream& batches, CallSite site) {
    const auto now = [&batches] {
        const BatchStream::State& state = batches.state();
        Words words = words_of(state.generator);
        words.push_back(word_of(state.epoch));
        words.push_back(word_of(state.batch));
        words.push_back(word_of(state.num_examples));
        words.push_back(word_of(state.batch_size));
        return words;
    };
    const auto state_of = [&batches](const Words& words, const CallSite& at) {
        const BatchStream::State state{generator_of(words, at), integer_of(words[4]),
                                       integer_of(words[5]), integer_of(words[6]),
                                       integer_of(words[7])};
        batches.check_state(state, at);
        return state;
    };
    const auto set = [&batches](const BatchStream::State& state) { batches.set_state(state); };
    add_words(name, "batches", 8, now, state_of, set, site);
}

void Checkpoint::add(const std::string& name, ExponentialAverage& average, CallSite site) {
    const auto now = [&average] {
        return Words{word_of(average.state().m), word_of(average.state().beta_to_t)};
    };
    const auto state_of = [&average](const Words& words, const CallSite& at) {
        const ExponentialAverage::State state{number_of(words[0]), number_of(words[1])};
        average.check_state(state, at);
        return state;
    };
    const auto set = [&average](const ExponentialAverage::State& state) {
        average.set_state(state);
    };
    add_words(name, "average", 2, now, state_of, set, site);
}

void Checkpoint::add(const std::string& name, std::int64_t& number, CallSite site) {
    add_words(
        name, "integer", 1, [&number] { return Words{word_of(number)}; },
        [](const Words& words, const CallSite&) { return integer_of(words[0]); },
        [&number](std::int64_t read) { number = read; }, site);
}

void Checkpoint::add(const std::string& name, int& number, CallSite site) {
    const auto state_of = [name](const Words& words, const CallSite& at) {
        const std::int64_t read = integer_of(words[0]);
        if (read == static_cast<int>(read)) return static_cast<int>(read);
        fail_argument("Checkpoint", at, in_quotes(name), " is ", read,
                      ", more than an int can hold");
    };
    add_words(
        name, "integer", 1, [&number] { return Words{word_of(std::int64_t{number})}; }, state_of,
        [&number](int read) { number = read; }, site);
}

void Checkpoint::add(const std::string& name, double& number, CallSite site) {
    add_words(
        name, "number", 1, [&number] { return Words{word_of(number)}; },
        [](const Words& words, const CallSite&) { return number_of(words[0]); },
        [&number](double read) { number = read; }, site);
}

void Checkpoint::add(const std::string& name, std::vector<double>& numbers, CallSite site) {
    const auto now = [&numbers] {
        Words words;
        for (const double number : numbers) words.push_back(word_of(number));
        return words;
    };
    const auto state_of = [](const Words& words, const CallSite&) {
        std::vector<double> read;
        for (const std::uint64_t word : words) read.push_back(number_of(word));
        return read;
    };
    const auto set = [&numbers](const std::vector<double>& read) { numbers = read; };
    add_words(name, "numbers", 0, now, state_of, set, site);
}

}}  // namespace heed
