#include <Eigen/Eigenvalues>
#include <algorithm>

#include "vinculum/dynamics/derive.hpp"
#include "vinculum/dynamics/reaction_laws.hpp"
#include "vinculum/mechanics/calculus.hpp"
#include "vinculum/mechanics/inspect/inspection.hpp"
#include "vinculum/out/report/explain_report.hpp"
#include "vinculum/sim/plant/own_system.hpp"
#include "vinculum/sim/plant/random_states.hpp"
#include "vinculum/sim/run/stick_slip.hpp"
#include "vinculum/sim/start/assembly.hpp"
#include "vinculum/solve/constrained_solve.hpp"

namespace vinculum::out {
namespace {

constexpr double kTolMassRank = 1e-12;

// The rank of M is that of its eigenvalues, scaled to a unit diagonal where there is mass.
int mass_rank_of(const Matrix& M) {
  Vector scale = M.diagonal().cwiseAbs().cwiseSqrt();
  for (double& s : scale) s = s > 0.0 ? 1.0 / s : 0.0;
  const Matrix scaled = scale.asDiagonal() * M * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(scaled, Eigen::EigenvaluesOnly);
  return static_cast<int>((eigen.eigenvalues().array().abs() > kTolMassRank).count());
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

constexpr double kTolPower = 1e-9;       // of the largest force times the largest speed
constexpr double kLeastReaction = 1e-4;  // of the loads: a smaller one is rounding for what its power is measured by
constexpr double kLeastSpeed = 1e-8;     // SI: slower is at rest

void add_loads(Explanation& explanation, const Reported& at_start) {
  const sim::CompiledModel& compiled = *explanation.compiled;
  const mechanics::Model& model = *compiled.model;
  const sim::Sample& sample = *explanation.at_start;
  using Kind = LoadAtStart::Kind;
  // realised constraints have no multipliers that could be undetermined, and no places among the compiled ones
  const auto is_force_unique = [&](mechanics::ConstraintId id, mechanics::PointId point) {
    const auto& all = compiled.point_forces;
    const auto found =
        std::ranges::find_if(all, [&](const auto& one) { return one.constraint == id && one.point == point; });
    return found == all.end() || sample.point_force_unique[static_cast<std::size_t>(found - all.begin())] != 0;
  };
  const auto uniqueness = [&](mechanics::ConstraintId id, mechanics::FrameId body) {
    const auto& all = compiled.body_wrenches;
    const auto found =
        std::ranges::find_if(all, [&](const auto& one) { return one.constraint == id && one.body == body; });
    if (found == all.end()) return sim::Sample::BodyUnique{};
    return sample.body_wrench_unique[static_cast<std::size_t>(found - all.begin())];
  };
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const mechanics::ConstraintId id(c);
    for (const mechanics::PointId point : mechanics::points_of(model, id)) {
      explanation.loads.push_back({Kind::kForce, id, model.point(point).name,
                                   at_start.vector(mechanics::total_force(model, id, point)),
                                   is_force_unique(id, point)});
    }
  }
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const mechanics::ConstraintId id(c);
    for (const mechanics::FrameId frame : mechanics::bodies_of(model, id)) {
      const auto body = model.frame(frame).body;
      if (!body) continue;
      const std::string& name = model.body(*body).name;
      const auto unique = uniqueness(id, frame);
      const mechanics::Term torque = mechanics::torque_on(model, id, frame);
      if (!torque.is_zero())
        explanation.loads.push_back({Kind::kTorque, id, name, at_start.vector(torque), unique.couple != 0});
      explanation.loads.push_back({Kind::kResultantForce, id, name,
                                   at_start.vector(mechanics::resultant_force(model, id, frame)), unique.force != 0});
      explanation.loads.push_back(
          {Kind::kResultantMoment, id, name,
           at_start.vector(mechanics::resultant_moment(model, id, frame, model.body(*body).center)),
           unique.moment != 0});
    }
  }
}

void add_multipliers(Explanation& explanation, const Reported& at_start) {
  const mechanics::Model& model = *explanation.compiled->model;
  const sim::Sample& sample = *explanation.at_start;
  std::size_t next = 0;  // row of the System
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const mechanics::Constraint& constraint = model.constraints[c];
    const auto* law = std::get_if<mechanics::VakonomicLaw>(&constraint.law);
    explanation.rows_at_start.emplace_back();
    for (std::size_t k = 0; k < constraint.rows.size(); ++k) {
      RowAtStart row;
      if (mechanics::is_higher_order(constraint)) {
        row.multiplier = sample.z[static_cast<Eigen::Index>(law->mu[k].index())];
      } else if (dynamics::is_realised(constraint)) {
        row.multiplier = at_start.scalar(model.terms->multiplier(mechanics::ConstraintId(c), static_cast<int>(k)));
      } else {
        const double lambda = sample.reaction.lambda()[static_cast<Eigen::Index>(next)];
        row.multiplier = law != nullptr ? sample.z[static_cast<Eigen::Index>(law->mu[k].index())] : lambda;
        if (law != nullptr) row.ideal_multiplier = lambda;
        row.is_unique = sample.row_unique[next++] != 0;
      }
      explanation.rows_at_start.back().push_back(row);
    }
  }
}

// Power at the start, and whether there is any there or at random states on the constraints.
void add_power(Explanation& explanation, dynamics::System& system, const std::vector<sim::Sample>& others,
               const Reported& at_start) {
  const sim::CompiledModel& compiled = *explanation.compiled;
  const mechanics::Model& model = *compiled.model;
  for (std::size_t i = 0; i < model.constraints.size(); ++i) {
    PowerOfConstraint power;
    const mechanics::Term term = mechanics::power_of_constraint(model, mechanics::ConstraintId(i));
    if (term.is_valid()) {
      power.is_known = true;
      power.at_start = at_start.of(term)[0];
      const auto works = [&](double value, const Reported& reported, const sim::Sample& sample) {
        double force = sample.reaction.Q_c.size() > 0 ? sample.reaction.Q_c.cwiseAbs().maxCoeff() : 0.0;
        for (const double load : reported.of(system.f)) force = std::max(force, kLeastReaction * std::abs(load));
        const double speed = std::max(kLeastSpeed, sample.u.size() > 0 ? sample.u.cwiseAbs().maxCoeff() : 0.0);
        return std::abs(value) > kTolPower * force * speed + 1e-300;
      };
      power.does_work = works(power.at_start, at_start, *explanation.at_start);
      for (const sim::Sample& sample : others) {
        const Reported reported(system, compiled.parameters, sample);
        power.does_work = power.does_work || works(reported.scalar(term), reported, sample);
      }
    }
    explanation.power.push_back(power);
  }
}

// Random states on the constraints, as far as there are.
std::vector<sim::Sample> random_samples(const sim::CompiledModel& compiled, sim::Dynamics& dynamics) {
  std::vector<sim::Sample> samples;
  if (const auto states = sim::random_states(compiled, 1)) {
    for (std::vector<double> values : states->values) {
      sim::Sample sample;
      if (!sim::settle_friction(dynamics, values[0], values.data() + 1)) continue;
      if (dynamics.report(values[0], values.data() + 1, sample)) samples.push_back(std::move(sample));
    }
  }
  return samples;
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
      revealed.value.push_back(
          at_start->of(mechanics::revealed(model, mechanics::RevealId(i), static_cast<int>(k)))[0]);
    }
    explanation.revealed.push_back(std::move(revealed));
  }
}

}  // namespace

Explanation explain(const std::shared_ptr<const sim::CompiledModel>& compiled) {
  Explanation explanation;
  explanation.compiled = compiled;
  // a System of its own: describing grows its graph, and the compiled one is shared
  const auto system = sim::own_system(*compiled);
  if (system) explanation.constraints = dynamics::describe(**system);
  explanation.rank = compiled->structure.generic_rank;
  explanation.mass_rank = compiled->nu();
  explanation.invariants = sim::find_invariants(*compiled);

  sim::Dynamics dynamics(compiled);
  const std::vector<sim::Sample> others = random_samples(*compiled, dynamics);
  if (system) {
    explanation.findings = find_of_rows(**system, compiled->parameters, others);
  }
  const auto start = sim::assemble(dynamics);
  if (!start) {
    explanation.no_start = start.error();
    add_revealed(explanation, nullptr);
    return explanation;
  }
  std::vector<double> y(start->q.begin(), start->q.end());
  y.insert(y.end(), start->u.begin(), start->u.end());
  y.insert(y.end(), start->z.begin(), start->z.end());
  const auto settled = sim::settle_friction(dynamics, start->t0, y.data());
  sim::Matrices matrices;
  if (compiled->nu() > 0 && dynamics.matrices(start->t0, y.data(), matrices)) {
    explanation.mass_rank = mass_rank_of(matrices.M);
    explanation.constraint_rank = ranks_alone(*compiled, matrices);
  }
  sim::Sample sample;
  const auto reported = settled ? dynamics.report(start->t0, y.data(), sample) : settled;
  if (reported) {
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
  add_multipliers(explanation, at_start);
  add_power(explanation, **system, others, at_start);
  add_revealed(explanation, &at_start);
  return explanation;
}

}  // namespace vinculum::out
