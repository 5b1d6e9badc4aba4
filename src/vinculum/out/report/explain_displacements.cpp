// A basis of the virtual displacements at the start: what each of them moves.   Source: [SZ] Prop. 2, cor. 3; theory.md
// §2.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/dynamics/classify.hpp"
#include "vinculum/dynamics/lowering.hpp"
#include "vinculum/numeric/null_space.hpp"
#include "vinculum/out/report/explained.hpp"

namespace vinculum::out {
namespace {

// More of them are for programs.
constexpr std::size_t kMostShown = 12;

/// Velocities of points and bodies along a virtual displacement: linear in it, so that they are differences of those at
/// two choices of speeds.
class Moved {
 public:
  explicit Moved(const Explained& explained) : explained_(explained), system_(*explained.system) {
    using mechanics::Model;
    const Model& model = explained.model();
    const auto add = [&](std::string name, bool turns, const dynamics::ExprVector& velocity) {
      places_.push_back({std::move(name), turns});
      values_.insert(values_.end(), velocity.begin(), velocity.end());
    };
    dynamics::Lowering& lowering = *system_.lowering;
    for (const mechanics::Particle& particle : model.particles)
      add(particle.name, false, lowering.point_motion(particle.point, 1, Model::newtonian(), Model::newtonian()));
    for (const mechanics::Body& body : model.bodies) {
      add(body.name, false, lowering.point_motion(body.center, 1, Model::newtonian(), Model::newtonian()));
      add(body.name, true, lowering.angular_velocity(body.frame, Model::newtonian(), Model::newtonian()));
    }
    at_rest_ = at(Vector::Zero(system_.nu()));
  }

  /// Adds "points" and "turns" and what is said of them.
  void add_to(const Vector& v, Node& node, std::string& said) const {
    const std::vector<double> moving = at(v);
    Node points = Node::list(), turns = Node::list();
    for (std::size_t i = 0; i < places_.size(); ++i) {
      std::array<double, 3> by{};
      for (std::size_t k = 0; k < 3; ++k) by[k] = moving[3 * i + k] - at_rest_[3 * i + k];
      const double size = std::hypot(by[0], by[1], by[2]);
      if (size <= tolerance::kZero * v.norm()) continue;
      for (double& one : by) one = std::abs(one) <= tolerance::kZero * size ? 0.0 : one;
      const auto& [name, is_turn] = places_[i];
      (is_turn ? turns : points).add(Node::object({{is_turn ? "body" : "point", name}, {"by", Node(by)}}));
      said += fmt::format("; {}{} by ({:.6g}, {:.6g}, {:.6g})", is_turn ? "turn of " : "", name, by[0], by[1], by[2]);
    }
    node.add("points", std::move(points));
    node.add("turns", std::move(turns));
  }

 private:
  [[nodiscard]] std::vector<double> at(const Vector& u) const { return explained_.at_start->with_speeds(values_, u); }

  const Explained& explained_;
  dynamics::System& system_;
  std::vector<std::pair<std::string, bool>> places_;  ///< and whether it is a turn of a body
  std::vector<expr::Expr> values_;
  std::vector<double> at_rest_;
};

/// Nonzero entries as {name, "by"}; in words "x by 1, y by -0.5".
Node entries_of(const Vector& v, const auto& quantities, const char* what, std::string& said) {
  Node list = Node::list();
  const double largest = v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0;
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    if (std::abs(v[i]) <= tolerance::kZero * largest) continue;
    const std::string& name = quantities[static_cast<std::size_t>(i)].name;
    list.add(Node::object({{what, name}, {"by", v[i]}}));
    said += fmt::format("{}{} by {:.6g}", said.empty() ? "" : ", ", name, v[i]);
  }
  return list;
}

}  // namespace

numeric::EchelonBasis displacement_basis(const Explained& explained) {
  const sim::Matrices& at = *explained.pieces;
  Vector weight = at.M.diagonal().cwiseAbs().cwiseSqrt();
  for (double& one : weight) one = one > 0.0 ? one : 1.0;
  return numeric::echelon_null_space(at.A, weight, explained.rank);
}

Node displacements_of(const Explained& explained) {
  const sim::CompiledModel& compiled = *explained.compiled;
  if (!explained.pieces || !explained.at_start || compiled.system->higher) return {};
  const sim::Matrices& at = *explained.pieces;
  const mechanics::Model& model = explained.model();
  const numeric::EchelonBasis basis = displacement_basis(explained);
  const bool depends = std::ranges::any_of(dynamics::classify(*explained.system),
                                           [](const dynamics::RowClass& row) { return row.is_dynamical; });
  Node node = Node::object({{"at", "start"}, {"depend_on_velocities", depends}});
  node.said = basis.free.empty()
                  ? "\nvirtual displacements: none\n"
                  : fmt::format("\nvirtual displacements at the start: {} independent, {}\n", basis.free.size(),
                                depends ? "dependent on the velocities" : "the same for all velocities");
  Node& list = node.add("basis", Node::list());
  const Moved moved(explained);
  for (std::size_t k = 0; k < basis.free.size(); ++k) {
    const Vector v = basis.Z.col(static_cast<Eigen::Index>(k));
    Node one = Node::object({{"free", model.speeds[static_cast<std::size_t>(basis.free[k])].name}});
    std::string of_speeds, said;
    one.add("speeds", entries_of(v, model.speeds, "speed", of_speeds));
    one.add("coordinates", entries_of(at.G * v, model.coordinates, "coordinate", said));
    moved.add_to(v, one, said);
    if (k < kMostShown) one.said = fmt::format("  {}: {}\n", model.speeds[basis.free[k]].name, said);
    list.add(std::move(one));
  }
  if (basis.free.size() > kMostShown)
    node.say(fmt::format("  and {} more, in --json\n", basis.free.size() - kMostShown));
  return node;
}

}  // namespace vinculum::out
