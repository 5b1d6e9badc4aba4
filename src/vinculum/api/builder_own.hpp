#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "vinculum/builder.hpp"
#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/elaborate/check/contact_rules.hpp"
#include "vinculum/model/joint.hpp"
#include "vinculum/model/view.hpp"
#include "vinculum/vinculum.hpp"

// State of the public builder, and conversions between its handles and the handles of the module `model`.
namespace vinculum {

struct TermAccess {
  [[nodiscard]] static model::Term in(Term term) {
    if (term.pool_ == nullptr) return {};
    return model::Term(static_cast<model::TermPool*>(term.pool_), model::TermId(std::size_t{term.id_}));
  }
  [[nodiscard]] static Term out_of(model::Term term) {
    Term result;
    if (!term.is_valid()) return result;
    result.pool_ = &term.pool();
    result.id_ = static_cast<std::uint32_t>(term.id().index());
    return result;
  }
};
struct Builder::Own {
  model::ModelBuilder builder;
  std::shared_ptr<model::View> view = {};  ///< the view of the model; null until something is drawn
  /// An action of an event that sets a variable, which is known when all speeds are.
  struct SetBy {
    std::size_t event, action;
    model::Term what;
  };
  std::vector<SetBy> sets = {};
  std::vector<std::pair<std::uint32_t, model::Term>> periods = {};  ///< sampled states and their periods
  /// Constraints whose reaction law has been set, with the name of the law, or "variational" after `variational`.
  std::map<std::uint32_t, std::string> laws = {};
  std::set<std::uint32_t> faulty = {};    ///< constraints with a mistake, whose rows are 0 = 0
  std::set<std::uint32_t> contacts = {};  ///< constraints of joints `contact`
  std::map<std::uint32_t, model::JointSpec> joints = {};
  std::set<std::uint32_t> limited = {};  ///< joints with limits
  std::vector<Diagnostic> problems = {};

  /// Completes the events.   \pre all speeds have been added   \returns the mistakes in the model
  [[nodiscard]] std::vector<Diagnostic> finish();
};

/// Adds an error to the problems of the model.
void complain(Builder::Own& own, diag::Kind kind, std::string message, std::string hint);
void complain(Builder::Own& own, const elaborate::RuleProblem& problem);
/// Reports a term that is not of this builder or not a scalar.
[[nodiscard]] bool is_scalar_of(Builder::Own& own, model::Term term, const std::string& what);
/// Reports a term that is not of this builder, not a scalar, or depends on accelerations or reactions.
[[nodiscard]] bool is_usable(Builder::Own& own, model::Term term, const std::string& what);
/// Notes that a constraint gets this reaction law; reports a handle of another builder and a second law.
[[nodiscard]] bool takes_law(Builder::Own& own, Builder::Constraint constraint, const std::string& name);
/// Reports a unilateral constraint, which has no other clauses than those of contacts.
[[nodiscard]] bool takes_clauses(Builder::Own& own, Builder::Constraint constraint);
/// Reports combinations of reaction laws with `nonideal`, `when` and states in rows that have no meaning.
void check_laws(Builder::Own& own);
/// Reports unilateral constraints in a model with other constraints whose impulses are not computed.
void check_contacts(Builder::Own& own);
/// Adds a constraint whose rows are 0 = 0, which replaces one with a mistake.
Builder::Constraint without_effect(Builder::Own& own, std::string name, int rows = 1);
/// The arguments of a joint; nothing after a mistake, which has been reported.
[[nodiscard]] std::optional<model::JointSpec> joint_spec(Builder::Own& own, const model::JointInfo& info,
                                                         Builder::JointEnd first, Builder::JointEnd second,
                                                         const JointParts& parts);

/// Error about a model that a program builds. \pre `problems` is not empty
[[nodiscard]] Unexpected<Error> wrong_model(const std::string& name, std::vector<Diagnostic> problems);

inline model::Term in(Term term) { return TermAccess::in(term); }
inline Term out_of(model::Term term) { return TermAccess::out_of(term); }
inline model::PointId in(Builder::Point point) { return model::PointId(std::size_t{point.id}); }
inline model::FrameId in(Builder::Frame frame) { return model::FrameId(std::size_t{frame.id}); }
inline model::ConstraintId in(Builder::Constraint one) { return model::ConstraintId(std::size_t{one.id}); }
template <class Id>
std::uint32_t id_of(Id id) {
  return static_cast<std::uint32_t>(id.index());
}
/// The handle of a constraint of this model.
inline Builder::Constraint handle_of(const model::Model& model, model::ConstraintId id) {
  return {id_of(id), static_cast<int>(model.constraint(id).rows.size())};
}
/// The name of the body that is fixed in the frame, or the name of the frame.
inline const std::string& name_of_side(const model::Model& model, model::FrameId id) {
  const model::Frame& frame = model.frame(id);
  return frame.body ? model.body(*frame.body).name : frame.name;
}
template <class To, class From>
std::optional<To> in(const std::optional<From>& one) {
  return one ? std::optional<To>(in(*one)) : std::nullopt;
}
inline std::vector<model::Term> in(const std::vector<Term>& terms) {
  std::vector<model::Term> result;
  for (const Term term : terms) result.push_back(in(term));
  return result;
}

/// Dimension of a unit such as "kg*m/s^2": a product of SI units with whole powers. \pre every unit is an SI unit
[[nodiscard]] Dimension dimension_of(const std::string& unit);

}  // namespace vinculum
