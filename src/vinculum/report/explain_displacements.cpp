// Reports a basis of the virtual displacements at the start, with the points and bodies that each displacement moves.
// Source: [SZ] Prop. 2, Cor. 3; theory.md §2.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/equations/classify.hpp"
#include "vinculum/equations/lowering.hpp"
#include "vinculum/numeric/null_space.hpp"
#include "vinculum/report/explained.hpp"

namespace vinculum::report {
namespace {

// Largest number of displacements in the text; JSON contains all of them.
constexpr std::size_t kMostShown = 12;

/// Computes the velocities of points and bodies along a virtual displacement. Velocities are affine in the speeds, so
/// they are the velocities with these speeds minus the velocities at rest.
class Moved {
 public:
  explicit Moved(const Explained& explained) : explained_(explained), system_(*explained.system) {
    using model::Model;
    const Model& model = explained.model();
    const auto add = [&](std::string name, bool turns, const equations::ExprVector& velocity) {
      places_.push_back({std::move(name), turns});
      values_.insert(values_.end(), velocity.begin(), velocity.end());
    };
    equations::Lowering& lowering = *system_.lowering;
    for (const model::Particle& particle : model.particles)
      add(particle.name, false, lowering.point_motion(particle.point, 1, Model::newtonian(), Model::newtonian()));
    for (const model::Body& body : model.bodies) {
      add(body.name, false, lowering.point_motion(body.center, 1, Model::newtonian(), Model::newtonian()));
      add(body.name, true, lowering.angular_velocity(body.frame, Model::newtonian(), Model::newtonian()));
    }
    at_rest_ = explained_.at_start->with_speeds(values_, std::vector<Rounded>(system_.u.size()));
  }

  /// Adds the lists "points" and "turns" to the node, and their text to `said`.
  void add_to(std::span<const Rounded> v, Node& node, std::string& said) const {
    const std::vector<Rounded> moving = explained_.at_start->with_speeds(values_, v);
    Node points = Node::list(), turns = Node::list();
    for (std::size_t i = 0; i < places_.size(); ++i) {
      std::array<double, 3> by{};
      for (std::size_t k = 0; k < 3; ++k) {
        const Rounded one = moving[3 * i + k] - at_rest_[3 * i + k];
        by[k] = one.may_be_zero() ? 0.0 : one.value;
      }
      const double size = std::hypot(by[0], by[1], by[2]);
      if (size == 0.0) continue;
      for (double& one : by) one = std::abs(one) <= tolerance::kZero * size ? 0.0 : one;
      const auto& [name, is_turn] = places_[i];
      (is_turn ? turns : points).add(Node::object({{is_turn ? "body" : "point", name}, {"by", Node(by)}}));
      said += fmt::format("; {}{} by ({:.6g}, {:.6g}, {:.6g})", is_turn ? "turn of " : "", name, by[0], by[1], by[2]);
    }
    node.add("points", std::move(points));
    node.add("turns", std::move(turns));
  }

 private:
  const Explained& explained_;
  equations::System& system_;
  std::vector<std::pair<std::string, bool>> places_;  ///< name, and whether it is the rotation of a body
  std::vector<expr::Expr> values_;
  std::vector<Rounded> at_rest_;
};

/// Returns the magnitudes below which the entries of v count as rounding errors: relative to the largest entry, with
/// entries in units of `size`. [entries of v]
Vector least_entries(const Vector& v, const Vector& size) {
  return tolerance::kZero * (v.size() > 0 ? v.cwiseQuotient(size).cwiseAbs().maxCoeff() : 0.0) * size;
}

/// Entries of v that exceed their rounding errors, as a list of {name, "by"}; as text "x by 1, y by -0.5".
Node entries_of(const Vector& v, const Vector& rounding, const auto& quantities, const char* what, std::string& said) {
  Node list = Node::list();
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    if (std::abs(v[i]) <= rounding[i]) continue;
    const std::string& name = quantities[static_cast<std::size_t>(i)].name;
    list.add(Node::object({{what, name}, {"by", v[i]}}));
    said += fmt::format("{}{} by {:.6g}", said.empty() ? "" : ", ", name, v[i]);
  }
  return list;
}

}  // namespace

Vector displacement_weight(ConstMatrix M, const Vector& displacement) {
  Vector weight = M.diagonal().cwiseAbs().cwiseSqrt();
  const double heaviest = weight.size() > 0 ? weight.cwiseProduct(displacement).maxCoeff() : 0.0;
  for (Eigen::Index r = 0; r < weight.size(); ++r) {
    if (!(weight[r] > 0.0)) weight[r] = (heaviest > 0.0 ? heaviest : 1.0) / displacement[r];
  }
  return weight;
}

numeric::EchelonBasis displacement_basis(const Explained& explained) {
  const sim::Matrices& at = *explained.pieces;
  return numeric::echelon_null_space(at.A, displacement_weight(at.M, explained.displacement), explained.rank);
}

Node displacements_of(const Explained& explained) {
  const sim::CompiledModel& compiled = *explained.bound;
  if (!explained.pieces || !explained.at_start || compiled.system->higher) return {};
  const sim::Matrices& at = *explained.pieces;
  const model::Model& model = explained.model();
  const numeric::EchelonBasis basis = displacement_basis(explained);
  const bool depends = std::ranges::any_of(equations::classify(*explained.system),
                                           [](const equations::RowClass& row) { return row.is_dynamical; });
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
    const Vector least = least_entries(v, displacement_weight(at.M, explained.displacement).cwiseInverse());
    one.add("speeds", entries_of(v, least, model.speeds, "speed", of_speeds));
    one.add("coordinates", entries_of(at.G * v, at.G.cwiseAbs() * least, model.coordinates, "coordinate", said));
    std::vector<Rounded> rounded;
    for (Eigen::Index r = 0; r < v.size(); ++r) rounded.emplace_back(v[r], least[r]);
    moved.add_to(rounded, one, said);
    if (k < kMostShown) one.said = fmt::format("  {}: {}\n", model.speeds[basis.free[k]].name, said);
    list.add(std::move(one));
  }
  if (basis.free.size() > kMostShown)
    node.say(fmt::format("  and {} more, in --json\n", basis.free.size() - kMostShown));
  return node;
}

}  // namespace vinculum::report
