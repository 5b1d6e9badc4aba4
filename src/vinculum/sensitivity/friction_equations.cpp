#include "vinculum/sensitivity/friction_equations.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <cmath>
#include <random>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/numeric/null_space.hpp"

namespace vinculum::sensitivity {
namespace {

using expr::Expr;

/// Directions along which a contact slides: the line, or the axes of its sliding velocity.   [components × directions]
Matrix directions_of(const equations::Slide& slide, const Vector& line) {
  if (line.size() > 0) return line;
  return Matrix::Identity(slide.count, slide.count);
}

/// Writes the friction force of a contact that sticks as an unknown.
class Sticking {
 public:
  Sticking(FrictionEquations& into, const sim::MotionEquations& all, std::size_t slide, const Vector& line)
      : into_(into),
        all_(all),
        system_(*all.system),
        slide_(system_.slides[slide]),
        basis_(directions_of(slide_, line)) {
    for (Eigen::Index j = 0; j < basis_.cols(); ++j)
      forces_.push_back(system_.graph->symbol(fmt::format("friction {}.{}", slide, j)));
  }

  void write() {
    const std::vector<Expr> known = sim::concatenated({{&system_.t, 1}, system_.q, system_.u});
    std::vector<Expr> rates{system_.graph->constant(1.0)};
    sim::append(rates, system_.q_dot);
    sim::append(rates, system_.u_dot);
    std::vector<Expr> velocities;
    for (Eigen::Index j = 0; j < basis_.cols(); ++j) velocities.push_back(velocity_along(slide_, basis_.col(j)));
    const std::vector<Expr> accelerations = expr::directional_derivative(velocities, known, rates);
    const Expr bound = bound_of(velocities.front());
    Expr square = system_.graph->constant(0.0);
    for (std::size_t j = 0; j < forces_.size(); ++j) {
      for (const auto& [speed, entry] : expr::sparse_gradient(velocities[j], system_.u))
        into_.motion.E[speed] -= entry * forces_[j];
      into_.motion.E.push_back(accelerations[j]);
      into_.motion.unknowns.push_back(forces_[j]);
      into_.resting.push_back(velocities[j]);
      square += forces_[j] * forces_[j];
    }
    for (Eigen::Index i = 0; i < basis_.rows(); ++i) {
      Expr force = system_.graph->constant(0.0);
      for (std::size_t j = 0; j < forces_.size(); ++j) force += basis_(i, static_cast<Eigen::Index>(j)) * forces_[j];
      into_.from.push_back(direction(i));
      into_.to.push_back(-force / bound);
    }
    const Expr largest = slide_.static_ratio.is_valid() ? slide_.static_ratio * bound : bound;
    into_.margins.push_back(square - largest * largest);
  }

 private:
  [[nodiscard]] Expr direction(Eigen::Index i) const {
    return system_.slide_direction[static_cast<std::size_t>(slide_.first + i)];
  }
  /// The bound g of the force, from ∂E/∂s = g ∂v/∂u along the first direction.
  [[nodiscard]] Expr bound_of(Expr velocity) const {
    if (slide_.bound.is_valid()) return slide_.bound;
    Expr sum = system_.graph->constant(0.0), length = sum;
    for (const auto& [speed, entry] : expr::sparse_gradient(velocity, system_.u)) {
      for (Eigen::Index i = 0; i < basis_.rows(); ++i) {
        if (basis_(i, 0) != 0.0) sum += basis_(i, 0) * entry * expr::derivative(all_.E[speed], direction(i));
      }
      length += entry * entry;
    }
    return sum / length;
  }

  FrictionEquations& into_;
  const sim::MotionEquations& all_;
  const equations::System& system_;
  const equations::Slide& slide_;
  Matrix basis_;
  std::vector<Expr> forces_;
};

/// Values of ∂f/∂u at a random state.
class Gradients {
 public:
  Gradients(const sim::MotionEquations& all, std::span<const double> parameters, unsigned seed)
      : system_(*all.system), symbols_(sim::concatenated({all.state, system_.parameters})) {
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < all.state.size(); ++i)
      values_.push_back(std::uniform_real_distribution(0.2, 0.9)(random));
    values_.insert(values_.end(), parameters.begin(), parameters.end());
  }
  [[nodiscard]] Matrix of(const std::vector<Expr>& f) const {
    Matrix gradient = Matrix::Zero(static_cast<Eigen::Index>(f.size()), system_.nu());
    const std::vector<expr::Entry> entries = expr::sparse_jacobian(f, system_.u);
    std::vector<Expr> roots;
    for (const expr::Entry& entry : entries) roots.push_back(entry.value);
    if (roots.empty()) return gradient;
    expr::TaylorSeries series(roots, symbols_, 0);
    for (std::size_t i = 0; i < values_.size(); ++i) series.set(i, 0, values_[i]);
    series.compute(0);
    for (std::size_t k = 0; k < entries.size(); ++k) gradient(entries[k].row, entries[k].column) = series(k, 0);
    return gradient;
  }

 private:
  const equations::System& system_;
  std::vector<Expr> symbols_;
  std::vector<double> values_;
};

/// The only direction that the constraints leave to a sliding velocity; empty if there are several, or none.
Vector only_direction(const Matrix& by_u, const Matrix& rows) {
  const Matrix free = rows.rows() > 0 ? Matrix(by_u * numeric::null_space(rows, tolerance::kGeneric)) : by_u;
  if (free.cols() == 0 || !free.allFinite()) return {};
  const Eigen::JacobiSVD<Matrix> svd(free, Eigen::ComputeThinU);
  const Vector& sizes = svd.singularValues();
  const bool is_line = sizes[0] > 0.0 && (sizes.size() == 1 || sizes[1] <= tolerance::kGeneric * sizes[0]);
  return is_line ? Vector(svd.matrixU().col(0)) : Vector();
}

}  // namespace

std::vector<Vector> lines_of_friction(const sim::MotionEquations& all, std::span<const double> parameters) {
  const equations::System& system = *all.system;
  // Constraints that act at times only do not restrict the contacts of others.
  const auto relations_of = [&](const equations::Slide& slide) {
    std::vector<Expr> relations;
    for (const equations::Row& row : system.rows) {
      if (row.acts.is_valid() && row.constraint != slide.constraint) continue;
      const Expr psi = row.acts.is_valid() ? row.while_acting.psi : row.psi;
      if (psi.is_valid()) relations.push_back(psi);
    }
    return relations;
  };
  const Gradients here(all, parameters, 1), there(all, parameters, 2);
  std::vector<Vector> lines;
  for (const equations::Slide& slide : system.slides) {
    const std::vector<Expr> relations = relations_of(slide);
    const Vector line = only_direction(here.of(slide.velocity), here.of(relations));
    const Vector other = only_direction(there.of(slide.velocity), there.of(relations));
    const bool is_fixed =
        line.size() > 0 && other.size() > 0 && std::abs(std::abs(line.dot(other)) - 1.0) <= tolerance::kGeneric;
    lines.push_back(is_fixed ? line : Vector());
  }
  return lines;
}

Expr velocity_along(const equations::Slide& slide, const Vector& line) {
  Expr sum = line[0] * slide.velocity.front();
  for (std::size_t i = 1; i < slide.velocity.size(); ++i) sum += line[static_cast<Eigen::Index>(i)] * slide.velocity[i];
  return sum;
}

FrictionEquations friction_equations(const sim::MotionEquations& all, const sim::FrictionState& friction,
                                     const std::vector<Vector>& lines) {
  const equations::System& system = *all.system;
  FrictionEquations result{all, {}, {}, {}, {}, {}};
  if (system.slides.empty()) return result;
  const Expr zero = system.graph->constant(0.0);
  std::vector<Expr> in_equations;  // directions in E: the forces of contacts that stick are added as unknowns
  for (std::size_t k = 0; k < system.slides.size(); ++k) {
    const equations::Slide& slide = system.slides[k];
    if (friction.sticks[k] != 0) {
      result.sticking.push_back(k);
      in_equations.insert(in_equations.end(), static_cast<std::size_t>(slide.count), zero);
      continue;
    }
    if (const Vector& line = lines[k]; line.size() > 0) {
      const double sign = friction.direction.segment(slide.first, slide.count).dot(line) > 0.0 ? 1.0 : -1.0;
      for (const double part : line) in_equations.push_back(system.graph->constant(sign * part));
      continue;
    }
    Expr square = zero;
    for (const Expr v : slide.velocity) square += v * v;
    for (const Expr v : slide.velocity) in_equations.push_back(v * power(square, -0.5));
  }
  result.motion.E = expr::substitute(all.E, system.slide_direction, in_equations);
  for (std::size_t k = 0; k < system.slides.size(); ++k) {
    const equations::Slide& slide = system.slides[k];
    if (friction.sticks[k] != 0) {
      Sticking(result, all, k, lines[k]).write();
      continue;
    }
    for (int j = 0; j < slide.count; ++j) {
      const auto at = static_cast<std::size_t>(slide.first + j);
      result.from.push_back(system.slide_direction[at]);
      result.to.push_back(in_equations[at]);
    }
  }
  result.motion.S = expr::substitute(all.S, result.from, result.to);
  result.margins = expr::substitute(result.margins, result.from, result.to);
  return result;
}

}  // namespace vinculum::sensitivity
