// Which of the library's operations an answer calls, for exercises that ask to write one yourself.
#pragma once

#include "autograd/observer.h"
#include "autograd/operation.h"

#include <functional>
#include <string>
#include <utility>

namespace exercise {

// Hears of every operation on variables in this thread, recorded or not.
class HearingOf : public heed::Observer {
  public:
    explicit HearingOf(std::string name) : name_(std::move(name)) {}
    bool heard() const { return heard_; }

    void computed(const heed::Operation& operation, const heed::Tensor&,
                  const heed::OperationInputs&, const heed::CallSite&) override {
        heard_ = heard_ || operation.name() == name_;
    }

  private:
    std::string name_;
    bool heard_ = false;
};

// Does `code` call the operation of that name, "layer_norm", by itself or in a layer?
inline bool calls(const std::string& name, const std::function<void()>& code) {
    HearingOf hearing(name);
    const heed::Observing observing(hearing);
    code();
    return hearing.heard();
}

}  // namespace exercise
