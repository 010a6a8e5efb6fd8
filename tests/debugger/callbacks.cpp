// Functions that the standard library calls back, for check_callbacks.py: `step` halts in them.
#include <algorithm>
#include <functional>
#include <vector>

namespace {
int total = 0;

void add_squares(const std::vector<int>& numbers) {
    std::for_each(numbers.begin(), numbers.end(), [](int n) {
        const int square = n * n;
        total += square;
    });
    total += 1;
}

void through_a_function() {
    const std::function<int(int)> twice = [](int n) {
        return 2 * n;  //
    };
    total += twice(4);
    total += twice(5);
}
}  // namespace

int main() {
    std::vector<int> numbers{3, 1, 2};
    add_squares(numbers);
    through_a_function();
    std::sort(numbers.begin(), numbers.end());
    return total == 14 + 1 + 18 ? 0 : 1;
}
