#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/solve/impacts.hpp"
#include "vinculum/solve/contacts/contact_problem.hpp"
#include "vinculum/solve/contacts/impact_process.hpp"

/// Random systems of rigid bodies with contacts, for tests of contact problems and impacts.
namespace vinculum::solve {

/// A contact of a random system. Its rows are `normal`, followed by `tangents` tangential rows.
struct RandomContact {
  int normal = 0, tangents = 1;
  double mu = 0.0, restitution = 0.0;
  RestitutionLaw law = RestitutionLaw::kEnergetic;
};

/// Bodies with the mass matrix M, contact rows W and bilateral rows B: M u' = f + Wᵀx + Bᵀλ, B u' = 0.
/// Units of mass and velocity are applied by `impact_of` and `contacts_of`; the matrices here are in units of order 1.
struct RandomSystem {
  Matrix M, W, B;
  Matrix root, N;  ///< N = root rootᵀ is the inverse of M on ker B
  Vector u, f;     ///< B u = 0
  Vector drive;    ///< [rows of W] prescribed parts of the velocities
  double mass = 1.0, speed = 1.0;
  std::vector<RandomContact> contacts;

  [[nodiscard]] Vector velocity() const { return W * u + drive; }
  [[nodiscard]] bool is_driven() const { return !drive.isZero(0.0); }
};

/// Draws random systems.
class RandomSystems {
 public:
  RandomSystems(std::uint64_t seed, bool is_spatial, int contacts)
      : random_(seed), is_spatial_(is_spatial), count_(contacts) {}

  /// \param is_impact  false: no contact has a normal velocity.
  RandomSystem draw(bool is_impact) {
    place_bodies();
    place_contacts();
    place_bilateral();
    finish_matrices();
    choose_laws();
    choose_speeds(is_impact);
    if (is_one_of(3)) {
      system_.mass = std::pow(10.0, uniform(random_, -6.0, 6.0));
      system_.speed = std::pow(10.0, uniform(random_, -6.0, 6.0));
    }
    return std::move(system_);
  }

 private:
  using Vector3 = Eigen::Vector3d;
  enum class Shape : char { kGeneric, kFeet, kStack, kCorner, kTwins };

  [[nodiscard]] bool is_one_of(int cases) { return random_() % static_cast<std::uint64_t>(cases) == 0; }
  [[nodiscard]] int below(int most) { return static_cast<int>(random_() % static_cast<std::uint64_t>(most)); }
  [[nodiscard]] Vector3 up() const { return is_spatial_ ? Vector3::UnitZ() : Vector3::UnitY(); }
  [[nodiscard]] int speeds() const { return is_spatial_ ? 6 : 3; }
  [[nodiscard]] Vector3 direction() {
    while (true) {
      Vector3 d(uniform(random_, -1.0, 1.0), uniform(random_, -1.0, 1.0), uniform(random_, -1.0, 1.0));
      if (!is_spatial_) d[2] = 0.0;
      if (d.norm() > 0.1 && d.norm() < 1.0) return d.normalized();
    }
  }

  void place_bodies() {
    shape_ = static_cast<Shape>(below(5));
    bodies_ = shape_ == Shape::kFeet || shape_ == Shape::kCorner ? 1 : 1 + below(3);
    if (shape_ == Shape::kStack) bodies_ = 1 + below(std::max(1, count_ / 2));
    const bool has_unlike_masses = is_one_of(6);
    system_.M = Matrix::Zero(bodies_ * speeds(), bodies_ * speeds());
    for (int body = 0; body < bodies_; ++body) {
      const Vector3 random_place(uniform(random_, -2.0, 2.0), uniform(random_, -2.0, 2.0),
                                 is_spatial_ ? uniform(random_, -2.0, 2.0) : 0.0);
      centers_.push_back(shape_ == Shape::kStack ? Vector3(body * up()) : random_place);
      const double mass = has_unlike_masses ? std::pow(10.0, uniform(random_, -3.0, 3.0)) : uniform(random_, 0.5, 2.0);
      auto own = system_.M.block(body * speeds(), body * speeds(), speeds(), speeds());
      if (!is_spatial_) {
        own.diagonal() << mass, mass, mass * uniform(random_, 0.1, 0.6);
        continue;
      }
      // Sums of two of three positive numbers satisfy the triangle inequality of moments of inertia.
      const Vector3 parts(uniform(random_, 0.02, 0.3), uniform(random_, 0.02, 0.3), uniform(random_, 0.02, 0.3));
      Matrix turned = Eigen::AngleAxisd(uniform(random_, 0.0, 3.0), direction()).toRotationMatrix();
      if (is_one_of(2)) turned.setIdentity();
      const Vector3 moments = mass * (Vector3::Constant(parts.sum()) - parts);
      own.topLeftCorner(3, 3).diagonal().setConstant(mass);
      own.bottomRightCorner(3, 3) = turned * moments.asDiagonal() * turned.transpose();
    }
  }

  /// The velocity of body `one` relative to `other` (−1: the ground) at a point along d, as a row.
  [[nodiscard]] Vector row(int one, int other, const Vector3& point, const Vector3& d) const {
    Vector all = Vector::Zero(bodies_ * speeds());
    const auto add = [&](int body, double sign) {
      if (body < 0) return;
      const Vector3 turn = (point - centers_[static_cast<std::size_t>(body)]).cross(d);
      auto own = all.segment(body * speeds(), speeds());
      if (is_spatial_)
        own << sign * d, sign * turn;
      else
        own << sign * d[0], sign * d[1], sign * turn[2];
    };
    add(one, 1.0);
    add(other, -1.0);
    return all;
  }

  void place_contacts() {
    const int tangents = is_spatial_ ? 2 : 1;
    system_.W = Matrix::Zero(count_ * (1 + tangents), bodies_ * speeds());
    const bool is_regular = is_one_of(2);
    for (int c = 0; c < count_; ++c) {
      int one = 0, other = -1;
      Vector3 normal = up(), point = Vector3::Zero();
      place_contact(c, is_regular, one, other, point, normal);
      const bool is_twin = shape_ == Shape::kTwins && c > 0 && is_one_of(2);
      const int first = c * (1 + tangents);
      if (is_twin) {
        system_.W.middleRows(first, 1 + tangents) = system_.W.topRows(1 + tangents);
      } else {
        Vector3 along = is_spatial_ ? normal.cross(direction()) : normal.cross(Vector3::UnitZ());
        if (!(along.norm() > 0.1)) along = normal.unitOrthogonal();
        along.normalize();
        system_.W.row(first) = row(one, other, point, normal);
        system_.W.row(first + 1) = row(one, other, point, along);
        if (is_spatial_) system_.W.row(first + 2) = row(one, other, point, normal.cross(along));
      }
      RandomContact contact;
      contact.normal = first;
      contact.tangents = tangents;
      system_.contacts.push_back(contact);
    }
  }

  void place_contact(int c, bool is_regular, int& one, int& other, Vector3& point, Vector3& normal) {
    const Vector3& center = centers_.front();
    const double side = c % 2 == 0 ? -0.5 : 0.5;
    Vector3 across = is_regular ? Vector3(side, (c / 2) % 2 == 0 ? -0.5 : 0.5, 0.0)
                                : Vector3(uniform(random_, -1.0, 1.0), uniform(random_, -1.0, 1.0), 0.0);
    if (!is_spatial_) across[1] = 0.0;
    switch (shape_) {
      case Shape::kFeet: point = center + across * (is_regular && c >= 4 ? 0.5 : 1.0) - 0.7 * up(); break;
      case Shape::kCorner:
        normal = c % 2 == 0 ? up() : Vector3(Vector3::UnitX());
        point = center - 0.6 * normal + across[0] * (c % 2 == 0 ? Vector3(Vector3::UnitX()) : up());
        break;
      case Shape::kStack:
        one = (c / 2) % bodies_;
        other = one - 1;
        point = centers_[static_cast<std::size_t>(one)] + across - 0.5 * up();
        break;
      case Shape::kGeneric:
      case Shape::kTwins: {
        one = below(bodies_);
        other = is_one_of(2) ? -1 : below(bodies_);
        if (other == one) other = -1;
        const Vector3 arm = uniform(random_, 0.3, 1.0) * direction();
        point = centers_[static_cast<std::size_t>(one)] + arm;
        normal = direction();
        if (normal.dot(arm) > 0.0) normal = -normal;  // the body lies on the side to which its normal points
        break;
      }
    }
  }

  void place_bilateral() {
    const int nu = bodies_ * speeds();
    std::vector<Vector> rows;
    const int joints = is_one_of(2) ? 0 : 1 + below(bodies_);
    for (int joint = 0; joint < joints; ++joint) {
      const int one = below(bodies_), other = one - 1;
      const Vector3 point = centers_[static_cast<std::size_t>(one)] + uniform(random_, 0.0, 0.8) * direction();
      const int kind = below(3);
      if (kind == 0) {  // a pin or a ball joint
        for (int k = 0; k < (is_spatial_ ? 3 : 2); ++k) rows.push_back(row(one, other, point, Vector3::Unit(k)));
      } else if (kind == 1) {  // a point on a guide
        rows.push_back(row(one, other, point, direction()));
      } else {  // no rotation
        for (int k = is_spatial_ ? 3 : 2; k < speeds(); ++k) rows.push_back(Vector::Unit(nu, one * speeds() + k));
      }
    }
    while (static_cast<int>(rows.size()) >= nu) rows.pop_back();
    system_.B.resize(static_cast<Eigen::Index>(rows.size()), nu);
    for (std::size_t k = 0; k < rows.size(); ++k) system_.B.row(static_cast<Eigen::Index>(k)) = rows[k];
  }

  /// N from a basis of ker B that is orthonormal in the metric of M, so that its error does not depend on the ratios of
  /// the masses. Dependent rows of B change nothing.
  void finish_matrices() {
    const Eigen::Index nu = system_.M.rows();
    const Eigen::LLT<Matrix> root(system_.M);
    Matrix scaled = root.matrixL().solve(system_.B.transpose());
    for (Eigen::Index k = 0; k < scaled.cols(); ++k) scaled.col(k).normalize();
    Matrix basis = Matrix::Identity(nu, nu);
    if (scaled.cols() > 0) {
      Eigen::ColPivHouseholderQR<Matrix> qr;
      qr.setThreshold(1e-9);
      qr.compute(scaled);
      basis = Matrix(qr.householderQ()).rightCols(nu - qr.rank());
    }
    system_.root = root.matrixU().solve(basis);
    system_.N = system_.root * system_.root.transpose();
  }

  void choose_laws() {
    const int friction = below(4), law = below(5);
    const double mu = uniform(random_, 0.0, friction == 3 ? 1.5 : 0.8), e = restitution();
    const bool has_equal_mu = is_one_of(2), has_equal_e = is_one_of(2);
    for (RandomContact& one : system_.contacts) {
      one.mu = friction == 0 ? 0.0 : has_equal_mu ? mu : uniform(random_, 0.0, friction == 3 ? 1.5 : 0.8);
      if (friction == 2 && is_one_of(3)) one.mu = 0.0;
      one.restitution = has_equal_e ? e : restitution();
      const int own = law < 2 ? 0 : law == 2 ? 1 : law == 3 ? 2 : below(4);
      one.law = own == 0   ? RestitutionLaw::kEnergetic
                : own == 1 ? RestitutionLaw::kNewton
                : own == 2 ? RestitutionLaw::kPoisson
                           : RestitutionLaw::kMoreau;
    }
  }
  [[nodiscard]] double restitution() {
    const int kind = below(6);
    return kind == 0 ? 0.0 : kind == 1 ? 1.0 : kind == 2 ? 0.5 : uniform(random_, 0.0, 1.0);
  }

  /// Changes u so that the given rows of W have no velocity.
  void stop(const std::vector<int>& rows) {
    if (rows.empty()) return;
    const Matrix own = system_.W(rows, Eigen::all);
    Eigen::CompleteOrthogonalDecomposition<Matrix> G;
    G.setThreshold(1e-10);
    const Matrix along = own * system_.root;
    G.compute(along);
    system_.u -= system_.root * G.solve(Vector(own * system_.u));
  }

  void choose_speeds(bool is_impact) {
    const Eigen::Index nu = system_.M.rows();
    const int kind = below(5);
    Vector u = random_entries(random_, nu, 1), f = random_entries(random_, nu, 1);
    for (int body = 0; body < bodies_; ++body) {
      const bool falls = shape_ != Shape::kGeneric && shape_ != Shape::kTwins;
      auto own = u.segment(body * speeds(), speeds()), force = f.segment(body * speeds(), speeds());
      if (falls && kind == 0) own.setZero();
      if (falls) own.head(3) -= up();
      force.head(3) -= 3.0 * system_.M(body * speeds(), body * speeds()) * up();
    }
    system_.f = f;
    system_.u = system_.N * (system_.M * u);
    std::vector<int> stopped;
    for (const RandomContact& one : system_.contacts) {
      if (!is_impact || (kind == 1 && is_one_of(3))) stopped.push_back(one.normal);
      if (kind == 2 || (kind == 1 && is_one_of(3)))
        for (int k = 1; k <= one.tangents; ++k) stopped.push_back(one.normal + k);
    }
    stop(stopped);
    if (!is_impact && kind >= 3) system_.u.setZero();
    system_.drive = Vector::Zero(system_.W.rows());
    if (!is_impact || !is_one_of(12)) return;
    for (const RandomContact& one : system_.contacts)
      if (is_one_of(2)) system_.drive[one.normal] = uniform(random_, -1.0, 0.5);
  }

  Random random_;
  bool is_spatial_;
  int count_, bodies_ = 1;
  Shape shape_ = Shape::kGeneric;
  std::vector<Vector3> centers_;
  RandomSystem system_;
};

/// G and the sizes of its terms, in the units of the system. Rows that nothing can move are 0.
inline void add_inertia(const RandomSystem& system, Matrix& G, Vector& G_size) {
  const Matrix along = system.W * system.root, moved = system.N * system.W.transpose();
  G = along * along.transpose() / system.mass;
  G_size.resize(G.rows());
  for (Eigen::Index i = 0; i < G.rows(); ++i) {
    const double terms = system.W.row(i).cwiseAbs().dot(moved.col(i).cwiseAbs());
    const double alone = (system.W.row(i).transpose().cwiseAbs2().array() / system.M.diagonal().array()).sum();
    G_size[i] = std::max(terms, alone) / system.mass;
    if (G(i, i) > 1e-12 * G_size[i]) continue;
    G.row(i).setZero();
    G.col(i).setZero();
  }
}

inline ImpactProblem impact_of(const RandomSystem& system) {
  ImpactProblem problem;
  add_inertia(system, problem.G, problem.G_size);
  problem.velocity = system.speed * system.velocity();
  const double typical = std::max(0.1 * system.u.lpNorm<Eigen::Infinity>(), 1e-3);
  const Vector speeds = system.u.cwiseAbs().cwiseMax(typical);
  problem.velocity_size = system.speed * (system.W.cwiseAbs() * speeds + system.drive.cwiseAbs());
  for (const RandomContact& one : system.contacts) {
    ImpactContact contact;
    contact.normal = one.normal;
    contact.first = one.mu > 0.0 ? one.normal + 1 : 0;
    contact.count = one.mu > 0.0 ? one.tangents : 0;
    contact.mu = one.mu;
    contact.restitution = one.restitution;
    contact.law = one.law;
    problem.contacts.push_back(contact);
    auto sizes = problem.velocity_size.segment(one.normal + 1, one.tangents);
    sizes.setConstant(sizes.maxCoeff());
  }
  return problem;
}

/// The contact problem for accelerations. Velocities of slip are those of u.
inline ContactProblem contacts_of(const RandomSystem& system) {
  ContactProblem problem;
  add_inertia(system, problem.G, problem.G_size);
  const Vector a = system.N * system.f, v = system.velocity();
  const auto count = static_cast<Eigen::Index>(system.contacts.size());
  problem.b = system.speed * (system.W * a);
  problem.w_size = system.speed * (system.W.cwiseAbs() * a.cwiseAbs().cwiseMax(1e-3));
  problem.x_size = problem.w_size.cwiseQuotient(problem.G_size);
  problem.R = Matrix::Zero(count, problem.b.size());
  problem.r0 = problem.r_size = Vector::Zero(count);
  problem.Z = Matrix::Zero(count, 0);
  for (Eigen::Index c = 0; c < count; ++c) {
    const RandomContact& one = system.contacts[static_cast<std::size_t>(c)];
    Contact contact;
    contact.unilateral = one.normal;
    contact.first = one.normal + 1;
    contact.count = one.tangents;
    contact.normal = {static_cast<int>(c)};
    contact.mu = one.mu;
    const Vector slip = v.segment(contact.first, contact.count);
    const bool slips = slip.norm() > 1e-11 * system.W.row(contact.first).cwiseAbs().sum();
    if (slips) contact.slip = slip.normalized();
    if (one.mu == 0.0) contact.slip = Vector::Unit(contact.count, 0);
    problem.R(c, one.normal) = 1.0;
    problem.r_size[c] = problem.x_size[one.normal];
    problem.x_size.segment(contact.first, contact.count).array() += one.mu * problem.x_size[one.normal];
    problem.contacts.push_back(contact);
  }
  problem.w_size += problem.G.cwiseAbs() * problem.x_size;
  return problem;
}

}  // namespace vinculum::solve
