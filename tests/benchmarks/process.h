// What Linux says about processes: how much memory they have or had, whether their threads sleep.
#pragma once

#include "heed/tensor/scalar.h"

#include <string>

namespace heed {
inline namespace HEED_PRECISION {
namespace benchmarks {

// Of this process; 0 where the system does not say.
long resident_bytes();
long peak_memory_bytes();
void forget_peak_memory();  // from now on the peak is counted anew

// Waits until all threads of a process sleep, at most a second. A pool of threads goes on looking
// for work a while after the last, and would take processors from whom is measured next.
void wait_until_asleep(int process);

}  // namespace benchmarks
}  // namespace HEED_PRECISION
}  // namespace heed
