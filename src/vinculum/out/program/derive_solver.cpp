#include "vinculum/out/program/derive_solver.hpp"

#include <string_view>

#include "vinculum/out/program/derive_solver_texts.hpp"

namespace vinculum::out {
namespace {

using namespace solver_texts;

std::string form_text(dynamics::Formulation form, bool is_c) {
  switch (form) {
    case dynamics::Formulation::kExplicit: return is_c ? kExplicitC : kExplicitPython;
    case dynamics::Formulation::kAugmented: return is_c ? kAugmentedC : kAugmentedPython;
    case dynamics::Formulation::kMinimal: return is_c ? kMinimalC : kMinimalPython;
  }
  return "";
}

// The orthogonalization alone, without what only the explicit form needs.
std::string tools_text(bool needs_cholesky, bool is_c) {
  const std::string text = is_c ? kToolsC : kToolsPython;
  return needs_cholesky ? text : text.substr(text.find(is_c ? "/* Q_0" : "def dot("));
}

std::string filled(std::string text, std::string_view place, std::string_view with) {
  for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place, at + with.size())) {
    text.replace(at, place.size(), with);
  }
  return text;
}

}  // namespace

std::string solver_text(dynamics::Formulation form, expr::CodeLanguage language, bool has_efforts,
                        bool has_indefinite_mass) {
  const bool is_c = language == expr::CodeLanguage::kC;
  // Cholesky factors no indefinite M.
  if (has_indefinite_mass && form == dynamics::Formulation::kExplicit) form = dynamics::Formulation::kAugmented;
  const bool is_explicit = form == dynamics::Formulation::kExplicit;
  std::string text;
  if (is_explicit || has_efforts) text += tools_text(is_explicit, is_c);
  text += form_text(form, is_c);
  if (has_efforts) text += is_c ? kEffortsC : kEffortsPython;
  const bool is_own = has_indefinite_mass;
  text = filled(std::move(text), "@mass@", is_own ? "mass[i]" : is_c ? "M[i * NU + i]" : "M[i][i]");
  text = filled(std::move(text), "@parameter@", is_own ? "const double *mass, " : "");
  text = filled(std::move(text), "@argument@", is_own ? "mass, " : "");
  return filled(
      std::move(text), "@why@",
      !is_own ? ""
      : is_c
          ? " M need not be\n   positive: the equations are scaled by the inertia without what multipliers add to it."
          : " M need not\n    be positive: the equations are scaled by the inertia without what multipliers add to "
            "it.");
}

}  // namespace vinculum::out
