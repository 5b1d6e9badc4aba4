#include "vinculum/elaborate/check/shown_speeds.hpp"

#include "vinculum/base/contract.hpp"
#include "vinculum/elaborate/check/matrix.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/nonlinear_speeds.hpp"

namespace vinculum::elaborate {

using model::Model;
using model::NonlinearSpeed;
using model::SpeedId;
using model::Term;

namespace {

Term by_speed(const Model& model, const NonlinearSpeed& one, SpeedId speed) {
  return model.terms->partial(one.speed.definition, model.terms->speed(speed));
}

/// Forces Q_k on the nonlinear speeds U_k: the solution of Σ_k Q_k ∂U_k/∂p_j = Q_j for all speeds p_j that they
/// replace.
std::vector<Term> forces_of_nonlinear(const Model& model, std::span<const Term> forces) {
  const auto& nonlinear = model.nonlinear_speeds;
  const auto count = static_cast<int>(nonlinear.size());
  TermMatrix by{count, count}, right{count, 1};
  for (const NonlinearSpeed& place : nonlinear) {
    for (const NonlinearSpeed& one : nonlinear) by.entries.push_back(by_speed(model, one, place.in_place_of));
    right.entries.push_back(forces[place.in_place_of.index()]);
  }
  const std::optional<TermMatrix> found = solve(by, right);
  VINCULUM_EXPECTS(found.has_value());  // guaranteed by the choice of `in_place_of`
  return found->entries;
}

}  // namespace

std::vector<Term> forces_over_shown_speeds(const Model& model, std::span<const Term> forces) {
  if (model.nonlinear_speeds.empty()) return {forces.begin(), forces.end()};
  const std::vector<Term> of_nonlinear = forces_of_nonlinear(model, forces);
  std::vector<Term> shown;
  for (const model::ShownSpeed& one : model::shown_speeds(model)) {
    if (one.nonlinear) {
      shown.push_back(of_nonlinear[*one.nonlinear]);
      continue;
    }
    Term force = forces[one.id.index()];
    for (std::size_t k = 0; k < of_nonlinear.size(); ++k)
      force = force - of_nonlinear[k] * by_speed(model, model.nonlinear_speeds[k], one.id);
    shown.push_back(force);
  }
  return shown;
}

std::vector<Term> accelerations_of_shown_speeds(const Model& model, std::span<const Term> accelerations) {
  std::vector<Term> shown;
  for (const model::ShownSpeed& one : model::shown_speeds(model)) {
    if (!one.nonlinear) {
      shown.push_back(accelerations[one.id.index()]);
      continue;
    }
    const NonlinearSpeed& speed = model.nonlinear_speeds[*one.nonlinear];
    Term rate = model::derivative_of(model, speed.speed.definition, 1);
    for (std::size_t j = 0; j < model.speeds.size(); ++j) {
      const SpeedId id(j);
      rate = rate + by_speed(model, speed, id) * (accelerations[j] - model.terms->speed(id, 1));
    }
    shown.push_back(rate);
  }
  return shown;
}

}  // namespace vinculum::elaborate
