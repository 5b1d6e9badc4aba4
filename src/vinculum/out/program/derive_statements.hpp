#pragma once

#include <string>
#include <vector>

#include "vinculum/dynamics/system.hpp"
#include "vinculum/mechanics/model.hpp"

namespace vinculum::out {

/// Of a parameter in the unit that declares it.
[[nodiscard]] std::string statement_of(const mechanics::Model& model, const mechanics::Parameter& parameter);
/// Statements of a model in the language's notation, as the model holds them: units in SI, points under the names they
/// have.
[[nodiscard]] std::string statement_of(const mechanics::Model& model, const mechanics::Speed& speed);
[[nodiscard]] std::string statement_of(const mechanics::Model& model, const mechanics::Frame& frame);
[[nodiscard]] std::string statement_of(const mechanics::Model& model, const mechanics::Point& point);
[[nodiscard]] std::string statement_of(const mechanics::Model& model, const mechanics::Particle& particle);
[[nodiscard]] std::string statement_of(const mechanics::Model& model, const mechanics::Body& body);
[[nodiscard]] std::string statement_of(const mechanics::Model& model, const mechanics::Load& load);
[[nodiscard]] std::string statement_of(const mechanics::Model& model, const mechanics::Constraint& constraint);
[[nodiscard]] std::string statement_of(const mechanics::Model& model, const mechanics::Reveal& reveal);
/// Empty for the multiplier of a law, which no statement declares.
[[nodiscard]] std::string statement_of(const mechanics::Model& model, const mechanics::State& state);
/// How results name a state: "z", of the multiplier of a law "multiplier(c)" or "multiplier(c)[2]".
[[nodiscard]] std::string text_of_state(const mechanics::Model& model, mechanics::StateId state);
/// The `nonideal on`, `branch`, `law` and `via` clauses, a line each.
[[nodiscard]] std::vector<std::string> clauses_of(const mechanics::Model& model,
                                                  const mechanics::Constraint& constraint);

/// All states by `text_of_state`, those that higher order adds by the derivatives they are: "multiplier(c), x''".
[[nodiscard]] std::string names_of_states(const dynamics::System& system);
/// With states and highest derivatives of higher order by the names they have in the language. Grows the graph.
[[nodiscard]] std::vector<expr::Expr> named_as_derivatives(dynamics::System& system, std::vector<expr::Expr> all);

}  // namespace vinculum::out
