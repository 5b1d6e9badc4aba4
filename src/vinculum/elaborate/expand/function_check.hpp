#pragma once

#include <functional>
#include <string>
#include <vector>

#include "vinculum/elaborate/check/report.hpp"
#include "vinculum/lang/walk.hpp"

namespace vinculum::elaborate {

/// Checks the definition of a function, `let f(x, y) = EXPR`: its name, its arguments, and the names and functions in
/// its expression. Kinds and dimensions are checked where the function is used.
class FunctionCheck final : public lang::Walker {
 public:
  /// What a name means at the place of the definition.
  enum class Known { kYes, kLater, kNo };
  struct Surroundings {
    std::function<Known(const std::string&)> name, function;
    std::vector<std::string> names;  ///< candidates for the hint about an unknown name
  };
  FunctionCheck(const lang::LetStatement& function, const Surroundings& around, Reporter& reporter)
      : function_(function), around_(around), reporter_(reporter) {}

  /// Reports every mistake. \returns whether there is none.
  [[nodiscard]] bool run();

 private:
  void expression(const lang::ExpressionPtr& place) override;
  void name(const std::string& text, diag::SourceRange range);
  void call(const lang::Name& called);
  void fail(diag::Kind kind, diag::SourceRange range, std::string message, std::string hint);
  [[nodiscard]] bool is_argument(const std::string& text) const;

  const lang::LetStatement& function_;
  const Surroundings& around_;
  Reporter& reporter_;
  bool is_right_ = true;
};

/// The function as it is used, such as "f(x, y)".
[[nodiscard]] std::string signature_of(const lang::LetStatement& function);

}  // namespace vinculum::elaborate
