#include "vinculum/solve/static_ldlt.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/solve/elimination_order.hpp"

namespace vinculum::solve {
namespace {

using expr::Expr;

void add_to(Expr& sum, Expr term) { sum = sum.is_valid() ? sum + term : term; }

/// The constant that all entries of a row have as their factor, up to signs; 1 where there is none. Without it the
/// 2 of a squared length would be multiplied again and again.
double common_factor(const std::vector<Expr>& row) {
  double common = 0.0;
  for (const Expr entry : row) {
    if (entry.is_zero()) continue;
    const expr::Graph::Node& node = entry.graph().node(entry);
    double factor = 1.0;
    if (entry.is_constant()) {
      factor = std::abs(entry.value());
    } else if (node.op == expr::Op::kMultiply) {
      const Expr first(&entry.graph(), node.operands[0]);
      if (first.is_constant()) factor = std::abs(first.value());
    }
    if (common != 0.0 && factor != common) return 1.0;
    common = factor;
  }
  return common == 0.0 ? 1.0 : common;
}

Expr missed(const std::vector<Expr>& A, std::span<const Expr> u, Expr b) {
  Expr sum = b.graph().constant(0.0);
  for (std::size_t j = 0; j < A.size(); ++j) sum += A[j] * u[j];
  return b - sum;
}

void raise_to(Expr& largest, Expr value) { largest = largest.is_valid() ? expr::maximum(largest, value) : value; }

}  // namespace

StaticLdlt::StaticLdlt(const SymbolicSystem& system, const StaticStructure& structure)
    : system_(system), structure_(structure), graph_(nullptr) {
  const auto nu = static_cast<std::size_t>(system.nu);
  VINCULUM_EXPECTS(system.nu > 0 && system.M.size() == nu * nu);
  VINCULUM_EXPECTS(structure.representative.size() == system.A.size() && structure.factor.size() == system.A.size());
  VINCULUM_EXPECTS(!structure.is_mass_singular || structure.weights.size() == system.A.size());
  graph_ = &system.M.front().graph();
  for (std::size_t i = 0; i < system.A.size(); ++i) {
    VINCULUM_EXPECTS(system.A[i].size() == nu);
    if (structure.representative[i] == static_cast<int>(i)) kept_.push_back(static_cast<int>(i));
  }
  for (const int row : kept_) {
    const std::vector<Expr>& A = system_.A[static_cast<std::size_t>(row)];
    unit_.push_back(common_factor(A));
    A_.push_back(A);
    for (Expr& entry : A_.back()) entry = entry / unit_.back();
  }
  eliminate(assemble());
}

std::vector<Expr> StaticLdlt::assemble() const {
  const std::size_t nu = static_cast<std::size_t>(system_.nu);
  const std::size_t nodes = nu + kept_.size();
  std::vector<Expr> K(nodes * nodes);
  for (std::size_t i = 0; i < nu; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const Expr entry = system_.M[i * nu + j];
      if (!entry.is_zero()) K[i * nodes + j] = K[j * nodes + i] = entry;
    }
  }
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const std::vector<Expr>& A = A_[k];
    for (std::size_t j = 0; j < nu; ++j) {
      if (!A[j].is_zero()) K[(nu + k) * nodes + j] = K[j * nodes + nu + k] = A[j];
    }
    const double weight = weight_of(k);
    if (weight == 0.0) continue;
    for (std::size_t i = 0; i < nu; ++i) {
      if (A[i].is_zero()) continue;
      const Expr weighted = weight * A[i];
      for (std::size_t j = 0; j <= i; ++j) {
        if (A[j].is_zero()) continue;
        add_to(K[i * nodes + j], weighted * A[j]);
        K[j * nodes + i] = K[i * nodes + j];
      }
    }
  }
  return K;
}

double StaticLdlt::weight_of(std::size_t k) const {
  if (!structure_.is_mass_singular) return 0.0;
  return structure_.weights[static_cast<std::size_t>(kept_[k])] * unit_[k] * unit_[k];
}

/// What elimination has left of K, with the block of rows and rows negated: it becomes A M⁻¹ Aᵀ, M what forces meet
/// that keep the rows eliminated so far, and all pivots are positive. Which nodes touch is kept beside the entries, so
/// that elimination costs what it changes.
struct StaticLdlt::Remainder {
  struct Node {
    std::vector<int> touched;  ///< other nodes with an entry in its row, eliminated ones too
    Expr before;               ///< its diagonal entry before any reduction
    Expr stiffness;            ///< of a coordinate: what rows have added to it, where any has
    bool is_done = false, is_reduced = false;
  };
  /// What coordinates of one inertia leave between two rows: Σ A_i A_j, and Σ (A_i/D) A_j.
  struct Share {
    Expr inverse_pivot, products, parts;
    int count = 1;
  };
  std::vector<Expr> S;  // [nodes × nodes], without `shares`
  std::vector<Node> nodes;
  std::map<std::pair<int, int>, std::vector<Share>> shares;  // between rows i ≥ j

  Remainder(int nu, std::vector<Expr> K, int count) : S(std::move(K)), nodes(static_cast<std::size_t>(count)) {
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < i; ++j) {
        if (at(i, j).is_valid()) touch(i, j);
      }
      if (i < nu) node(i).before = at(i, i);
    }
  }
  [[nodiscard]] Expr& at(int i, int j) {
    return S[static_cast<std::size_t>(i) * nodes.size() + static_cast<std::size_t>(j)];
  }
  [[nodiscard]] Node& node(int i) { return nodes[static_cast<std::size_t>(i)]; }
  void touch(int i, int j) {
    node(i).touched.push_back(j);
    node(j).touched.push_back(i);
  }
  [[nodiscard]] bool are_met(int i, int j) {
    return at(i, j).is_valid() || shares.contains({std::max(i, j), std::min(i, j)});
  }
  void share(int i, int j, Share more) {
    std::vector<Share>& of = shares[{std::max(i, j), std::min(i, j)}];
    const auto known = std::ranges::find(of, more.inverse_pivot, &Share::inverse_pivot);
    if (known == of.end()) {
      of.push_back(more);
      return;
    }
    known->products += more.products;
    known->parts += more.parts;
    ++known->count;
  }
  /// Shares come to the entry once there are no more. The inertia is taken last where what it divides is no sum any
  /// more: m⁻¹ (sin² + cos²) does not vary.
  void settle(int i, int j) {
    const auto found = shares.find({std::max(i, j), std::min(i, j)});
    if (found == shares.end()) return;
    Expr sum;
    for (const Share& one : found->second) {
      const expr::Op op = one.products.graph().node(one.products).op;
      const bool is_sum = one.count == 1 || op == expr::Op::kAdd || op == expr::Op::kSubtract;
      add_to(sum, is_sum ? one.parts : one.inverse_pivot * one.products);
    }
    shares.erase(found);
    if (i == j) node(i).before = sum;
    add_to(at(i, j), sum);
    at(j, i) = at(i, j);
  }
  /// Takes a node out. \returns what it still touches, in ascending order.
  std::vector<int> close(int i) {
    node(i).is_done = true;
    std::vector<int> touched;
    for (const int j : node(i).touched) {
      if (!node(j).is_done) touched.push_back(j);
    }
    std::ranges::sort(touched);
    return touched;
  }
};

/// 1/D of a node, and what must hold for it.
Expr StaticLdlt::inverse_pivot(Remainder& left, int node) {
  const Expr pivot = left.at(node, node);
  if (!pivot.is_valid() || pivot.is_zero() || !left.node(node).before.is_valid()) {
    raise_to(pivot_guard_, graph_->constant(1.0));  // nothing determines this unknown: never accepted
    return graph_->constant(1.0);
  }
  if (left.node(node).is_reduced) {
    const double threshold = is_row(node) ? tolerance::kWeakRow : tolerance::kWeakMass;
    raise_to(pivot_guard_, threshold * left.node(node).before - pivot);
    if (left.node(node).stiffness.is_valid())
      raise_to(pivot_guard_, tolerance::kWeakRow * left.node(node).stiffness - pivot);
  } else if (!(pivot.is_constant() && pivot.value() > 0.0)) {
    raise_to(pivot_guard_, is_row(node) ? tolerance::kLeast - pivot : -pivot);
  }
  return 1.0 / pivot;
}

void StaticLdlt::reduce_by(const Column& column, Remainder& left) {
  for (std::size_t a = 0; a < column.L.size(); ++a) {
    const int i = column.L[a].node;
    for (std::size_t b = 0; b <= a; ++b) {
      const int j = column.L[b].node;
      const Expr other = left.at(j, column.node), part = column.L[a].value * other;
      if (i != j && !left.are_met(i, j)) left.touch(i, j);
      const bool is_added = is_row(i) == is_row(j) && is_row(i) != is_row(column.node);
      if (is_added && is_row(i)) {
        left.share(i, j, {column.inverse_pivot, left.at(i, column.node) * other, part});
        continue;
      }
      Expr& entry = left.at(i, j);
      if (is_added) {
        add_to(entry, part);
      } else {
        entry = entry.is_valid() ? entry - part : -part;
      }
      left.at(j, i) = entry;
      if (i != j) continue;
      if (is_added) {
        add_to(left.node(i).stiffness, part);
      } else {
        left.node(i).is_reduced = true;
      }
    }
  }
}

void StaticLdlt::eliminate(std::vector<Expr> K) {
  const int count = system_.nu + static_cast<int>(kept_.size());
  Remainder left(system_.nu, std::move(K), count);
  is_alone_.assign(kept_.size(), 0);
  pivots_.resize(kept_.size());
  Touches touches;
  for (const Remainder::Node& node : left.nodes) touches.push_back(node.touched);
  for (const int node : elimination_order(touches, system_.nu)) {
    const std::vector<int> touched = left.close(node);
    left.settle(node, node);
    for (const int i : touched) left.settle(i, node);
    if (is_row(node))
      is_alone_[static_cast<std::size_t>(node - system_.nu)] = touched.empty() && !left.node(node).is_reduced;
    Column column{node, inverse_pivot(left, node), {}};
    if (is_row(node) && !touched.empty()) pivots_[static_cast<std::size_t>(node - system_.nu)] = left.at(node, node);
    for (const int i : touched) {
      column.L.push_back({i, left.at(i, node) * column.inverse_pivot});
      couples_coordinates_ = couples_coordinates_ || !is_row(i);
    }
    reduce_by(column, left);
    columns_.push_back(std::move(column));
  }
  if (!pivot_guard_.is_valid()) pivot_guard_ = zero();
}

StaticLdlt::Reduced StaticLdlt::reduce(std::vector<Expr> right) const {
  Reduced reduced{{}, std::vector<Expr>(right.size(), zero())};
  for (auto i = static_cast<std::size_t>(system_.nu); i < right.size(); ++i)
    reduced.scale[i] = expr::absolute(right[i]);
  for (const Column& column : columns_) {
    const Expr y = right[static_cast<std::size_t>(column.node)];
    if (y.is_zero()) continue;
    for (const Coefficient& entry : column.L) {
      const auto i = static_cast<std::size_t>(entry.node);
      const Expr part = entry.value * y;
      right[i] = is_row(column.node) && !is_row(entry.node) ? right[i] + part : right[i] - part;
      if (is_row(entry.node)) reduced.scale[i] += expr::absolute(part);
    }
  }
  for (const Column& column : columns_) {
    Expr& z = right[static_cast<std::size_t>(column.node)];
    z = z * column.inverse_pivot;
  }
  reduced.z = std::move(right);
  return reduced;
}

std::vector<Expr> StaticLdlt::substitute_back(std::vector<Expr> z) const {
  for (auto column = columns_.rbegin(); column != columns_.rend(); ++column) {
    Expr& x = z[static_cast<std::size_t>(column->node)];
    for (const Coefficient& entry : column->L) {
      const Expr part = entry.value * z[static_cast<std::size_t>(entry.node)];
      x = is_row(entry.node) && !is_row(column->node) ? x + part : x - part;
    }
  }
  return z;
}

bool StaticLdlt::is_multiple_in_form(std::size_t row, std::span<const Expr> r_b) const {
  if (structure_.representative[row] < 0) return structure_.representative[row] == StaticStructure::kNothing;
  const auto kept = static_cast<std::size_t>(structure_.representative[row]);
  const double factor = structure_.factor[row];
  for (std::size_t j = 0; j < system_.A[row].size(); ++j) {
    if (!(system_.A[row][j] - factor * system_.A[kept][j]).is_zero()) return false;
  }
  return (r_b[row] - factor * r_b[kept]).is_zero();
}

void StaticLdlt::share_multipliers(std::span<const Expr> of_kept, std::vector<Expr>& lambda) const {
  const std::size_t nc = system_.A.size();
  std::vector<double> sharers(nc, 0.0);
  for (const int representative : structure_.representative) {
    if (representative >= 0) sharers[static_cast<std::size_t>(representative)] += 1.0;
  }
  lambda.assign(nc, zero());
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const auto kept = static_cast<std::size_t>(kept_[k]);
    for (std::size_t i = 0; i < nc; ++i) {
      if (structure_.representative[i] != kept_[k]) continue;
      // Equal shares of the equilibrated rows: λ_i c_i is the same for all of them.
      lambda[i] = of_kept[k] * (1.0 / (structure_.factor[i] * unit_[k] * sharers[kept]));
    }
  }
}

StaticSolution StaticLdlt::solve(std::span<const Expr> r_f, std::span<const Expr> r_b, int refinements) const {
  const std::size_t nu = static_cast<std::size_t>(system_.nu);
  const std::size_t nc = system_.A.size();
  VINCULUM_EXPECTS(r_f.size() == nu && r_b.size() == nc);
  std::vector<Expr> right(r_f.begin(), r_f.end());
  std::vector<Expr> b;  // of the kept rows, divided by their units
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    b.push_back(r_b[static_cast<std::size_t>(kept_[k])] / unit_[k]);
    const double weight = weight_of(k);
    if (weight == 0.0) continue;
    for (std::size_t j = 0; j < nu; ++j) right[j] += A_[k][j] * (weight * b[k]);
  }
  right.insert(right.end(), b.begin(), b.end());

  const Reduced reduced = reduce(std::move(right));
  std::vector<Expr> x = substitute_back(reduced.z);  // u, then λ of the kept rows
  StaticSolution solution;
  std::vector<Expr> correction(x.size(), zero());
  const double tolerance = refinements > 0 ? tolerance::kQuadratic : tolerance::kConverged;
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    correction[nu + k] = missed(A_[k], std::span(x).first(nu), b[k]);
    if (is_alone_[k] != 0 && !couples_coordinates_) continue;  // one quotient: it misses no more than rounding
    Expr allowed = tolerance * reduced.scale[nu + k];
    if (couples_coordinates_) {
      // Where coordinates are eliminated one after the other what meets in a row may cancel before it gets there.
      for (std::size_t j = 0; j < nu; ++j) allowed += tolerance * expr::absolute(A_[k][j] * x[j]);
    } else if (pivots_[k].is_valid()) {
      // What rows behind it do to its bodies may be all that a row has to bear, and rounds as it does.
      allowed += tolerance::kConverged * expr::absolute(pivots_[k] * x[nu + k]);
    }
    raise_to(solution.residual, expr::absolute(correction[nu + k]) - allowed);
  }
  if (refinements > 0 && !kept_.empty()) {
    correction = substitute_back(reduce(std::move(correction)).z);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += correction[i];
  }
  solution.u.assign(x.begin(), x.begin() + system_.nu);
  share_multipliers(std::span(x).subspan(nu), solution.lambda);

  // Rows that were left out, unless they are multiples by their form: do they agree?
  for (std::size_t i = 0; i < nc; ++i) {
    if (structure_.representative[i] == static_cast<int>(i) || is_multiple_in_form(i, r_b)) continue;
    Expr scale = expr::absolute(r_b[i]);
    for (std::size_t j = 0; j < nu; ++j) {
      const Expr A = system_.A[i][j];
      scale += expr::absolute(A * solution.u[j]) + expr::absolute(A * reduced.z[j]);
    }
    raise_to(solution.residual,
             expr::absolute(missed(system_.A[i], solution.u, r_b[i])) - tolerance::kConsistency * scale);
  }
  if (!solution.residual.is_valid()) solution.residual = zero();
  solution.contraction = pivot_guard_;
  return solution;
}

}  // namespace vinculum::solve
