#pragma once

#include <set>
#include <string>
#include <string_view>

namespace vinculum::imports {

/// Names of one model, all different and allowed by the language.
class Names {
 public:
  /// The name itself if the language allows it and it is new. Characters that a name cannot contain become `_`; a name
  /// that is taken or has a meaning of its own gets the suffix, then also a number.
  std::string take(std::string_view wanted, std::string_view suffix);

 private:
  [[nodiscard]] bool is_free(const std::string& name) const;

  std::set<std::string> taken_;
};

/// A text without quotes and line ends, for comments and strings of a model.
[[nodiscard]] std::string on_one_line(std::string_view text);

}  // namespace vinculum::imports
