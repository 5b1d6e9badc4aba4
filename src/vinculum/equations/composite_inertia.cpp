#include "vinculum/equations/composite_inertia.hpp"

#include "vinculum/equations/mass_tree.hpp"

namespace vinculum::equations {
namespace {

using expr::Expr;
using model::FrameId;

class CompositeInertia {
 public:
  CompositeInertia(const System& system, Lowering& lowering, MassTree& tree)
      : system_(system),
        lowering_(lowering),
        tree_(tree),
        zero_(system.graph->constant(0.0)),
        masses_(tree.masses()),
        has_more_(masses_.size(), 0) {
    for (const Mass& mass : masses_) {
      if (mass.parent >= 0) has_more_[static_cast<std::size_t>(mass.parent)] = 1;
    }
  }

  std::vector<Expr> mass_matrix() {
    const std::size_t nu = system_.u.size();
    std::vector<Expr> M(nu * nu, zero_);
    for (std::size_t i = masses_.size(); i-- > 0;) {
      const Mass& mass = masses_[i];
      if (mass.parent < 0 && has_more_[i] == 0 && is_zero(mass.inertia.h)) {
        add_alone(mass, M);
        continue;
      }
      for (std::size_t s = 0; s < mass.columns.size(); ++s) add_column(mass, s, M);
      if (mass.parent >= 0) compose(mass, masses_[static_cast<std::size_t>(mass.parent)]);
    }
    return M;
  }

 private:
  /// Adds the composite inertia of the mass to that of its parent.
  void compose(const Mass& mass, Mass& parent) {
    Inertia inertia = mass.inertia;
    inertia.h = lowering_.express(inertia.h, mass.frame, parent.frame);
    for (FrameId f = mass.frame; f != parent.frame; f = system_.model->frame(f).parent) {
      const model::Frame& frame = system_.model->frame(f);
      const bool is_simple = std::ranges::all_of(frame.rotations, [](const auto& simple) { return simple.axis >= 0; });
      if (frame.quaternion || !is_simple) {
        inertia.I = turned(lowering_.rotation(frame.parent, f), inertia.I);
        continue;
      }
      for (auto it = frame.rotations.rbegin(); it != frame.rotations.rend(); ++it) {
        inertia.I = turned(it->axis, sine_cosine(lowering_.scalar(it->angle)), inertia.I);
      }
    }
    inertia = shifted(inertia, mass.from_parent);
    parent.inertia.mass += inertia.mass;
    parent.inertia.h = add(parent.inertia.h, inertia.h);
    parent.inertia.I.diagonal = add(parent.inertia.I.diagonal, inertia.I.diagonal);
    parent.inertia.I.off = add(parent.inertia.I.off, inertia.I.off);
  }

  /// Adds a mass without parent and children to M. About its center of mass, translation and rotation do not couple.
  void add_alone(const Mass& mass, std::vector<Expr>& M) {
    const std::vector<Column> columns = tree_.columns_apart(mass);
    for (std::size_t s = 0; s < columns.size(); ++s) {
      const ExprVector p = scale(mass.inertia.mass, columns[s].v), L = times(mass.inertia.I, columns[s].omega);
      for (std::size_t r = 0; r <= s; ++r) {
        const Expr value = dot(columns[r].omega, L) + dot(columns[r].v, p);
        add_entry(columns[r].speed, columns[s].speed, value, r != s, M);
      }
    }
  }

  /// Adds the entries of M for one speed of the mass: the momentum for unit speed, multiplied by the columns of all
  /// speeds on the path to the root.
  void add_column(const Mass& mass, std::size_t s, std::vector<Expr>& M) {
    const Column& own = mass.columns[s];
    const Inertia& inertia = mass.inertia;
    ExprVector p = equations::add(scale(inertia.mass, own.v), cross(own.omega, inertia.h));
    ExprVector L = equations::add(times(inertia.I, own.omega), cross(inertia.h, own.v));
    const auto against = [&](const Column& column) { return dot(column.omega, L) + dot(column.v, p); };
    for (std::size_t r = 0; r <= s; ++r)
      add_entry(mass.columns[r].speed, own.speed, against(mass.columns[r]), r != s, M);
    for (const Mass* at = &mass; at->parent >= 0;) {
      const Mass& parent = masses_[static_cast<std::size_t>(at->parent)];
      p = lowering_.express(p, at->frame, parent.frame);
      L = equations::add(lowering_.express(L, at->frame, parent.frame), cross(at->from_parent, p));
      for (const Column& column : parent.columns) add_entry(column.speed, own.speed, against(column), true, M);
      at = &parent;
    }
  }

  void add_entry(std::size_t r, std::size_t s, Expr value, bool is_double, std::vector<Expr>& M) {
    const std::size_t nu = system_.u.size();
    if (r == s) {
      M[r * nu + r] += is_double ? 2.0 * value : value;
    } else {
      M[r * nu + s] += value;
      M[s * nu + r] = M[r * nu + s];
    }
  }

  const System& system_;
  Lowering& lowering_;
  MassTree& tree_;
  Expr zero_;
  std::vector<Mass> masses_;    ///< the masses of the tree; their inertias are replaced by composite inertias
  std::vector<char> has_more_;  ///< [masses] 1 if the mass is the parent of another mass
};

}  // namespace

std::optional<std::vector<Expr>> composite_mass_matrix(System& system, ChainMotion& motion) {
  MassTree tree(system, motion);
  if (!tree.find_parents()) return std::nullopt;
  return CompositeInertia(system, motion.lowering(), tree).mass_matrix();
}

}  // namespace vinculum::equations
