#include "tutorials/support/ticks.h"

#include "tensor/errors.h"
#include "tensor/print.h"

#include <algorithm>
#include <cmath>

using namespace heed;

namespace tutorial {
namespace {

// m·10^power, by one exact power and one rounding, for powers that a double has exactly.
double times_power(double m, int power) {
    double result = m;
    for (; power >= 22; power -= 22) result *= 1e22;
    for (; power <= -22; power += 22) result /= 1e22;
    double rest = 1;
    for (int i = 0; i < std::abs(power); ++i) rest *= 10;
    return power < 0 ? result / rest : result * rest;
}

// The largest power with 10^power <= x, for x > 0.
int power_of(double x) {
    int power = 0;
    while (power < 308 && times_power(1, power + 1) <= x) ++power;
    while (power > -308 && times_power(1, power) > x) --power;
    return power;
}

std::string raised(int power) {
    const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string result = power < 0 ? "⁻" : "";
    for (const char digit : std::to_string(std::abs(power))) result += digits[digit - '0'];
    return result;
}

// 10,000 for 10000
std::string with_commas(const std::string& digits) {
    const std::size_t end = std::min(digits.find('.'), digits.size());
    const std::size_t begin = digits[0] == '-' ? 1 : 0;
    std::string result;
    for (std::size_t at = 0; at < digits.size(); ++at) {
        if (at > begin && at < end && (end - at) % 3 == 0) result += ',';
        result += digits[at];
    }
    return result;
}

bool is_plain_size(double largest) { return largest < 1e6 && largest >= 1e-3; }

// The multiples of a step 10^power, or 2 or 5 of it, all with as many decimals.
std::vector<std::string> labels_of(const std::vector<double>& at, int power) {
    double largest = 0;
    for (const double tick : at) largest = std::max(largest, std::fabs(tick));
    const bool plain = is_plain_size(largest);
    const int factor = plain ? 0 : power_of(largest);
    std::vector<std::string> labels;
    for (const double tick : at) {
        const std::string digits =
            with_commas(fixed(times_power(tick, -factor), std::max(0, factor - power)));
        labels.push_back(tick == 0 ? "0" : plain ? digits : digits + "·10" + raised(factor));
    }
    return labels;
}

void check_range(const char* what, double least, double most, const CallSite& site) {
    if (!(std::fabs(least) <= 1e300 && std::fabs(most) <= 1e300)) {
        fail_argument(what, site, "the range is ", least, " to ", most,
                      "; both must be finite, and not beyond 1e300");
    }
    if (least > most) {
        fail_argument(what, site, "the range is empty: it begins at ", least, " and ends at ",
                      most);
    }
}

// 1, 2 and 5 times powers of ten: number 0 is 1, 1 is 2, 2 is 5, 3 is 10, -1 is 0.5.
struct OneTwoFive {
    int number;
    int power() const { return number >= 0 ? number / 3 : -((2 - number) / 3); }
    double value() const {
        const double m[] = {1, 2, 5};
        return times_power(m[number - 3 * power()], power());
    }
};

}  // namespace

std::string short_number(double number) {
    const double size = std::fabs(number);
    if (number == 0 || !std::isfinite(number)) return fixed(number, 0);
    const int power = power_of(size);
    const bool plain = is_plain_size(size);
    std::string digits = fixed(plain ? number : times_power(number, -power),
                               plain ? std::clamp(2 - power, 0, 5) : 2);
    if (digits.find('.') != std::string::npos) digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
    return plain ? with_commas(digits) : digits + "·10" + raised(power);
}

Ticks linear_ticks(double least, double most, CallSite site) {
    check_range("linear_ticks", least, most, site);
    const double largest = std::max(std::fabs(least), std::fabs(most));
    if (most - least <= 1e-12 * largest || most - least < 1e-300) {
        const double room = largest < 1e-290 ? 1 : largest / 10;
        least -= room;
        most += room;
    }
    const double wanted = (most - least) / 5;
    const int power = power_of(wanted);
    int m = 1, step_power = power;
    for (const int larger : {1, 2, 5, 10}) {
        m = larger;
        if (times_power(larger, power) >= wanted * (1 - 1e-9)) break;
    }
    if (m == 10) {
        m = 1;
        ++step_power;
    }
    const double step = times_power(m, step_power);
    const double first = std::floor(least / step + 1e-6), last = std::ceil(most / step - 1e-6);
    Ticks ticks{0, 0, {}, {}};
    for (double i = first; i <= last; ++i) ticks.at.push_back(times_power(i * m, step_power));
    ticks.least = ticks.at.front();
    ticks.most = ticks.at.back();
    ticks.labels = labels_of(ticks.at, step_power);
    return ticks;
}

Ticks log_ticks(double least, double most, CallSite site) {
    check_range("log_ticks", least, most, site);
    if (!(least > 1e-300)) {
        fail_argument("log_ticks", site, "the range begins at ", least,
                      "; a logarithmic axis has positive numbers only");
    }
    const int lowest = power_of(least), highest = power_of(most);
    OneTwoFive first{3 * lowest}, last{3 * highest};
    while (OneTwoFive{first.number + 1}.value() <= least) ++first.number;
    while (last.value() < most) ++last.number;
    if (first.number == last.number) {
        --first.number;
        ++last.number;
    }
    Ticks ticks{0, 0, {}, {}};
    const int decades = (last.number - first.number) / 3;
    if (decades < 2) {
        for (OneTwoFive tick = first; tick.number <= last.number; ++tick.number) {
            ticks.at.push_back(tick.value());
            ticks.labels.push_back(short_number(tick.value()));
        }
    } else {
        const int from = first.power(),
                  to = last.number == 3 * last.power() ? last.power() : last.power() + 1;
        const int stride = (to - from + 5) / 6;
        const int end = from + (to - from + stride - 1) / stride * stride;
        const bool plain = from >= -3 && end <= 5;
        for (int power = from; power <= end; power += stride) {
            ticks.at.push_back(times_power(1, power));
            ticks.labels.push_back(plain ? short_number(ticks.at.back()) : "10" + raised(power));
        }
    }
    ticks.least = ticks.at.front();
    ticks.most = ticks.at.back();
    return ticks;
}

}  // namespace tutorial
