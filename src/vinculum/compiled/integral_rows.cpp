#include "vinculum/compiled/integral_rows.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <random>
#include <span>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/equations/sampling.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/expr/traversal.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;

// Largest number of speeds plus rows. Dense matrices of this size are factored in milliseconds.
constexpr int kMostUnknowns = 400;
constexpr unsigned kDraws = 2;   // number of sets of random parameter values, with three states each
constexpr double kSpread = 0.5;  // random values differ from the declared values by at most this fraction

std::vector<int> candidates_of(const Structure& structure) {
  const equations::System& system = *structure.system;
  std::vector<int> rows;
  // A row may be an integral of the motion only while another constraint acts. So there are no candidates if a
  // constraint acts under a condition.
  if (std::ranges::any_of(system.rows, [](const equations::Row& row) { return row.acts.is_valid(); })) return rows;
  for (int i = 0; i < system.nc(); ++i) {
    const equations::Row& row = nth(system.rows, i);
    const model::Law& law = *structure.model->constraint(row.constraint).law;
    const bool is_free = row.level == model::Level::kVelocity && row.conditions.empty() && !row.chi.is_valid();
    if (is_free && law.is_ideal() && law.actuators().empty() &&
        nth(structure.declared.embedding, i) == Embedding::kNone)
      rows.push_back(i);
  }
  return rows;
}

/// Draws random parameter values near the declared ones. Parameters that were used while the model was built keep their
/// values. Parameters that are defined by others are evaluated.
std::vector<double> drawn(const model::Model& model, std::span<const double> declared, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-kSpread, kSpread);
  model::Instant at;
  at.q.assign(model.coordinates.size(), 0.5);  // definitions depend on parameters only
  at.q_dot = at.q_ddot = at.q;
  at.parameters.assign(declared.begin(), declared.end());
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const model::Parameter& parameter = model.parameters[i];
    const double by = uniform(random);
    if (parameter.definition.is_valid()) {
      at.parameters[i] = model::TermValues(model, at).scalar(parameter.definition).value;
    } else if (parameter.fixed_by.empty()) {
      at.parameters[i] = declared[i] == 0.0 ? by : declared[i] * (1.0 + by);
    }
  }
  return at.parameters;
}

/// True if the expressions contain functions that may be constant, within rounding, over wide ranges, such as exp and
/// tanh. A few random states would miss a pulse in time or position.
bool has_flat_parts(std::span<const Expr> expressions) {
  const expr::Subgraph below(expressions);
  const expr::Graph& graph = expressions[0].graph();
  return std::ranges::any_of(below.nodes(), [&graph](expr::NodeId id) {
    const expr::Op op = graph.node(id).op;
    return op == expr::Op::kExponential || op == expr::Op::kHyperbolicTangent || op == expr::Op::kHyperbolicSine ||
           op == expr::Op::kHyperbolicCosine;
  });
}

/// M, f + C, A and b at one state.
struct Pieces {
  Matrix M, A;
  Vector f, b;
};

class Search {
 public:
  Search(const Structure& structure, std::vector<int> candidates)
      : structure_(structure), system_(*structure.system), found_(std::move(candidates)) {
    append(all_, system_.M.get());
    for (std::size_t r = 0; r < system_.u.size(); ++r) all_.push_back(system_.f[r] + system_.C[r]);
    for (const equations::Row& row : system_.rows) {
      append(all_, row.A.dense());
      all_.push_back(row.b);
    }
    for (const equations::Row& row : system_.rows) {
      for (const Expr relation : {row.phi, row.psi}) {
        if (relation.is_valid()) relations_.push_back(relation);
      }
    }
  }
  /// True if all expressions are analytic and not constant over wide ranges, so that an identity at a few random states
  /// holds at all states.
  [[nodiscard]] bool can_be_judged() const { return equations::are_analytic(all_) && !has_flat_parts(all_); }

  /// Adds those of the states that satisfy the constraints.
  void add(const RandomStates& states) {
    for (const std::vector<double>& state : states.values) {
      if (lies_on_rows(states.inputs, state)) pieces_.push_back(pieces_at(states.inputs, state));
    }
  }
  /// The candidates that are integrals of the motion at all states added so far.
  [[nodiscard]] const std::vector<int>& find() {
    if (pieces_.size() < 2) found_.clear();
    for (bool has_changed = true; has_changed && !found_.empty();) {
      std::vector<int> left;
      for (const int row : found_) {
        if (std::ranges::all_of(pieces_, [&](const Pieces& at) { return is_kept(row, at); })) left.push_back(row);
      }
      has_changed = left.size() < found_.size();
      found_ = std::move(left);
    }
    return found_;
  }

 private:
  /// True if φ and ψ at the state are rounding errors of their terms. This must be tested, because Newton's iteration
  /// for the state may have failed.
  [[nodiscard]] bool lies_on_rows(const std::vector<Expr>& inputs, const std::vector<double>& state) const {
    std::vector<Expr> gradient;
    for (const Expr relation : relations_) append(gradient, expr::gradient(relation, inputs));
    const std::vector<double> missed = expr::interpret(relations_, inputs, state),
                              slope = expr::interpret(gradient, inputs, state);
    for (std::size_t k = 0; k < missed.size(); ++k) {
      double size = 0.0;
      for (std::size_t i = 0; i < inputs.size(); ++i) size += std::abs(slope[k * inputs.size() + i] * state[i]);
      if (!(std::abs(missed[k]) <= tolerance::kZero * size)) return false;
    }
    return true;
  }
  [[nodiscard]] Pieces pieces_at(const std::vector<Expr>& inputs, const std::vector<double>& state) const {
    const std::vector<double> values = expr::interpret(all_, inputs, state);
    const Eigen::Index nu = system_.nu(), nc = system_.nc();
    const double* at = values.data();
    const auto vector = [&at](Eigen::Index n) { return at += n, Vector(Eigen::Map<const Vector>(at - n, n)); };
    Pieces pieces{Matrix(nu, nu), Matrix(nc, nu), Vector(), Vector(nc)};
    for (Eigen::Index r = 0; r < nu; ++r) pieces.M.row(r) = vector(nu).transpose();
    pieces.f = vector(nu);
    for (Eigen::Index i = 0; i < nc; ++i) {
      pieces.A.row(i) = vector(nu).transpose();
      pieces.b[i] = *at++;
    }
    return pieces;
  }
  [[nodiscard]] bool is_among_found(int row) const { return std::ranges::find(found_, row) != found_.end(); }

  /// True if the accelerations that are computed without any candidate row satisfy this row, and the row does not
  /// depend on other rows.
  [[nodiscard]] bool is_kept(int row, const Pieces& at) const {
    std::vector<int> others;
    for (int i = 0; i < system_.nc(); ++i) {
      if (!is_among_found(i) && nth(structure_.declared.embedding, i) == Embedding::kNone) others.push_back(i);
    }
    solve::ConstrainedSolve solver(system_.nu(), static_cast<int>(others.size()));
    solve::Solution motion;
    if (!solver.factor(at.M, at.A(others, Eigen::all)) || !solver.solve(at.f, at.b(others), motion)) return false;
    const Vector along = at.A.row(row);
    const double missed = at.b[row] - along.dot(motion.u),
                 size = std::abs(at.b[row]) + along.cwiseAbs().dot(motion.u.cwiseAbs());
    return std::abs(missed) <= tolerance::kIdentity * size && !is_implied(row, at);
  }
  /// True if the row is a linear combination of all other rows, candidates included.
  [[nodiscard]] bool is_implied(int row, const Pieces& at) const {
    const Vector unit =
        at.M.diagonal().cwiseAbs().unaryExpr([](double m) { return m > 0.0 ? 1.0 / std::sqrt(m) : 1.0; });
    std::vector<int> others;
    for (int i = 0; i < system_.nc(); ++i)
      if (i != row) others.push_back(i);
    Matrix rows = unit.asDiagonal() * at.A(others, Eigen::all).transpose();
    for (Eigen::Index k = 0; k < rows.cols(); ++k)
      if (const double length = rows.col(k).norm(); length > 0.0) rows.col(k) /= length;
    const Vector own = unit.cwiseProduct(at.A.row(row).transpose());
    if (rows.cols() == 0) return own.norm() == 0.0;
    const Vector left = own - rows * rows.completeOrthogonalDecomposition().solve(own);
    return left.norm() <= tolerance::kAtStates * own.norm();
  }

  const Structure& structure_;
  const equations::System& system_;
  std::vector<int> found_;
  std::vector<Expr> all_, relations_;
  std::vector<Pieces> pieces_;
};

}  // namespace

std::vector<int> integral_rows(const Structure& structure, std::span<const double> declared, const RandomStates& states,
                               unsigned seed) {
  const equations::System& system = *structure.system;
  const bool is_plain = !system.higher && !system.has_nonlinear_rows && !system.has_implicit_nonideal &&
                        system.directed.empty() && system.slides.empty() && !system.has_indefinite_mass;
  if (!is_plain || system.nu() + system.nc() > kMostUnknowns) return {};
  std::vector<int> candidates = candidates_of(structure);
  for (const model::Event& event : structure.model->events) {
    for (const model::EventAction& action : event.actions) {
      // If an event changes the value of ψ at an instant, an impulse of the row is needed to restore ψ = 0. Such a row
      // is no candidate.
      using Kind = model::EventAction::Kind;
      if (action.kind == Kind::kSetSpeed || action.kind == Kind::kClose) return {};
      if (action.kind != model::EventAction::Kind::kSetState) continue;
      const expr::Expr set = system.z[action.index];
      std::erase_if(candidates, [&](int row) {
        return expr::depends_on(system.rows[static_cast<std::size_t>(row)].psi, {&set, 1});
      });
    }
  }
  if (candidates.empty()) return {};
  Search search(structure, std::move(candidates));
  if (!search.can_be_judged()) return {};
  search.add(states);
  if (search.find().empty()) return {};
  std::mt19937_64 random(seed);
  for (unsigned k = 1; k <= kDraws; ++k) {
    const auto others =
        random_states(structure, structure.declared.embedding, seed + k, drawn(*structure.model, declared, random));
    if (!others) return {};
    search.add(*others);
  }
  return search.find();
}

}  // namespace vinculum::sim
