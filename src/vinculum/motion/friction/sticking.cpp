#include "vinculum/motion/friction/sticking.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/friction/contact_bounds.hpp"
#include "vinculum/motion/friction/failures.hpp"

namespace vinculum::sim {

Sticking::Sticking(StateKernels& at, EquationPieces& pieces, Routes& routes, ReactionForces& forces, FreeResponse& free,
                   solve::FrictionSolve& friction)
    : at_(at),
      pieces_(pieces),
      routes_(routes),
      forces_(forces),
      free_(free),
      friction_(friction),
      response_(at, routes, free),
      right_(Vector::Zero(at.nc + at.compiled->slide_size())),
      wanted_(Vector::Zero(at.compiled->slide_size())),
      total_(Vector::Zero(at.nu)),
      lambda_(Vector::Zero(at.nc)) {
  respond_ = [this](ConstVector r_f, ConstVector r_b, Vector& multipliers) { return respond(r_f, r_b, multipliers); };
  evaluate_ = [this](const Vector& actual, const Vector& ideal, Vector& C, Matrix& C_lambda) {
    // If a contact sticks, `ideal` includes its force, so the reactions without any friction are used.
    forces_.evaluate(actual, at_.slides->has_any ? forces_.lambda_ideal : ideal, C, C_lambda);
  };
}

/// Computes the multipliers for given right-hand sides, with the forces of sticking contacts.
/// \param r_b [nc + ns]  right-hand sides of the rows, and of v' of the contacts
Outcome<void> Sticking::respond(ConstVector r_f, ConstVector r_b, Vector& multipliers) {
  if (auto done = free_.to(r_f, r_b.head(at_.nc), multipliers); !done) return done;
  if (response_.size == 0) return {};
  wanted_ = r_b.tail(wanted_.size());
  wanted_.noalias() -= at_.slides->J * free_.solution.u;
  response_.find_force(wanted_);
  response_.add_motion_to(free_.solution.u, multipliers);
  return {};
}

Outcome<void> Sticking::settle() {
  Matrices& m = pieces_.matrices;
  SlideMotion& slides = *at_.slides;
  response_.force.setZero();
  at_.read_slides();
  forces_.set_directions(slides.s);
  if (auto done = response_.factor(slides.has_any ? largest_mass() : 0.0); !done) return done;
  if (slides.has_any) {
    if (auto done = free_.to(m.f, m.b, forces_.lambda_ideal); !done) return done;
  }
  right_.head(at_.nc) = m.b;
  right_.tail(slides.v.size()) = -slides.beta;
  if (auto done = friction_.solve(respond_, evaluate_, m.f, right_); !done) {
    if (done.error().kind == FailureKind::kNonFinite && !slides.s.allFinite()) {
      done.error().message =
          "friction along the direction of sliding has no direction at rest: it is not yet known whether it sticks";
    }
    return done;
  }
  m.C = friction_.C();
  if (!slides.has_any) return {};
  total_ = m.f + m.C;
  if (auto done = respond(total_, right_, lambda_); !done) return done;
  for (const equations::Slide& slide : at_.compiled->system->slides) {
    const auto J = slides.J.middleRows(slide.first, slide.count);
    Vector& of = slide.constraint.is_valid() ? m.C : m.f;  // a load is part of the given forces f
    of.noalias() += J.transpose() * response_.force.segment(slide.first, slide.count);
  }
  return {};
}

void Sticking::drop_rounding(const Vector& lambda, Vector& u) {
  const Matrices& m = pieces_.matrices;
  total_ = m.f.cwiseAbs();
  for (int row = 0; row < at_.nc; ++row) total_ += std::abs(lambda[row]) * m.A.row(row).transpose().cwiseAbs();
  for (Eigen::Index c = 0; c < response_.force.size(); ++c)
    total_ += std::abs(response_.force[c]) * at_.slides->J.row(c).transpose().cwiseAbs();
  for (int i = 0; i < at_.nu; ++i) {
    if (std::abs(u[i]) * m.metric(i, i) <= tolerance::kRounded * total_[i]) u[i] = 0.0;
  }
}

Outcome<void> Sticking::read_bounds(FrictionReading& reading) {
  const std::vector<equations::Slide>& slides = at_.compiled->system->slides;
  const int nu = at_.nu;
  reading.force = response_.force;
  reading.bound = reading.static_bound = Vector::Zero(static_cast<Eigen::Index>(slides.size()));
  forces_.evaluate_bounds(friction_.lambda());
  const double mass = largest_mass();
  const Vector zero = Vector::Zero(at_.nc);
  for (int i = 0; i < static_cast<int>(slides.size()); ++i) {
    if (forces_.coefficients[i] < 0.0) return fail(negative_bound(*at_.compiled, i, forces_.coefficients[i]));
    if (nth(at_.mode->friction.sticks, i) == 0) continue;
    const int first = nth(slides, i).first, count = nth(slides, i).count;
    const Matrix J = at_.slides->J.middleRows(first, count);
    Matrix of_unit(nu, count), of_law(nu, count);
    for (int c = 0; c < count; ++c) {
      total_ = J.row(c).transpose();
      if (auto done = free_.to(total_, zero, lambda_); !done) return done;
      of_unit.col(c) = free_.solution.u;
      total_ = forces_.C_s.col(first + c);
      if (auto done = free_.to(total_, zero, lambda_); !done) return done;
      of_law.col(c) = free_.solution.u;
    }
    const ContactBasis T = directions_of_change(J * of_unit, J, mass);
    if (T.cols() == 0) continue;
    const Matrix K = T.transpose() * J * of_unit * T, law = T.transpose() * J * of_law * T;
    const double bound = -(law.cwiseProduct(K)).sum() / K.squaredNorm();
    if ((law + bound * K).norm() > tolerance::kRoot * std::abs(bound) * K.norm())
      return fail(says_nothing_about_rest(*at_.compiled, i));
    if (bound < -tolerance::kAtStates * law.norm() / K.norm() && !is_of_unilateral(*at_.compiled, i))
      return fail(negative_bound(*at_.compiled, i, bound));
    reading.bound[i] = std::max(bound, 0.0);
    reading.static_bound[i] = forces_.ratios[i] * reading.bound[i];
  }
  return {};
}

Outcome<void> Sticking::fill_directions(Vector& s) {
  s = at_.slides->s;
  if (!at_.slides->has_any) return {};
  FrictionReading reading;
  if (auto done = read_bounds(reading); !done) return done;
  for (std::size_t i = 0; i < at_.compiled->system->slides.size(); ++i) {
    if (at_.mode->friction.sticks[i] == 0) continue;
    const equations::Slide& slide = at_.compiled->system->slides[i];
    const double bound = reading.bound[static_cast<Eigen::Index>(i)];
    if (bound > 0.0) s.segment(slide.first, slide.count) = response_.force.segment(slide.first, slide.count) / -bound;
  }
  return {};
}

Outcome<double> Sticking::project(double t, double* y) {
  if (auto done = pieces_.evaluate(t, y, pieces_.matrices); !done) return fail(std::move(done.error()));
  at_.read_slides();
  const RowConditioning& rows = pieces_.rows;
  auto done =
      routes_.explicit_route().factor(pieces_.matrices, rows.seen_by_rows(rows.relative_defect(pieces_.matrices)));
  if (done) done = response_.factor(at_.slides->has_any ? largest_mass() : 0.0);
  if (!done) return fail(pieces_.named(std::move(done.error()), t, model::Level::kVelocity));
  wanted_ = -at_.slides->v;
  response_.find_force(wanted_);
  double moved = 0.0;
  for (std::size_t i = 0; i < at_.compiled->system->slides.size(); ++i) {
    if (at_.mode->friction.sticks[i] == 0) continue;
    const equations::Slide& slide = at_.compiled->system->slides[i];
    for (int c = slide.first; c < slide.first + slide.count; ++c) {
      for (int r = 0; r < at_.nu; ++r) {
        const double change = response_.force[c] * response_.U(r, c);
        y[at_.nq + r] += change;
        moved = std::max(moved, std::abs(change) * at_.sizes.inverse_scale[at_.nq + r]);
      }
    }
  }
  return moved;
}

}  // namespace vinculum::sim
