// Observer: is notified when operations are recorded and gradients are computed.
// Anomaly detection, the tape of gradcheck and explain() use observers. The core calls this
// interface and does not know them.
#pragma once

#include "../tensor/scalar.h"

#include <functional>
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
    bool in_all_threads_;
};

// The first of the observers notified in this thread, or null.
Observing* observers();
// The same, but null unless this thread has an observer of its own.
Observing* observers_here();

// Notifies the observers from `first` on with notify(observer), until one returns true. Returns
// whether one did.
bool notify_until(Observing* first, const std::function<bool(Observer&)>& notify);

// The same, at next to no cost if `first` is null.
//     any_observer(observers(), [](Observer& each) { return each.keeps_graphs(); });
template <class Notify>
bool any_observer(Observing* first, const Notify& notify) {
    return first && notify_until(first, std::cref(notify));  // cref: nothing is allocated
}
// Notifies every observer.
template <class Notify>
void each_observer(Observing* first, const Notify& notify) {
    any_observer(first, [&notify](Observer& each) { return notify(each), false; });
}

// For its lifetime, this thread computes the derivative of a node.
class ComputingDerivative {
  public:
    ComputingDerivative() { ++depth_; }
    ~ComputingDerivative() { --depth_; }
    ComputingDerivative(const ComputingDerivative&) = delete;
    ComputingDerivative& operator=(const ComputingDerivative&) = delete;

    // How many derivatives this thread is computing, each inside the one before.
    static int depth() { return depth_; }

  private:
    inline static thread_local int depth_ = 0;
};

}}  // namespace heed
