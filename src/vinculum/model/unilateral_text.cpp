#include "vinculum/model/unilateral_text.hpp"

#include "vinculum/model/calculus.hpp"

namespace vinculum::model {

std::vector<std::string> unilateral_clauses(const Model& model, const Unilateral& unilateral) {
  using Law = RestitutionLaw;
  const char* const law = unilateral.law == Law::kNewton    ? " newton"
                          : unilateral.law == Law::kPoisson ? " poisson"
                          : unilateral.law == Law::kMoreau  ? " moreau"
                                                            : "";
  std::vector<std::string> clauses{"restitution " + to_text(model, unilateral.restitution) + law +
                                   (unilateral.is_sequential ? " sequential" : "")};
  if (unilateral.compliance.is_valid()) clauses.push_back("compliance " + to_text(model, unilateral.compliance));
  return clauses;
}

}  // namespace vinculum::model
