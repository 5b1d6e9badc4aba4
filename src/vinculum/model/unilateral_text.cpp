#include "vinculum/model/unilateral_text.hpp"

#include "vinculum/model/calculus.hpp"

namespace vinculum::model {

std::vector<std::string> unilateral_clauses(const Model& model, const Unilateral& unilateral) {
  const char* const law = unilateral.law == RestitutionLaw::kNewton    ? " newton"
                          : unilateral.law == RestitutionLaw::kPoisson ? " poisson"
                          : unilateral.law == RestitutionLaw::kMoreau  ? " moreau"
                                                                       : "";
  std::vector<std::string> clauses{"restitution " + to_text(model, unilateral.restitution) + law +
                                   (unilateral.is_sequential ? " sequential" : "")};
  if (unilateral.compliance.is_valid()) clauses.push_back("compliance " + to_text(model, unilateral.compliance));
  return clauses;
}

}  // namespace vinculum::model
