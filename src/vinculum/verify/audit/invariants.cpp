// Checks invariants along the run, and the energy stored by constraints at every instant.
#include "vinculum/verify/invariants/invariants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/compiled/structure.hpp"
#include "vinculum/equations/derive.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/series.hpp"
#include "vinculum/model/law_equations.hpp"
#include "vinculum/motion/report_numbers.hpp"
#include "vinculum/verify/audit/lines.hpp"

namespace vinculum::audit {
namespace {

using expr::Expr;
using model::ConstraintId;
using model::Term;

/// Values at a sample of functions I of the state, with a scale for each: Σ |∂I/∂x| times the typical magnitudes of the
/// state variables x. The step control bounds the mean square error of all n components, so a single component may have
/// an error √n times that bound.
struct Levels {
  RoundedVector now;
  Vector size;
};
Levels levels_at(const Case& of, const equations::System& system, const std::vector<Expr>& values,
                 const Sample& sample) {
  std::vector<Expr> symbols = sim::report_symbols(system), roots = values;
  std::vector<double> numbers;
  sim::read_report_numbers(sample, numbers);
  symbols.insert(symbols.end(), system.parameters.begin(), system.parameters.end());
  numbers.insert(numbers.end(), of.bound.parameters.begin(), of.bound.parameters.end());
  std::vector<Expr> x = system.q;
  x.insert(x.end(), system.u.begin(), system.u.end());
  x.insert(x.end(), system.z.begin(), system.z.end());  // z includes multipliers that are states
  for (const Expr value : values) {
    const std::vector<Expr> slope = expr::gradient(value, x);
    roots.insert(roots.end(), slope.begin(), slope.end());
  }
  const std::vector<expr::Series> exact(numbers.begin(), numbers.end()),
      result = expr::interpret_series(roots, symbols, exact);
  Vector sizes(static_cast<Eigen::Index>(x.size()));
  sizes << of.scales.q, of.scales.u, of.scales.z;
  sizes *= std::sqrt(static_cast<double>(sizes.size()));
  const auto count = static_cast<Eigen::Index>(values.size());
  Levels levels{RoundedVector(count), Vector::Zero(count)};
  for (Eigen::Index k = 0; k < count; ++k) {
    levels.now[k] = nth(result, k).value();
    for (Eigen::Index i = 0; i < sizes.size(); ++i)
      levels.size[k] += std::abs(nth(result, count + k * sizes.size() + i).value().value) * sizes[i];
  }
  return levels;
}

/// Judges, for each function of the state, the largest change since the first sample.
/// \param missed  permitted change at time t, relative to the magnitudes in `Levels::size`.
template <class Missed>
void see_drift(const Case& of, Judge& judge, const equations::System& system, const std::vector<std::string>& names,
               const std::vector<Expr>& values, const Missed& missed) {
  if (values.empty()) return;
  std::vector<Levels> all;
  Vector size = Vector::Zero(static_cast<Eigen::Index>(values.size()));
  for (const auto& e : of.evidence) {
    all.push_back(levels_at(of, system, values, e->sample));
    size = size.cwiseMax(all.back().size).cwiseMax(Vector(values_of(all.back().now)).cwiseAbs());
  }
  for (std::size_t s = 1; s < all.size(); ++s) {
    const double t = of.evidence[s]->sample.t;
    for (std::size_t k = 0; k < values.size(); ++k)
      judge.see(nth(all[s].now, k) - nth(all.front().now, k), nth(size, k), t, names[k], missed(t) * nth(size, k));
  }
}

/// z' as reported, with an error bound if it depends on multipliers.
std::vector<Rounded> rates_of_states(Evidence& e) {
  std::vector<Rounded> all;
  for (Eigen::Index i = 0; i < e.sample.z_dot.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Term rate = k < e.model.states.size() ? e.model.states[k].rate : Term{};
    all.emplace_back(e.sample.z_dot[i], rate.is_valid() ? e.scalar(rate).error : 0.0);
  }
  return all;
}

}  // namespace

std::vector<AuditLine> audit_invariants(const Case& of) {
  Judge found("invariants of the motion keep their values", "9", "the steps' errors at the run's tolerance");
  Judge kept("quantities of `conserve` are constant within rounding error", "9", "residual of a projection");
  const auto by_steps = [&of](double t) { return of.missed_by_steps(t); };
  const auto by_projection = [](double) { return tolerance::kStagnation; };
  if (!of.bound->switched.empty()) {
    for (Judge* judge : {&found, &kept})
      judge->does_not_apply("a constraint acts at times only: where it begins to act, its impulse changes them");
    return {found.verdict(), kept.verdict()};
  }
  const bool has_events = std::ranges::any_of(of.bound->model->events, [](const model::Event& event) {
    return std::ranges::any_of(event.actions, [](const model::EventAction& one) { return one.value.is_valid(); });
  });
  if (has_events) {
    for (Judge* judge : {&found, &kept}) judge->does_not_apply("events of the model change the state at once");
    return {found.verdict(), kept.verdict()};
  }
  const auto system = sim::derive_all(of.bound->model);
  if (!system) {
    found.does_not_apply("the equations cannot be derived");
  } else {
    const sim::Invariants invariants = sim::find_invariants(of.bound);
    std::vector<std::string> names;
    std::vector<Expr> values;
    for (const sim::Invariant& one : invariants.found) {
      names.push_back(one.name);
      values.push_back(equations::lower(**system, one.value)[0]);
    }
    if (values.empty())
      found.does_not_apply(
          "neither energies nor momenta are constant: something works, or acts along every coordinate");
    see_drift(of, found, **system, names, values, by_steps);
    names.clear();
    values.clear();
    for (const model::Conserved& one : of.bound->model->conserved) {
      names.push_back(one.text);
      values.push_back(equations::lower(**system, one.value)[0]);
    }
    see_drift(of, kept, **system, names, values, by_projection);
  }
  if (of.bound->model->conserved.empty()) kept.does_not_apply("the model states no `conserve`");
  return {found.verdict(), kept.verdict()};
}

AuditLine audit_effective_energy(const Case& of) {
  Judge judge("reactions return the stored part of the effective energy", "8.9", kOfTheSolve);
  const model::Model& model = *of.bound->model;
  bool is_there = false;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const ConstraintId id(c);
    for (const auto& evidence : of.evidence) {
      Evidence& e = *evidence;
      const std::vector<Rounded> z_dot = rates_of_states(e);
      model::LawInstant instant{
          model, id, e.now(), e.rest(), {e.sample.z.data(), static_cast<std::size_t>(e.sample.z.size())}, z_dot};
      const auto stored = model.constraints[c].law->stored_at(instant);
      if (!stored) break;
      is_there = true;
      const RoundedVector R = e.at.reaction(of.bound, id);
      // Power Q·q' without the motion due to time. For speeds that are affine in q', their value at rest is subtracted.
      RoundedVector along = e.sample.u.cast<Rounded>();
      for (Eigen::Index r = 0; r < along.size(); ++r) {
        along[r] -= e.still().series(nth(model.speeds, r).definition).value();
      }
      const double size = stored->size + Vector(values_of(R)).cwiseAbs().dot(Vector(values_of(along)).cwiseAbs());
      judge.see(R.dot(along) + stored->rate - stored->rest, size, e.sample.t, model.constraints[c].name);
    }
  }
  if (!is_there) judge.does_not_apply("no constraint stores energy");
  return judge.verdict();
}

}  // namespace vinculum::audit
