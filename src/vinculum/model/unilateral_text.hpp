#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// The name of a law of restitution in the model language.
[[nodiscard]] std::string_view name_of(RestitutionLaw law);
/// The clauses of a unilateral constraint in the notation of the model language, without those of its friction:
/// "restitution 0.5 newton", "compliance 1". A coefficient of restitution that is not stated is 0.
[[nodiscard]] std::vector<std::string> unilateral_clauses(const Model& model, const Unilateral& unilateral);

}  // namespace vinculum::model
