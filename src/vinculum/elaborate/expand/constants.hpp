#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vinculum/lang/ast.hpp"

namespace vinculum::elaborate {

/// Numerical values of expressions before the model is built, from its parameters. Units, overrides and arithmetic are
/// the same as in the elaboration.
class Constants {
 public:
  virtual ~Constants() = default;
  /// Declares parameters under their final names. Errors are not reported here, because elaboration reports them;
  /// expressions with a faulty parameter have no value, without a report.
  virtual void declare(const lang::ParamStatement& statement) = 0;
  [[nodiscard]] virtual bool has(const std::string& name) = 0;
  /// The integer value, at most 1e9 in magnitude, of a dimensionless expression of parameters; reports expressions
  /// without one.
  [[nodiscard]] virtual std::optional<std::int64_t> whole(const lang::Expression& expression,
                                                          std::string_view what) = 0;
  /// As `whole`, without a report.
  [[nodiscard]] virtual std::optional<std::int64_t> whole_if_any(const lang::Expression& expression) = 0;
  /// The truth of a condition, or whether a number is not zero.
  [[nodiscard]] virtual std::optional<bool> truth(const lang::Expression& expression, std::string_view what) = 0;
  /// The parameters that determined these values, each with the thing decided.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> fixed() const = 0;
};

}  // namespace vinculum::elaborate
