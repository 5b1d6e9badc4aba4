#include "vinculum/scene/shape.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::report {
namespace {

Node numbers(const auto& vector) {
  Node list = Node::list();
  for (Eigen::Index k = 0; k < vector.size(); ++k) list.add(shown(vector[k]));
  return list;
}

Node dot() { return Node::object({{"kind", "dot"}}); }

/// \param turn  rotation matrix whose third column is the axis of the cylinder
Node cylinder(double mass, double axial, double transverse, const Eigen::Matrix3d& turn) {
  const double square = 2.0 * axial / mass;
  const double length = 12.0 * transverse / mass - 3.0 * square;
  if (square < 0.0 || length < -tolerance::kHalfDigits * square) return dot();
  return Node::object({{"kind", "cylinder"},
                       {"turn", numbers(quaternion_of(turn))},
                       {"radius", std::sqrt(square)},
                       {"length", std::sqrt(std::max(length, 0.0))}});
}

}  // namespace

Eigen::Vector4d quaternion_of(const Eigen::Matrix3d& R) {
  const Eigen::Quaterniond q(R);
  const Eigen::Vector4d parts(q.w(), q.x(), q.y(), q.z());
  return parts[0] < 0.0 ? Eigen::Vector4d(-parts) : parts;
}

Node shape_of(double mass, const Eigen::Matrix3d& inertia) {
  if (!(mass > 0.0) || !inertia.allFinite()) return dot();
  Eigen::Vector3d I = inertia.diagonal();
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  if (!inertia.isDiagonal(tolerance::kZero)) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(inertia);
    I = solver.eigenvalues();
    axes = solver.eigenvectors();
    if (axes.determinant() < 0.0) axes.col(0) *= -1.0;
  }
  const double largest = I.maxCoeff();
  if (!(largest > 0.0)) return dot();
  const auto equal = [&](int a, int b) { return std::abs(I[a] - I[b]) <= tolerance::kGeneric * largest; };
  if (equal(0, 1) && equal(1, 2))
    return Node::object({{"kind", "sphere"}, {"radius", std::sqrt(2.5 * I.mean() / mass)}});
  for (int axis = 0; axis < 3; ++axis) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    if (!equal(next, last)) continue;
    Eigen::Matrix3d turn;
    turn << axes.col(next), axes.col(last), axes.col(axis);
    return cylinder(mass, I[axis], I[next], turn);
  }
  const Eigen::Vector3d squares = 2.5 / mass * (Eigen::Vector3d::Constant(I.sum()) - 2.0 * I);
  if (squares.minCoeff() < -tolerance::kHalfDigits * largest / mass) return dot();
  return Node::object({{"kind", "ellipsoid"},
                       {"turn", numbers(quaternion_of(axes))},
                       {"axes", numbers(Eigen::Vector3d(squares.cwiseMax(0.0).cwiseSqrt()))}});
}

Node stated_shape(model::ShapeKind kind, std::span<const double> sizes, const Eigen::Vector3d& axis) {
  using model::ShapeKind;
  constexpr double kThin = 0.06;  // thickness at which a disk is drawn, as a multiple of its radius
  const Eigen::Quaterniond q = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), axis);
  const auto with_turn = [&](const char* name, std::initializer_list<Node::Member> members) {
    Node node = Node::object({{"kind", name}, {"turn", numbers(Eigen::Vector4d(q.w(), q.x(), q.y(), q.z()))}});
    for (const Node::Member& member : members) node.add(member.name, member.node);
    return node;
  };
  const auto all = numbers(Eigen::Map<const Eigen::VectorXd>(sizes.data(), static_cast<Eigen::Index>(sizes.size())));
  switch (kind) {
    case ShapeKind::kSphere: return Node::object({{"kind", "sphere"}, {"radius", shown(sizes[0])}});
    case ShapeKind::kBox: return Node::object({{"kind", "box"}, {"sides", all}});
    case ShapeKind::kEllipsoid:
      return Node::object({{"kind", "ellipsoid"}, {"turn", Node(std::vector<double>{1, 0, 0, 0})}, {"axes", all}});
    case ShapeKind::kCylinder: return with_turn("cylinder", {{"radius", shown(sizes[0])}, {"length", shown(sizes[1])}});
    case ShapeKind::kDisk:
      return with_turn("cylinder", {{"radius", shown(sizes[0])}, {"length", shown(kThin * sizes[0])}});
    case ShapeKind::kCone: return with_turn("cone", {{"radius", shown(sizes[0])}, {"length", shown(sizes[1])}});
    case ShapeKind::kRing: return with_turn("ring", {{"radius", shown(sizes[0])}, {"tube", shown(sizes[1])}});
    case ShapeKind::kPlane: return with_turn("plane", {{"sides", all}});
    case ShapeKind::kCapsule: return with_turn("capsule", {{"radius", shown(sizes[0])}, {"length", shown(sizes[1])}});
  }
  return dot();
}

}  // namespace vinculum::report
