// Distinguishes a mistake in the learner's file from any other reason why a build failed.
#pragma once

#include <string>

namespace exercise {

// Neither text is a whole sentence's beginning or end: "It cannot be judged, because " + reason.
struct Failure {
    std::string reason;  // "the disk is full"; empty if the mistake is in the learner's file
    std::string advice;  // sentences
};

// Examines the output of a failed build of `target`, the target of the learner's `file`.
Failure failure_in(const std::string& output, const std::string& file, const std::string& target);

}  // namespace exercise
