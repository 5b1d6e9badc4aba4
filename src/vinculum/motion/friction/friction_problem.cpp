#include "vinculum/motion/friction/friction_problem.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/friction/contact_bounds.hpp"
#include "vinculum/motion/friction/failures.hpp"

namespace vinculum::sim {
namespace {

// Number of nearby states at which the mobility of sliding velocities is evaluated.
constexpr int kNeighborsOfState = 4;
constexpr double kNearState = 0.05;  // distance of the nearby states from the state, relative to typical sizes
// Fractional parts of multiples of the golden ratio are spread evenly, so perturbations of coordinates do not cancel.
constexpr double kGoldenPart = 0.6180339887498949;

/// Returns the orthonormal eigenvectors of `square` = J W Jᵀ, by decreasing eigenvalue. Eigenvalues that are within the
/// rounding error of numbers of this `size` are left out.
Matrix range_of(const Matrix& square, double size) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(square);
  Matrix basis(square.rows(), 0);
  for (Eigen::Index k = square.rows() - 1; k >= 0; --k) {
    if (!(eigen.eigenvalues()[k] > tolerance::kZero * size)) break;
    Vector direction = eigen.eigenvectors().col(k);
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction[largest] < 0.0) direction = -direction;
    basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
    basis.col(basis.cols() - 1) = direction;
  }
  return basis;
}

/// Computes W − W Aᵀ (A W Aᵀ)⁺ A W: the response of the speeds to forces under the constraint rows A.
/// \param W [nu]  diagonal of the response without these rows
Matrix held_by(const Matrix& A, const Vector& W) {
  Matrix of_all = W.asDiagonal();
  if (A.rows() == 0) return of_all;
  const Matrix AW = A * W.asDiagonal();
  const Matrix S = AW * A.transpose();
  return of_all - AW.transpose() * Eigen::CompleteOrthogonalDecomposition<Matrix>(S).solve(AW);
}

/// Computes the response of each speed to a unit force along it, without constraints. [nu]
Vector speed_mobility(const Matrix& metric, const Vector& displacement) {
  const Eigen::Index nu = metric.rows();
  Vector W(nu);
  double most = 0.0;
  for (Eigen::Index j = 0; j < nu; ++j) most = std::max(most, metric(j, j) * displacement[j] * displacement[j]);
  for (Eigen::Index j = 0; j < nu; ++j) {
    const double inertia = metric(j, j);
    W[j] = inertia > 0.0 ? 1.0 / inertia : displacement[j] * displacement[j] / std::max(most, tolerance::kLeast);
  }
  return W;
}

/// A row of a unilateral constraint whose force is an unknown of the problem: gradient · u' − rate is the acceleration
/// of the gap.
struct UnilateralRow {
  int row = 0;
  Vector gradient;
  double rate = 0.0;
};

/// Takes rows out of A u' = b.
std::vector<UnilateralRow> taken_out(const std::vector<int>& rows, Matrices& m) {
  std::vector<UnilateralRow> taken;
  for (const int row : rows) {
    taken.push_back({row, m.A.row(row).transpose(), m.b[row]});
    m.A.row(row).setZero();
    m.b[row] = 0.0;
  }
  return taken;
}

/// Returns an orthonormal basis of the columns.
Matrix independent_columns(const Matrix& columns) {
  if (columns.cols() == 0 || columns.isZero(0.0)) return Matrix(columns.rows(), 0);
  Eigen::ColPivHouseholderQR<Matrix> factor;
  factor.setThreshold(tolerance::kDerivedRank);
  factor.compute(columns);
  if (factor.rank() == columns.cols()) return columns;
  return factor.householderQ() * Matrix::Identity(columns.rows(), factor.rank());
}

/// Returns the rows of A, and those taken out, that belong to the constraint whose clause states the friction of the
/// contact `slide`; none if a load states it.
Matrix own_rows(const equations::System& system, const Matrix& A, const std::vector<UnilateralRow>& taken, int slide) {
  const model::ConstraintId constraint = nth(system.slides, slide).constraint;
  Matrix own(0, A.cols());
  const auto add = [&](const auto& row) {
    own.conservativeResize(own.rows() + 1, Eigen::NoChange);
    own.row(own.rows() - 1) = row;
  };
  for (int row = 0; row < static_cast<int>(system.rows.size()) && constraint.is_valid(); ++row)
    if (nth(system.rows, row).constraint == constraint) add(A.row(row));
  for (const UnilateralRow& one : taken)
    if (nth(system.rows, one.row).constraint == constraint) add(one.gradient.transpose());
  return own;
}

/// Sets the typical sizes of the contact forces (`x_size`) from those of accelerations and bounds, and adds the effect
/// of the forces to the sizes of accelerations and reactions.
void size_contacts(solve::ContactProblem& problem) {
  for (const solve::Contact& contact : problem.contacts) {
    if (contact.unilateral < 0) continue;
    const double normal = problem.w_size[contact.unilateral] / problem.G_size[contact.unilateral];
    problem.x_size[contact.unilateral] = std::max(normal, tolerance::kLeast);
    for (const int row : contact.normal) problem.r_size[row] += std::abs(problem.R(row, contact.unilateral)) * normal;
  }
  for (const solve::Contact& contact : problem.contacts) {
    double bound = contact.given;
    for (const int row : contact.normal) bound += contact.mu * problem.r_size[row];
    for (int x = contact.first; x < contact.first + contact.count; ++x)
      problem.x_size[x] = std::max(bound + problem.w_size[x] / problem.G_size[x], tolerance::kLeast);
  }
  problem.w_size = (problem.w_size + problem.G.cwiseAbs() * problem.x_size).cwiseMax(tolerance::kLeast);
  problem.r_size = (problem.r_size + problem.R.cwiseAbs() * problem.x_size).cwiseMax(tolerance::kLeast);
}

/// Builds the contact problem of a state, contact by contact.
class ContactAssembly {
 public:
  ContactAssembly(const StateKernels& at, const Matrices& m, const std::vector<UnilateralRow>& unilateral,
                  Routes& routes, ReactionForces& forces, FreeResponse& free, ContactReading& to)
      : at_(at),
        m_(m),
        unilateral_(unilateral),
        routes_(routes),
        forces_(forces),
        free_(free),
        reading_(to),
        problem_(to.problem) {}

  [[nodiscard]] Outcome<void> move_without_friction(const Vector& guess);
  [[nodiscard]] Outcome<void> add(int slide, bool rests);
  /// Adds the unilateral rows that have no friction.
  [[nodiscard]] Outcome<void> add_frictionless();
  void finish();

 private:
  /// Returns the directions along which friction may act at a contact, in components of its sliding velocity; one per
  /// column.
  [[nodiscard]] Matrix tangents_of(int slide, bool is_at_rest, const Matrix& of_own) const;
  /// The unilateral row whose constraint states the friction of a contact; −1 if there is none.
  [[nodiscard]] int unilateral_of(int slide) const;
  [[nodiscard]] Outcome<void> add_component(const Vector& force);
  void size_component(Eigen::Index x, double reach, double w, double w_size);
  [[nodiscard]] Outcome<void> add_normal(int unilateral, solve::Contact& contact);
  [[nodiscard]] double reach_of(int slide) const {
    return slide >= 0 && at_.sizes.slide_reach.size() > 0 ? at_.sizes.slide_reach[slide] : 0.0;
  }

  const StateKernels& at_;
  const Matrices& m_;
  const std::vector<UnilateralRow>& unilateral_;
  Routes& routes_;
  ReactionForces& forces_;
  FreeResponse& free_;
  ContactReading& reading_;
  solve::ContactProblem& problem_;
  Vector u_dot_, v_dot_;  ///< [nu], [ns] u' and rates v' without friction
  Vector W_;              ///< [nu] change of each speed by a unit force
  Vector acceleration_;   ///< [nu] sizes of the terms of u'
  Matrix unit_forces_, rates_,
      reactions_;  ///< [nu × n], [nu × n], [nc × n] generalized force, u' and λ of a unit force; n_ columns are filled
  std::vector<Matrix> factors_;       ///< [contacts] matrix by which λ is multiplied in the bound of each contact
  Eigen::Index n_ = 0, normals_ = 0;  ///< number of filled columns; number of components of normal forces
};

Matrix ContactAssembly::tangents_of(int slide, bool is_at_rest, const Matrix& of_own) const {
  const equations::Slide& at = nth(at_.compiled->system->slides, slide);
  const Matrix J = at_.slides->J.middleRows(at.first, at.count);
  if (!is_at_rest) return at_.slides->s.segment(at.first, at.count);
  const double size = (J * of_own * J.transpose()).trace(), reach = reach_of(slide);
  Matrix T = range_of(J * of_own * J.transpose(), size);
  if (size > tolerance::kDerivedRank * reach && T.cols() > 0) return T;
  // At a dead center no force changes the velocity of the contact. Then friction acts along the prescribed rate of this
  // velocity.
  const Vector change = v_dot_.segment(at.first, at.count);
  return change.norm() > 0.0 ? Matrix(change.normalized()) : Matrix(at.count, 0);
}

Outcome<void> ContactAssembly::move_without_friction(const Vector& guess) {
  Vector total, lambda;
  Matrix slope;
  const Vector s = at_.slides->s;
  reading_.v = at_.slides->v;
  if (auto done = free_.to(m_.f, m_.b, forces_.lambda_ideal); !done) return done;
  reading_.guess = guess.size() == at_.nc ? guess : forces_.lambda_ideal;
  forces_.set_directions(Vector::Zero(s.size()));
  forces_.evaluate(reading_.guess, forces_.lambda_ideal, total, slope);
  if (!total.allFinite()) total.setZero();
  const Vector without = total;
  forces_.evaluate(2.0 * reading_.guess, forces_.lambda_ideal, total, slope);
  reading_.is_of_guess = total.allFinite() && !without.isApprox(total, tolerance::kZero);
  forces_.set_directions(s);
  total = m_.f + without;
  if (auto done = free_.to(total, m_.b, lambda); !done) return done;
  reading_.lambda = lambda;
  u_dot_ = free_.solution.u;
  v_dot_ = at_.slides->J * u_dot_ + at_.slides->beta;
  W_ = speed_mobility(m_.metric, at_.sizes.displacement);
  acceleration_ = u_dot_.cwiseAbs() + W_.cwiseProduct(total.cwiseAbs()) + W_.cwiseProduct(free_.solution.Q.cwiseAbs());
  // Each unilateral row has a normal force and, without friction, a tangential direction without force.
  const Eigen::Index most = at_.slides->v.size() + 2 * static_cast<Eigen::Index>(unilateral_.size());
  unit_forces_.resize(at_.nu, most);
  rates_.resize(at_.nu, most);
  reactions_.resize(at_.nc, most);
  reading_.of_row.assign(unilateral_.size(), -1);
  for (const UnilateralRow& one : unilateral_) {  // the size of its force; bounds are evaluated at this force
    const double mobility = one.gradient.cwiseAbs2().dot(W_);
    const double force = (one.gradient.cwiseAbs().dot(acceleration_) + std::abs(one.rate)) / mobility;
    reading_.guess[one.row] = std::isfinite(force) && force > 0.0 ? force : 1.0;
  }
  return {};
}

int ContactAssembly::unilateral_of(int slide) const {
  const equations::System& system = *at_.compiled->system;
  const auto is_own = [&](const UnilateralRow& one) {
    return nth(system.rows, one.row).constraint == nth(system.slides, slide).constraint;
  };
  const auto own = std::ranges::find_if(unilateral_, is_own);
  return own == unilateral_.end() ? -1 : static_cast<int>(own - unilateral_.begin());
}

Outcome<void> ContactAssembly::add_component(const Vector& force) {
  unit_forces_.col(n_) = force;
  Vector lambda;
  if (auto done = free_.to(force, Vector::Zero(at_.nc), lambda); !done) return done;
  rates_.col(n_) = free_.solution.u;
  reactions_.col(n_) = lambda;
  ++n_;
  return {};
}

Outcome<void> ContactAssembly::add_normal(int unilateral, solve::Contact& contact) {
  contact.unilateral = static_cast<int>(n_);
  nth(reading_.of_row, unilateral) = static_cast<int>(problem_.contacts.size());
  if (auto done = add_component(nth(unilateral_, unilateral).gradient); !done) return done;
  reactions_(nth(unilateral_, unilateral).row, n_ - 1) = 1.0;
  if (m_.compliance.size() > 0) contact.compliance = m_.compliance[nth(unilateral_, unilateral).row];
  return {};
}

Outcome<void> ContactAssembly::add_frictionless() {
  for (std::size_t i = 0; i < unilateral_.size(); ++i) {
    if (reading_.of_row[i] >= 0) continue;
    solve::Contact contact;
    contact.first = static_cast<int>(n_);
    contact.slip = Vector::Ones(1);
    if (auto done = add_component(Vector::Zero(at_.nu)); !done) return done;
    if (auto done = add_normal(static_cast<int>(i), contact); !done) return done;
    factors_.emplace_back(0, at_.nc);
    reading_.slides.push_back(-1);
    reading_.basis.emplace_back();
    problem_.contacts.push_back(std::move(contact));
  }
  return {};
}

Outcome<void> ContactAssembly::add(int slide, bool rests) {
  const CompiledModel& compiled = *at_.compiled;
  const Matrix of_own = held_by(own_rows(*at_.compiled->system, m_.A, unilateral_, slide), W_);
  const Matrix T = tangents_of(slide, rests, of_own);
  if (T.cols() == 0) {
    reading_.left_out.push_back(slide);
    return {};
  }
  const auto law = bound_of_contact(at_, forces_, slide, T, of_own, reading_.guess);
  if (!law) return fail(law.error());
  const bool is_unilateral = is_of_unilateral(compiled, slide);
  if (const double least = std::min(law->mu, forces_.coefficients[slide]); least < 0.0)
    return fail(negative_bound(compiled, slide, least));
  if (law->given < 0.0 && !is_unilateral) return fail(negative_bound(compiled, slide, law->given));
  reading_.is_of_guess = reading_.is_of_guess || !law->is_given;
  solve::Contact contact;
  contact.first = static_cast<int>(n_);
  contact.count = static_cast<int>(T.cols());
  contact.given = is_unilateral ? std::max(law->given, 0.0) : law->given;
  contact.mu = law->mu;
  contact.static_ratio = forces_.ratios[slide];
  for (Eigen::Index row = 0; row < law->factor.rows(); ++row) contact.normal.push_back(static_cast<int>(normals_++));
  if (!rests) contact.slip = Vector::Ones(1);
  const std::vector<int>& places = nth(compiled.dependence.of_slides, slide);
  Matrix factor = Matrix::Zero(law->factor.rows(), at_.nc);
  for (std::size_t place = 0; law->factor.rows() > 0 && place < places.size(); ++place)
    factor.col(nth(compiled.dependence.rows, places[place])) = law->factor.col(static_cast<Eigen::Index>(place));
  const int unilateral = unilateral_of(slide);
  contact.is_pushing = is_unilateral && factor.rows() == 1;
  // The normal force of a unilateral row is not negative, and neither is its part in the bound.
  if (contact.is_pushing && factor.sum() < 0.0) factor = -factor;
  factors_.push_back(std::move(factor));
  const equations::Slide& at = nth(compiled.system->slides, slide);
  for (Eigen::Index c = 0; c < T.cols(); ++c)
    if (auto done = add_component(at_.slides->J.middleRows(at.first, at.count).transpose() * T.col(c)); !done)
      return done;
  if (unilateral >= 0)
    if (auto done = add_normal(unilateral, contact); !done) return done;
  reading_.slides.push_back(slide);
  reading_.basis.push_back(T);
  problem_.contacts.push_back(std::move(contact));
  return {};
}

/// Sets the sizes and the rate of one component.
/// \param w  its rate without contact forces   \param w_size  size of the terms of w that do not contain u'
void ContactAssembly::size_component(Eigen::Index x, double reach, double w, double w_size) {
  problem_.b[x] = w;
  const Vector along = unit_forces_.col(x).cwiseAbs();
  problem_.G_size[x] = std::max({along.cwiseAbs2().dot(W_), reach, tolerance::kLeast});
  problem_.w_size[x] = w_size + along.dot(acceleration_);
}

void ContactAssembly::finish() {
  reading_.lambda_of_x = reactions_.leftCols(n_);
  reading_.u_dot_of_x = rates_.leftCols(n_);
  const auto effect = [&](const auto& force) { return std::sqrt(force.cwiseAbs2().dot(W_)); };
  reading_.x_effect.resize(n_);
  for (Eigen::Index x = 0; x < n_; ++x) reading_.x_effect[x] = effect(unit_forces_.col(x));
  reading_.lambda_effect.resize(at_.nc);
  for (Eigen::Index row = 0; row < at_.nc; ++row) reading_.lambda_effect[row] = effect(m_.A.row(row).transpose());
  for (const UnilateralRow& one : unilateral_) reading_.lambda_effect[one.row] = effect(one.gradient);
  problem_.G = unit_forces_.leftCols(n_).transpose() * rates_.leftCols(n_);
  problem_.G = 0.5 * (problem_.G + problem_.G.transpose()).eval();
  problem_.b.resize(n_);
  problem_.R.resize(normals_, n_);
  problem_.r0.resize(normals_);
  Matrix N = routes_.free_multipliers();
  for (const int row : at_.compiled->switched)  // rows that do not act, and those of unknown forces
    if (N.cols() > 0 && m_.A.row(row).isZero(0.0)) N.row(row).setZero();
  N = independent_columns(N);
  problem_.Z.resize(normals_, N.cols());
  reading_.free_multipliers = N;
  problem_.G_size = problem_.w_size = problem_.x_size = Vector::Zero(n_);
  problem_.r_size = Vector::Zero(normals_);
  normals_ = 0;
  for (std::size_t c = 0; c < problem_.contacts.size(); ++c) {
    const double reach = reach_of(reading_.slides[c]);
    const solve::Contact& contact = problem_.contacts[c];
    for (Eigen::Index i = 0; i < reading_.basis[c].cols(); ++i) {
      const equations::Slide& at = nth(at_.compiled->system->slides, reading_.slides[c]);
      const Vector along_v = reading_.basis[c].col(i);
      size_component(contact.first + i, reach, along_v.dot(v_dot_.segment(at.first, at.count)),
                     along_v.cwiseAbs().dot(at_.slides->beta.segment(at.first, at.count).cwiseAbs()));
    }
    if (reading_.slides[c] < 0) size_component(contact.first, 0.0, 0.0, 0.0);
    for (Eigen::Index row = 0; row < factors_[c].rows(); ++row, ++normals_) {
      problem_.R.row(normals_) = factors_[c].row(row) * reading_.lambda_of_x;
      problem_.r0[normals_] = factors_[c].row(row).dot(reading_.lambda);
      problem_.Z.row(normals_) = factors_[c].row(row) * N;
      problem_.r_size[normals_] = factors_[c].row(row).cwiseAbs().dot(reading_.lambda.cwiseAbs());
      if (problem_.Z.row(normals_).lpNorm<Eigen::Infinity>() <= tolerance::kUnique * factors_[c].row(row).norm())
        problem_.Z.row(normals_).setZero();
    }
  }
  for (std::size_t i = 0; i < unilateral_.size(); ++i) {
    const UnilateralRow& one = unilateral_[i];
    size_component(nth(problem_.contacts, reading_.of_row[i]).unilateral, 0.0, one.gradient.dot(u_dot_) - one.rate,
                   std::abs(one.rate));
  }
  size_contacts(problem_);
}

}  // namespace

Outcome<void> FrictionProblem::evaluate(double t, const double* y) {
  at_.is_without_friction = true;
  auto done = pieces_.evaluate(t, y, pieces_.matrices);
  at_.is_without_friction = false;
  return done;
}

Outcome<void> FrictionProblem::factor(double t) {
  const double defect = pieces_.rows.seen_defect(pieces_.matrices);
  if (auto done = routes_.explicit_route().factor(pieces_.matrices, defect); !done)
    return fail(pieces_.named(std::move(done.error()), t, model::Level::kAcceleration));
  forces_.take_state();
  at_.read_slides();
  forces_.set_directions(at_.slides->s);
  return {};
}

Outcome<void> FrictionProblem::load(double t, const double* y) {
  auto done = evaluate(t, y);
  return done ? factor(t) : done;
}

std::vector<int> FrictionProblem::closed_rows() const {
  std::vector<int> rows;
  for (const int row : at_.compiled->switched) {
    const model::ConstraintId constraint = nth(at_.compiled->system->rows, row).constraint;
    if (at_.compiled->model->constraint(constraint).unilateral && !pieces_.matrices.A.row(row).isZero(0.0))
      rows.push_back(row);
  }
  return rows;
}

Outcome<ContactReading> FrictionProblem::read(double t, const double* y, const std::vector<char>& at_rest,
                                              const Vector& guess, const std::vector<int>& unilateral) {
  if (auto done = evaluate(t, y); !done) return fail(std::move(done.error()));
  const auto named_here = [&](Failure failure) {
    return fail(pieces_.named(std::move(failure), t, model::Level::kAcceleration));
  };
  std::vector<char> acting;  // a row that does not act is 0 = 0
  for (int slide = 0; slide < static_cast<int>(at_.compiled->system->slides.size()); ++slide)
    acting.push_back(acts(slide) ? 1 : 0);
  const std::vector<UnilateralRow> taken = taken_out(unilateral, pieces_.matrices);
  if (auto done = factor(t); !done) return fail(std::move(done.error()));
  ContactReading reading;
  ContactAssembly assembly(at_, pieces_.matrices, taken, routes_, forces_, free_, reading);
  if (auto done = assembly.move_without_friction(guess); !done) return named_here(std::move(done.error()));
  for (int slide = 0; slide < static_cast<int>(at_.compiled->system->slides.size()); ++slide) {
    if (nth(acting, slide) == 0) continue;
    if (auto done = assembly.add(slide, nth(at_rest, slide) != 0); !done) return named_here(std::move(done.error()));
  }
  if (auto done = assembly.add_frictionless(); !done) return named_here(std::move(done.error()));
  assembly.finish();
  return reading;
}

bool FrictionProblem::acts(int slide) const {
  const equations::System& system = *at_.compiled->system;
  const model::ConstraintId constraint = nth(system.slides, slide).constraint;
  for (const int row : at_.compiled->switched)
    if (constraint.is_valid() && nth(system.rows, row).constraint == constraint)
      return !pieces_.matrices.A.row(row).isZero(0.0);
  return true;
}

void FrictionProblem::learn_reach(double t, const double* y) {
  const auto count = static_cast<Eigen::Index>(at_.compiled->system->slides.size());
  if (at_.sizes.slide_reach.size() != count) at_.sizes.slide_reach.setZero(count);
  if (!pieces_.read_pieces(t, y, pieces_.matrices)) return;
  const Vector W = speed_mobility(pieces_.matrices.metric, at_.sizes.displacement);
  Vector near(at_.ny);
  for (int neighbor = 0; neighbor <= kNeighborsOfState; ++neighbor) {
    double part = 0.0;
    for (int i = 0; i < at_.ny; ++i) {
      part += kGoldenPart * (neighbor + 1);
      part -= std::floor(part);
      near[i] = y[i] + (neighbor == 0 ? 0.0 : kNearState * at_.sizes.scale[i] * (2.0 * part - 1.0));
    }
    at_.load(t, near.data());
    at_.read_slides();
    if (!at_.slides->J.allFinite()) continue;
    for (Eigen::Index i = 0; i < count; ++i) {
      const equations::Slide& at = nth(at_.compiled->system->slides, i);
      const double mobility = (at_.slides->J.middleRows(at.first, at.count).cwiseAbs2() * W).sum();
      at_.sizes.slide_reach[i] = std::max(at_.sizes.slide_reach[i], mobility);
    }
  }
}

}  // namespace vinculum::sim
