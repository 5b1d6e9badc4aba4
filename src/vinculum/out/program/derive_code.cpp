#include <algorithm>

#include "vinculum/out/program/derive_report.hpp"

namespace vinculum::out {

std::optional<std::string> why_no_code(const Derivation& derivation) {
  const dynamics::System& system = *derivation.system;
  const auto names = [&](auto&& is_one) {
    std::string text;
    for (std::size_t i = 0; i < system.model->constraints.size(); ++i) {
      const mechanics::Constraint& constraint = system.model->constraints[i];
      if (is_one(constraint, mechanics::ConstraintId(i))) text += (text.empty() ? "`" : ", `") + constraint.name + "`";
    }
    return text;
  };
  constexpr const char* kInstead =
      "; `--to text` and `--to latex` print the equations, `vinculum run` and the library solve them";
  if (system.has_nonlinear_rows) {
    const std::string rows = names([&](const mechanics::Constraint&, mechanics::ConstraintId id) {
      return std::ranges::any_of(system.rows,
                                 [&](const dynamics::Row& row) { return row.constraint == id && row.chi.is_valid(); });
    });
    return rows +
           " is not linear in the accelerations: they are found by a search among several answers, which printed code "
           "does not hold" +
           kInstead;
  }
  if (system.has_implicit_nonideal) {
    const std::string stated = names(
        [](const mechanics::Constraint& constraint, mechanics::ConstraintId) { return !constraint.nonideal.empty(); });
    return "forces that " + stated +
           " states depend on the reactions themselves: both are found by iteration, which printed code does not hold" +
           kInstead;
  }
  return std::nullopt;
}

}  // namespace vinculum::out
