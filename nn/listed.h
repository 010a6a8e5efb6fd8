// Listed: a base class whose living objects can be enumerated.
// All layers and parameters are listed, so that one that members() forgets can be found.
#pragma once

#include "../tensor/scalar.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

class Module;
class Parameter;

// The list is linked through the objects: making, moving and destroying one allocates nothing. Safe
// to use from several threads.
class Listed {
  public:
    // All living layers and parameters, in the order of their addresses.
    static std::vector<const Listed*> all();

    const Module* module() const;        // null if this is a parameter
    const Parameter* parameter() const;  // null if this is a layer
    bool made_by_this_thread() const;
    static std::int64_t ended_here();  // the number of objects that this thread has destroyed

    // Was it ever visited by the members() of a layer, or given to an optimizer?
    bool is_known() const { return known_; }
    void make_known() const { known_ = true; }

  protected:
    enum class Kind { module, parameter };

    explicit Listed(Kind kind) noexcept;
    Listed(const Listed& other) noexcept;
    Listed& operator=(const Listed&) noexcept { return *this; }
    ~Listed();

  private:
    void link() noexcept;

    Kind kind_;
    mutable std::atomic<bool> known_ = false;
    const void* thread_;
    Listed* before_ = nullptr;
    Listed* next_ = nullptr;
};

}}  // namespace heed
