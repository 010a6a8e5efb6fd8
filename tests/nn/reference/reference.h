// Tensors that PyTorch computed once in float64, a file TOPIC.safetensors for each topic, which the
// script make_TOPIC.py beside it writes; reference.py says how.
#pragma once

#include "nn/files/safetensors.h"
#include "tests/test_file.h"

#include <map>
#include <string>

inline std::string reference_file(const std::string& topic) {
    return test_file("nn/reference/" + topic + ".safetensors");
}

// All tensors of a topic as Scalars, each number rounded once; the file is read once. Errors: those
// of read_safetensors().
inline const heed::StateDict& reference_tensors(const std::string& topic,
                                                heed::CallSite site = heed::CallSite::here()) {
    static std::map<std::string, heed::StateDict> topics;
    if (!topics.contains(topic)) {
        topics[topic] = heed::read_safetensors(reference_file(topic), site);
    }
    return topics.at(topic);
}

// The entries whose names begin with `prefix`, under the rest of their names.
inline heed::StateDict entries_under(const heed::StateDict& state, const std::string& prefix) {
    heed::StateDict entries;
    for (const heed::StateDict::Entry& entry : state) {
        if (!entry.name.starts_with(prefix)) continue;
        entries.add(entry.name.substr(prefix.size()), entry.value);
    }
    return entries;
}
