#include "vinculum/solve/generated/static_ldlt.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/solve/generated/elimination_order.hpp"

namespace vinculum::solve {
namespace {

using expr::Expr;

void add_to(Expr& sum, Expr term) { sum = sum.is_valid() ? sum + term : term; }

/// Constant factor that all entries of a row have in common, up to signs; 1 if they have none. The row is divided by
/// it, which avoids repeated multiplications, for example by the 2 in the gradient of a squared length.
double common_factor(const expr::SparseRow& row) {
  double common = 0.0;
  for (const auto& [index, entry] : row) {
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

Expr missed(const expr::SparseRow& A, std::span<const Expr> u, Expr b) {
  Expr sum = b.graph().constant(0.0);
  for (const auto& [j, entry] : A) sum += entry * u[j];
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
    const expr::SparseRow& A = system_.A[static_cast<std::size_t>(row)];
    unit_.push_back(common_factor(A));
    A_.emplace_back(*graph_, nu);
    for (const auto& [j, entry] : A) A_.back().add(j, entry / unit_.back());
  }
  eliminate();
}

double StaticLdlt::weight_of(std::size_t k) const {
  if (!structure_.is_mass_singular) return 0.0;
  return structure_.weights[static_cast<std::size_t>(kept_[k])] * unit_[k] * unit_[k];
}

/// The part of K that is not yet eliminated (Schur complement). Signs are such that the block of the rows becomes
/// +A M⁻¹ Aᵀ, where M includes the terms of the rows eliminated so far; so all pivots are positive. Only nonzero
/// entries are stored, so the cost of elimination is proportional to the number of entries that change.
struct StaticLdlt::Remainder {
  struct Node {
    /// Entries of the node's row by column, also in columns of eliminated nodes. An entry is not valid if the entry so
    /// far consists of `shares` only.
    std::map<int, Expr> entries;
    Expr before;     ///< diagonal entry before any reduction
    Expr given;      ///< for a row that acts only under a condition: diagonal entry 1 − acts
    Expr stiffness;  ///< for a coordinate: sum of the terms that the elimination of rows has added, if any
    bool is_done = false, is_reduced = false;
  };
  /// Contribution to the entry of two rows i, j from all coordinates with the same inertia D: Σ A_i A_j, and
  /// Σ (A_i/D) A_j.
  struct Share {
    Expr inverse_pivot, products, parts;
    int count = 1;
  };
  std::vector<Node> nodes;
  std::map<std::pair<int, int>, std::vector<Share>> shares;  // for pairs of rows i ≥ j

  explicit Remainder(std::size_t count) : nodes(count) {}
  [[nodiscard]] Node& node(int i) { return nodes[static_cast<std::size_t>(i)]; }
  /// Entry (i, j) without `shares`; not a valid expression if the entry is zero.
  [[nodiscard]] Expr at(int i, int j) {
    const auto found = node(i).entries.find(j);
    return found == node(i).entries.end() ? Expr() : found->second;
  }
  void put(int i, int j, Expr value) { node(i).entries[j] = node(j).entries[i] = value; }
  /// Remaining nodes coupled with node i, ascending.
  [[nodiscard]] std::vector<int> touched_by(int i) {
    std::vector<int> touched;
    for (const auto& [j, entry] : node(i).entries) {
      if (j != i && !node(j).is_done) touched.push_back(j);
    }
    return touched;
  }
  void share(int i, int j, Share more) {
    put(i, j, at(i, j));
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
  /// Adds the shares of entry (i, j) to the entry, when all shares are known. If a sum of products simplifies to one
  /// term, it is divided by the inertia afterwards: m⁻¹ (sin² + cos²) is constant.
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
    if (i == j) node(i).before = node(i).given.is_valid() ? node(i).given + sum : sum;
    Expr entry = at(i, j);
    add_to(entry, sum);
    put(i, j, entry);
  }
};

Expr StaticLdlt::acts_at(int row) const { return system_.acts.empty() ? Expr() : nth(system_.acts, row); }

/// The matrix K before elimination, both triangles.
StaticLdlt::Remainder StaticLdlt::assemble() const {
  const int nu = system_.nu;
  Remainder left(static_cast<std::size_t>(nu) + kept_.size());
  auto mass = system_.M.begin();
  for (int i = 0; i < nu; ++i) {
    for (int j = 0; j < nu; ++j, ++mass) {
      if (j <= i && !mass->is_zero()) left.put(i, j, *mass);
    }
  }
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const double weight = weight_of(k);
    const int node = nu + static_cast<int>(k);
    if (const Expr acts = acts_at(kept_[k]); acts.is_valid()) {
      left.node(node).given = 1.0 - acts;
      left.put(node, node, left.node(node).given);
    }
    for (const auto& [index, entry] : A_[k]) {
      const int i = static_cast<int>(index);
      left.put(node, i, entry);
      if (weight == 0.0) continue;
      const Expr weighted = weight * entry;
      for (const auto& [other, of_other] : A_[k]) {
        const int j = static_cast<int>(other);
        if (j > i) break;
        Expr sum = left.at(i, j);
        add_to(sum, weighted * of_other);
        left.put(i, j, sum);
      }
    }
  }
  for (int i = 0; i < nu; ++i) left.node(i).before = left.at(i, i);
  return left;
}

/// Returns 1/D, where D is the pivot of the node, and adds the condition on this pivot to the guard.
Expr StaticLdlt::inverse_pivot(Remainder& left, int node) {
  const Expr pivot = left.at(node, node);
  if (!pivot.is_valid() || pivot.is_zero() || !left.node(node).before.is_valid()) {
    raise_to(pivot_guard_, graph_->constant(1.0));  // no equation determines this unknown, so the guard always refuses
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
      const bool is_added = is_row(i) == is_row(j) && is_row(i) != is_row(column.node);
      if (is_added && is_row(i)) {
        left.share(i, j, {column.inverse_pivot, left.at(i, column.node) * other, part});
        continue;
      }
      Expr entry = left.at(i, j);
      if (is_added) {
        add_to(entry, part);
      } else {
        entry = entry.is_valid() ? entry - part : -part;
      }
      left.put(i, j, entry);
      if (i != j) continue;
      if (is_added) {
        add_to(left.node(i).stiffness, part);
      } else {
        left.node(i).is_reduced = true;
      }
    }
  }
}

void StaticLdlt::eliminate() {
  Remainder left = assemble();
  is_alone_.assign(kept_.size(), 0);
  pivots_.resize(kept_.size());
  Touches touches;
  for (int i = 0; i < static_cast<int>(left.nodes.size()); ++i) touches.push_back(left.touched_by(i));
  for (const int node : elimination_order(touches, system_.nu)) {
    left.node(node).is_done = true;
    const std::vector<int> touched = left.touched_by(node);
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
  if (!system_.A[row].is_multiple(system_.A[kept], factor)) return false;
  return (r_b[row] - factor * r_b[kept]).is_zero();
}

void StaticLdlt::share_multipliers(std::span<const Expr> of_kept, std::vector<Expr>& lambda) const {
  const std::size_t nc = system_.A.size();
  std::vector<std::vector<std::size_t>> sharers(nc);
  for (std::size_t i = 0; i < nc; ++i) {
    if (const int representative = structure_.representative[i]; representative >= 0)
      sharers[static_cast<std::size_t>(representative)].push_back(i);
  }
  lambda.assign(nc, zero());
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const auto& rows = sharers[static_cast<std::size_t>(kept_[k])];
    for (const std::size_t i : rows) {
      // All multiples of a row, scaled to the same length, get the same multiplier: λ_i × factor_i is equal for all.
      lambda[i] = of_kept[k] * (1.0 / (structure_.factor[i] * unit_[k] * static_cast<double>(rows.size())));
    }
  }
}

std::vector<Expr> StaticLdlt::inertias_of(std::size_t k) const {
  std::vector<Expr> inertias;
  for (const auto& [j, entry] : A_[k]) {
    const Expr inertia = system_.M[j * static_cast<std::size_t>(system_.nu) + j];
    if (std::ranges::find(inertias, inertia) == inertias.end()) inertias.push_back(inertia);
  }
  return inertias;
}

bool StaticLdlt::takes_no_correction(std::size_t k) const {
  return is_quotient(k) && !structure_.is_mass_singular && inertias_of(k).size() <= 1;
}

Expr StaticLdlt::uncorrected_guard() const {
  if (structure_.is_mass_singular || system_.kind.empty()) return {};
  Expr guard;
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    if (!is_quotient(k)) return {};
    if (takes_no_correction(k)) continue;
    const int kind = nth(system_.kind, A_[k].begin()->index);
    if (!std::ranges::all_of(A_[k], [&](const auto& at) { return nth(system_.kind, at.index) == kind; })) return {};
    const std::vector<Expr> inertias = inertias_of(k);
    Expr most = inertias.front(), least = most;
    for (const Expr inertia : inertias) {
      most = expr::maximum(most, inertia);
      least = expr::minimum(least, inertia);
    }
    raise_to(guard, most - kAlike * least);
  }
  return guard;
}

StaticSolution StaticLdlt::solve(std::span<const Expr> r_f, std::span<const Expr> r_b, int refinements) const {
  const std::size_t nu = static_cast<std::size_t>(system_.nu);
  const std::size_t nc = system_.A.size();
  VINCULUM_EXPECTS(r_f.size() == nu && r_b.size() == nc);
  std::vector<Expr> right(r_f.begin(), r_f.end());
  std::vector<Expr> b;  // right-hand sides of the kept rows, divided by `unit_`
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    b.push_back(r_b[static_cast<std::size_t>(kept_[k])] / unit_[k]);
    const double weight = weight_of(k);
    if (weight == 0.0) continue;
    for (const auto& [j, entry] : A_[k]) right[j] += entry * (weight * b[k]);
  }
  right.insert(right.end(), b.begin(), b.end());

  const Reduced reduced = reduce(std::move(right));
  std::vector<Expr> x = substitute_back(reduced.z);  // u, then λ of the kept rows
  StaticSolution solution;
  std::vector<Expr> correction(x.size(), zero());
  const double tolerance = refinements > 0 ? tolerance::kQuadratic : tolerance::kConverged;
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    if (!takes_no_correction(k)) correction[nu + k] = missed(A_[k], std::span(x).first(nu), b[k]);
    if (is_quotient(k)) continue;  // the residual of such a row is only rounding error
    Expr scale = reduced.scale[nu + k];
    // If M couples coordinates, terms of a row may cancel during the elimination, so `scale` may be too small.
    if (couples_coordinates_) {
      for (const auto& [j, entry] : A_[k]) scale += expr::absolute(entry * x[j]);
    }
    Expr allowed = tolerance * scale;
    // The force of a row may balance only the forces of later rows on the same bodies. The residual then has the
    // rounding error of that force.
    if (!couples_coordinates_ && pivots_[k].is_valid())
      allowed += tolerance::kConverged * expr::absolute(pivots_[k] * x[nu + k]);
    raise_to(solution.residual, expr::absolute(correction[nu + k]) - allowed);
  }
  if (refinements > 0 && !kept_.empty()) {
    correction = substitute_back(reduce(std::move(correction)).z);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += correction[i];
  }
  solution.u.assign(x.begin(), x.begin() + system_.nu);
  share_multipliers(std::span(x).subspan(nu), solution.lambda);

  // Checks that the rows that were left out are satisfied, unless they are written as multiples of kept rows.
  for (std::size_t i = 0; i < nc; ++i) {
    if (structure_.representative[i] == static_cast<int>(i) || is_multiple_in_form(i, r_b)) continue;
    Expr scale = expr::absolute(r_b[i]);
    for (const auto& [j, A] : system_.A[i])
      scale += expr::absolute(A * solution.u[j]) + expr::absolute(A * reduced.z[j]);
    raise_to(solution.residual,
             expr::absolute(missed(system_.A[i], solution.u, r_b[i])) - tolerance::kConsistency * scale);
  }
  if (!solution.residual.is_valid()) solution.residual = zero();
  solution.contraction = pivot_guard_;
  return solution;
}

}  // namespace vinculum::solve
