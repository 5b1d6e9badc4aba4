#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vinculum/lang/ast.hpp"

namespace vinculum::elaborate {

/// Numbers of expressions before the model is built: those of its parameters, with units, overrides and the arithmetic
/// of the elaboration itself, and of what is made of them.
class Constants {
 public:
  virtual ~Constants() = default;
  /// Parameters under their final names. Mistakes go by in silence: elaboration reports them, and so what uses such a
  /// parameter has no number and says nothing.
  virtual void declare(const lang::ParamStatement& statement) = 0;
  [[nodiscard]] virtual bool has(const std::string& name) = 0;
  /// The whole number, at most 1e9 in size, that a dimensionless expression of parameters has; reported where it is
  /// none.
  [[nodiscard]] virtual std::optional<std::int64_t> whole(const lang::Expression& expression,
                                                          std::string_view what) = 0;
  /// The same without a word where there is none.
  [[nodiscard]] virtual std::optional<std::int64_t> whole_if_any(const lang::Expression& expression) = 0;
  /// A condition, or a number that is not zero.
  [[nodiscard]] virtual std::optional<bool> truth(const lang::Expression& expression, std::string_view what) = 0;
  /// Parameters that these numbers were made of, and what they decided.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> fixed() const = 0;
};

}  // namespace vinculum::elaborate
