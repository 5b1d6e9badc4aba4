#pragma once

#include <string>
#include <vector>

#include "vinculum/equations/system.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::report {

/// Writes a parameter statement, with the value in the declared unit.
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Parameter& parameter);
/// Writes a statement of the model in the notation of the language, written from the Model. Units are SI, and points
/// have their names.
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Speed& speed);
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Frame& frame);
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Point& point);
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Particle& particle);
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Body& body);
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Load& load);
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Constraint& constraint);
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Reveal& reveal);
/// Writes the statement of a state. Empty for a multiplier of a law, which no statement declares.
[[nodiscard]] std::string statement_of(const model::Model& model, const model::State& state);
/// Writes the statement of an event, such as "event hit: z = 0 falling" or "terminate when x > 1". For the event that
/// samples a state, writes the statement of that state.
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Event& event);
/// Writes the action of an event, for example "stop", "record", "set z' = -e*z'".
[[nodiscard]] std::string statement_of(const model::Model& model, const model::EventAction& action);
/// Returns the variable that an action sets.   \pre the action sets a variable
[[nodiscard]] const std::string& name_of_target(const model::Model& model, const model::EventAction& action);
[[nodiscard]] std::string statement_of(const model::Model& model, const model::Input& input);
/// Returns the name of a state in results: "z"; for a multiplier of a law "multiplier(c)" or "multiplier(c)[2]".
[[nodiscard]] std::string text_of_state(const model::Model& model, model::StateId state);
/// Writes the `nonideal on`, `branch`, `law` and `via` clauses of a constraint, one line each.
[[nodiscard]] std::vector<std::string> clauses_of(const model::Model& model, const model::Constraint& constraint);

/// Returns the names of all states, separated by commas. States that constraints of higher order add are named as
/// derivatives: "multiplier(c), x''".
[[nodiscard]] std::string names_of_states(const equations::System& system);
/// In expressions, replaces the symbols of added states and of highest derivatives by their names in the language. Adds
/// nodes to the graph.
[[nodiscard]] std::vector<expr::Expr> named_as_derivatives(equations::System& system, std::vector<expr::Expr> all);

}  // namespace vinculum::report
