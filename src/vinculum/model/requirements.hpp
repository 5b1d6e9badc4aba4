#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Requires a condition for all later values of the parameters that occur in the terms. No effect if a term is not
/// valid, or if no parameter occurs.
/// \param text  the condition in words, "the mass of `A` is not negative"
void require(Model& model, std::vector<Term> terms, std::function<bool(std::span<const double>)> holds,
             std::string text);
void require_positive(Model& model, Term term, std::string_view what);
/// Notes that the values of the parameters in the term have been read, so that they cannot change any more.
/// \param what  what has read them, for messages
void fix_parameters(Model& model, Term term, std::string_view what);
/// The text of a requirement that the present values of the parameters do not satisfy.
[[nodiscard]] std::optional<std::string> broken_requirement(const Model& model);

}  // namespace vinculum::model
