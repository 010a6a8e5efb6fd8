// The version of heed, of which CMake's package and pkg-config's are made:
//     #if HEED_VERSION < 400   // before 0.4.0
#pragma once

#define HEED_VERSION_MAJOR 0
#define HEED_VERSION_MINOR 3
#define HEED_VERSION_PATCH 0
#define HEED_VERSION (HEED_VERSION_MAJOR * 10000 + HEED_VERSION_MINOR * 100 + HEED_VERSION_PATCH)
