#pragma once

#include <string>
#include <vector>

namespace vinculum::reference {

struct Page {
  std::string name;  ///< of its file, without `.md`
  std::string text;  ///< Markdown
};

/// The pages of the reference, a table each, from the tables of the program: what they list is what there is.
[[nodiscard]] std::vector<Page> pages();

}  // namespace vinculum::reference
