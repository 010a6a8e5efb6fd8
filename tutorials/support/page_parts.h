// The parts of a lesson's page as HTML: what one event (page.h) becomes.
// A test reads the page again and finds in it all that was printed: data-printed marks an element
// that has some of it, and class "extra" what is in there and was not printed.
#pragma once

#include "tutorials/support/page.h"
#include "tutorials/support/printed.h"

#include <map>
#include <string>
#include <vector>

namespace tutorial {

// Writes the parts of a page in order, and remembers which tensors it has shown.
class PageParts {
  public:
    // One of the tensors shown.
    struct Shown {
        std::string name, role, id, section;
    };

    // Sets the section for what follows: "08.1".
    void begin_section(const std::string& number);
    // HTML of one event; a run of claims is one list.
    std::string part(const PageEvent& event);
    // Ends a list of claims.
    std::string end_claims();
    // Those of the current section, for its overview.
    const std::vector<Shown>& shown_here() const { return shown_here_; }
    // Does the page need attention_view_style() and attention_view_script()?
    bool has_views() const { return has_views_; }

  private:
    std::string claim(const PageEvent& event);
    std::string formulas(const PageEvent& event);
    std::string printed(const std::string& text);
    std::string table(const PrintedPart& part, bool was_printed);
    std::string picture(const PageEvent& event);
    std::string role(const std::string& name) const;
    std::string caption(const std::string& name, const std::string& shape, const std::string& id);
    std::string stop(const PageEvent& event);
    std::string heat_map(const PageEvent& event);
    std::string explore(const heed::AttentionRecord& record);
    std::string new_id(const std::string& kind);

    std::string section_;
    bool in_claims_ = false, has_views_ = false;
    std::map<std::string, Shown> last_;  // by name, or by role
    std::vector<Shown> shown_here_;
    std::map<std::string, int> ids_;
    std::vector<std::pair<heed::Tensor, std::string>> explored_;  // weights, and the view of them
};

}  // namespace tutorial
