#include "graph_layout.h"

#include "svg.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace heed { inline namespace HEED_PRECISION {
namespace {

using Index = std::size_t;

// A box, or the place where a long arrow crosses a layer.
struct Item {
    Index layer;  // 0 is the lowest
    double width;
    double x = 0;     // of its middle
    double rank = 0;  // its place in its layer
    std::vector<Index> above = {}, below = {};
};

class Layering {
  public:
    Layering(const std::vector<double>& widths, const std::vector<ArrowOf>& arrows)
        : arrows_(arrows), items_(widths.size()), users_(widths.size()) {
        for (Index box = 0; box < widths.size(); ++box) items_[box] = {0, widths[box]};
        find_circles();
        find_layers();
        cross_layers();
    }

    GraphLayout laid_out() {
        order();
        place();
        // The leftmost begins at 0.
        double left = std::numeric_limits<double>::max();
        for (const Item& item : items_) left = std::min(left, item.x - item.width / 2);
        for (Item& item : items_) item.x -= left;
        GraphLayout layout;
        for (const Item& item : items_) {
            layout.width = std::max(layout.width, item.x + item.width / 2);
        }
        for (Index box = 0; box < users_.size(); ++box) {
            const double width = items_[box].width;
            layout.boxes.push_back({width, items_[box].x - width / 2, top_of(box)});
            layout.height = std::max(layout.height, top_of(box) + GraphLayout::box_height);
        }
        const std::vector<double> starts = ends_of_arrows(true), ends = ends_of_arrows(false);
        for (Index a = 0; a < routes_.size(); ++a) {
            const std::vector<Index>& items = routes_[a].items;
            LaidOutArrow arrow{arrows_[a].from, arrows_[a].to, {}};
            if (items.size() > 1) {
                arrow.places.push_back(
                    {starts[a], top_of(items.front()) + GraphLayout::box_height});
                for (Index k = 1; k + 1 < items.size(); ++k) {
                    const double middle = top_of(items[k]) + GraphLayout::box_height / 2;
                    arrow.places.push_back({items_[items[k]].x, middle});
                }
                arrow.places.push_back({ends[a], top_of(items.back())});
            }
            if (routes_[a].is_back) std::reverse(arrow.places.begin(), arrow.places.end());
            layout.arrows.push_back(arrow);
        }
        return layout;
    }

  private:
    // Depth first along the arrows: one that leads to a box we come from closes a circle.
    void find_circles() {
        routes_.resize(arrows_.size());
        for (Index i = 0; i < arrows_.size(); ++i) {
            users_[static_cast<Index>(arrows_[i].from)].push_back(i);
        }
        enum class State { unseen, open, done };
        std::vector<State> states(items_.size(), State::unseen);
        struct Visit {
            Index box, next;
        };
        for (Index start = 0; start < items_.size(); ++start) {
            std::vector<Visit> stack;
            if (states[start] == State::unseen) stack.push_back({start, 0});
            while (!stack.empty()) {
                Visit& top = stack.back();
                states[top.box] = State::open;
                if (top.next == users_[top.box].size()) {
                    states[top.box] = State::done;
                    stack.pop_back();
                    continue;
                }
                const Index arrow = users_[top.box][top.next++];
                const Index to = static_cast<Index>(arrows_[arrow].to);
                if (states[to] == State::open) routes_[arrow].is_back = true;
                if (states[to] == State::unseen) stack.push_back({to, 0});
            }
        }
    }

    // Each box lies just above the highest of its users; what has none lies lowest.
    void find_layers() {
        std::vector<Index> waits(items_.size(), 0), ready;
        std::vector<std::vector<Index>> inputs(items_.size());
        for (Index i = 0; i < arrows_.size(); ++i) {
            if (routes_[i].is_back) continue;
            ++waits[static_cast<Index>(arrows_[i].from)];
            inputs[static_cast<Index>(arrows_[i].to)].push_back(
                static_cast<Index>(arrows_[i].from));
        }
        for (Index box = 0; box < items_.size(); ++box) {
            if (waits[box] == 0) ready.push_back(box);
        }
        for (Index at = 0; at < ready.size(); ++at) {
            const Index box = ready[at];
            for (const Index input : inputs[box]) {
                items_[input].layer = std::max(items_[input].layer, items_[box].layer + 1);
                if (--waits[input] == 0) ready.push_back(input);
            }
        }
    }

    void cross_layers() {
        for (Index i = 0; i < arrows_.size(); ++i) {
            Route& route = routes_[i];
            Index upper = static_cast<Index>(arrows_[i].from);
            Index lower = static_cast<Index>(arrows_[i].to);
            if (route.is_back) std::swap(upper, lower);
            route.items = {upper};
            for (Index layer = items_[upper].layer; layer-- > items_[lower].layer + 1;) {
                items_.push_back({layer, 8});
                route.items.push_back(items_.size() - 1);
            }
            if (upper != lower) route.items.push_back(lower);
            for (Index k = 1; k < route.items.size(); ++k) {
                items_[route.items[k - 1]].below.push_back(route.items[k]);
                items_[route.items[k]].above.push_back(route.items[k - 1]);
            }
        }
        for (Index i = 0; i < items_.size(); ++i) {
            if (layers_.size() <= items_[i].layer) layers_.resize(items_[i].layer + 1);
            layers_[items_[i].layer].push_back(i);
        }
        for (std::vector<Index>& layer : layers_) number(layer);
    }

    // The barycentre method: down and up again, each item to the mean place of its neighbours; the
    // best order on the way is kept.
    void order() {
        std::vector<std::vector<Index>> best = layers_;
        std::int64_t fewest = crossings();
        for (int sweep = 0; sweep < 12 && fewest > 0; ++sweep) {
            for (Index i = 0; i < layers_.size(); ++i) {
                const bool downwards = sweep % 2 == 1;
                sort_layer(downwards ? layers_.size() - 1 - i : i, downwards);
            }
            const std::int64_t now = crossings();
            if (now >= fewest) continue;
            fewest = now;
            best = layers_;
        }
        layers_ = best;
        for (std::vector<Index>& layer : layers_) number(layer);
    }

    void sort_layer(Index which, bool by_above) {
        std::vector<Index>& layer = layers_[which];
        std::vector<std::pair<double, Index>> keys;
        for (const Index i : layer) {
            const std::vector<Index>& others = by_above ? items_[i].above : items_[i].below;
            double sum = 0;
            for (const Index other : others) sum += items_[other].rank;
            const double mean = sum / static_cast<double>(others.size());
            keys.push_back({others.empty() ? items_[i].rank : mean, i});
        }
        std::stable_sort(keys.begin(), keys.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (Index i = 0; i < layer.size(); ++i) layer[i] = keys[i].second;
        number(layer);
    }

    // Pairs of arrows between neighbouring layers that cross: those with their ends in another
    // order.
    std::int64_t crossings() const {
        std::int64_t count = 0;
        for (const std::vector<Index>& layer : layers_) {
            std::vector<double> ends;  // below, in the order of the upper ends
            for (const Index i : layer) {
                std::vector<double> own;
                for (const Index below : items_[i].below) own.push_back(items_[below].rank);
                std::sort(own.begin(), own.end());
                for (const double end : own) {
                    for (const double before : ends) count += before > end;
                }
                ends.insert(ends.end(), own.begin(), own.end());
            }
        }
        return count;
    }

    // Each item below the mean of its neighbours, as far as those beside it leave room. What only
    // begins here, such as a leaf, counts little, so that a chain of operations stands straight.
    void place() {
        std::vector<std::vector<double>> apart;
        for (const std::vector<Index>& layer : layers_) {
            apart.emplace_back();
            double at = 0;
            for (Index i = 0; i < layer.size(); ++i) {
                Item& item = items_[layer[i]];
                const double half = item.width / 2;
                const double before = i == 0 ? 0 : items_[layer[i - 1]].width / 2;
                apart.back().push_back(before + half + GraphLayout::gap);
                at += apart.back().back();
                item.x = at;
            }
            for (const Index i : layer) items_[i].x -= at / 2;
        }
        for (int sweep = 0; sweep < 24; ++sweep) {
            for (Index k = 0; k < layers_.size(); ++k) {
                const bool downwards = sweep % 2 == 0;
                const Index which = downwards ? layers_.size() - 1 - k : k;
                std::vector<double> wanted, weights;
                for (const Index i : layers_[which]) {
                    const Item& item = items_[i];
                    double sum = 0, count = 0;
                    for (const std::vector<Index>* others : {&item.above, &item.below}) {
                        if (sweep < 20 && others != (downwards ? &item.above : &item.below))
                            continue;
                        for (const Index other : *others) {
                            const Item& upper = others == &item.above ? items_[other] : item;
                            const double weight = upper.above.empty() ? 1 : 40;
                            sum += weight * items_[other].x;
                            count += weight;
                        }
                    }
                    weights.push_back(item.above.empty() ? 1 : 40);
                    wanted.push_back(count > 0 ? sum / count : item.x);
                }
                const std::vector<double> places = spread_apart(wanted, apart[which], weights);
                for (Index i = 0; i < places.size(); ++i) items_[layers_[which][i]].x = places[i];
            }
        }
    }

    void number(std::vector<Index>& layer) {
        for (Index i = 0; i < layer.size(); ++i) items_[layer[i]].rank = static_cast<double>(i);
    }

    double top_of(Index item) const {
        const Index from_top = layers_.size() - 1 - items_[item].layer;
        return static_cast<double>(from_top) * GraphLayout::row_height;
    }

    // Where each arrow leaves the lower side of its upper box, or meets the upper side of its lower
    // one. Several at one side are in the order of the places that they come from or go to.
    std::vector<double> ends_of_arrows(bool upper) const {
        std::vector<std::vector<std::pair<double, Index>>> at(users_.size());
        for (Index a = 0; a < routes_.size(); ++a) {
            const std::vector<Index>& items = routes_[a].items;
            if (items.size() < 2) continue;
            const Index box = upper ? items.front() : items.back();
            const Index other = upper ? items[1] : items[items.size() - 2];
            at[box].push_back({items_[other].x, a});
        }
        std::vector<double> ends(routes_.size());
        for (Index box = 0; box < at.size(); ++box) {
            std::stable_sort(at[box].begin(), at[box].end(),
                             [](const auto& a, const auto& b) { return a.first < b.first; });
            const double last = static_cast<double>(at[box].size()) - 1;
            const double room = std::max(0.0, items_[box].width - 16);
            const double step = std::min(14.0, room / std::max(1.0, last));
            for (Index i = 0; i < at[box].size(); ++i) {
                ends[at[box][i].second] =
                    items_[box].x + (static_cast<double>(i) - last / 2) * step;
            }
        }
        return ends;
    }

    struct Route {
        bool is_back = false;
        std::vector<Index> items;  // from the upper box to the lower one
    };

    const std::vector<ArrowOf>& arrows_;
    std::vector<Item> items_;
    std::vector<std::vector<Index>> users_;  // arrows from each box
    std::vector<Route> routes_;              // of each arrow
    std::vector<std::vector<Index>> layers_;
};

}  // namespace

GraphLayout graph_layout(const std::vector<double>& widths, const std::vector<ArrowOf>& arrows) {
    return Layering(widths, arrows).laid_out();
}

}}  // namespace heed
