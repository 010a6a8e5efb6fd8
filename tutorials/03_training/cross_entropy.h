// The part of lesson 03 on softmax and cross-entropy.
#pragma once

// Sections 03.4 and 03.5.
void cross_entropy_by_hand();
