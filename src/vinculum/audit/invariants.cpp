// Quantities that the motion keeps, along the run; and the energy that constraints store, at every instant.
#include "vinculum/sim/invariants/invariants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/audit/lines.hpp"
#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/dynamics/derive.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/mechanics/law_equations.hpp"
#include "vinculum/sim/plant/report_symbols.hpp"
#include "vinculum/sim/plant/structure.hpp"

namespace vinculum::audit {
namespace {

using expr::Expr;
using mechanics::ConstraintId;

// Each accepted step may miss a level by some tolerances of its terms: 0.2 in the models of the project as they are, 9
// where the minimal formulation solves for speeds at a tolerance of 1e-4. Those that are kept by projection stay at
// rounding (2e-15).
constexpr double kStepsOfDoubt = 30.0;

/// Values of functions of the state at the samples, and Σ |∂I/∂x| |x| with the sizes x has over the run.
struct Levels {
  Vector now, size;
};
Levels levels_at(const Case& of, const dynamics::System& system, const std::vector<Expr>& values,
                 const Sample& sample) {
  std::vector<Expr> symbols = sim::report_symbols(system), roots = values;
  std::vector<double> numbers;
  sim::read_report_numbers(sample, numbers);
  symbols.insert(symbols.end(), system.parameters.begin(), system.parameters.end());
  numbers.insert(numbers.end(), of.compiled.parameters.begin(), of.compiled.parameters.end());
  std::vector<Expr> x = system.q;
  x.insert(x.end(), system.u.begin(), system.u.end());
  for (const Expr value : values) {
    const std::vector<Expr> slope = expr::gradient(value, x);
    roots.insert(roots.end(), slope.begin(), slope.end());
  }
  const std::vector<double> result = expr::interpret(roots, symbols, numbers);
  const auto count = static_cast<Eigen::Index>(values.size()), n = static_cast<Eigen::Index>(x.size());
  Levels levels{Eigen::Map<const Vector>(result.data(), count), Vector::Zero(count)};
  Vector sizes(n);
  sizes << of.scales.q, of.scales.u;
  for (Eigen::Index k = 0; k < count; ++k) {
    levels.size[k] = Eigen::Map<const Vector>(result.data() + count + k * n, n).cwiseAbs().dot(sizes);
  }
  return levels;
}

/// Worst change since the first sample, each by its largest size over the run.
void see_drift(const Case& of, Judge& judge, const dynamics::System& system, const std::vector<std::string>& names,
               const std::vector<Expr>& values) {
  std::vector<Levels> all;
  Vector size = Vector::Zero(static_cast<Eigen::Index>(values.size()));
  for (const auto& e : of.evidence) {
    all.push_back(levels_at(of, system, values, e->sample));
    size = size.cwiseMax(all.back().size).cwiseMax(all.back().now.cwiseAbs());
  }
  for (std::size_t s = 0; s < all.size(); ++s) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      judge.see(all[s].now[i] - all.front().now[i], size[i], of.evidence[s]->sample.t, names[k], names[k]);
    }
  }
}

}  // namespace

std::vector<AuditLine> audit_invariants(const Case& of) {
  Judge found("invariants that the motion has keep their values", "9", tolerance::kStagnation);
  Judge kept("what `conserve` states is kept to rounding", "9", tolerance::kConverged);
  const auto system = sim::derive_all(of.compiled.model);
  if (!system) {
    found.does_not_apply("the equations cannot be derived");
  } else {
    const sim::Invariants invariants = sim::find_invariants(of.compiled);
    std::vector<std::string> names;
    std::vector<Expr> values;
    for (const sim::Invariant& one : invariants.found) {
      names.push_back(one.name);
      values.push_back(dynamics::lower(**system, one.value)[0]);
    }
    found.allow(kStepsOfDoubt * of.trajectory.tolerance *
                static_cast<double>(std::max<std::size_t>(1, of.trajectory.step_times.size())));
    if (values.empty())
      found.does_not_apply(
          "neither energies nor momenta are constant: something works, or acts along every coordinate");
    see_drift(of, found, **system, names, values);
    names.clear();
    values.clear();
    for (const mechanics::Conserved& one : of.compiled.model->conserved) {
      names.push_back(one.text);
      values.push_back(dynamics::lower(**system, one.value)[0]);
    }
    see_drift(of, kept, **system, names, values);
  }
  if (of.compiled.model->conserved.empty()) kept.does_not_apply("the model states no `conserve`");
  return {found.verdict(), kept.verdict()};
}

AuditLine audit_effective_energy(const Case& of) {
  Judge judge("reactions give back what the effective energy counts as stored", "8.9", tolerance::kConditioned);
  const mechanics::Model& model = *of.compiled.model;
  bool is_there = false;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const ConstraintId id(c);
    for (const auto& evidence : of.evidence) {
      Evidence& e = *evidence;
      mechanics::LawInstant instant{model,
                                    id,
                                    e.now(),
                                    e.rest(),
                                    {e.sample.z.data(), static_cast<std::size_t>(e.sample.z.size())},
                                    {e.sample.z_dot.data(), static_cast<std::size_t>(e.sample.z_dot.size())}};
      const auto stored = model.constraints[c].law->stored_at(instant);
      if (!stored) break;
      is_there = true;
      const Vector R = e.at.reaction(of.compiled, e.sample, id);
      // Q·q' without what the time alone moves: of speeds that are affine in q' the part at rest is left out.
      Vector along = e.sample.u;
      for (Eigen::Index r = 0; r < along.size(); ++r) {
        along[r] -= e.still().scalar(nth(model.speeds, r).definition).value;
      }
      const double size = stored->size + R.cwiseAbs().dot(along.cwiseAbs());
      judge.see(R.dot(along) + stored->rate - stored->rest, size, e.sample.t, model.constraints[c].name,
                model.constraints[c].name);
    }
  }
  if (!is_there) judge.does_not_apply("no constraint stores energy");
  return judge.verdict();
}

}  // namespace vinculum::audit
