#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vinculum/elaborate/expand/constants.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"

namespace vinculum::elaborate {

/// Evaluates expressions of parameters by elaborating only the `param` statements.
class ParameterConstants final : public Constants {
 public:
  ParameterConstants(const diag::SourceText& source, const Options& options, diag::Sink& sink);

  void declare(const lang::ParamStatement& statement) override;
  [[nodiscard]] bool has(const std::string& name) override { return context_.scope.find(name) != nullptr; }
  [[nodiscard]] std::optional<std::int64_t> whole(const lang::Expression& expression, std::string_view what) override;
  [[nodiscard]] std::optional<std::int64_t> whole_if_any(const lang::Expression& expression) override;
  [[nodiscard]] std::optional<bool> truth(const lang::Expression& expression, std::string_view what) override;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> fixed() const override;

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
  model::ModelBuilder builder_;
  Context context_;
  Elaborator elaborator_;
};

}  // namespace vinculum::elaborate
