// Observer: is notified when operations are recorded and gradients are computed.
// Anomaly detection, the tape of gradcheck and explain() use observers. The core calls this
// interface and does not know them.
#pragma once

#include "../tensor/scalar.h"

#include <memory>

namespace heed { inline namespace HEED_PRECISION {

class BackwardPass;
struct CallSite;
class OperationInputs;
class Node;
class Operation;
class Tensor;
class Variable;

class Observer {
  public:
    // An operation computed `value`, whether or not it is going to be recorded.
    virtual void computed(const Operation&, const Tensor& /*value*/, const OperationInputs&,
                          const CallSite&) {}
    // The operation was recorded as this node.
    virtual void recorded(const std::shared_ptr<Node>&, const Tensor& /*value*/,
                          const OperationInputs&) {}

    // Called when a backward pass begins. True: the pass destroys no operation. A graph that it
    // frees remains available to explain(), but no other pass may walk it.
    virtual bool keeps_graphs() const { return false; }
    // The derivative of one node is computed between these two calls.
    virtual void derivative_begins() {}
    virtual void derivative_ends() {}
    // False: this observer does not need received(). If no observer does, gradients may be added to
    // a sum directly (Gradients::sum_so_far), and received() is not called for them.
    virtual bool needs_received() const { return true; }
    // Node `by` computed this gradient for its input number `input` from G, the gradient of its
    // output. It is not yet summed over broadcast axes.
    virtual void received(const Node& /*by*/, int /*input*/, const Variable& /*gradient*/,
                          const Variable& /*G*/) {}
    // True: the node's hooks are not called; `gradient` was set to what they returned in an earlier
    // pass, or left as it is. False: call them.
    virtual bool replays_hooks(const Node&, Variable& /*gradient*/) { return false; }
    // The node's hooks replaced the gradient `before` by `after`.
    virtual void hooked(BackwardPass&, const Node&, const Tensor& /*before*/,
                        const Tensor& /*after*/) {}
    // backward() is about to add this gradient to the node's .grad.
    virtual void accumulates(BackwardPass&, Node&, const Tensor& /*gradient*/) {}
    // The node's .grad was cleared or set.
    virtual void forgets(Node&) {}

  protected:
    ~Observer() = default;
};

// For its lifetime, an observer, which must outlive it, is notified in this thread. With
// `in_all_threads` (created before main()), it is notified in every thread of what is recorded,
// kept and accumulated, and of the rest only in threads with an observer of their own.
// While an observer is being notified, this may end, others may end or begin, and the observer may
// throw. It may compute, and is not notified of what it computes.
class Observing {
  public:
    explicit Observing(Observer& notified, bool in_all_threads = false);
    ~Observing();
    Observing(const Observing&) = delete;
    Observing& operator=(const Observing&) = delete;

    Observer& observer;
    Observing* next;

  private:
    friend class ComputingDerivative;

    bool in_all_threads_;
    int derivatives_ = 0;  // that began while it was there, and have not ended
};

// The first of the observers notified in this thread, or null.
Observing* observers();
// The same, but null unless this thread has an observer of its own.
Observing* observers_here();

// A position in the list of observers, which stays valid if any of them ends. Skips those that this
// thread is notifying already.
class NotifiedObserver {
  public:
    explicit NotifiedObserver(Observing* first);
    ~NotifiedObserver();
    NotifiedObserver(const NotifiedObserver&) = delete;
    NotifiedObserver& operator=(const NotifiedObserver&) = delete;

    Observing* get() const { return current_; }
    void advance();

  private:
    friend class Observing;

    Observing* current_ = nullptr;
    Observing* next_;
    NotifiedObserver* outer_;
};

// Calls notify(observing) for each from `first` on, until one returns true. Returns whether one
// did.
//     any_observer(observers(), [&](Observing& each) { return each.observer.keeps_graphs(); });
template <class Notify>
bool any_observer(Observing* first, const Notify& notify) {
    if (!first) return false;
    for (NotifiedObserver at(first); at.get(); at.advance()) {
        if (notify(*at.get())) return true;
    }
    return false;
}
// Calls notify(observing) for each.
template <class Notify>
void each_observer(Observing* first, const Notify& notify) {
    any_observer(first, [&notify](Observing& each) {
        notify(each);
        return false;
    });
}

// Tells the observers when the derivative of a node begins and ends. If one throws, the others are
// told first.
class ComputingDerivative {
  public:
    ComputingDerivative();
    ~ComputingDerivative();  // after an exception: what observers throw now is lost
    ComputingDerivative(const ComputingDerivative&) = delete;
    ComputingDerivative& operator=(const ComputingDerivative&) = delete;

    void end();

  private:
    void end_quietly() noexcept;

    bool ended_ = false;
};

}}  // namespace heed
