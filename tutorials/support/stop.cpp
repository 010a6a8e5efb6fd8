#include "tutorials/support/stop.h"

#include "autograd/node.h"
#include "tensor/print.h"
#include "tutorials/support/page.h"
#include "tutorials/support/reader.h"
#include "tutorials/support/terminal.h"

#include <ostream>

namespace heed {

void (*at_stop)(const char* name, Locals locals, const CallSite& site) = nullptr;

void stop(const char* name, Locals locals, CallSite site) {
    if (at_stop != nullptr) at_stop(name, locals, site);
}

}  // namespace heed

namespace tutorial {
namespace {
const heed::PrintOptions capped{.summarise_above = 120, .edge = 3, .shape = false};

// " [3, 2], strides [1, 3]"
std::string window_of(const heed::Tensor& x) {
    if (x.is_contiguous()) return " " + x.shape().text();
    return " " + x.shape().text() + ", strides " + x.strides().text();
}

std::string maker_of(const heed::Variable& x) {
    if (x.node() == nullptr) return ", nothing recorded";
    if (!x.is_leaf()) return ", made by " + x.node()->description();
    return x.requires_grad() ? ", a leaf, requires grad" : ", a leaf, frozen";
}

std::string text_of(const heed::Tensor& x) {
    return "Tensor" + window_of(x) + "\n" + to_string(x, capped);
}

std::string text_of(const heed::Variable& x) {
    std::string text = "Variable" + window_of(x.value()) + maker_of(x) + "\n";
    text += to_string(x.value(), capped);
    if (x.has_grad()) text += "\nits gradient\n" + to_string(x.grad(), capped);
    return text;
}

template <class X>
std::string text_of(const char* type, const X& x) {
    return type + (" " + x.shape().text()) + "\n" + to_string(x, capped);
}

std::string text_of(const heed::Local& local) {
    switch (local.type) {
    case heed::Local::Type::tensor:
        return text_of(*static_cast<const heed::Tensor*>(local.object));
    case heed::Local::Type::variable:
        return text_of(*static_cast<const heed::Variable*>(local.object));
    case heed::Local::Type::bool_tensor:
        return text_of("BoolTensor", *static_cast<const heed::BoolTensor*>(local.object));
    case heed::Local::Type::mask:
        return text_of("Mask", *static_cast<const heed::Mask*>(local.object));
    case heed::Local::Type::index_tensor:
        return text_of("IndexTensor", *static_cast<const heed::IndexTensor*>(local.object));
    }
    return "";
}

std::string numbers_of(const heed::Local& local) {
    constexpr heed::PrintOptions few{.summarise_above = 120, .edge = 3};
    switch (local.type) {
    case heed::Local::Type::tensor:
        return to_string(*static_cast<const heed::Tensor*>(local.object), few);
    case heed::Local::Type::variable:
        return to_string(static_cast<const heed::Variable*>(local.object)->value(), few);
    case heed::Local::Type::bool_tensor:
        return to_string(*static_cast<const heed::BoolTensor*>(local.object), few);
    case heed::Local::Type::mask:
        return to_string(*static_cast<const heed::Mask*>(local.object), few);
    case heed::Local::Type::index_tensor:
        return to_string(*static_cast<const heed::IndexTensor*>(local.object), few);
    }
    return "";
}

void show_and_wait(const char* name, heed::Locals locals, const heed::CallSite& site) {
    std::ostream& out = to_reader();
    out << "=== stop " << in_quotes({name}) << ", " << site.text() << "\n";
    for (const heed::Local& local : locals) {
        out << local.name << ": " << text_of(local) << "\n";
    }
    if (!reader_is_gone()) {
        out << "=== Enter: go on, q: leave the lesson\n";
        line_from_reader();
    }
    out << "\n";
}

// Of each local what the lesson would print: its name, its numbers and its shape.
void keep_on_page(const char* name, heed::Locals locals, const heed::CallSite& site) {
    PageEvent event{PageEvent::Kind::stop, name, site};
    for (const heed::Local& local : locals) {
        event.locals.push_back(local.name + (" =\n" + numbers_of(local)));
    }
    add_to_page(event);
}

}  // namespace

void pause_at_stops() { heed::at_stop = show_and_wait; }

void keep_stops() { heed::at_stop = keep_on_page; }

void no_pause_at_stops() { heed::at_stop = nullptr; }

}  // namespace tutorial
