#include "vinculum/audit/evidence.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/laws/directed.hpp"
#include "vinculum/mechanics/calculus.hpp"
#include "vinculum/mechanics/traversal.hpp"
#include "vinculum/sim/plant/report_symbols.hpp"

namespace vinculum::audit {
namespace {

using expr::Expr;
using mechanics::Level;
using mechanics::Model;
using mechanics::TermValues;

void append(std::vector<Expr>& all, const std::vector<Expr>& more) { all.insert(all.end(), more.begin(), more.end()); }

Vector3 number_of(const mechanics::JetVector& jet) { return {jet[0].value, jet[1].value, jet[2].value}; }

bool holds_partials(mechanics::Term term) {
  return std::ranges::any_of(mechanics::in_order(term),
                             [](mechanics::Term part) { return part.kind() == mechanics::TermKind::kPartial; });
}

std::vector<double> list_of(const Vector& v) { return {v.data(), v.data() + v.size()}; }

}  // namespace

Equations::Equations(const CompiledModel& compiled, const Sample& sample) {
  const dynamics::System& system = *compiled.system;
  std::vector<Expr> symbols = sim::report_symbols(system);
  std::vector<double> numbers;
  sim::read_report_numbers(sample, numbers);
  append(symbols, system.parameters);
  numbers.insert(numbers.end(), compiled.parameters.begin(), compiled.parameters.end());

  std::vector<Expr> roots;
  const Expr zero = system.graph->constant(0.0);
  append(roots, system.q_dot);
  append(roots, system.g);
  append(roots, system.f);
  append(roots, system.C);
  append(roots, system.M);
  for (const auto& row : system.G) append(roots, row);
  for (const dynamics::Row& row : system.rows) {
    append(roots, row.A);
    roots.push_back(row.b);
    roots.push_back(row.phi.is_valid() ? row.phi : zero);
    roots.push_back(row.psi.is_valid() ? row.psi : zero);
  }
  const auto directions = laws::effort_directions(system);
  for (const auto& direction : directions) append(roots, direction);

  for (const dynamics::LawChange& change : system.changes) {
    append(roots, change.f);
    append(roots, change.M);
  }

  const std::vector<double> values = expr::interpret(roots, symbols, numbers);
  const double* next = values.data();
  const auto take = [&next](Eigen::Index n) { return next += n, Vector(Eigen::Map<const Vector>(next - n, n)); };
  const Eigen::Index nq = system.nq(), nu = system.nu(), nc = system.nc();
  q_dot = take(nq);
  g = take(nq);
  f = take(nu);
  C = take(nu);
  const auto take_rows = [&take, nu](Eigen::Index rows) {
    Matrix all(rows, nu);
    for (Eigen::Index i = 0; i < rows; ++i) all.row(i) = take(nu);
    return all;
  };
  M = take_rows(nu);
  G = take_rows(nq);
  A.resize(nc, nu);
  b.resize(nc), phi.resize(nc), psi.resize(nc);
  for (Eigen::Index i = 0; i < nc; ++i) {
    A.row(i) = take(nu);
    b[i] = *next++;
    phi[i] = *next++;
    psi[i] = *next++;
  }
  Gamma = take_rows(static_cast<Eigen::Index>(directions.size()));
  for (const dynamics::LawChange& change : system.changes) {
    Vector force = take(nu);
    if (!change.M.empty()) force -= take_rows(nu) * sample.reaction.u_dot();
    law_forces.push_back(std::move(force));
  }
  is_directed.assign(system.rows.size(), 0);
  for (const int row : laws::directed_rows(system)) nth(is_directed, row) = 1;
  law_reaction = Vector::Zero(nu);
  if (system.higher) read_higher_order(compiled, sample);
}

Vector Equations::pull(const Vector& lambda) const {
  Vector Q = Vector::Zero(f.size());
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    if (nth(is_directed, i) == 0) Q += A.row(i).transpose() * lambda[i];
  }
  return Q;
}

Vector Equations::reaction(const CompiledModel& compiled, const Sample& sample,
                           mechanics::ConstraintId constraint) const {
  const dynamics::System& system = *compiled.system;
  Vector Q = Vector::Zero(f.size());
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    if (system.rows[i].constraint == constraint) Q += A.row(k).transpose() * sample.reaction.lambda()[k];
  }
  for (std::size_t i = 0; i < system.changes.size(); ++i) {
    if (system.changes[i].constraint == constraint) Q += law_forces[i];
  }
  return Q;
}

Vector Equations::sizes(const Sample& sample) const {
  Vector size =
      M.cwiseAbs() * sample.reaction.u_dot().cwiseAbs() + f.cwiseAbs() + C.cwiseAbs() + law_reaction.cwiseAbs();
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    if (nth(is_directed, i) == 0) size += A.row(i).cwiseAbs().transpose() * std::abs(sample.reaction.lambda()[i]);
  }
  if (Gamma.rows() > 0) size += Gamma.cwiseAbs().transpose() * sample.reaction.effort.cwiseAbs();
  return size;
}

Vector Equations::units() const {
  Vector unit = M.diagonal().cwiseAbs();
  const double largest = unit.size() > 0 ? unit.maxCoeff() : 0.0;
  for (double& m : unit) m = 1.0 / std::sqrt(m > 0.0 ? m : largest > 0.0 ? largest : 1.0);
  return unit;
}

Evidence::Evidence(const CompiledModel& of, const Sample& s)
    : compiled(of), model(*of.model), sample(s), at(of, s), unit_(of.system->u.size()), pushed_(of.system->u.size()) {
  instant_.t = sample.t;
  instant_.parameters = compiled.parameters;
  instant_.q = list_of(sample.q);
  instant_.z = list_of(sample.z);
  for (const dynamics::Slide& slide : of.system->slides) {
    const auto s = sample.friction.direction.segment(slide.first, slide.count);
    instant_.slide.emplace_back(s.begin(), s.end());
  }
  std::size_t row = 0, effort = 0;
  for (const mechanics::Constraint& constraint : model.constraints) {
    first_row_.push_back(row);
    auto& lambda = instant_.lambda.emplace_back();
    auto& ideal = instant_.lambda_ideal.emplace_back();
    if (!mechanics::has_rows(constraint)) {  // no row in the System
      lambda.assign(constraint.rows.size(), 0.0);
      ideal = lambda;
      instant_.effort.emplace_back();
      continue;
    }
    for (std::size_t k = 0; k < constraint.rows.size(); ++k, ++row) {
      lambda.push_back(nth(sample.reaction.lambda(), row));
      ideal.push_back(nth(sample.reaction.lambda_ideal(), row));
    }
    auto& efforts = instant_.effort.emplace_back();
    for (std::size_t k = 0; k < constraint.law->actuators().size(); ++k, ++effort) {
      efforts.push_back(nth(sample.reaction.effort, effort));
    }
  }
  // q'' from u' and the definitions of the speeds, which are affine in it, and the norms of quaternions.
  const Vector zero = Vector::Zero(sample.q.size());
  unpushed_ = values(sample.q_dot, zero);
  Vector rates(sample.u.size());
  for (std::size_t r = 0; r < model.speeds.size(); ++r) {
    nth(rates, r) = unpushed_->scalar(model.speeds[r].definition).rate;
  }
  Vector q_ddot = at.G * (sample.reaction.u_dot() - rates);
  for (const mechanics::Frame& frame : model.frames) {
    if (!frame.quaternion) continue;
    double norm2 = 0.0, rate2 = 0.0, along = 0.0;
    for (const auto id : frame.quaternion->e) {
      const auto i = static_cast<Eigen::Index>(id.index());
      norm2 += sample.q[i] * sample.q[i];
      rate2 += sample.q_dot[i] * sample.q_dot[i];
      along += sample.q[i] * q_ddot[i];
    }
    for (const auto id : frame.quaternion->e) {
      const auto i = static_cast<Eigen::Index>(id.index());
      q_ddot[i] -= sample.q[i] * (along + rate2) / norm2;
    }
  }
  now_ = values(sample.q_dot, q_ddot);
}

std::unique_ptr<TermValues> Evidence::values(const Vector& q_dot, const Vector& q_ddot) const {
  mechanics::Instant instant = instant_;
  instant.q_dot = list_of(q_dot);
  instant.q_ddot = list_of(q_ddot);
  return std::make_unique<TermValues>(model, std::move(instant));
}

TermValues& Evidence::rest() {
  if (!rest_) rest_ = values(at.g, Vector::Zero(at.g.size()));
  return *rest_;
}

TermValues& Evidence::still() {
  if (!still_) still_ = values(Vector::Zero(at.g.size()), Vector::Zero(at.g.size()));
  return *still_;
}

TermValues& Evidence::unit(std::size_t speed) {
  auto& place = unit_[speed];
  if (!place) place = values(at.g + at.G.col(static_cast<Eigen::Index>(speed)), Vector::Zero(at.g.size()));
  return *place;
}

TermValues& Evidence::unpushed() { return *unpushed_; }

TermValues& Evidence::pushed(std::size_t speed) {
  auto& place = pushed_[speed];
  if (!place) place = values(sample.q_dot, at.G.col(static_cast<Eigen::Index>(speed)));
  return *place;
}

Vector3 Evidence::value(mechanics::Term vector) { return number_of(now_->vector(vector)); }

const Matrix& Evidence::partial_velocities(mechanics::PointId point) {
  const auto [it, is_new] = partial_velocities_.try_emplace(point);
  if (is_new) {
    const mechanics::Term velocity = model.terms->velocity(point, Model::newtonian());
    const Vector3 still = number_of(rest().vector(velocity));
    it->second.resize(3, sample.u.size());
    for (std::size_t r = 0; r < unit_.size(); ++r)
      it->second.col(static_cast<Eigen::Index>(r)) = number_of(unit(r).vector(velocity)) - still;
  }
  return it->second;
}

const Matrix& Evidence::partial_angular_velocities(mechanics::FrameId frame) {
  const auto [it, is_new] = partial_angular_velocities_.try_emplace(frame);
  if (is_new) {
    it->second = Matrix::Zero(3, sample.u.size());
    if (frame == Model::newtonian()) return it->second;
    const mechanics::Term omega = model.terms->angular_velocity(frame, Model::newtonian());
    const Vector3 still = number_of(rest().vector(omega));
    for (std::size_t r = 0; r < unit_.size(); ++r)
      it->second.col(static_cast<Eigen::Index>(r)) = number_of(unit(r).vector(omega)) - still;
  }
  return it->second;
}

Vector3 Evidence::velocity_at_rest(mechanics::PointId point) {
  return number_of(rest().vector(model.terms->velocity(point, Model::newtonian())));
}

Vector3 Evidence::angular_velocity_at_rest(mechanics::FrameId frame) {
  if (frame == Model::newtonian()) return Vector3::Zero();
  return number_of(rest().vector(model.terms->angular_velocity(frame, Model::newtonian())));
}

namespace {

/// The row, or of one that holds a state the derivative of it that is kept (theory.md §6.10).
mechanics::Term kept_row(const Model& model, mechanics::ConstraintId id, std::size_t row) {
  const mechanics::Constraint& constraint = model.constraint(id);
  const bool is_by_rate = row < constraint.row_rates.size() && constraint.row_rates[row].is_valid() &&
                          mechanics::holds_state(constraint.rows[row]);
  return is_by_rate ? constraint.row_rates[row] : constraint.rows[row];
}

}  // namespace

mechanics::Level Evidence::level(mechanics::ConstraintId constraint, std::size_t row) const {
  return mechanics::level_of(model, kept_row(model, constraint, row));
}

Vector Evidence::row_gradient_by_differences(mechanics::ConstraintId constraint, std::size_t row) {
  constexpr std::size_t kLargest =
      300;  // nodes: each value of a partial derivative evaluates what is below it many times
  const mechanics::Term term = kept_row(model, constraint, row);
  const Level of = level(constraint, row);
  Vector gradient = Vector::Constant(sample.u.size(), std::nan(""));
  const bool is_nonlinear = has_row(constraint) && compiled.system->rows[first_row(constraint) + row].chi.is_valid();
  if (is_nonlinear || of == Level::kPosition || !holds_partials(term) || mechanics::in_order(term).size() > kLargest)
    return gradient;
  const Vector zero = Vector::Zero(sample.q.size());
  const auto at_change = [&](const Vector& change) {
    return of == Level::kVelocity ? values(sample.q_dot + change, zero)->scalar(term).value
                                  : values(sample.q_dot, change)->scalar(term).value;
  };
  const double here = at_change(zero);
  for (Eigen::Index r = 0; r < gradient.size(); ++r) {
    const double up = at_change(at.G.col(r)) - here, down = here - at_change(-at.G.col(r));
    if (std::abs(up - down) > tolerance::kAtStates * (std::abs(up) + std::abs(down) + std::abs(here)))
      return gradient.setConstant(std::nan(""));
    gradient[r] = 0.5 * (up + down);
  }
  return gradient;
}

Vector Evidence::row_gradient(mechanics::ConstraintId constraint, std::size_t row) {
  const mechanics::Term term = kept_row(model, constraint, row);
  const Level of = level(constraint, row);
  Vector gradient(sample.u.size());
  const bool is_nonlinear = has_row(constraint) && compiled.system->rows[first_row(constraint) + row].chi.is_valid();
  if (is_nonlinear || holds_partials(term)) return gradient.setConstant(std::nan(""));
  const auto read = [&](TermValues& values) {
    const mechanics::Jet jet = values.scalar(term);
    return of == Level::kAcceleration ? jet.value : jet.rate;
  };
  // A row of position level by its rate under unit motions, others by what they hold of q''.
  const bool by_rates = of == Level::kPosition;
  const double still = read(by_rates ? rest() : unpushed());
  for (std::size_t r = 0; r < unit_.size(); ++r) {
    nth(gradient, r) = read(by_rates ? unit(r) : pushed(r)) - still;
  }
  return gradient;
}

}  // namespace vinculum::audit
