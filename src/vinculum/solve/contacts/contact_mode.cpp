#include "vinculum/solve/contacts/contact_mode.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/solve/contacts/contact_margin.hpp"

namespace vinculum::solve {
namespace {

// Most iterations for the direction of a normal force with several components.
constexpr int kMostTurns = 60;

/// Friction force T z + t of a sticking contact as a function of the unknowns z, and the size of its bound.
struct HeldForce {
  Matrix T;
  Vector t;
  double bound = 0.0;
  double size = 1.0;  // typical size of the force
};

/// Equations of given modes. The unknowns z are the forces that keep w = 0, the magnitudes ξ of sliding friction whose
/// normal force is unknown, and y. The forces x, the rates w and the reactions r are affine functions of z.
class ModeEquations {
 public:
  ModeEquations(const ContactProblem& problem, const ContactModes& modes) : problem_(problem), modes_(modes) {
    count_unknowns();
    x_of_z_ = Matrix::Zero(problem.b.size(), size_);
    x0_ = Vector::Zero(problem.b.size());
    for (std::size_t c = 0; c < problem.contacts.size(); ++c) place(c);
    w_of_z_ = problem.G * x_of_z_;
    w0_ = problem.G * x0_ + problem.b;
    r_of_z_ = problem.R * x_of_z_;
    if (problem.Z.cols() > 0) r_of_z_.rightCols(problem.Z.cols()) += problem.Z;
    r0_ = problem.r0 + problem.R * x0_;
  }

  /// Solves for z₀ of least norm and the directions in which z is not unique.
  /// \returns true if the equations have a solution.
  bool solve() {
    write_equations();
    const Eigen::Index rows = equations_.rows();
    z_ = Vector::Zero(size_);
    free_ = Matrix::Identity(size_, size_);
    if (size_ == 0 || rows == 0) return true;
    const Matrix scaled = row_.asDiagonal() * equations_ * column_.asDiagonal();
    Eigen::FullPivLU<Matrix> lu(scaled);
    // Entries are divided by the size of their terms, and pivots are compared with 1 and not with the largest pivot. If
    // the contacts can hardly move, the largest pivot is also a rounding error.
    lu.setThreshold(tolerance::kDerivedRank / std::min(1.0, std::max(lu.maxPivot(), tolerance::kDerivedRank)));
    Vector scaled_z = lu.solve(row_.cwiseProduct(right_));
    free_.resize(size_, 0);
    if (lu.dimensionOfKernel() > 0) {
      const Matrix kernel = lu.kernel();
      const Eigen::HouseholderQR<Matrix> qr(kernel);
      const Matrix basis = qr.householderQ() * Matrix::Identity(size_, kernel.cols());
      scaled_z -= basis * (basis.transpose() * scaled_z);  // least-norm solution
      free_ = column_.asDiagonal() * basis;
    }
    z_ = column_.cwiseProduct(scaled_z);
    // Residuals are compared with sizes that do not grow with z. Otherwise any z with very large forces would count as
    // a solution within rounding errors.
    const Vector missed = (equations_ * z_ - right_).cwiseAbs();
    return (missed.array() <= tolerance::kConditioned * right_size_.array()).all();
  }

  void write_conditions() {
    for (std::size_t c = 0; c < problem_.contacts.size(); ++c) add_conditions(c);
  }

  [[nodiscard]] Vector x(const Vector& z) const { return x_of_z_ * z + x0_; }
  [[nodiscard]] Vector w(const Vector& z) const { return w_of_z_ * z + w0_; }
  [[nodiscard]] Vector r(const Vector& z) const { return r_of_z_ * z + r0_; }
  [[nodiscard]] const Vector& z() const { return z_; }
  [[nodiscard]] const Matrix& free() const { return free_; }
  [[nodiscard]] const Vector& size() const { return column_; }  ///< [unknowns] typical sizes, in which norms are taken
  [[nodiscard]] const Matrix& w_of_z() const { return w_of_z_; }
  [[nodiscard]] const Matrix& x_of_z() const { return x_of_z_; }
  [[nodiscard]] const std::vector<LinearCondition>& lines() const { return lines_; }
  [[nodiscard]] const std::vector<ConeCondition>& cones() const { return cones_; }
  [[nodiscard]] const std::vector<HeldForce>& held() const { return held_; }

 private:
  [[nodiscard]] const Contact& contact(std::size_t c) const { return problem_.contacts[c]; }
  /// True if contact c slides and the magnitude of its friction is an unknown.
  [[nodiscard]] bool has_size(std::size_t c) const {
    return modes_.mode[c] == ContactMode::kSlides && contact(c).has_normal();
  }

  void count_unknowns() {
    at_.assign(static_cast<std::size_t>(problem_.b.size()), -1);
    size_of_.assign(problem_.contacts.size(), -1);
    size_ = 0;
    for (std::size_t c = 0; c < problem_.contacts.size(); ++c) {
      if (contact(c).unilateral >= 0 && modes_.mode[c] != ContactMode::kOpen) nth(at_, contact(c).unilateral) = size_++;
      if (modes_.mode[c] == ContactMode::kSticks)
        for (int k = 0; k < contact(c).count; ++k) nth(at_, contact(c).first + k) = size_++;
      if (has_size(c)) size_of_[c] = size_++;
    }
    size_ += problem_.Z.cols();
  }

  void place(std::size_t c) {
    const Contact& one = contact(c);
    if (one.unilateral >= 0 && nth(at_, one.unilateral) >= 0) x_of_z_(one.unilateral, nth(at_, one.unilateral)) = 1.0;
    for (int k = one.first; k < one.first + one.count; ++k)
      if (nth(at_, k) >= 0) x_of_z_(k, nth(at_, k)) = 1.0;
    if (modes_.mode[c] != ContactMode::kSlides) return;
    const auto direction = modes_.direction.segment(one.first, one.count);
    if (has_size(c))
      x_of_z_.col(size_of_[c]).segment(one.first, one.count) = -direction;
    else
      x0_.segment(one.first, one.count) = -one.given * direction;
  }

  /// Normal force of a contact along the assumed direction, as (a, c) of a·z + c.
  [[nodiscard]] std::pair<Vector, double> normal_force(std::size_t c) const {
    Vector a = Vector::Zero(size_);
    double value = 0.0;
    for (std::size_t k = 0; k < contact(c).normal.size(); ++k) {
      const double along = modes_.normal[c][static_cast<Eigen::Index>(k)];
      a += along * r_of_z_.row(contact(c).normal[k]).transpose();
      value += along * r0_[contact(c).normal[k]];
    }
    return {std::move(a), value};
  }

  void write_equations() {
    std::vector<int> held;  // indices of the components of w that must be 0
    for (Eigen::Index i = 0; i < problem_.b.size(); ++i)
      if (nth(at_, i) >= 0) held.push_back(static_cast<int>(i));
    const auto sliding =
        static_cast<Eigen::Index>(std::ranges::count_if(size_of_, [](Eigen::Index at) { return at >= 0; }));
    const auto m = static_cast<Eigen::Index>(held.size());
    const Matrix shares = shares_by_compliance(held);
    equations_ = Matrix::Zero(m + sliding + shares.rows(), size_);
    right_ = right_size_ = Vector::Zero(m + sliding + shares.rows());
    column_ = Vector::Ones(size_);
    row_ = Vector::Ones(m + sliding + shares.rows());
    for (Eigen::Index k = 0; k < m; ++k) {
      const int i = nth(held, k);
      equations_.row(k) = w_of_z_.row(i);
      right_[k] = -w0_[i];
      right_size_[k] = std::abs(w0_[i]) + problem_.w_size[i];
      column_[nth(at_, i)] = row_[k] = 1.0 / std::sqrt(problem_.G_size[i]);
    }
    Eigen::Index row = m;
    for (std::size_t c = 0; c < problem_.contacts.size(); ++c) {
      if (size_of_[c] < 0) continue;
      const auto [a, value] = normal_force(c);
      equations_.row(row) = -contact(c).mu * a.transpose();
      equations_(row, size_of_[c]) += 1.0;
      right_[row] = contact(c).given + contact(c).mu * value;
      right_size_[row] = contact(c).given + std::abs(contact(c).mu * value) +
                         problem_.x_size.segment(contact(c).first, contact(c).count).maxCoeff();
      column_[size_of_[c]] = 1.0 / std::sqrt(problem_.G_size.segment(contact(c).first, contact(c).count).maxCoeff());
      const double largest = equations_.row(row).cwiseProduct(column_.transpose()).cwiseAbs().maxCoeff();
      row_[row] = largest > 0.0 ? 1.0 / largest : 1.0;
      ++row;
    }
    for (Eigen::Index k = 0; k < shares.rows(); ++k, ++row) {
      const Vector share = shares.row(k).transpose();
      equations_.row(row) = share.transpose() * x_of_z_;
      right_[row] = -share.dot(x0_);
      right_size_[row] = share.cwiseAbs().dot(x0_.cwiseAbs() + problem_.x_size);
      const double largest = equations_.row(row).cwiseProduct(column_.transpose()).cwiseAbs().maxCoeff();
      row_[row] = largest > 0.0 ? 1.0 / largest : 1.0;
    }
  }

  /// Rows s with s·x = 0 by which compliances determine forces that the equations w = 0 leave free. If a combination n
  /// of these equations vanishes, nᵀ G = 0, and each contact yields by −ε c x, then nᵀ (c x) = 0.
  /// \param held  indices of the components of w that must be 0
  [[nodiscard]] Matrix shares_by_compliance(const std::vector<int>& held) const {
    const Vector c = compliances();
    if (c.isZero(0.0) || held.size() < 2) return Matrix(0, x0_.size());
    const Vector scale = problem_.G_size(held).cwiseSqrt().cwiseInverse();
    const Matrix G = scale.asDiagonal() * problem_.G(held, held) * scale.asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(G);
    Eigen::Index free = 0;
    while (free < G.rows() && eigen.eigenvalues()[free] <= tolerance::kDerivedRank) ++free;
    Matrix shares = Matrix::Zero(free, x0_.size());
    for (Eigen::Index row = 0; row < free; ++row) {
      const Vector yields = c(held).cwiseProduct(eigen.eigenvectors().col(row));
      // Other combinations contain no force of a contact that yields, but rounding errors of one.
      if (yields.lpNorm<Eigen::Infinity>() > tolerance::kDerivedRank)
        shares(row, held) = scale.cwiseProduct(yields).transpose();
    }
    return shares;
  }

  /// [n] compliance of each component of x: 0 for tangential components and for rigid contacts.
  [[nodiscard]] Vector compliances() const {
    Vector c = Vector::Zero(x0_.size());
    for (const Contact& one : problem_.contacts)
      if (one.unilateral >= 0) c[one.unilateral] = one.compliance;
    const double largest = c.size() > 0 ? c.maxCoeff() : 0.0;
    return largest > 0.0 ? Vector(c / largest) : c;
  }

  void add_conditions(std::size_t c) {
    const Contact& one = contact(c);
    const ContactMode mode = modes_.mode[c];
    if (one.unilateral >= 0) add_unilateral(c);
    if (mode == ContactMode::kOpen) return;
    LinearCondition bound{Vector::Zero(size_), one.given, 1.0, c};
    double bound_size = one.given;
    if (one.has_normal()) {
      auto [a, value] = normal_force(c);
      double size = 0.0;
      for (const int k : one.normal) size = std::max(size, problem_.r_size[k]);
      lines_.push_back({a, value, size, c});  // condition that the normal force has the assumed direction
      bound.a += one.mu * a;
      bound.c += one.mu * value;
      bound_size += one.mu * std::max(std::abs(a.dot(z_) + value), tolerance::kFloor * size);
    }
    if (mode == ContactMode::kSlides) {
      if (one.is_at_rest()) add_setting_off(c);
      return;
    }
    bound.a *= one.static_ratio;
    bound.c *= one.static_ratio;
    double force_size = 0.0;
    for (int k = one.first; k < one.first + one.count; ++k) force_size = std::max(force_size, problem_.x_size[k]);
    bound.size = std::max(one.static_ratio * bound_size, tolerance::kFloor * force_size);
    const Matrix T = x_of_z_.middleRows(one.first, one.count);
    const Vector t = x0_.segment(one.first, one.count);
    held_.push_back({T, t, std::max(std::abs(bound.a.dot(z_) + bound.c), tolerance::kZero * bound.size), force_size});
    if (one.count > 1) {
      cones_.push_back({T, t, bound});
      return;
    }
    for (const double sign : {1.0, -1.0})
      lines_.push_back({bound.a - sign * T.row(0).transpose(), bound.c - sign * t[0], bound.size, c});
  }

  void add_unilateral(std::size_t c) {
    const int n = contact(c).unilateral;
    if (modes_.mode[c] == ContactMode::kOpen) {
      lines_.push_back({w_of_z_.row(n).transpose(), w0_[n], problem_.w_size[n], c});
      add_yielding(c);
    } else
      lines_.push_back({x_of_z_.row(n).transpose(), x0_[n], problem_.x_size[n], c});
  }

  /// Adds the condition that an open contact, which others keep from approaching, is not pressed together because these
  /// others yield. If its row of G is a combination s of the rows w = 0, they move it by −ε Σ s c x.
  void add_yielding(std::size_t c) {
    const Vector compliance = compliances();
    if (compliance.isZero(0.0)) return;
    const int n = contact(c).unilateral;
    std::vector<int> held;
    for (Eigen::Index i = 0; i < problem_.b.size(); ++i)
      if (nth(at_, i) >= 0) held.push_back(static_cast<int>(i));
    if (held.empty()) return;
    const Vector scale = problem_.G_size(held).cwiseSqrt().cwiseInverse();
    const Matrix G = scale.asDiagonal() * problem_.G(held, held) * scale.asDiagonal();
    const Vector row = scale.cwiseProduct(Vector(problem_.G(held, n)));
    Eigen::CompleteOrthogonalDecomposition<Matrix> factor;
    factor.setThreshold(tolerance::kDerivedRank);
    const Vector s = factor.compute(G).solve(row);
    if (problem_.G(n, n) - row.dot(s) > tolerance::kHalfDigits * problem_.G_size[n]) return;
    Vector along = Vector::Zero(x0_.size());
    for (std::size_t k = 0; k < held.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      along[held[k]] = -scale[i] * s[i] * compliance[held[k]];
    }
    const double size = along.cwiseAbs().dot(problem_.x_size);
    if (size > 0.0) lines_.push_back({x_of_z_.transpose() * along, along.dot(x0_), size, c});
  }

  /// Adds the condition that a contact at rest accelerates in its sliding direction.
  void add_setting_off(std::size_t c) {
    const Contact& one = contact(c);
    const Vector d = modes_.direction.segment(one.first, one.count);
    const auto W = w_of_z_.middleRows(one.first, one.count);
    const double size = problem_.w_size.segment(one.first, one.count).maxCoeff();
    lines_.push_back({W.transpose() * d, d.dot(w0_.segment(one.first, one.count)), size, c});
  }

  const ContactProblem& problem_;
  const ContactModes& modes_;
  std::vector<Eigen::Index> at_;  // [n] index of the unknown that is this component of x, or −1
  // [contacts] index of the unknown that is the magnitude of the contact's friction, or −1.
  std::vector<Eigen::Index> size_of_;
  Eigen::Index size_ = 0;
  Matrix x_of_z_, w_of_z_, r_of_z_, equations_, free_;
  Vector x0_, w0_, r0_, right_, right_size_, row_, column_, z_;
  std::vector<LinearCondition> lines_;
  std::vector<ConeCondition> cones_;
  std::vector<HeldForce> held_;
};

/// \returns the η that minimizes Σ |x_t|²/g over the sticking contacts, with g the friction bound at z₀. Contacts with
/// the same effect get forces in proportion to their bounds. These forces depend smoothly on the loads; the forces of
/// greatest margin do not.
Vector nearest(const ModeEquations& equations, const Matrix& free) {
  Eigen::Index rows = 0;
  for (const HeldForce& force : equations.held()) rows += force.t.size();
  if (rows == 0) return Vector::Zero(free.cols());
  Matrix T(rows, free.cols());
  Vector t(rows);
  Eigen::Index row = 0;
  for (const HeldForce& force : equations.held()) {
    const double weight = 1.0 / std::sqrt(force.bound);
    // A force that the free directions do not change has rounding errors here, which must not decide about η.
    const Matrix change = force.T * free;
    const double noise = tolerance::kDerivedRank * force.size;
    T.middleRows(row, force.t.size()) = weight * (change.array().abs() > noise).select(change, 0.0);
    t.segment(row, force.t.size()) = -weight * (force.T * equations.z() + force.t);
    row += force.t.size();
  }
  // If several η are equally near, the one with the least z relative to the sizes is taken. It does not depend on the
  // choice of the basis, which changes with rounding errors.
  const Vector length = (equations.size().cwiseInverse().asDiagonal() * free).colwise().norm().transpose();
  Eigen::CompleteOrthogonalDecomposition<Matrix> factor;
  factor.setThreshold(tolerance::kDerivedRank);
  return factor.compute(T * length.cwiseInverse().asDiagonal()).solve(t).cwiseQuotient(length);
}

/// Sets contact forces to 0 that are rounding errors of the largest one. Otherwise they turn a body that lands flat.
/// \param z  [unknowns] contact forces, then others   \param size  [contact forces] typical sizes
Vector without_rounding(Vector z, ConstVector size) {
  auto forces = z.head(size.size());
  const Vector relative = forces.cwiseQuotient(size);
  const double least = tolerance::kRounded * relative.lpNorm<Eigen::Infinity>();
  forces = (relative.array().abs() <= least).select(0.0, forces).eval();
  return z;
}

double value_of(const LinearCondition& line, const Vector& z) { return (line.a.dot(z) + line.c) / line.size; }

double value_of(const ConeCondition& cone, const Vector& z) {
  return (cone.bound.a.dot(z) + cone.bound.c - (cone.T * z + cone.t).norm()) / cone.bound.size;
}

void measure(const ContactProblem& problem, const ModeEquations& equations, const Vector& z, ContactAnswer& answer) {
  answer.x = equations.x(z);
  answer.w = equations.w(z);
  answer.r = equations.r(z);
  answer.margins.assign(problem.contacts.size(), SharedForces::kMost);
  const auto note = [&](std::size_t contact, double value) {
    answer.margins[contact] = std::min(answer.margins[contact], value);
  };
  for (const LinearCondition& line : equations.lines()) note(line.contact, value_of(line, z));
  for (const ConeCondition& cone : equations.cones()) note(cone.bound.contact, value_of(cone, z));
  answer.margin = answer.margins.empty() ? SharedForces::kMost : *std::ranges::min_element(answer.margins);
}

/// The conditions that change if the forces change along some of these directions.
struct VaryingConditions {
  std::vector<LinearCondition> lines, fixed_lines;  ///< `fixed_*`: the other conditions
  std::vector<ConeCondition> cones, fixed_cones;
  std::vector<char> of_contact;  ///< [contacts] 1 if the contact has one that varies

  /// \param free  [unknowns × k] each column changes some condition by about 1 in units of its size
  VaryingConditions(const ModeEquations& equations, const Matrix& free, std::size_t contacts)
      : of_contact(contacts, 0) {
    const auto varies = [&](const Matrix& terms, double size) {
      return (terms * free).lpNorm<Eigen::Infinity>() > tolerance::kDerivedRank * size;
    };
    for (const LinearCondition& line : equations.lines())
      (varies(line.a.transpose(), line.size) ? lines : fixed_lines).push_back(line);
    for (const ConeCondition& cone : equations.cones()) {
      const bool is_varying = varies(cone.bound.a.transpose(), cone.bound.size) || varies(cone.T, cone.bound.size);
      (is_varying ? cones : fixed_cones).push_back(cone);
    }
    for (const LinearCondition& line : lines) of_contact[line.contact] = 1;
    for (const ConeCondition& cone : cones) of_contact[cone.bound.contact] = 1;
  }

  [[nodiscard]] double margin(const Vector& z) const {
    double least = SharedForces::kMost;
    for (const LinearCondition& line : lines) least = std::min(least, value_of(line, z));
    for (const ConeCondition& cone : cones) least = std::min(least, value_of(cone, z));
    return least;
  }
  /// [contacts] smallest value of the conditions that do not change
  [[nodiscard]] std::vector<double> fixed_margins(const Vector& z) const {
    std::vector<double> least(of_contact.size(), SharedForces::kMost);
    for (const LinearCondition& line : fixed_lines)
      least[line.contact] = std::min(least[line.contact], value_of(line, z));
    for (const ConeCondition& cone : fixed_cones)
      least[cone.bound.contact] = std::min(least[cone.bound.contact], value_of(cone, z));
    return least;
  }
};

enum class Shares : char { kLeast, kGreatestMargin };

ContactAnswer solve_once(const ContactProblem& problem, ContactModes modes, Shares shares) {
  ContactAnswer answer;
  answer.modes = std::move(modes);
  ModeEquations equations(problem, answer.modes);
  answer.has_forces = equations.solve();
  equations.write_conditions();
  Vector z = equations.z();
  std::optional<double> shared_margin;  // one margin for all contacts whose forces are not unique
  std::vector<double> fixed_margins;    // [contacts] of the conditions that do not depend on how forces are shared
  std::vector<char> has_shared_margin;
  if (answer.has_forces && equations.free().cols() > 0) {
    const SharedForces shared(equations.lines(), equations.cones(), equations.z(), equations.free());
    const Matrix& free = shared.directions();
    const VaryingConditions conditions(equations, free, problem.contacts.size());
    z = without_rounding(equations.z() + free * nearest(equations, free),
                         equations.size().head(equations.size().size() - problem.Z.cols()));
    measure(problem, equations, z, answer);
    std::vector<Eigen::Index> varying;  // components of w that are not unique, because the modes do not determine them
    const Matrix w_varies = equations.w_of_z() * free;
    for (Eigen::Index i = 0; i < w_varies.rows(); ++i) {
      if (w_varies.row(i).lpNorm<Eigen::Infinity>() > tolerance::kZero * (problem.w_size[i] + std::abs(answer.w[i])))
        varying.push_back(i);
    }
    shared_margin = conditions.margin(z);
    fixed_margins = conditions.fixed_margins(z);
    // Modes that are certainly wrong need no forces of greatest margin.
    const bool is_wrong = *std::ranges::min_element(fixed_margins) < -tolerance::kFloor;
    has_shared_margin = conditions.of_contact;
    const double part = shares == Shares::kLeast || is_wrong ? 0.0
                        : varying.empty()                    ? part_near_bounds(*shared_margin)
                                                             : 1.0;
    if (part > 0.0) {
      const Vector best =
          SharedForces(conditions.lines, conditions.cones, equations.z(), equations.free()).with_greatest_margin();
      shared_margin = (1.0 - part) * *shared_margin + part * conditions.margin(best);
      z += part * (best - z);
    }
    const double margin = std::min(*shared_margin, *std::ranges::min_element(fixed_margins));
    answer.are_forces_unique = false;
    answer.free_x = equations.x_of_z() * free;
    answer.free_y = free.bottomRows(problem.Z.cols());
    for (const Eigen::Index i : varying) {
      if (margin < -tolerance::kConditioned || !answer.is_motion_unique) break;
      const double size = problem.w_size[i] + std::abs(equations.w(z)[i]);
      answer.is_motion_unique = shared.range(equations.w_of_z().row(i).transpose(), size, z) <= tolerance::kHalfDigits;
    }
  }
  measure(problem, equations, z, answer);
  if (shared_margin) {
    answer.margin = *shared_margin;
    for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
      if (has_shared_margin[c] != 0 && answer.modes.mode[c] == ContactMode::kSticks)
        answer.margins[c] = std::min(*shared_margin, fixed_margins[c]);
      answer.margin = std::min(answer.margin, fixed_margins[c]);
    }
  }
  if (!answer.has_forces) answer.margin = -std::numeric_limits<double>::infinity();
  return answer;
}

ContactAnswer solve_with_directions(const ContactProblem& problem, ContactModes modes, Shares shares) {
  ContactAnswer answer = solve_once(problem, std::move(modes), shares);
  // The direction of a normal force with several components depends on the forces, so it is found by iteration.
  for (int turn = 0; turn < kMostTurns && answer.has_forces; ++turn) {
    double turned = 0.0;
    for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
      const std::vector<int>& normal = problem.contacts[c].normal;
      if (normal.size() < 2) continue;
      Vector along = problem.contacts[c].normal_force(answer.r);
      if (!(along.norm() > 0.0)) continue;
      along.normalize();
      turned = std::max(turned, (along - answer.modes.normal[c]).norm());
      answer.modes.normal[c] = along;
    }
    if (turned <= tolerance::kRounded) break;
    answer = solve_once(problem, std::move(answer.modes), shares);
  }
  return answer;
}

}  // namespace

ContactAnswer answer_of(const ContactProblem& problem, ContactModes modes) {
  return solve_with_directions(problem, std::move(modes), Shares::kGreatestMargin);
}

ContactAnswer least_answer_of(const ContactProblem& problem, ContactModes modes) {
  return solve_with_directions(problem, std::move(modes), Shares::kLeast);
}

}  // namespace vinculum::solve
