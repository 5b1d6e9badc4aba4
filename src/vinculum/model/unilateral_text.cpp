#include "vinculum/model/unilateral_text.hpp"

#include "vinculum/model/calculus.hpp"

namespace vinculum::model {

std::string_view name_of(RestitutionLaw law) {
  switch (law) {
    case RestitutionLaw::kEnergetic: return "energetic";
    case RestitutionLaw::kNewton: return "newton";
    case RestitutionLaw::kPoisson: return "poisson";
    case RestitutionLaw::kMoreau: return "moreau";
  }
  return {};
}

std::vector<std::string> unilateral_clauses(const Model& model, const Unilateral& unilateral) {
  const bool is_default = unilateral.law == RestitutionLaw::kEnergetic;
  std::vector<std::string> clauses{"restitution " + to_text(model, unilateral.restitution) +
                                   (is_default ? "" : " " + std::string(name_of(unilateral.law))) +
                                   (unilateral.is_sequential ? " sequential" : "")};
  if (unilateral.compliance.is_valid()) clauses.push_back("compliance " + to_text(model, unilateral.compliance));
  return clauses;
}

}  // namespace vinculum::model
