#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/dynamics_impl.hpp"

/// Friction of all contacts at one state as one problem (docs/theory.md §4.6): what moves what, and how the bounds
/// depend on the reactions.
namespace vinculum::sim {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kNeighborsOfState = 4;                // at which velocities of sliding are looked at
constexpr double kNearState = 0.05;                 // of typical sizes: how far away they are
constexpr double kGoldenPart = 0.6180339887498949;  // multiples of the golden section are as unlike as can be

/// Orthonormal directions in which J W Jᵀ is not rounding of `size`, the largest first.
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

/// W − W Aᵀ (A W Aᵀ)⁺ A W: what forces move where rows A hold, W a diagonal.
Matrix held_by(const Matrix& A, const Vector& W) {
  Matrix of_all = W.asDiagonal();
  if (A.rows() == 0) return of_all;
  const Matrix AW = A * W.asDiagonal();
  const Matrix S = AW * A.transpose();
  return of_all - AW.transpose() * Eigen::CompleteOrthogonalDecomposition<Matrix>(S).solve(AW);
}

}  // namespace

/// How a bound depends on reactions: given + mu |factor λ|.
struct Dynamics::Impl::BoundLaw {
  double given = 0.0, mu = 0.0;
  Matrix factor;         ///< [components × rows it depends on]
  bool is_given = true;  ///< false: of another form, taken at a guess of the reactions
};

Vector Dynamics::Impl::speed_mobility() const {
  Vector W(at_.nu);
  double most = 0.0;
  for (int j = 0; j < at_.nu; ++j)
    most = std::max(most, pieces_.matrices.metric(j, j) * at_.sizes.displacement[j] * at_.sizes.displacement[j]);
  for (int j = 0; j < at_.nu; ++j) {
    const double inertia = pieces_.matrices.metric(j, j);
    W[j] = inertia > 0.0 ? 1.0 / inertia
                         : at_.sizes.displacement[j] * at_.sizes.displacement[j] / std::max(most, tolerance::kLeast);
  }
  return W;
}

/// Rows of A of the constraint that a contact belongs to.
Matrix Dynamics::Impl::own_rows(int slide) const {
  const model::ConstraintId constraint = nth(at_.compiled->system->slides, slide).constraint;
  Matrix own(0, at_.nu);
  for (int row = 0; row < at_.nc && constraint.is_valid(); ++row) {
    if (nth(at_.compiled->system->rows, row).constraint != constraint) continue;
    own.conservativeResize(own.rows() + 1, Eigen::NoChange);
    own.row(own.rows() - 1) = pieces_.matrices.A.row(row);
  }
  return own;
}

/// ∂(C + f)/∂s of all contacts at these reactions, and their static ratios.
void Dynamics::Impl::evaluate_bounds(const Vector& lambda) {
  Sticking& k = *implicit->sticking;
  double* const multipliers = implicit->input.data() + 1 + at_.ny + at_.nu;
  std::copy_n(lambda.data(), at_.nc, multipliers);
  std::copy_n(k.lambda_ideal.data(), at_.nc, multipliers + at_.nc);
  at_.bound->slide_bound.evaluate(implicit->input.data(), k.result.data(), k.workspace.data());
  k.C_s = Eigen::Map<const RowMajor>(k.result.data(), at_.nu, at_.slides->v.size());
  for (Eigen::Index i = 0; i < k.C_s.size(); ++i)
    if (!std::isfinite(k.C_s.data()[i])) k.C_s.data()[i] = 0.0;  // no reaction at all
  k.ratios = Eigen::Map<const Vector>(k.result.data() + at_.nu * at_.slides->v.size(), k.ratios.size());
  k.coefficients = Eigen::Map<const Vector>(k.result.data() + at_.nu * at_.slides->v.size() + k.ratios.size(), k.ratios.size());
  for (double& ratio : k.ratios)
    if (!std::isfinite(ratio)) ratio = 1.0;  // of two coefficients that are 0
}

/// g of ∂C/∂s = −g Jᵀ along the directions T, as far as what W moves tells.   \pre `evaluate_bounds`
/// \returns NaN where ∂C/∂s is not along Jᵀ.
double Dynamics::Impl::bound_along(int slide, const Matrix& T, const Matrix& W) const {
  const Sticking& k = *implicit->sticking;
  const equations::Slide& at = nth(at_.compiled->system->slides, slide);
  const Matrix JW = T.transpose() * at_.slides->J.middleRows(at.first, at.count) * W;
  const Matrix K = JW * at_.slides->J.middleRows(at.first, at.count).transpose() * T;
  const Matrix law = JW * k.C_s.middleCols(at.first, at.count) * T;
  const double size = K.squaredNorm();
  if (!(size > 0.0)) return 0.0;
  const double bound = -law.cwiseProduct(K).sum() / size;
  const bool is_along = (law + bound * K).norm() <= tolerance::kRoot * (std::abs(bound) * K.norm() + tolerance::kLeast);
  return is_along ? bound : std::numeric_limits<double>::quiet_NaN();
}

Outcome<Dynamics::Impl::BoundLaw> Dynamics::Impl::law_of_bound(int slide, const Matrix& T, const Matrix& W,
                                                               const Vector& guess) {
  const std::vector<int>& places = nth(at_.compiled->dependence.of_slides, slide);
  const auto n = static_cast<Eigen::Index>(places.size());
  const double size = std::max(guess.size() > 0 ? guess.lpNorm<Eigen::Infinity>() : 0.0, tolerance::kLeast);
  bool is_along = true;
  const auto bound_at = [&](const Vector& part) {
    Vector lambda = guess;
    for (Eigen::Index i = 0; i < n; ++i) lambda[nth(at_.compiled->dependence.rows, nth(places, i))] = part[i];
    evaluate_bounds(lambda);
    const double bound = bound_along(slide, T, W);
    is_along = is_along && !std::isnan(bound);
    return bound;
  };
  const auto refuse = [&] { return fail(says_nothing(static_cast<std::size_t>(slide))); };
  BoundLaw law;
  Vector here(n);
  for (Eigen::Index i = 0; i < n; ++i) here[i] = guess[nth(at_.compiled->dependence.rows, nth(places, i))];
  law.given = bound_at(here);
  if (!is_along) return refuse();
  if (n == 0) return law;
  const double at_rest = bound_at(Vector::Zero(n));
  Matrix Q = Matrix::Zero(n, n);
  Vector h(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    h[i] = bound_at(size * Vector::Unit(n, i)) - at_rest;
    Q(i, i) = h[i] * h[i];
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      const double both = bound_at(size * (Vector::Unit(n, i) + Vector::Unit(n, j))) - at_rest;
      Q(i, j) = Q(j, i) = 0.5 * (both * both - Q(i, i) - Q(j, j));
    }
  }
  // Whether it is of that form is asked elsewhere.
  bool fits = h.minCoeff() >= 0.0;
  for (const double factor : {-2.0, 3.0}) {
    Vector other(n);
    for (Eigen::Index i = 0; i < n; ++i) other[i] = factor * (i % 2 == 0 ? 1.0 : -0.5);
    const double expected = at_rest + std::sqrt(std::max(other.dot(Q * other), 0.0));
    const double found = bound_at(size * other);
    fits = fits && std::abs(found - expected) <= tolerance::kConditioned * (std::abs(found) + std::abs(at_rest));
  }
  if (!is_along) return refuse();
  if (!fits) {
    law.is_given = false;
    return law;
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(Q);
  law.factor.resize(0, n);
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    if (!(eigen.eigenvalues()[i] > tolerance::kConditioned * Q.trace())) break;
    law.factor.conservativeResize(law.factor.rows() + 1, Eigen::NoChange);
    law.factor.row(law.factor.rows() - 1) =
        std::sqrt(eigen.eigenvalues()[i]) / size * eigen.eigenvectors().col(i).transpose();
  }
  law.given = at_rest;
  law.mu = law.factor.rows() > 0 ? 1.0 : 0.0;
  return law;
}

/// Directions of a contact along which friction may act, in components of its velocity.
Matrix Dynamics::Impl::tangents_of(int slide, bool is_at_rest, const Matrix& W, const Vector& v_dot) {
  Sticking& k = *implicit->sticking;
  const equations::Slide& at = nth(at_.compiled->system->slides, slide);
  const Matrix J = at_.slides->J.middleRows(at.first, at.count);
  if (!is_at_rest) return at_.slides->s.segment(at.first, at.count);
  const double size = (J * W * J.transpose()).trace(),
               reach = at_.sizes.slide_reach.size() > 0 ? at_.sizes.slide_reach[slide] : 0.0;
  Matrix T = range_of(J * W * J.transpose(), size);
  if (size > tolerance::kDerivedRank * reach && T.cols() > 0) return T;
  // At a dead point no motion changes its velocity: along the change that comes by itself.
  const Vector change = v_dot.segment(at.first, at.count);
  return change.norm() > 0.0 ? Matrix(change.normalized()) : Matrix(at.count, 0);
}

/// Builds the contact problem of a state column by column.
struct Dynamics::Impl::ContactAssembly {
  ContactAssembly(Impl& of, ContactReading& to) : d(of), k(*of.implicit->sticking), reading(to), problem(to.problem) {}

  Impl& d;
  Sticking& k;
  ContactReading& reading;
  solve::ContactProblem& problem;
  Vector v_dot, W;                  ///< [ns] of the motion without friction; [at_.nu] mobility of the speeds
  Vector acceleration;              ///< [at_.nu] sizes of the terms of its u'
  Matrix forces, rates, reactions;  ///< [at_.nu × ns], [at_.nu × ns], [at_.nc × ns] of a unit force of friction, n columns so far
  std::vector<Matrix> factors;      ///< of the reactions that bounds depend on, contact by contact
  Eigen::Index n = 0, m = 0;        ///< columns; normal forces

  [[nodiscard]] Outcome<void> move_without_friction(const Vector& guess);
  [[nodiscard]] Outcome<void> add(int slide, bool rests);
  void finish();
};

Outcome<void> Dynamics::Impl::ContactAssembly::move_without_friction(const Vector& guess) {
  const Vector s = d.at_.slides->s;
  reading.v = d.at_.slides->v;
  if (auto done = d.respond_freely(d.pieces_.matrices.f, d.pieces_.matrices.b, k.lambda_ideal); !done) return done;
  reading.guess = guess.size() == d.at_.nc ? guess : k.lambda_ideal;
  d.set_directions(Vector::Zero(s.size()));
  d.implicit->evaluate_force(reading.guess, k.lambda_ideal, k.total, d.implicit->slope);
  if (!k.total.allFinite()) k.total.setZero();
  const Vector without = k.total;
  d.implicit->evaluate_force(2.0 * reading.guess, k.lambda_ideal, k.total, d.implicit->slope);
  reading.is_of_guess = k.total.allFinite() && !without.isApprox(k.total, tolerance::kZero);
  d.set_directions(s);
  k.total = d.pieces_.matrices.f + without;
  if (auto done = d.respond_freely(k.total, d.pieces_.matrices.b, k.lambda); !done) return done;
  reading.lambda = k.lambda;
  const Vector u_dot = d.implicit->solution.u;
  v_dot = d.at_.slides->J * u_dot + d.at_.slides->beta;
  W = d.speed_mobility();
  acceleration =
      u_dot.cwiseAbs() + W.cwiseProduct(k.total.cwiseAbs()) + W.cwiseProduct(d.implicit->solution.Q.cwiseAbs());
  forces.resize(d.at_.nu, d.at_.slides->v.size());
  rates.resize(d.at_.nu, d.at_.slides->v.size());
  reactions.resize(d.at_.nc, d.at_.slides->v.size());
  return {};
}

Outcome<void> Dynamics::Impl::ContactAssembly::add(int slide, bool rests) {
  const CompiledModel& compiled = *d.at_.compiled;
  const Matrix of_own = held_by(d.own_rows(slide), W);
  const Matrix T = d.tangents_of(slide, rests, of_own, v_dot);
  if (T.cols() == 0) {
    reading.left_out.push_back(slide);
    return {};
  }
  const auto law = d.law_of_bound(slide, T, of_own, reading.guess);
  if (!law) return fail(law.error());
  if (const double least = std::min({law->given, law->mu, k.coefficients[slide]}); least < 0.0)
    return fail(d.negative_bound(slide, least));
  reading.is_of_guess = reading.is_of_guess || !law->is_given;
  solve::Contact contact;
  contact.first = static_cast<int>(n);
  contact.count = static_cast<int>(T.cols());
  contact.given = law->given;
  contact.mu = law->mu;
  contact.static_ratio = k.ratios[slide];
  for (Eigen::Index row = 0; row < law->factor.rows(); ++row) contact.normal.push_back(static_cast<int>(m++));
  if (!rests) contact.slip = Vector::Ones(1);
  const std::vector<int>& places = nth(compiled.dependence.of_slides, slide);
  Matrix factor = Matrix::Zero(law->factor.rows(), d.at_.nc);
  for (std::size_t place = 0; law->factor.rows() > 0 && place < places.size(); ++place)
    factor.col(nth(compiled.dependence.rows, places[place])) = law->factor.col(static_cast<Eigen::Index>(place));
  factors.push_back(std::move(factor));
  const equations::Slide& at = nth(compiled.system->slides, slide);
  const Vector zero = Vector::Zero(d.at_.nc);
  for (Eigen::Index c = 0; c < T.cols(); ++c, ++n) {
    forces.col(n) = d.at_.slides->J.middleRows(at.first, at.count).transpose() * T.col(c);
    if (auto done = d.respond_freely(forces.col(n), zero, k.lambda); !done) return done;
    rates.col(n) = d.implicit->solution.u;
    reactions.col(n) = k.lambda;
  }
  reading.slides.push_back(slide);
  reading.basis.push_back(T);
  problem.contacts.push_back(std::move(contact));
  return {};
}

void Dynamics::Impl::ContactAssembly::finish() {
  reading.lambda_of_x = reactions.leftCols(n);
  problem.G = forces.leftCols(n).transpose() * rates.leftCols(n);
  problem.G = 0.5 * (problem.G + problem.G.transpose()).eval();
  problem.b.resize(n);
  problem.R.resize(m, n);
  problem.r0.resize(m);
  const Matrix N = d.free_multipliers();
  problem.Z.resize(m, N.cols());
  problem.G_size = problem.w_size = problem.x_size = Vector::Zero(n);
  problem.r_size = Vector::Zero(m);
  m = 0;
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const equations::Slide& at = nth(d.at_.compiled->system->slides, reading.slides[c]);
    const double reach = d.at_.sizes.slide_reach.size() > 0 ? d.at_.sizes.slide_reach[reading.slides[c]] : 0.0;
    for (Eigen::Index i = 0; i < reading.basis[c].cols(); ++i) {
      const Eigen::Index x = problem.contacts[c].first + i;
      problem.b[x] = reading.basis[c].col(i).dot(v_dot.segment(at.first, at.count));
      const Vector along = forces.col(x).cwiseAbs();
      problem.G_size[x] = std::max({along.cwiseAbs2().dot(W), reach, tolerance::kLeast});
      problem.w_size[x] = reading.basis[c].col(i).cwiseAbs().dot(d.at_.slides->beta.segment(at.first, at.count).cwiseAbs()) +
                          along.dot(acceleration);
    }
    for (Eigen::Index row = 0; row < factors[c].rows(); ++row, ++m) {
      problem.R.row(m) = factors[c].row(row) * reading.lambda_of_x;
      problem.r0[m] = factors[c].row(row).dot(reading.lambda);
      problem.Z.row(m) = factors[c].row(row) * N;
      problem.r_size[m] = factors[c].row(row).cwiseAbs().dot(reading.lambda.cwiseAbs());
      if (problem.Z.row(m).lpNorm<Eigen::Infinity>() <= tolerance::kUnique * factors[c].row(row).norm())
        problem.Z.row(m).setZero();
    }
  }
  size_contacts(problem);
}

Outcome<ContactReading> Dynamics::Impl::read_contacts(double t, const double* y, const std::vector<char>& at_rest,
                                                      const Vector& guess) {
  at_.is_without_friction = true;
  const auto evaluated = pieces_.evaluate(t, y, pieces_.matrices);
  at_.is_without_friction = false;
  if (!evaluated) return fail(evaluated.error());
  const auto named_here = [&](Failure failure) {
    return fail(pieces_.named(std::move(failure), t, model::Level::kAcceleration));
  };
  if (auto done = explicit_route().factor(pieces_.matrices, pieces_.rows.seen_by_rows(pieces_.rows.relative_defect(pieces_.matrices))); !done)
    return named_here(std::move(done.error()));
  std::copy_n(at_.input.begin(), 1 + at_.ny, implicit->input.begin());
  at_.read_slides();
  set_directions(at_.slides->s);
  ContactReading reading;
  ContactAssembly assembly(*this, reading);
  if (auto done = assembly.move_without_friction(guess); !done) return named_here(std::move(done.error()));
  for (int slide = 0; slide < static_cast<int>(at_.compiled->system->slides.size()); ++slide)
    if (auto done = assembly.add(slide, nth(at_rest, slide) != 0); !done) return named_here(std::move(done.error()));
  assembly.finish();
  return reading;
}

/// Sizes of forces from those of accelerations and bounds, and what forces add to the others.
void Dynamics::Impl::size_contacts(solve::ContactProblem& problem) {
  for (const solve::Contact& contact : problem.contacts) {
    double bound = contact.given;
    for (const int row : contact.normal) bound += contact.mu * problem.r_size[row];
    for (int x = contact.first; x < contact.first + contact.count; ++x)
      problem.x_size[x] = std::max(bound + problem.w_size[x] / problem.G_size[x], tolerance::kLeast);
  }
  problem.w_size = (problem.w_size + problem.G.cwiseAbs() * problem.x_size).cwiseMax(tolerance::kLeast);
  problem.r_size = (problem.r_size + problem.R.cwiseAbs() * problem.x_size).cwiseMax(tolerance::kLeast);
}

Matrix Dynamics::Impl::free_multipliers() {
  if (at_.nc == 0) return Matrix(0, 0);
  if (directed) return directed->indeterminate_multipliers(at_.nc);
  return pivoted.rows().rank() == at_.nc ? Matrix(at_.nc, 0) : pivoted.rows().left_null_space();
}

Failure Dynamics::Impl::negative_bound(int slide, double bound) const {
  Failure failure =
      friction_failure(FailureKind::kNegativeFriction, slide,
                       fmt::format("the bound of friction at `{}` is negative here: {:.3g}", slide_name(slide), bound));
  failure.size = bound;
  return failure;
}

void Dynamics::Impl::learn_slide_reach(double t, const double* y) {
  if (!implicit || !implicit->sticking) return;
  Sticking& k = *implicit->sticking;
  const auto count = static_cast<Eigen::Index>(at_.compiled->system->slides.size());
  if (at_.sizes.slide_reach.size() != count) at_.sizes.slide_reach.setZero(count);
  if (!pieces_.read_pieces(t, y, pieces_.matrices)) return;
  const Vector W = speed_mobility();
  Vector near(at_.ny);
  for (int neighbor = 0; neighbor <= kNeighborsOfState; ++neighbor) {
    double part = 0.0;
    for (int i = 0; i < at_.ny; ++i) {
      part += kGoldenPart * (neighbor + 1);
      part -= std::floor(part);
      near[i] = y[i] + (neighbor == 0 ? 0.0 : kNearState * at_.sizes.scale[i] * (2.0 * part - 1.0));
    }
    at_.load(t, near.data());
    std::copy_n(at_.input.begin(), 1 + at_.ny, implicit->input.begin());
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
