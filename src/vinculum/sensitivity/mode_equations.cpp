#include "vinculum/sensitivity/mode_equations.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <string>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/output_expressions.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/sensitivity/friction_equations.hpp"

namespace vinculum::sensitivity {

using expr::Expr;
using sim::Embedding;

SmoothMode::SmoothMode(Parts parts, std::span<const double> parameters, const sim::ParameterRates& rates)
    : ModeEquations({std::move(parts.conditions), parts.motion, parameters, rates}),
      rates_(rates.rates),
      motion_(std::make_unique<sim::MotionGradient>(parts.motion, parameters, rates.by)),
      sticking_(std::move(parts.sticking)),
      ny_(static_cast<Eigen::Index>(parts.motion.S.size())),
      shown_count_(static_cast<Eigen::Index>(parts.shown.size())) {
  sim::MotionEquations& of = parts.motion;
  if (!parts.shown.empty()) {
    of.S = std::move(parts.shown);
    shown_ = std::make_unique<sim::MotionGradient>(of, parameters, rates.by);
  }
  if (parts.margins.empty()) return;
  of.S = std::move(parts.margins);
  of.state.push_back(of.state.front());  // time becomes the last component of the state
  of.state.front() = of.system->graph->symbol("time of no equation");
  margins_ = std::make_unique<sim::MotionGradient>(of, parameters, rates.by);
}

bool SmoothMode::values_at(double t, const double* y, ConstVector u_dot, Vector& F, Vector& shown) {
  F.resize(ny_);
  shown.resize(shown_count_);
  if (!motion_->rates_at(t, y, u_dot, F)) return false;
  return F.allFinite() && (shown_ == nullptr || shown_->rates_at(t, y, u_dot, shown));
}

bool SmoothMode::shown_at(double t, const double* y, ConstVector u_dot, const Matrix& S, const Matrix& by_p,
                          Matrix& shown) {
  if (shown_ == nullptr) {
    shown.resize(0, S.cols());
    return true;
  }
  if (!shown_->at(t, y, u_dot)) return false;
  shown = shown_->F_y() * S + shown_->F_p() * (rates_ * by_p);
  return shown.allFinite();
}

bool SmoothMode::margins_along(double t, const double* y, ConstVector u_dot, const Matrix& Y, const Matrix& P,
                               Matrix& along) {
  Vector extended(Y.rows() + 1);
  extended << Eigen::Map<const Vector>(y, Y.rows()), t;
  if (margins_ == nullptr || !margins_->at(t, extended.data(), u_dot)) return false;
  along = margins_->F_y().leftCols(Y.rows()) * Y + margins_->F_p() * (rates_ * P);
  along.rightCols(1) += margins_->F_y().rightCols(1);
  return along.allFinite();
}

bool SlidingMode::at(double t, const double* y, ConstVector u_dot) {
  const auto count = static_cast<Eigen::Index>(faces_.size()) - 1;
  surfaces_.compute(t, y);
  const Matrix& gradient = surfaces_.by_y();
  const Eigen::Index ny = gradient.cols();
  std::vector<Vector> F(faces_.size());
  Vector shown;
  for (std::size_t k = 0; k < faces_.size(); ++k)
    if (!faces_[k]->values_at(t, y, u_dot, F[k], shown) || !faces_[k]->at(t, y, u_dot)) return false;
  Matrix jumps(ny, count);
  for (Eigen::Index k = 0; k < count; ++k) jumps.col(k) = F[static_cast<std::size_t>(k) + 1] - F.front();
  const Eigen::FullPivLU<Matrix> W(gradient * jumps);
  if (!W.isInvertible()) return false;
  const Vector alpha = W.solve(-(surfaces_.by_t() + gradient * F.front()));
  weights_.resize(count + 1);
  weights_ << 1.0 - alpha.sum(), alpha;
  F_y_ = weights_[0] * faces_.front()->F_y();
  F_p_ = weights_[0] * faces_.front()->F_p();
  for (Eigen::Index k = 1; k <= count; ++k) {
    F_y_ += weights_[k] * faces_[static_cast<std::size_t>(k)]->F_y();
    F_p_ += weights_[k] * faces_[static_cast<std::size_t>(k)]->F_p();
  }
  Vector extended(2 * ny);
  extended << Eigen::Map<const Vector>(y, ny), F.front() + jumps * alpha;
  rates_.compute(t, extended.data());
  alpha_y_ = -W.solve(rates_.by_y().leftCols(ny) + gradient * F_y_);
  alpha_p_ = -W.solve(rates_.by_p() + gradient * F_p_);
  F_y_ += jumps * alpha_y_;
  F_p_ += jumps * alpha_p_;
  return F_y_.allFinite() && F_p_.allFinite();
}

bool SlidingMode::shown_at(double t, const double* y, ConstVector u_dot, const Matrix& S, const Matrix& by_p,
                           Matrix& shown) {
  if (!at(t, y, u_dot)) return false;
  const Matrix alpha = alpha_y_ * S + alpha_p_ * by_p;
  Vector F, first, other;
  Matrix part;
  if (!faces_.front()->values_at(t, y, u_dot, F, first)) return false;
  shown = Matrix::Zero(first.size(), S.cols());
  for (std::size_t k = 0; k < faces_.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    if (!faces_[k]->shown_at(t, y, u_dot, S, by_p, part) || !faces_[k]->values_at(t, y, u_dot, F, other)) return false;
    shown += weights_[row] * part;
    if (k > 0) shown += (other - first) * alpha.row(row - 1);
  }
  return shown.allFinite();
}

bool ModeEquations::margins_along(double, const double*, ConstVector, const Matrix&, const Matrix&, Matrix&) {
  return false;
}

bool ModeEquations::project(double t, const double* y, const Vector& scale, const Matrix& by_p, Matrix& S) {
  if (conditions_.size() == 0) return true;
  conditions_.compute(t, y);
  if (!conditions_.is_finite()) return false;
  Matrix rows = conditions_.by_y() * scale.asDiagonal();
  Matrix residual = conditions_.by_y() * S + conditions_.by_p() * by_p;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const double length = rows.row(i).norm();
    if (!(length > 0.0)) continue;
    rows.row(i) /= length;
    residual.row(i) /= length;
  }
  Eigen::CompleteOrthogonalDecomposition<Matrix> solver;
  solver.setThreshold(tolerance::kAtStates);
  solver.compute(rows);
  S -= scale.asDiagonal() * Matrix(solver.solve(residual));
  return S.allFinite();
}

ModeFamily::ModeFamily(std::shared_ptr<const sim::Binding> bound, sim::MotionEquations motion)
    : bound_(std::move(bound)), motion_(std::move(motion)) {}

Outcome<ModeFamily> ModeFamily::make(std::shared_ptr<const sim::Binding> bound,
                                     std::span<const std::size_t> parameters) {
  // A row that acts under a condition stays in the equations; `Row::acts` becomes a constant in each mode.
  std::vector<Embedding> embedding = bound->embedding();
  for (const int row : (*bound)->switched) embedding[static_cast<std::size_t>(row)] = Embedding::kNone;
  auto motion = sim::motion_equations_with_friction((*bound)->model, embedding);
  if (!motion) return fail(std::move(motion.error()));
  ModeFamily made(std::move(bound), *std::move(motion));
  const sim::CompiledModel& compiled = *made.bound_;
  if (compiled.watches && compiled.watches->surface_count() > 0) {
    made.watches_ = std::make_unique<sim::Watches>(made.system(), true);
    VINCULUM_EXPECTS(made.watches_->surface_count() == compiled.watches->surface_count());
  }
  made.lines_ = lines_of_friction(made.motion_, made.bound_->parameters);
  made.find_conditions();
  made.find_shown();
  made.rates_ = sim::parameter_rates(made.system(), *made.bound_, parameters);
  return made;
}

void ModeFamily::find_conditions() {
  const equations::System& of = system();
  const auto add = [&](Expr condition) {
    if (condition.is_valid()) conditions_.push_back(condition);
  };
  for (std::size_t i = 0; i < of.rows.size(); ++i) {
    const equations::Row& row = of.rows[i];
    if (!row.acts.is_valid() && !sim::restricts_speeds(bound_->embedding()[i])) continue;
    row.conditions.empty() ? add(row.phi) : sim::append(conditions_, row.conditions);
    add(row.psi);
  }
  for (const auto& quaternion : of.quaternions) {
    Expr norm = of.graph->constant(-1.0);
    for (const int i : quaternion) norm += of.q[static_cast<std::size_t>(i)] * of.q[static_cast<std::size_t>(i)];
    conditions_.push_back(norm);
  }
  if (of.higher) sim::append(conditions_, of.higher->hidden);
}

void ModeFamily::find_shown() {
  const model::Model& model = *system().model;
  sim::MotionEquations with_directions = motion_;  // each mode replaces the directions of friction
  sim::append(with_directions.unknowns, system().slide_direction);
  const auto add = [this](std::vector<ShownColumns::Rows>& to, const std::vector<Expr>& values) {
    to.push_back({static_cast<int>(shown_.size()), static_cast<int>(values.size())});
    sim::append(shown_, values);
  };
  for (std::size_t i = 0; i < model.outputs.size(); ++i)
    add(columns_.outputs, sim::output_expressions(with_directions, i));
  for (std::size_t i = 0; i < model.constraints.size(); ++i)
    add(columns_.multipliers, sim::multiplier_expressions(with_directions, model::ConstraintId(i)));
  columns_.count = static_cast<int>(shown_.size());
}

std::vector<Expr> ModeFamily::in_regions(const sim::Mode& mode, std::span<const Expr> values) {
  if (!watches_ || mode.sides.empty()) return {values.begin(), values.end()};
  const std::vector<Expr> symbols = watches_->switches.symbols();
  std::vector<Expr> constants;
  for (const double value : watches_->switches.values(mode.sides))
    constants.push_back(motion_.system->graph->constant(value));
  return expr::substitute(watches_->switches.on_sides(values), symbols, constants);
}

ValuesAt ModeFamily::surfaces(const sim::Mode& mode, std::span<const std::size_t> surfaces,
                              std::span<const double> levels) {
  std::vector<Expr> values;
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    const sim::Switches::Surface& surface = watches_->switches.surfaces()[surfaces[i]];
    values.push_back(surface.is_floor() ? surface.x - levels[i] : surface.x - surface.y);
  }
  return this->values(in_regions(mode, values));
}

std::vector<double> ModeFamily::key_of(const sim::FrictionState& friction) const {
  std::vector<double> key;
  for (std::size_t k = 0; k < system().slides.size(); ++k) {
    const equations::Slide& slide = system().slides[k];
    double slips = 2.0;
    if (lines_[k].size() > 0)
      slips = friction.direction.segment(slide.first, slide.count).dot(lines_[k]) > 0.0 ? 1.0 : -1.0;
    key.push_back(friction.sticks[k] != 0 ? 0.0 : slips);
  }
  return key;
}

std::unique_ptr<SmoothMode> ModeFamily::smooth(const sim::Mode& mode) {
  FrictionEquations here = friction_equations(motion_, mode.friction, lines_);
  here.motion.E = in_regions(mode, here.motion.E);
  here.motion.S = in_regions(mode, here.motion.S);
  std::vector<Expr> conditions = conditions_;
  sim::append(conditions, here.resting);
  return std::make_unique<SmoothMode>(SmoothMode::Parts{std::move(here.motion), in_regions(mode, conditions),
                                                        in_regions(mode, expr::substitute(shown_, here.from, here.to)),
                                                        in_regions(mode, here.margins), std::move(here.sticking)},
                                      bound_->parameters, rates_);
}

std::unique_ptr<SlidingMode> ModeFamily::sliding(const sim::Mode& mode) {
  std::vector<SmoothMode*> faces;
  for (const sim::Mode& face : mode.faces) faces.push_back(faces_.emplace_back(smooth(face)).get());
  std::vector<Expr> distances;
  for (const std::size_t k : mode.along) {
    const sim::Switches::Surface& surface = watches_->switches.surfaces()[k];
    distances.push_back(surface.is_floor() ? surface.x - surface.upper(mode.sides[k]) : surface.x - surface.y);
  }
  const sim::Mode& below = mode.faces.front();
  distances = in_regions(below, distances);
  std::vector<Expr> conditions = in_regions(below, conditions_);
  sim::append(conditions, distances);
  sim::MotionEquations extended = motion_;
  std::vector<Expr> rates{system().graph->constant(1.0)};
  for (std::size_t i = 1; i < motion_.state.size(); ++i)
    rates.push_back(system().graph->symbol("rate " + std::to_string(i)));
  sim::append(extended.state, std::span(rates).subspan(1));
  ValuesAt along(expr::directional_derivative(distances, motion_.state, rates), extended, bound_->parameters, rates_);
  return std::make_unique<SlidingMode>(std::move(faces), values(conditions), values(distances), std::move(along));
}

ModeEquations& ModeFamily::in(const sim::Mode& mode) {
  const std::vector<double> friction = key_of(mode.friction);
  for (const Made& made : made_)
    if (made.sides == mode.sides && made.friction == friction) return *made.equations;
  std::unique_ptr<ModeEquations> equations;
  if (mode.faces.empty())
    equations = smooth(mode);
  else
    equations = sliding(mode);
  made_.push_back({mode.sides, friction, std::move(equations)});
  return *made_.back().equations;
}

}  // namespace vinculum::sensitivity
