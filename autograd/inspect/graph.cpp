#include "graph.h"

#include "../../tensor/errors.h"
#include "graph_outline.h"

#include <algorithm>
#include <unordered_map>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// "requires grad", "3 operations", or nothing
std::string remark_of(const OutlineEntry& entry) {
    if (entry.closed) return count_of_operations(entry);
    if (!entry.node->is_leaf) return "";
    return entry.node->requires_grad ? "requires grad" : "frozen";
}

struct Line {
    OutlineInput what;
    std::int64_t depth;
};

class TextWriter {
  public:
    TextWriter(const Outline& outline, const GraphOptions& options)
        : outline_(outline), options_(options),
          numbers_(static_cast<std::size_t>(outline.size()), not_written) {}

    std::string write() {
        pending_.push_back({{0, outline_[0].node->shape}, 0});
        std::int64_t lines = 0;
        while (!pending_.empty() && lines < options_.max_entries) {
            const Line line = pending_.back();
            pending_.pop_back();
            write_line(line);
            ++lines;
        }
        if (!pending_.empty()) out_ << "... (cut after " << lines << " lines)\n";
        return built_.text();
    }

  private:
    static constexpr std::int64_t not_written = -1;

    void write_line(const Line& line) {
        out_ << std::string(static_cast<std::size_t>(2 * line.depth), ' ');
        if (line.what.entry < 0) {
            out_ << "constant " << line.what.shape << "\n";
            return;
        }
        const OutlineEntry& entry = outline_[line.what.entry];
        std::int64_t& number = numbers_[static_cast<std::size_t>(line.what.entry)];
        if (number != not_written) {
            out_ << "#" << number << " " << label_of(entry) << " " << line.what.shape
                 << ", above\n";
            return;
        }
        write_entry(line.what, number);
        if (entry.inputs.empty()) return;
        if (line.depth + 1 < options_.max_depth) {
            for (std::size_t i = entry.inputs.size(); i-- > 0;) {
                pending_.push_back({entry.inputs[i], line.depth + 1});
            }
        } else {
            out_ << std::string(static_cast<std::size_t>(2 * line.depth + 2), ' ')
                 << "... (deeper than " << options_.max_depth << ")\n";
        }
    }

    void write_entry(const OutlineInput& what, std::int64_t& number) {
        const OutlineEntry& entry = outline_[what.entry];
        number = entry.uses > 1 ? ++last_number_ : 0;
        if (number > 0) out_ << "#" << number << " ";
        out_ << label_of(entry) << " " << what.shape;
        if (!entry.node->is_leaf) out_ << " at " << place_of(entry);
        if (entry.around) out_ << ", in " << entry.around->name;
        const std::string remark = remark_of(entry);
        out_ << (remark.empty() ? "" : " (" + remark + ")") << "\n";
    }

    const Outline& outline_;
    const GraphOptions& options_;
    std::vector<std::int64_t> numbers_;  // of entries used more than once; 0 for the others
    std::int64_t last_number_ = 0;
    std::vector<Line> pending_;
    TextBuilder built_;
    std::ostream& out_ = built_.out();
};

std::string dot_text(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + "\"";
}

// Nested scopes, in the order in which they are visited.
struct Cluster {
    const ScopeFrame* frame = nullptr;
    std::vector<std::int64_t> entries;
    std::vector<std::size_t> inside;
};

class DotWriter {
  public:
    DotWriter(const Outline& outline, const GraphOptions& options)
        : outline_(outline), shown_(std::min(outline.size(), options.max_entries)) {}

    std::string write() {
        clusters_.push_back({});  // outside all scopes
        cluster_of_[nullptr] = 0;
        for (std::int64_t i = 0; i < shown_; ++i) {
            const std::size_t cluster = cluster_of(outline_[i].around);
            clusters_[cluster].entries.push_back(i);
        }
        out_ << "digraph heed {\n  node [shape=box];\n";
        write_cluster(0);
        for (std::int64_t i = 0; i < shown_; ++i) write_inputs(i);
        if (shown_ < outline_.size()) {
            out_ << "  more [shape=plaintext, label=\"... (" << outline_.size() - shown_
                 << " more)\"];\n";
        }
        out_ << "}\n";
        return built_.text();
    }

  private:
    std::size_t cluster_of(const ScopeFrame* frame) {
        const auto known = cluster_of_.find(frame);
        if (known != cluster_of_.end()) return known->second;
        const std::size_t outer = cluster_of(frame->parent.get());
        Cluster cluster;
        cluster.frame = frame;
        clusters_.push_back(cluster);
        clusters_[outer].inside.push_back(clusters_.size() - 1);
        cluster_of_[frame] = clusters_.size() - 1;
        return clusters_.size() - 1;
    }

    void write_cluster(std::size_t cluster) {
        const ScopeFrame* const frame = clusters_[cluster].frame;
        if (frame) {
            out_ << "  subgraph cluster_" << cluster
                 << " {\n  label=" << dot_text(frame->name + " at " + frame->site.text()) << ";\n";
        }
        for (const std::int64_t entry : clusters_[cluster].entries) write_entry(entry);
        for (const std::size_t inside : clusters_[cluster].inside) write_cluster(inside);
        if (frame) out_ << "  }\n";
    }

    void write_entry(std::int64_t i) {
        const OutlineEntry& entry = outline_[i];
        std::string label = text(label_of(entry), " ", entry.node->shape);
        if (!entry.node->is_leaf) label += " at " + place_of(entry);
        const std::string remark = remark_of(entry);
        if (!remark.empty()) label += " (" + remark + ")";
        out_ << "  n" << i << " [label=" << dot_text(label);
        if (entry.node->is_leaf) out_ << ", shape=ellipse";
        if (entry.closed) out_ << ", peripheries=2";
        out_ << "];\n";
    }

    void write_inputs(std::int64_t i) {
        for (const OutlineInput& input : outline_[i].inputs) {
            if (input.entry >= shown_) continue;
            if (input.entry >= 0) {
                out_ << "  n" << input.entry << " -> n" << i << ";\n";
                continue;
            }
            out_ << "  c" << constants_ << " [label=" << dot_text("constant " + input.shape.text())
                 << ", shape=plaintext];\n  c" << constants_ << " -> n" << i << ";\n";
            ++constants_;
        }
    }

    const Outline& outline_;
    std::int64_t shown_;
    std::int64_t constants_ = 0;
    std::vector<Cluster> clusters_;
    std::unordered_map<const ScopeFrame*, std::size_t> cluster_of_;  // never iterated
    TextBuilder built_;
    std::ostream& out_ = built_.out();
};

}  // namespace

std::string graph_text(const Variable& output, const GraphOptions& options) {
    if (!output.node()) return "constant " + output.shape().text() + "\n";
    const Outline outline(*output.node(), options.open_scopes);
    return TextWriter(outline, options).write();
}

std::string graph_dot(const Variable& output, const GraphOptions& options) {
    if (!output.node()) {
        const std::string label = dot_text("constant " + output.shape().text());
        return "digraph heed {\n  c0 [label=" + label + ", shape=plaintext];\n}\n";
    }
    const Outline outline(*output.node(), options.open_scopes);
    return DotWriter(outline, options).write();
}

}}  // namespace heed
