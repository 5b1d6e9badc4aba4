#include "vinculum/verify/audit/evidence.hpp"

#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/model/calculus.hpp"

namespace vinculum::audit {
namespace {

using model::Level;
using model::Model;
using model::TermValues;

Vector3 derivative_of(const model::SeriesVector& v, int order) {
  return {v[0].derivative(order), v[1].derivative(order), v[2].derivative(order)};
}

template <class List>
std::vector<double> list_of(const List& v) {
  std::vector<double> all;
  for (Eigen::Index i = 0; i < v.size(); ++i) all.push_back(v[i]);
  return all;
}
std::vector<double> numbers_of(const RoundedVector& v) { return list_of(Vector(values_of(v))); }
std::vector<double> misses_of(const RoundedVector& v) { return list_of(Vector(errors_of(v))); }
RoundedVector zeros(Eigen::Index n) { return RoundedVector::Constant(n, Rounded()); }

}  // namespace

Evidence::Evidence(const Binding& of, const Sample& s)
    : bound(of), model(*of->model), sample(s), at(of, s), unit_(of->system->u.size()) {
  instant_.t = sample.t;
  instant_.parameters = bound.parameters;
  instant_.q = list_of(sample.q);
  instant_.z = list_of(sample.z);
  for (const equations::Slide& slide : of->system->slides) {
    const auto direction = sample.friction.direction.segment(slide.first, slide.count);
    instant_.slide.emplace_back(direction.begin(), direction.end());
  }
  std::size_t row = 0, effort = 0;
  for (const model::Constraint& constraint : model.constraints) {
    first_row_.push_back(row);
    auto& lambda = instant_.lambda.emplace_back();
    auto& ideal = instant_.lambda_ideal.emplace_back();
    auto& lambda_error = instant_.lambda_error.emplace_back();
    auto& effort_error = instant_.effort_error.emplace_back();
    if (!model::has_rows(constraint)) {  // no rows in the System: penalty realization or higher order
      lambda.assign(constraint.rows.size(), 0.0);
      ideal = lambda;
      instant_.effort.emplace_back();
      continue;
    }
    for (std::size_t k = 0; k < constraint.rows.size(); ++k, ++row) {
      lambda.push_back(nth(at.lambda, row).value);
      lambda_error.push_back(nth(at.lambda, row).error);
      ideal.push_back(nth(sample.reaction.lambda_ideal(), row));
    }
    auto& efforts = instant_.effort.emplace_back();
    for (std::size_t k = 0; k < constraint.law->actuators().size(); ++k, ++effort) {
      efforts.push_back(nth(at.effort, effort).value);
      effort_error.push_back(nth(at.effort, effort).error);
    }
  }
  // q'' follows from u', the definitions of the speeds (affine in q'') and the norms of quaternions.
  const auto unpushed = values(at.q_dot, zeros(sample.q.size()));
  RoundedVector rates(sample.u.size());
  for (std::size_t r = 0; r < model.speeds.size(); ++r) {
    nth(rates, r) = unpushed->series(model.speeds[r].definition).derivative(1);
  }
  RoundedVector q_ddot = at.G * (at.u_dot - rates);
  for (const model::Frame& frame : model.frames) {
    if (!frame.quaternion) continue;
    Rounded norm2, rate2, along;
    for (const auto id : frame.quaternion->e) {
      const auto i = static_cast<Eigen::Index>(id.index());
      norm2 += Rounded(sample.q[i]) * sample.q[i];
      rate2 += at.q_dot[i] * at.q_dot[i];
      along += sample.q[i] * q_ddot[i];
    }
    for (const auto id : frame.quaternion->e) {
      const auto i = static_cast<Eigen::Index>(id.index());
      q_ddot[i] -= sample.q[i] * (along + rate2) / norm2;
    }
  }
  now_ = values(at.q_dot, q_ddot);
}

std::unique_ptr<TermValues> Evidence::values(const RoundedVector& q_dot, const RoundedVector& q_ddot,
                                             bool is_time_held) const {
  model::Instant instant = instant_;
  instant.is_time_held = is_time_held;
  instant.q_dot = numbers_of(q_dot);
  instant.q_dot_error = misses_of(q_dot);
  instant.q_ddot = numbers_of(q_ddot);
  instant.q_ddot_error = misses_of(q_ddot);
  return std::make_unique<TermValues>(model, std::move(instant));
}

TermValues& Evidence::rest() {
  if (!rest_) rest_ = values(at.g, zeros(at.g.size()));
  return *rest_;
}

TermValues& Evidence::still() {
  if (!still_) still_ = values(zeros(at.g.size()), zeros(at.g.size()));
  return *still_;
}

TermValues& Evidence::held() {
  if (!held_) held_ = values(zeros(at.g.size()), zeros(at.g.size()), /*is_time_held=*/true);
  return *held_;
}

TermValues& Evidence::unit(std::size_t speed) {
  auto& place = unit_[speed];
  if (!place) place = values(at.G.col(static_cast<Eigen::Index>(speed)), zeros(at.g.size()), /*is_time_held=*/true);
  return *place;
}

Vector3 Evidence::value(model::Term vector) { return derivative_of(now_->series_vector(vector), 0); }
Vector3 Evidence::rate_of(model::Term vector) { return derivative_of(now_->series_vector(vector), 1); }

const RoundedMatrix& Evidence::partial_velocities(model::PointId point) {
  const auto [it, is_new] = partial_velocities_.try_emplace(point);
  if (is_new) {
    const model::Term velocity = model.terms->velocity(point, Model::newtonian());
    it->second.resize(3, sample.u.size());
    for (std::size_t r = 0; r < unit_.size(); ++r)
      it->second.col(static_cast<Eigen::Index>(r)) = derivative_of(unit(r).series_vector(velocity), 0);
  }
  return it->second;
}

const RoundedMatrix& Evidence::partial_angular_velocities(model::FrameId frame) {
  const auto [it, is_new] = partial_angular_velocities_.try_emplace(frame);
  if (is_new) {
    it->second = RoundedMatrix::Constant(3, sample.u.size(), Rounded());
    if (frame == Model::newtonian()) return it->second;
    const model::Term omega = model.terms->angular_velocity(frame, Model::newtonian());
    for (std::size_t r = 0; r < unit_.size(); ++r)
      it->second.col(static_cast<Eigen::Index>(r)) = derivative_of(unit(r).series_vector(omega), 0);
  }
  return it->second;
}

Vector3 Evidence::velocity_at_rest(model::PointId point) {
  return derivative_of(rest().series_vector(model.terms->velocity(point, Model::newtonian())), 0);
}

Vector3 Evidence::angular_velocity_at_rest(model::FrameId frame) {
  if (frame == Model::newtonian()) return Vector3::Constant(Rounded());
  return derivative_of(rest().series_vector(model.terms->angular_velocity(frame, Model::newtonian())), 0);
}

model::Term Evidence::kept(model::ConstraintId id, std::size_t row) const {
  const model::Constraint& constraint = model.constraint(id);
  const bool is_by_rate = row < constraint.row_rates.size() && constraint.row_rates[row].is_valid() &&
                          model::holds_state(constraint.rows[row]);
  return is_by_rate ? constraint.row_rates[row] : constraint.rows[row];
}

model::Level Evidence::level(model::ConstraintId constraint, std::size_t row) const {
  return model::level_of(model, kept(constraint, row));
}

RoundedVector Evidence::row_gradient(model::ConstraintId constraint, std::size_t row) {
  const model::Term term = kept(constraint, row);
  const bool is_nonlinear = has_row(constraint) && bound->system->rows[first_row(constraint) + row].chi.is_valid();
  if (is_nonlinear) return RoundedVector::Constant(sample.u.size(), std::nan(""));
  RoundedVector by_coordinates(sample.q.size());
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    const model::Term by = model.terms->coordinate(model::CoordinateId(i), static_cast<int>(level(constraint, row)));
    nth(by_coordinates, i) = now_->series(model.terms->partial(term, by)).value();
  }
  return at.G.transpose() * by_coordinates;
}

}  // namespace vinculum::audit
