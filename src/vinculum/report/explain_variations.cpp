// Compares variations of the motion with virtual displacements ([S] 3.14–3.17; theory.md §11), at single states and
// along the motion.
#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/equations/rate_space.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/numeric/null_space.hpp"
#include "vinculum/report/explained.hpp"
#include "vinculum/report/failure_report.hpp"
#include "vinculum/run/variations.hpp"

namespace vinculum::report {
namespace {

using model::Level;
using model::Model;
using model::Term;

constexpr int kInstants = 40;  // number of instants along the motion, in addition to the start
constexpr std::size_t kMostFollowed = 12;

/// Computes the rank of the matrix of the rows' Euler–Lagrange expressions along the virtual displacements. Each
/// expression is relative to the magnitude of its terms.
int rank_of_variations(const std::vector<model::LawChange>& changes, const Explained& explained, const Reported& at,
                       const sim::Sample& sample) {
  const equations::System& system = *explained.system;
  const auto nu = static_cast<Eigen::Index>(system.u.size());
  const Vector& displacement = explained.displacement;
  Matrix A = Matrix::Zero(static_cast<Eigen::Index>(system.rows.size()), nu);
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    if (!sim::restricts_speeds(nth(explained.bound->embedding(), i))) continue;
    const std::vector<double> gradient = at.of(system.rows[static_cast<std::size_t>(i)].A.dense());
    A.row(i) = Eigen::Map<const Eigen::RowVectorXd>(gradient.data(), nu) * displacement.asDiagonal();
  }
  const Matrix Z = numeric::null_space(A, tolerance::kAtStates);
  Matrix E = Matrix::Zero(static_cast<Eigen::Index>(changes.size()), nu);
  for (Eigen::Index i = 0; i < E.rows(); ++i) {
    const model::LawChange& change = changes[static_cast<std::size_t>(i)];
    const std::vector<Rounded> f = at.rounded(change.f), M = at.rounded(change.M);
    double size = 0.0;
    for (Eigen::Index r = 0; r < nu; ++r) {
      Rounded sum = f[static_cast<std::size_t>(r)];
      for (Eigen::Index s = 0; s < nu && !M.empty(); ++s)
        sum -= M[static_cast<std::size_t>(r * nu + s)] * sample.reaction.u_dot()[s];
      if (sum.may_be_zero()) continue;
      E(i, r) = sum.value * displacement[r];
      size = std::max({size, std::abs(E(i, r)), sum.error / tolerance::kRounding * displacement[r]});
    }
    if (size > 0.0) E.row(i) /= size;
  }
  const Matrix along = E * Z;
  if (along.size() == 0 || !along.allFinite()) return 0;
  Matrix kept(along.rows(), along.cols());
  Eigen::Index count = 0;
  for (Eigen::Index i = 0; i < along.rows(); ++i) {
    if (along.row(i).norm() > tolerance::kAtStates) kept.row(count++) = along.row(i);
  }
  return static_cast<int>(Z.cols() - numeric::null_space(kept.topRows(count), tolerance::kAtStates).cols());
}

/// Returns the Euler–Lagrange expressions of the rows at velocity level. These are the terms that Hamilton's principle
/// would add to the equations of motion.
std::vector<model::LawChange> changes_of(const Explained& explained) {
  equations::System& system = *explained.system;
  const Model& model = explained.model();
  equations::RateSpace rates(system);
  std::vector<model::LawChange> changes;
  for (const equations::Row& row : system.rows) {
    const Term relation = model.constraint(row.constraint).rows[static_cast<std::size_t>(row.index)];
    if (model::level_of(model, relation) != Level::kVelocity || model::holds_state(relation)) continue;
    changes.push_back(rates.variation(rates.velocity_row(relation)));
  }
  return changes;
}

/// Measures the component of variations of the coordinates that violates the rows, in units 1/√M_rr of the speeds.
class Across {
 public:
  Across(const Explained& explained, const Matrix& at_start)
      : reach_(explained.reach), displacement_(explained.displacement), size_(Vector::Zero(at_start.cols())) {}

  /// \returns [variations] length of the component that violates the rows, relative to the length of the variation at
  /// this instant or at the start, whichever is larger.
  [[nodiscard]] Vector of(const sim::Matrices& at, const Matrix& w) {
    const Vector weight = displacement_weight(at.metric, displacement_);
    const Matrix dq = reach_.cwiseInverse().asDiagonal() * w.topRows(at.G.rows());
    const Matrix G = reach_.cwiseInverse().asDiagonal() * at.G * weight.cwiseInverse().asDiagonal();
    const Matrix v = G.completeOrthogonalDecomposition().solve(dq);
    const Matrix Z = numeric::null_space(Matrix(at.A * weight.cwiseInverse().asDiagonal()), tolerance::kAtStates);
    const Matrix across = v - Z * (Z.transpose() * v);
    Vector shares(v.cols());
    for (Eigen::Index k = 0; k < v.cols(); ++k) {
      if (size_[k] == 0.0) size_[k] = v.col(k).norm();
      const double size = std::max(size_[k], v.col(k).norm());
      shares[k] = size > 0.0 ? across.col(k).norm() / size : 0.0;
    }
    return shares;
  }

 private:
  const Vector &reach_, &displacement_;
  Vector size_;  ///< lengths of the variations at the start
};

/// Size of the component of a variation that violates the rows: the largest value and its time, and the value at the
/// end.
struct Leaving {
  double largest = 0.0, t = 0.0, at_end = 0.0;
};

struct AlongMotion {
  Node instants = Node::list();
  std::vector<Leaving> variations;
  int least = 0, most = 0;  ///< smallest and largest rank over the instants
  double t_end = 0.0;
};

AlongMotion follow(const Explained& explained, sim::Dynamics& dynamics, const std::vector<sim::Varied>& motion) {
  const std::vector<model::LawChange> changes = changes_of(explained);
  AlongMotion along;
  along.variations.resize(static_cast<std::size_t>(motion.front().w.cols()));
  Across across(explained, motion.front().w);
  for (const sim::Varied& one : motion) {
    sim::Matrices at;
    sim::Sample sample;
    if (!dynamics.matrices(dynamics.mode(), one.t, one.y.data(), at) || !dynamics.report(one.t, one.y.data(), sample))
      break;
    const Vector shares = across.of(at, one.w);
    const int rank = rank_of_variations(changes, explained,
                                        Reported(*explained.system, explained.bound->parameters, sample), sample);
    const bool is_first = along.instants.parts.empty();
    along.least = is_first ? rank : std::min(along.least, rank);
    along.most = is_first ? rank : std::max(along.most, rank);
    along.t_end = one.t;
    for (std::size_t k = 0; k < along.variations.size(); ++k) {
      Leaving& leaving = along.variations[k];
      leaving.at_end = shares[static_cast<Eigen::Index>(k)];
      if (leaving.at_end > leaving.largest) leaving.largest = leaving.at_end, leaving.t = one.t;
    }
    along.instants.add(Node::object({{"t", one.t}, {"rank", rank}, {"across", Node(shares)}}));
  }
  along.instants.hush();
  return along;
}

Node not_followed(const std::string& why) {
  Node node = Node::object({{"not_followed", why}});
  node.said = "\nvariations along the motion were not computed: " + why + "\n";
  return node;
}

std::string table_of(const Explained& explained, const numeric::EchelonBasis& basis, const AlongMotion& along) {
  std::vector<std::vector<std::string>> cells{{"that begins as", "largest share across", "at t", "at the end"}};
  for (std::size_t k = 0; k < along.variations.size() && k < kMostFollowed; ++k) {
    const Leaving& one = along.variations[k];
    cells.push_back({explained.model().speeds[static_cast<std::size_t>(basis.free[k])].name,
                     fmt::format("{:.6g}", one.largest), fmt::format("{:.6g} s", one.t),
                     fmt::format("{:.6g}", one.at_end)});
  }
  std::string text = aligned(cells, "  ");
  if (along.variations.size() > kMostFollowed)
    text += fmt::format("  and {} more, in --json\n", along.variations.size() - kMostFollowed);
  return text;
}

}  // namespace

Node variations_along(const Explained& explained, double duration) {
  const sim::CompiledModel& compiled = *explained.bound;
  if (compiled.system->higher)
    return not_followed("constraints of higher order have no virtual displacements of speeds");
  if (!explained.start || !explained.pieces || !explained.system) return not_followed("there is no start");
  const numeric::EchelonBasis basis = displacement_basis(explained);
  if (basis.free.empty()) return not_followed("there are no virtual displacements");
  sim::Dynamics dynamics(explained.bound);
  const auto start = sim::assemble(dynamics);
  if (!start) return not_followed(start.error().message);
  sim::SimulateOptions options = sim::options_of(*compiled.model);
  options.duration = duration;
  std::optional<Failure> stopped;
  const auto motion =
      sim::vary(dynamics, *start, sim::variations_from(dynamics, *start, basis.Z), options, kInstants, stopped);
  if (!motion) return not_followed(motion.error().message);
  AlongMotion along = follow(explained, dynamics, *motion);

  double largest = 0.0;
  Node variations = Node::list();
  for (std::size_t k = 0; k < along.variations.size(); ++k) {
    const Leaving& one = along.variations[k];
    largest = std::max(largest, one.largest);
    variations.add(Node::object({{"free", explained.model().speeds[static_cast<std::size_t>(basis.free[k])].name},
                                 {"largest", one.largest},
                                 {"t", one.t},
                                 {"at_end", one.at_end}}));
  }
  const bool are_same = largest <= std::max(tolerance::kHalfDigits, tolerance::kPerDefect * options.tolerance);
  Node node = Node::object({{"from", start->t0}, {"to", along.t_end}});
  node.said = fmt::format("\nvariations along the motion, {:.6g} to {:.6g} s, that begin as virtual displacements\n",
                          start->t0, along.t_end) +
              table_of(explained, basis, along);
  node.add("rank", Node::object({{"least", along.least}, {"most", along.most}})).said =
      along.least == along.most
          ? fmt::format("  rank {} of the rows in velocities along the displacements throughout\n", along.most)
          : fmt::format("  rank {} to {} of the rows in velocities along the displacements\n", along.least, along.most);
  node.add("stay_virtual", are_same).said =
      are_same ? "  they stay virtual displacements: a variation of the motion is one\n"
               : "  they do not stay virtual displacements: a variation of the motion need not be one\n";
  node.add("variations", std::move(variations)).hush();
  node.add("instants", std::move(along.instants));
  sim::Trajectory run;
  run.stopped = stopped;
  node.add("stopped", stopped_node(compiled, run)).hush();
  if (stopped) node.say(fmt::format("  not followed beyond: {}\n", stopped->message));
  return node;
}

Node variations_of(const Explained& explained) {
  if (explained.system == nullptr || explained.system->higher) return nullptr;
  equations::System& system = *explained.system;
  const std::vector<model::LawChange> changes = changes_of(explained);
  if (changes.empty()) return nullptr;
  int rank = 0;
  Node at_start;
  if (explained.start) {
    rank = rank_of_variations(changes, explained, *explained.at_start, *explained.start);
    at_start = rank;
  }
  for (const sim::Sample& sample : explained.others) {
    const Reported at(system, explained.bound->parameters, sample);
    rank = std::max(rank, rank_of_variations(changes, explained, at, sample));
  }
  Node node = Node::object({{"rows", static_cast<int>(changes.size())}, {"rank", rank}, {"rank_at_start", at_start}});
  node.said = rank == 0
                  ? "\nvariations of the motion: some are virtual displacements; the laws do not differ by them\n"
                  : fmt::format(
                        "\nvariations of the motion: the virtual displacements are none; rank {} over {} row{} in "
                        "velocities\n",
                        rank, changes.size(), changes.size() == 1 ? "" : "s");
  return node;
}

}  // namespace vinculum::report
