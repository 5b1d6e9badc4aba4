#pragma once

#include <string>
#include <vector>

#include "vinculum/equations/system.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::report {

/// Of a parameter in the unit that declares it.
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Parameter& parameter);
/// Statements of a model in the language's notation, as the model holds them: units in SI, points under the names they
/// have.
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Speed& speed);
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Frame& frame);
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Point& point);
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Particle& particle);
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Body& body);
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Load& load);
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Constraint& constraint);
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Reveal& reveal);
/// Empty for the multiplier of a law, which no statement declares.
[[nodiscard]] std::string statement_of(const model::Model& model, const model::State& state);
/// How results name a state: "z", of the multiplier of a law "multiplier(c)" or "multiplier(c)[2]".
[[nodiscard]] std::string text_of_state(const model::Model& model, model::StateId state);
/// The `nonideal on`, `branch`, `law` and `via` clauses, a line each.
[[nodiscard]] std::vector<std::string> clauses_of(const model::Model& model, const model::Constraint& constraint);

/// All states by `text_of_state`, those that higher order adds by the derivatives they are: "multiplier(c), x''".
[[nodiscard]] std::string names_of_states(const equations::System& system);
/// With states and highest derivatives of higher order by the names they have in the language. Grows the graph.
[[nodiscard]] std::vector<expr::Expr> named_as_derivatives(equations::System& system, std::vector<expr::Expr> all);

}  // namespace vinculum::report
