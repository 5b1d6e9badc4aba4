#include "vinculum/sim/plant/compiled_model.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include "vinculum/dynamics/derive.hpp"
#include "vinculum/dynamics/lowering.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/laws/directed.hpp"
#include "vinculum/laws/higher_order.hpp"
#include "vinculum/laws/motion.hpp"
#include "vinculum/mechanics/inspect/inspection.hpp"
#include "vinculum/sim/invariants/conserve.hpp"
#include "vinculum/sim/invariants/invariants.hpp"
#include "vinculum/sim/plant/random_states.hpp"
#include "vinculum/sim/plant/report_symbols.hpp"
#include "vinculum/sim/plant/sliding.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;
using mechanics::Level;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void append(std::vector<Expr>& all, std::span<const Expr> more) { all.insert(all.end(), more.begin(), more.end()); }

Expr zero_unless_valid(const dynamics::System& system, Expr e) {
  return e.is_valid() ? e : system.graph->constant(0.0);
}

std::vector<Expr> state_inputs(const dynamics::System& system) {
  std::vector<Expr> inputs{system.t};
  append(inputs, system.q);
  append(inputs, system.u);
  append(inputs, system.z);
  return inputs;
}

/// Collects the kernels' specifications and hands the compiled ones to their places.
class KernelSet {
 public:
  explicit KernelSet(const dynamics::System& system) : system_(system) {}

  void add(BoundKernel& place, std::string name, std::vector<Expr> inputs, std::vector<Expr> outputs) {
    specs_.push_back(
        {system_.model->name + "." + std::move(name), std::move(inputs), system_.parameters, std::move(outputs)});
    places_.push_back(&place);
  }
  void compile(const codegen::CompileOptions& options, std::span<const double> parameters,
               codegen::CompileReport* report) {
    const auto kernels = codegen::compile(specs_, options, report);
    for (std::size_t i = 0; i < kernels.size(); ++i) *places_[i] = {kernels[i], kernels[i]->prepare(parameters)};
  }

 private:
  const dynamics::System& system_;
  std::vector<codegen::KernelSpec> specs_;
  std::vector<BoundKernel*> places_;
};

std::vector<Expr> matrices_outputs(const dynamics::System& system, MatricesLayout& layout) {
  std::vector<Expr> all;
  const auto place = [&all] { return static_cast<int>(all.size()); };
  layout.q_dot = place();
  append(all, system.q_dot);
  layout.G = place();
  for (const auto& row : system.G) append(all, row);
  layout.M = place();
  append(all, system.M);
  layout.metric = system.has_indefinite_mass ? place() : layout.M;
  if (system.has_indefinite_mass) append(all, system.metric);
  layout.f = place();
  append(all, system.f);
  const Expr zero = system.graph->constant(0.0);
  const std::vector<Expr> zeros(system.u.size(), zero);
  layout.C = place();
  append(all, system.has_implicit_nonideal ? zeros : system.C);
  layout.A = place();
  for (const dynamics::Row& row : system.rows) append(all, row.chi.is_valid() ? zeros : row.A);
  layout.b = place();
  for (const dynamics::Row& row : system.rows) all.push_back(row.chi.is_valid() ? zero : row.b);
  layout.phi = place();
  for (const dynamics::Row& row : system.rows) all.push_back(zero_unless_valid(system, row.phi));
  layout.psi = place();
  for (const dynamics::Row& row : system.rows) all.push_back(zero_unless_valid(system, row.psi));
  layout.phi_q = place();
  for (const dynamics::Row& row : system.rows) {
    for (int j = 0; j < system.nq(); ++j) {
      all.push_back(row.phi_q.empty() ? system.graph->constant(0.0) : row.phi_q[j]);
    }
  }
  layout.Gamma = place();
  for (const auto& direction : laws::effort_directions(system)) append(all, direction);
  layout.size = place();
  return all;
}

std::vector<Expr> gradient_outputs(const dynamics::System& system) {
  std::vector<Expr> all;
  const std::vector<Expr> zeros(system.u.size(), system.graph->constant(0.0));
  for (const dynamics::Row& row : system.rows) append(all, row.chi.is_valid() ? zeros : row.A);
  for (const dynamics::Row& row : system.rows) {
    all.push_back(zero_unless_valid(system, row.level == Level::kPosition ? row.phi : row.psi));
  }
  return all;
}

/// C and its derivatives by the multipliers that it depends on.
std::vector<Expr> reaction_force_outputs(const dynamics::System& system, const laws::ReactionDependence& dependence) {
  std::vector<Expr> multipliers, all = system.C;
  for (const int row : dependence.rows) multipliers.push_back(system.lambda[static_cast<std::size_t>(row)]);
  all.resize(all.size() + system.C.size() * multipliers.size(), system.graph->constant(0.0));
  for (const expr::Entry& entry : expr::sparse_jacobian(system.C, multipliers)) {
    all[system.C.size() + static_cast<std::size_t>(entry.row) * multipliers.size() +
        static_cast<std::size_t>(entry.column)] = entry.value;
  }
  return all;
}

/// v of all slides, ∂v/∂u, and what v' holds beside ∂v/∂u u'.
std::vector<Expr> slide_motion_outputs(const dynamics::System& system) {
  std::vector<Expr> velocities;
  for (const dynamics::Slide& slide : system.slides) append(velocities, slide.velocity);
  std::vector<Expr> all = velocities;
  all.resize(velocities.size() * (1 + system.u.size()), system.graph->constant(0.0));
  for (const expr::Entry& entry : expr::sparse_jacobian(velocities, system.u)) {
    all[velocities.size() + static_cast<std::size_t>(entry.row) * system.u.size() +
        static_cast<std::size_t>(entry.column)] = entry.value;
  }
  const std::vector<Expr> zeros(system.u.size(), system.graph->constant(0.0));
  append(all, expr::substitute(system.lowering->rates(velocities), system.u_dot, zeros));
  return all;
}

/// C by the directions of friction, and the static ratios.
std::vector<Expr> slide_bound_outputs(const dynamics::System& system) {
  const std::size_t columns = system.slide_direction.size();
  std::vector<Expr> all(system.C.size() * columns, system.graph->constant(0.0));
  for (const expr::Entry& entry : expr::sparse_jacobian(system.C, system.slide_direction)) {
    all[static_cast<std::size_t>(entry.row) * columns + static_cast<std::size_t>(entry.column)] = entry.value;
  }
  for (const dynamics::Slide& slide : system.slides) all.push_back(slide.static_ratio);
  return all;
}

/// Rows not linear in u', linearised at u', and the curvature of them weighed by their multipliers.
std::vector<Expr> nonlinear_row_outputs(const dynamics::System& system, const std::vector<int>& rows) {
  const std::size_t nu = system.u.size();
  std::vector<Expr> all;
  std::vector<Expr> slope(nu, system.graph->constant(0.0));
  for (const int row : rows) {
    const dynamics::Row& r = system.rows[static_cast<std::size_t>(row)];
    append(all, r.A);
    for (std::size_t i = 0; i < nu; ++i) slope[i] += system.lambda[static_cast<std::size_t>(row)] * r.A[i];
  }
  for (const int row : rows) all.push_back(system.rows[static_cast<std::size_t>(row)].b);
  const std::size_t first = all.size();
  all.resize(first + nu * nu, system.graph->constant(0.0));
  for (const expr::Entry& entry : expr::sparse_jacobian(slope, system.u_dot)) {
    all[first + static_cast<std::size_t>(entry.row) * nu + static_cast<std::size_t>(entry.column)] = entry.value;
  }
  return all;
}

std::vector<Expr> projection_outputs(const laws::Projection& projection) {
  std::vector<Expr> all = projection.correction;
  append(all, projection.violation);
  all.push_back(projection.guards.residual);
  all.push_back(projection.guards.contraction);
  return all;
}

std::vector<Expr> lower_outputs(dynamics::System& system, CompiledModel& compiled) {
  std::vector<mechanics::Term> terms;
  std::vector<mechanics::FrameId> frames;
  std::vector<std::size_t> terms_of;  // [outputs] how many
  for (const mechanics::Output& output : system.model->outputs) {
    const mechanics::FrameId frame = output.frame.value_or(mechanics::Model::newtonian());
    if (output.components.empty()) terms.push_back(output.value);
    terms.insert(terms.end(), output.components.begin(), output.components.end());
    frames.resize(terms.size(), frame);
    terms_of.push_back(std::max<std::size_t>(1, output.components.size()));
  }
  std::vector<Expr> all;
  std::size_t next = 0;
  const auto lowered = dynamics::lower_all(system, terms, frames);
  for (const std::size_t count : terms_of) {
    const int first = static_cast<int>(all.size());
    for (std::size_t k = 0; k < count; ++k) append(all, lowered[next++]);
    compiled.output_columns.push_back({first, static_cast<int>(all.size()) - first});
  }
  compiled.output_size = static_cast<int>(all.size());
  return all;
}

std::vector<Expr> gradient_by_multipliers(const dynamics::System& system, std::span<const Expr> outputs) {
  std::vector<Expr> multipliers = system.lambda;
  append(multipliers, system.lambda_ideal);
  std::vector<Expr> dense(outputs.size() * multipliers.size(), system.graph->constant(0.0));
  for (const expr::Entry& entry : expr::sparse_jacobian(outputs, multipliers)) {
    dense[static_cast<std::size_t>(entry.row) * multipliers.size() + static_cast<std::size_t>(entry.column)] =
        entry.value;
  }
  return dense;
}

/// W_s of a constraint's rows as columns, from terms. [3 × rows] row by row, appended to `all`.
class WrenchColumns {
 public:
  WrenchColumns(dynamics::System& system, std::vector<Expr>& all, int row_count)
      : system_(system), all_(all), row_count_(row_count) {}
  /// \returns the first place of a new vector, zero in every row.
  int begin() {
    first_ = static_cast<int>(all_.size());
    all_.resize(all_.size() + static_cast<std::size_t>(3 * row_count_), system_.graph->constant(0.0));
    return first_;
  }
  void add(int row, mechanics::Term vector) {
    const std::vector<Expr> W = dynamics::lower(system_, vector);
    for (int k = 0; k < 3; ++k)
      all_[static_cast<std::size_t>(first_ + k * row_count_ + row)] += W[static_cast<std::size_t>(k)];
  }

 private:
  dynamics::System& system_;
  std::vector<Expr>& all_;
  int row_count_, first_ = 0;
};

std::vector<Expr> lower_wrenches(dynamics::System& system, CompiledModel& compiled) {
  const mechanics::Model& model = *system.model;
  mechanics::TermPool& pool = *model.terms;
  std::vector<Expr> all;
  int first_row = 0;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const mechanics::ConstraintId id(c);
    if (!mechanics::has_rows(model.constraints[c])) continue;  // no multipliers to be undetermined
    const int row_count = static_cast<int>(model.constraints[c].rows.size());
    std::vector<mechanics::RowInspection> rows;
    for (int row = 0; row < row_count; ++row)
      rows.push_back(mechanics::inspect_row(model, id, static_cast<std::size_t>(row)));
    WrenchColumns columns(system, all, row_count);
    for (const mechanics::PointId point : mechanics::points_of(model, id)) {
      compiled.point_forces.push_back({id, point, first_row, row_count, columns.begin()});
      for (int row = 0; row < row_count; ++row) {
        for (const mechanics::PointReaction& force : rows[static_cast<std::size_t>(row)].forces) {
          if (force.point == point) columns.add(row, force.W);
        }
      }
    }
    for (const mechanics::FrameId body : mechanics::bodies_of(model, id)) {
      const mechanics::PointId center = model.body(*model.frame(body).body).center;
      const auto for_each_force = [&](auto&& what) {
        for (int row = 0; row < row_count; ++row) {
          for (const mechanics::PointReaction& force : rows[static_cast<std::size_t>(row)].forces) {
            const auto carrier = mechanics::carrier_of(model, force.point);
            if (carrier && model.body(*carrier).frame == body) what(row, force);
          }
        }
      };
      const auto add_couples = [&] {
        for (int row = 0; row < row_count; ++row) {
          for (const mechanics::BodyReaction& torque : rows[static_cast<std::size_t>(row)].torques) {
            if (torque.body == body) columns.add(row, torque.tau);
          }
        }
      };
      BodyWrench wrench{id, body, first_row, row_count};
      wrench.force = columns.begin();
      for_each_force([&](int row, const mechanics::PointReaction& force) { columns.add(row, force.W); });
      wrench.couple = columns.begin();
      add_couples();
      wrench.moment = columns.begin();
      add_couples();
      for_each_force([&](int row, const mechanics::PointReaction& force) {
        columns.add(row, pool.cross(pool.position(force.point, center), force.W));
      });
      compiled.body_wrenches.push_back(wrench);
    }
    first_row += row_count;
  }
  return all;
}

bool is_comparison(expr::Op op) {
  return op == expr::Op::kLess || op == expr::Op::kLessEqual || op == expr::Op::kEqual || op == expr::Op::kNotEqual;
}

std::vector<Expr> lower_expectations(dynamics::System& system, CompiledModel& compiled) {
  using Shape = ExpectationColumns::Shape;
  std::vector<Expr> all;
  for (const mechanics::Expectation& expectation : system.model->expectations) {
    ExpectationColumns columns{Shape::kNone, static_cast<int>(all.size()), 0};
    if (expectation.left.is_valid()) {
      const std::vector<Expr> left = dynamics::lower(system, expectation.left);
      append(all, left);
      columns.count = static_cast<int>(left.size());
      if (expectation.right.is_valid()) {
        columns.shape = Shape::kEquality;
        append(all, dynamics::lower(system, expectation.right));
      } else if (expectation.left.kind() == mechanics::TermKind::kFunction && is_comparison(expectation.left.op()) &&
                 expectation.left.operand(0).is_scalar()) {
        columns.shape = Shape::kComparison;
        append(all, dynamics::lower(system, expectation.left.operand(0)));
        append(all, dynamics::lower(system, expectation.left.operand(1)));
      } else {
        columns.shape = Shape::kCondition;
      }
    }
    compiled.expectation_columns.push_back(columns);
  }
  return all;
}

bool is_identity_kinematics(const dynamics::System& system) {
  if (system.nq() != system.nu()) return false;
  for (int i = 0; i < system.nq(); ++i) {
    if (!(system.q_dot[static_cast<std::size_t>(i)] == system.u[static_cast<std::size_t>(i)])) return false;
  }
  return true;
}

/// The structure of the given rows at states on the constraint manifold. Their accelerations tell which of them depend
/// on each other: φ and ψ are rounding there.
solve::StaticStructure structure_of(const dynamics::System& system, const std::vector<int>& rows,
                                    const RandomStates& states, laws::MassMatrix mass = laws::MassMatrix::kM) {
  std::vector<Expr> b;
  for (const int row : rows) b.push_back(system.rows[static_cast<std::size_t>(row)].b);
  return solve::analyze_structure(laws::symbolic_system(system, rows, mass), b, states.inputs, states.values);
}

/// Laws that cannot be solved together.
std::optional<Failure> refuse_mixtures(const dynamics::System& system) {
  const bool has_both = system.has_implicit_nonideal && system.has_nonlinear_rows;
  const bool has_efforts = system.has_nonlinear_rows && !system.directed.empty();
  if (!has_both && !has_efforts) return std::nullopt;
  Failure failure;
  failure.kind = FailureKind::kNotUnique;
  for (int row = 0; row < system.nc(); ++row) {
    if (system.rows[static_cast<std::size_t>(row)].chi.is_valid()) failure.rows.push_back(row);
  }
  const auto& first = system.rows[static_cast<std::size_t>(failure.rows.front())];
  failure.message =
      fmt::format("constraint `{}` is not linear in the accelerations, which is not solved together with {}",
                  system.model->constraint(first.constraint).name,
                  has_both ? "forces that depend on reactions" : "constraints kept by efforts");
  return failure;
}

/// Whether all matrices are positive semidefinite, to rounding.
bool is_positive_semidefinite(const dynamics::System& system, const std::vector<Expr>& M, const RandomStates& states) {
  constexpr double kTolNegative = 1e-12;
  const int nu = system.nu();
  for (const std::vector<double>& state : states.values) {
    const std::vector<double> values = expr::interpret(M, states.inputs, state);
    const Matrix at = Eigen::Map<const Matrix>(values.data(), nu, nu);
    const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(at, Eigen::EigenvaluesOnly).eigenvalues();
    if (eigenvalues[0] < -kTolNegative * eigenvalues.cwiseAbs().maxCoeff()) return false;
  }
  return true;
}

/// A Lagrangian function may have an indefinite Hessian: speeds then are measured in their own units.
void settle_metric(dynamics::System& system, const RandomStates& states) {
  const auto is_lagrangian = [](const mechanics::Load& load) {
    return std::holds_alternative<mechanics::LagrangianFunction>(load.what);
  };
  if (std::ranges::none_of(system.model->loads, is_lagrangian) ||
      is_positive_semidefinite(system, system.metric, states))
    return;
  system.has_indefinite_mass = true;
  for (int r = 0; r < system.nu(); ++r) {
    for (int s = 0; s < system.nu(); ++s) {
      system.metric[static_cast<std::size_t>(r * system.nu() + s)] = system.graph->constant(r == s ? 1.0 : 0.0);
    }
  }
}

/// Numbers for the symbols of λ: those of the static solve.
std::vector<Expr> multipliers_of(const dynamics::System& system, const laws::Acceleration& acceleration) {
  return acceleration.lambda.empty() ? system.lambda : acceleration.lambda;
}

/// The generated motion: q', u' and z' with the numbers they are accepted by.
std::vector<Expr> motion_outputs(const dynamics::System& system, CompiledModel& compiled, const RandomStates& states,
                                 int refinements) {
  std::vector<int> rows(system.rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int>(i);
  compiled.structure = structure_of(system, rows, states);
  const laws::Acceleration acceleration =
      system.directed.empty()
          ? laws::acceleration(system, compiled.structure, refinements)
          : laws::directed_acceleration(system, structure_of(system, laws::ideal_rows(system), states), refinements);
  std::vector<Expr> motion = acceleration.q_dot;
  append(motion, acceleration.u_dot);
  const bool lacks_multipliers = compiled.is_moved_by_multipliers && acceleration.lambda.empty();
  if (lacks_multipliers) {
    append(motion, std::vector<Expr>(system.z.size(), system.graph->constant(0.0)));
  } else {
    append(motion, expr::substitute(system.z_dot, system.lambda, multipliers_of(system, acceleration)));
  }
  motion.push_back(acceleration.guards.residual);
  // More than any accepted contraction: the rates of the states take the multipliers of tier Q.
  motion.push_back(lacks_multipliers ? system.graph->constant(1.0) : acceleration.guards.contraction);
  compiled.compares_rows = !acceleration.disagreement.is_zero();
  if (compiled.compares_rows) {
    motion.push_back(acceleration.disagreement);
    for (const int row : compiled.position_rows) motion.push_back(system.rows[static_cast<std::size_t>(row)].phi);
    for (const int row : compiled.velocity_rows) motion.push_back(system.rows[static_cast<std::size_t>(row)].psi);
  }
  return motion;
}

/// Kernels of models with constraints of higher order.
void add_higher_order(const dynamics::System& system, KernelSet& hot, KernelSet& cold, CompiledModel& compiled) {
  const dynamics::HigherOrder& higher = *system.higher;
  std::vector<Expr> top = system.q_dot;
  append(top, higher.J);
  append(top, higher.r);
  hot.add(compiled.top, "top", state_inputs(system), std::move(top));
  std::vector<Expr> hidden = higher.hidden;
  append(hidden, higher.hidden_gradient);
  for (const auto& row : system.G) append(hidden, row);
  hot.add(compiled.hidden, "hidden", state_inputs(system), std::move(hidden));
  cold.add(compiled.relations, "relations", report_symbols(system), higher.F);
}

/// Outputs hold third derivatives that are states or found with them, and no others.
std::optional<Failure> judge_third_derivatives(const dynamics::System& system, const CompiledModel& compiled) {
  if (!system.higher) return std::nullopt;
  for (std::size_t i = 0; i < compiled.output_columns.size(); ++i) {
    const OutputColumns& columns = compiled.output_columns[i];
    for (int k = 0; k < columns.count; ++k) {
      if (!expr::depends_on(compiled.output_values[static_cast<std::size_t>(columns.first + k)],
                            system.higher->not_known))
        continue;
      Failure failure;
      failure.kind = FailureKind::kNotUnique;
      failure.statements = {{StatementId::Kind::kOutput, static_cast<int>(i)}};
      failure.message = fmt::format("output `{}` holds a third derivative that the equations of motion do not hold",
                                    system.model->outputs[i].name);
      return failure;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string CompiledModel::row_name(int row) const {
  const dynamics::Row& r = system->rows[static_cast<std::size_t>(row)];
  const mechanics::Constraint& constraint = model->constraint(r.constraint);
  return constraint.rows.size() == 1 ? constraint.name : fmt::format("{}[{}]", constraint.name, r.index + 1);
}

const std::string& CompiledModel::speed_name(int speed) const {
  return model->speeds[static_cast<std::size_t>(speed)].name;
}

std::string CompiledModel::row_unit(int row, Level level) const {
  if (!model->has_units) return {};
  const dynamics::Row& r = system->rows[static_cast<std::size_t>(row)];
  const int derivatives = static_cast<int>(level) - static_cast<int>(r.level);
  const mechanics::Constraint& stated = model->constraint(r.constraint);
  const Dimension own =
      stated.row_dimensions.empty() ? stated.dimension : stated.row_dimensions[static_cast<std::size_t>(r.index)];
  const std::string unit = si_unit(own * make_dimension(0, 0, -derivatives));
  return unit == "1" ? std::string() : " " + unit;
}

Outcome<std::shared_ptr<const CompiledModel>> compile_model(std::shared_ptr<const mechanics::Model> model,
                                                            const CompileSettings& settings) {
  const auto begin = std::chrono::steady_clock::now();
  auto derived = dynamics::derive(model);
  if (!derived) return fail(std::move(derived.error()));
  dynamics::System& system = **derived;
  if (auto failure = refuse_mixtures(system)) return fail(std::move(*failure));
  if (auto failure = laws::write_higher_order(system)) return fail(std::move(*failure));

  auto compiled = std::make_shared<CompiledModel>();
  compiled->model = std::move(model);
  compiled->system = *derived;
  for (const mechanics::Parameter& parameter : system.model->parameters)
    compiled->parameters.push_back(parameter.value);
  compiled->position_rows = laws::position_rows(system);
  compiled->velocity_rows = laws::velocity_rows(system);
  compiled->has_identity_kinematics = is_identity_kinematics(system);
  const std::vector<Expr> inputs = state_inputs(system);
  for (const dynamics::Row& row : system.rows) {
    bool varies = false;
    for (const Expr A : row.A) varies = varies || expr::depends_on(A, inputs) || row.chi.is_valid();
    compiled->gradient_varies.push_back(varies ? 1 : 0);
  }
  for (const mechanics::StartCondition& start : system.model->starts) {
    compiled->start_values.push_back(dynamics::lower(system, start.value).front());
  }
  compiled->start_gradient = expr::sparse_jacobian(compiled->start_values, system.q);
  for (const mechanics::State& state : system.model->states) {
    compiled->state_starts.push_back(state.start.is_valid() ? dynamics::lower(system, state.start).front()
                                                            : system.graph->constant(0.0));
  }
  compiled->is_moved_by_multipliers = std::ranges::any_of(system.z_dot, [&system](Expr rate) {
    return expr::depends_on(rate, system.lambda) || expr::depends_on(rate, system.slide_direction);
  });

  auto states = random_states(*compiled, settings.seed);
  if (!states) return fail(std::move(states.error()));
  settle_metric(system, *states);
  KernelSet hot(system), cold(system);
  if (system.higher) {
    add_higher_order(system, hot, cold, *compiled);
  } else if (!compiled->is_implicit()) {
    hot.add(compiled->accelerations, "accelerations", inputs,
            motion_outputs(system, *compiled, *states, settings.refinements));
  }
  if (!compiled->position_rows.empty()) {
    const auto structure = structure_of(system, compiled->position_rows, *states, laws::MassMatrix::kMetric);
    hot.add(compiled->position, "position", inputs,
            projection_outputs(laws::position_projection(system, structure, settings.refinements)));
  }
  if (!compiled->velocity_rows.empty()) {
    const auto structure = structure_of(system, compiled->velocity_rows, *states, laws::MassMatrix::kMetric);
    hot.add(compiled->velocity, "velocity", inputs,
            projection_outputs(laws::velocity_projection(system, structure, settings.refinements)));
  }
  if (system.nc() > 0) hot.add(compiled->gradients, "gradients", inputs, gradient_outputs(system));

  if (!system.model->conserved.empty()) {
    std::vector<Expr> values;
    for (const mechanics::Conserved& conserved : system.model->conserved)
      values.push_back(dynamics::lower(system, conserved.value)[0]);
    hot.add(compiled->levels, "levels", inputs, level_outputs(system, values, compiled->velocity_rows));
  }
  if (system.has_implicit_nonideal) {
    compiled->dependence = laws::reaction_dependence(system);
    auto velocities = sliding_velocities(system, *compiled);
    if (!velocities.empty()) cold.add(compiled->sliding_velocity, "sliding_velocity", inputs, std::move(velocities));
    if (!system.slides.empty()) {
      hot.add(compiled->slide_motion, "slide_motion", inputs, slide_motion_outputs(system));
      cold.add(compiled->slide_bound, "slide_bound", report_symbols(system), slide_bound_outputs(system));
    }
    hot.add(compiled->reaction_force, "reaction_force", report_symbols(system),
            reaction_force_outputs(system, compiled->dependence));
  }
  if (system.has_nonlinear_rows) {
    for (int row = 0; row < system.nc(); ++row) {
      if (system.rows[static_cast<std::size_t>(row)].chi.is_valid()) compiled->nonlinear.push_back(row);
    }
    hot.add(compiled->nonlinear_rows, "nonlinear_rows", report_symbols(system),
            nonlinear_row_outputs(system, compiled->nonlinear));
  }
  if (system.nz() > 0 && !system.higher) {
    std::vector<Expr> with_multipliers = inputs;
    append(with_multipliers, system.lambda);
    append(with_multipliers, system.slide_direction);
    cold.add(compiled->state_rates, "state_rates", std::move(with_multipliers), system.z_dot);
  }
  cold.add(compiled->matrices, "matrices", inputs, matrices_outputs(system, compiled->layout));
  compiled->output_values = lower_outputs(system, *compiled);
  if (auto failure = judge_third_derivatives(system, *compiled)) return fail(std::move(*failure));
  cold.add(compiled->outputs, "outputs", report_symbols(system), compiled->output_values);
  if (system.nc() > 0) {
    cold.add(compiled->output_gradient, "output_gradient", report_symbols(system),
             gradient_by_multipliers(system, compiled->output_values));
    cold.add(compiled->wrenches, "wrenches", report_symbols(system), lower_wrenches(system, *compiled));
  }
  compiled->expectation_values = lower_expectations(system, *compiled);
  for (const Expr value : compiled->expectation_values) {
    if (!system.higher || !expr::depends_on(value, system.higher->not_known)) continue;
    Failure failure;
    failure.kind = FailureKind::kNotUnique;
    failure.message = "an expectation holds a third derivative that the equations of motion do not hold";
    return fail(std::move(failure));
  }
  cold.add(compiled->expectations, "expectations", report_symbols(system), compiled->expectation_values);
  compiled->seconds_derive = seconds_since(begin);

  const auto begin_compile = std::chrono::steady_clock::now();
  hot.compile(settings.codegen, compiled->parameters, &compiled->report);
  codegen::CompileOptions on_tape = settings.codegen;
  if (on_tape.backend == codegen::Backend::kNative) on_tape.backend = codegen::Backend::kTape;
  cold.compile(on_tape, compiled->parameters, nullptr);
  compiled->seconds_compile = seconds_since(begin_compile);
  if (settings.judges_conserved) {
    if (auto judged = judge_conserved(*compiled); !judged) return fail(std::move(judged.error()));
  }
  return std::shared_ptr<const CompiledModel>(std::move(compiled));
}

}  // namespace vinculum::sim
