#include <Eigen/Eigenvalues>
#include <algorithm>

#include "vinculum/dynamics/derive.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/laws/higher_order.hpp"
#include "vinculum/mechanics/calculus.hpp"
#include "vinculum/mechanics/inspection.hpp"
#include "vinculum/out/explain_report.hpp"
#include "vinculum/sim/assembly.hpp"
#include "vinculum/sim/random_states.hpp"
#include "vinculum/solve/constrained_solve.hpp"

namespace vinculum::out {
namespace {

constexpr double kTolMassRank = 1e-12;

// M is positive semidefinite: its rank is that of its eigenvalues, scaled to a unit diagonal where there is mass.
int mass_rank_of(const Matrix& M) {
  Vector scale = M.diagonal().cwiseMax(0.0).cwiseSqrt();
  for (double& s : scale) s = s > 0.0 ? 1.0 / s : 0.0;
  const Matrix scaled = scale.asDiagonal() * M * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(scaled, Eigen::EigenvaluesOnly);
  return static_cast<int>((eigen.eigenvalues().array() > kTolMassRank).count());
}

// Rank of each constraint's own rows, as if it stood alone.
std::vector<int> ranks_alone(const sim::CompiledModel& compiled, const sim::Matrices& matrices) {
  std::vector<int> ranks;
  int first = 0;
  for (const mechanics::Constraint& constraint : compiled.model->constraints) {
    const int count = mechanics::has_rows(constraint) ? static_cast<int>(constraint.rows.size()) : 0;
    // the metric changes no rank: a unit one serves semidefinite M too
    solve::ConstrainedSolve solver(compiled.nu(), count);
    const Matrix rows = matrices.A.middleRows(first, count);
    ranks.push_back(solver.factor(Matrix::Identity(compiled.nu(), compiled.nu()), rows) ? solver.rank() : 0);
    first += count;
  }
  return ranks;
}

constexpr double kTolPower = 1e-9;   // of the largest force times the largest speed
constexpr double kLeastSpeed = 1e-8; // SI: slower is at rest

// Numbers of terms at a state with its reactions.
class Reported {
 public:
  Reported(dynamics::System& system, std::span<const double> parameters, const sim::Sample& sample) : system_(system) {
    const auto add = [&](std::span<const expr::Expr> symbols, const auto& values) {
      symbols_.insert(symbols_.end(), symbols.begin(), symbols.end());
      values_.insert(values_.end(), values.begin(), values.end());
    };
    symbols_.push_back(system.t);
    values_.push_back(sample.t);
    add(system.q, sample.q);
    add(system.u, sample.u);
    add(system.z, sample.z);
    add(system.u_dot, sample.reaction.u_dot());
    add(system.parameters, parameters);
    add(system.lambda, sample.reaction.lambda());
    add(system.lambda_ideal, sample.reaction.lambda_ideal());
    add(system.effort, sample.reaction.effort);
    add(system.top(), sample.top);
  }
  [[nodiscard]] std::vector<double> of(mechanics::Term term) const {
    return expr::interpret(dynamics::lower(system_, term), symbols_, values_);
  }
  [[nodiscard]] std::array<double, 3> vector(mechanics::Term term) const {
    const std::vector<double> v = of(term);
    return {v[0], v[1], v[2]};
  }

 private:
  dynamics::System& system_;
  std::vector<expr::Expr> symbols_;
  std::vector<double> values_;
};

void add_loads(Explanation& explanation, const Reported& at_start) {
  const sim::CompiledModel& compiled = *explanation.compiled;
  const mechanics::Model& model = *compiled.model;
  const sim::Sample& sample = *explanation.at_start;
  using Kind = LoadAtStart::Kind;
  for (std::size_t i = 0; i < compiled.point_forces.size(); ++i) {
    const auto& force = compiled.point_forces[i];
    explanation.loads.push_back({Kind::kForce, force.constraint, model.point(force.point).name,
                                 at_start.vector(mechanics::total_force(model, force.constraint, force.point)),
                                 sample.point_force_unique[i] != 0});
  }
  for (std::size_t i = 0; i < compiled.body_wrenches.size(); ++i) {
    const auto& wrench = compiled.body_wrenches[i];
    const auto body = model.frame(wrench.body).body;
    if (!body) continue;
    const std::string& name = model.body(*body).name;
    const auto& unique = sample.body_wrench_unique[i];
    const mechanics::Term torque = mechanics::torque_on(model, wrench.constraint, wrench.body);
    if (!torque.is_zero()) {
      explanation.loads.push_back({Kind::kTorque, wrench.constraint, name, at_start.vector(torque), unique.couple != 0});
    }
    explanation.loads.push_back({Kind::kResultantForce, wrench.constraint, name,
                                 at_start.vector(mechanics::resultant_force(model, wrench.constraint, wrench.body)), unique.force != 0});
    explanation.loads.push_back({Kind::kResultantMoment, wrench.constraint, name,
                                 at_start.vector(mechanics::resultant_moment(model, wrench.constraint, wrench.body, model.body(*body).center)),
                                 unique.moment != 0});
  }
}

// Power at the start, and whether there is any there or at random states on the constraints.
void add_power(Explanation& explanation, dynamics::System& system, sim::Dynamics& dynamics, const Reported& at_start) {
  const sim::CompiledModel& compiled = *explanation.compiled;
  const mechanics::Model& model = *compiled.model;
  std::vector<sim::Sample> others;
  if (const auto states = sim::random_states(compiled, 1)) {
    for (const std::vector<double>& values : states->values) {
      sim::Sample sample;
      if (dynamics.report(values[0], values.data() + 1, sample)) others.push_back(std::move(sample));
    }
  }
  for (std::size_t i = 0; i < model.constraints.size(); ++i) {
    PowerOfConstraint power;
    const mechanics::Term term = mechanics::power_of_constraint(model, mechanics::ConstraintId(i));
    if (term.is_valid()) {
      power.is_known = true;
      power.at_start = at_start.of(term)[0];
      const auto works = [&](double value, const sim::Sample& sample) {
        const double force = sample.reaction.Q_c.size() > 0 ? sample.reaction.Q_c.cwiseAbs().maxCoeff() : 0.0;
        const double speed = std::max(kLeastSpeed, sample.u.size() > 0 ? sample.u.cwiseAbs().maxCoeff() : 0.0);
        return std::abs(value) > kTolPower * force * speed + 1e-300;
      };
      power.does_work = works(power.at_start, *explanation.at_start);
      for (const sim::Sample& sample : others) {
        power.does_work = power.does_work || works(Reported(system, compiled.parameters, sample).of(term)[0], sample);
      }
    }
    explanation.power.push_back(power);
  }
}

void add_revealed(Explanation& explanation, const Reported* at_start) {
  const mechanics::Model& model = *explanation.compiled->model;
  for (std::size_t i = 0; i < model.reveals.size(); ++i) {
    const mechanics::Reveal& reveal = model.reveals[i];
    RevealedAtStart revealed{reveal.name, "", {}, {}};
    revealed.what = reveal.point.is_valid() ? "force on " + model.point(reveal.point).name
                                            : "torque on " + model.body(*model.frame(reveal.body).body).name;
    for (std::size_t k = 0; k < reveal.along.size(); ++k) {
      revealed.along.push_back(mechanics::to_text(model, reveal.along[k]));
      if (at_start == nullptr) continue;
      revealed.value.push_back(at_start->of(mechanics::revealed(model, mechanics::RevealId(i), static_cast<int>(k)))[0]);
    }
    explanation.revealed.push_back(std::move(revealed));
  }
}

}  // namespace

Explanation explain(const std::shared_ptr<const sim::CompiledModel>& compiled) {
  Explanation explanation;
  explanation.compiled = compiled;
  // a System of its own: describing grows its graph, and the compiled one is shared
  const auto system = dynamics::derive(compiled->model);
  if (system) explanation.constraints = dynamics::describe(**system);
  if (system) (void)laws::write_higher_order(**system);   // as the compiled one, which had no failure
  explanation.rank = compiled->structure.generic_rank;
  explanation.mass_rank = compiled->nu();

  sim::Dynamics dynamics(compiled);
  const auto start = sim::assemble(dynamics);
  if (!start) {
    explanation.no_start = start.error();
    add_revealed(explanation, nullptr);
    return explanation;
  }
  std::vector<double> y(start->q.begin(), start->q.end());
  y.insert(y.end(), start->u.begin(), start->u.end());
  y.insert(y.end(), start->z.begin(), start->z.end());
  sim::Matrices matrices;
  if (compiled->nu() > 0 && dynamics.matrices(start->t0, y.data(), matrices)) {
    explanation.mass_rank = mass_rank_of(matrices.M);
    explanation.constraint_rank = ranks_alone(*compiled, matrices);
  }
  sim::Sample sample;
  if (const auto reported = dynamics.report(start->t0, y.data(), sample)) {
    explanation.rank = sample.rank;
    explanation.at_start = std::move(sample);
  } else {
    explanation.no_start = reported.error();
  }
  if (!system || !explanation.at_start) {
    add_revealed(explanation, nullptr);
    return explanation;
  }
  const Reported at_start(**system, compiled->parameters, *explanation.at_start);
  add_loads(explanation, at_start);
  add_power(explanation, **system, dynamics, at_start);
  add_revealed(explanation, &at_start);
  return explanation;
}

}  // namespace vinculum::out
