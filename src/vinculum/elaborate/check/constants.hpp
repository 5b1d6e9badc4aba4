#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vinculum/elaborate/build/elaborator.hpp"

namespace vinculum::elaborate {

/// Numbers of expressions before the model is built: those of its parameters, with units, overrides and the arithmetic
/// of the elaboration itself, and of what is made of them.
class Constants {
 public:
  Constants(const diag::SourceText& source, const Options& options, diag::Sink& sink);

  /// Parameters under their final names. Mistakes go by in silence: elaboration reports them, and so what uses such a
  /// parameter has no number and says nothing.
  void declare(const lang::ParamStatement& statement);
  [[nodiscard]] bool has(const std::string& name) { return context_.scope.find(name) != nullptr; }

  /// The whole number, at most 1e9 in size, that a dimensionless expression of parameters has; reported where it is
  /// none.
  [[nodiscard]] std::optional<std::int64_t> whole(const lang::Expression& expression, std::string_view what);
  /// The same without a word where there is none.
  [[nodiscard]] std::optional<std::int64_t> whole_if_any(const lang::Expression& expression);
  /// A condition, or a number that is not zero.
  [[nodiscard]] std::optional<bool> truth(const lang::Expression& expression, std::string_view what);

 private:
  class Gate final : public diag::Sink {
   public:
    explicit Gate(diag::Sink& sink) : sink_(sink) {}
    void report(diag::Diagnostic diagnostic) override;
    bool is_open = true;

   private:
    diag::Sink& sink_;
  };
  [[nodiscard]] std::optional<double> number(Checker& check, const lang::Expression& expression, const Value& value,
                                             std::string_view what);

  Gate gate_;
  lang::ModelFile nothing_;
  mechanics::ModelBuilder builder_;
  Context context_;
  Elaborator elaborator_;
};

}  // namespace vinculum::elaborate
