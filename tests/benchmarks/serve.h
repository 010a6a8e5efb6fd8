// One side of a comparison: a process of its own that answers line by line. The driver asks ours
// and the peers the same questions, so that all are measured in the same way:
//     prepare THREADS WORK...   ok | no REASON         make what the work needs
//     check                     ok NORM NORM ...       do it once, untimed; the norm of each result
//     sample COUNT              ok NUMBER NUMBER ...   do it once; entries of its first result
//     turn SECONDS              time SECONDS CALLS     do it for about this long, after once
//                                                      untimed; for 0 seconds: just once
//     memory TIMES              memory BEFORE PEAK     bytes, before and while doing it
//     drop                      ok                     forget the work
// The process ends at the end of its input.
#pragma once

#include "tensor/scalar.h"

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

int serve();

}}}  // namespace heed::benchmarks
