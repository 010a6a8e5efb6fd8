// The part of lesson 04 on vectors that are counted from text.
#pragma once

// Section 04.9.
void counted_vectors();
