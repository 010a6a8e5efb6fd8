// What Linux reports about processes: memory in use, peak memory, and sleeping threads.
#pragma once

#include "tensor/scalar.h"

#include <string>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

// Of this process; 0 if the system does not report it.
long resident_bytes();
long peak_memory_bytes();
void forget_peak_memory();  // restarts the peak from the current use

// Waits until all threads of a process sleep, at most a second. A thread pool polls for work for a
// while after the last task, and would take processors from whatever is measured next.
void wait_until_asleep(int process);

}}}  // namespace heed::benchmarks
