#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vinculum/lang/ast.hpp"

namespace vinculum::elaborate {

/// Evaluates expressions of parameters before the model is built. Units, overrides and arithmetic are those of the
/// elaboration.
class Constants {
 public:
  virtual ~Constants() = default;
  /// Declares parameters under their final names. Errors in parameters are not reported here, because the elaboration
  /// reports them. An expression that contains a faulty parameter has no value, without a report.
  virtual void declare(const lang::ParamStatement& statement) = 0;
  [[nodiscard]] virtual bool has(const std::string& name) = 0;
  /// The value of a dimensionless expression of parameters, an integer of at most 1e9 in magnitude. Reports an error
  /// for any other expression.
  [[nodiscard]] virtual std::optional<std::int64_t> whole(const lang::Expression& expression,
                                                          std::string_view what) = 0;
  /// As `whole`, but without a report.
  [[nodiscard]] virtual std::optional<std::int64_t> whole_if_any(const lang::Expression& expression) = 0;
  /// The truth value of a condition; a number is true if it is not zero.
  [[nodiscard]] virtual std::optional<bool> truth(const lang::Expression& expression, std::string_view what) = 0;
  /// The parameters that determined the values returned so far, each with a description of what it decided.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> fixed() const = 0;
};

}  // namespace vinculum::elaborate
