#include "vinculum/dynamics/composite_inertia.hpp"

#include <algorithm>

#include "vinculum/expr/derivative.hpp"

namespace vinculum::dynamics {
namespace {

using expr::Expr;
using mechanics::FrameId;
using mechanics::Model;
using mechanics::PointId;

/// Symmetric, by its entries: diagonal[i] = ii, off[i] = jk with i, j, k cyclic.
struct Tensor {
  ExprVector diagonal, off;
};

ExprVector times(const Tensor& I, const ExprVector& a) {
  return {I.diagonal[0] * a[0] + I.off[2] * a[1] + I.off[1] * a[2],
          I.off[2] * a[0] + I.diagonal[1] * a[1] + I.off[0] * a[2],
          I.off[1] * a[0] + I.off[0] * a[1] + I.diagonal[2] * a[2]};
}

Tensor turned(int axis, const SineCosine& by, const Tensor& I) {
  const auto i = static_cast<std::size_t>(axis), j = (i + 1) % 3, k = (i + 2) % 3;
  const auto [s, c] = by;
  Tensor result = I;
  if (!I.off[i].is_zero() || I.diagonal[j] != I.diagonal[k]) {
    const Expr a = c * I.diagonal[j] - s * I.off[i], b = c * I.off[i] - s * I.diagonal[k];
    result.diagonal[j] = c * a - s * b;
    result.off[i] = s * a + c * b;
    result.diagonal[k] = (I.diagonal[j] + I.diagonal[k]) - result.diagonal[j];
  }
  // ij is off[k], ik is off[j]
  result.off[k] = c * I.off[k] - s * I.off[j];
  result.off[j] = s * I.off[k] + c * I.off[j];
  return result;
}

Tensor turned(const ExprRotation& R, const Tensor& I) {
  const ExprRotation columns{
      {{I.diagonal[0], I.off[2], I.off[1]}, {I.off[2], I.diagonal[1], I.off[0]}, {I.off[1], I.off[0], I.diagonal[2]}}};
  const ExprRotation all = multiply(multiply(R, columns), transpose(R));
  return {{all[0][0], all[1][1], all[2][2]}, {all[1][2], all[0][2], all[0][1]}};
}

/// Mass, first moment and inertia about a point at rest in it.
struct Inertia {
  Expr mass;
  ExprVector h;
  Tensor I;
};

/// About a point from which the old one lies at r.
Inertia shifted(const Inertia& old, const ExprVector& r) {
  Inertia result = old;
  const ExprVector k = add(old.h, scale(0.5 * old.mass, r));
  const ExprVector p{2.0 * r[0] * k[0], 2.0 * r[1] * k[1], 2.0 * r[2] * k[2]};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
    result.I.diagonal[i] += p[j] + p[l];
    result.I.off[i] -= r[j] * k[l] + r[l] * k[j];
  }
  result.h = add(old.h, scale(old.mass, r));
  return result;
}

/// A speed's share of a twist: angular velocity and velocity of the point of reference, in the mass' frame.
struct Column {
  std::size_t speed;
  ExprVector omega, v;
};

/// A particle or a body.
struct Mass {
  FrameId frame;
  PointId reference;  ///< at rest in the frame as far as the mass is concerned
  Inertia inertia;    ///< about the reference, later of all beyond as well
  int parent = -1;
  ExprVector from_parent = {};  ///< reference − parent's reference, in the parent's frame
  std::vector<Column> columns = {};
};

class MassTree {
 public:
  MassTree(System& system, ChainMotion& motion) : system_(system), motion_(motion), lowering_(motion.lowering()) {
    zero_ = system.graph->constant(0.0);
    const Model& model = *system.model;
    const Tensor none{zero_vector(*system.graph), zero_vector(*system.graph)};
    for (const mechanics::Particle& particle : model.particles) {
      const auto& parts = lowering_.offset_parts(particle.point);
      const FrameId frame = parts.size() == 1 ? parts[0].frame : motion.home(particle.point);
      add_mass(frame, particle.point, lowering_.scalar(particle.mass), none);
    }
    for (const mechanics::Body& body : model.bodies) {
      const auto value = [&](mechanics::Term term) { return lowering_.scalar(term); };
      const mechanics::Inertia& I = body.inertia;
      add_mass(body.frame, body.center, value(body.mass),
               {{value(I.xx), value(I.yy), value(I.zz)}, {value(I.yz), value(I.zx), value(I.xy)}});
    }
    std::ranges::stable_sort(masses_, {}, &Mass::frame);
  }

  /// False when some mass has many speeds of its own.
  bool find_parents() {
    const bool has_stated_speeds =
        std::ranges::any_of(system_.model->speeds, [](const auto& speed) { return !speed.is_default; });
    for (std::size_t i = 0; i < masses_.size(); ++i) {
      Mass& mass = masses_[i];
      for (std::size_t p = i; p-- > 0 && mass.parent < 0;) {
        if (moves_with(mass, masses_[p])) mass.parent = static_cast<int>(p);
      }
      mass.columns = columns_of(mass, mass.parent);
      if (mass.parent >= 0 && has_stated_speeds) {
        auto from_rest = columns_of(mass, -1);
        if (from_rest.size() < mass.columns.size()) {
          mass.columns = std::move(from_rest);
          mass.parent = -1;
        }
      }
      if (mass.columns.size() > kManySpeeds) return false;
      if (mass.parent >= 0) {
        const Mass& parent = masses_[static_cast<std::size_t>(mass.parent)];
        mass.from_parent = lowering_.position_between(mass.reference, parent.reference, parent.frame);
      }
    }
    return true;
  }

  std::vector<Expr> mass_matrix() {
    const std::size_t nu = system_.u.size();
    std::vector<Expr> M(nu * nu, zero_);
    for (std::size_t i = masses_.size(); i-- > 0;) {
      const Mass& mass = masses_[i];
      for (std::size_t s = 0; s < mass.columns.size(); ++s) add_column(mass, s, M);
      if (mass.parent >= 0) compose(mass, masses_[static_cast<std::size_t>(mass.parent)]);
    }
    return M;
  }

 private:
  void add_mass(FrameId frame, PointId center, Expr m, const Tensor& I) {
    Mass mass{frame, center, {m, zero_vector(*system_.graph), I}};
    ExprVector r = zero_vector(*system_.graph);
    while (const auto offset = rigid_offset(mass.reference, frame)) {
      r = add(r, *offset);
      mass.reference = system_.model->point(mass.reference).base;
    }
    mass.inertia = shifted(mass.inertia, r);
    masses_.push_back(std::move(mass));
  }

  /// The offset of the point from its base where that is at rest in the frame.
  std::optional<ExprVector> rigid_offset(PointId point, FrameId frame) {
    if (!system_.model->point(point).base.is_valid() || lowering_.stated_velocity(point) != nullptr)
      return std::nullopt;
    const auto& parts = lowering_.offset_parts(point);
    if (parts.empty()) return zero_vector(*system_.graph);
    if (parts.size() > 1 || parts[0].frame != frame) return std::nullopt;
    std::vector<Expr> moving = system_.q;
    moving.push_back(system_.t);
    for (const Expr& part : parts[0].r) {
      if (expr::depends_on(part, moving)) return std::nullopt;
    }
    return parts[0].r;
  }

  /// Whether the mass is set off from a point at rest in the parent, through frames turned from the parent's: then the
  /// speeds that move the parent move the mass as one body with it.
  bool moves_with(const Mass& mass, const Mass& parent) {
    mechanics::KinematicTree& tree = lowering_.tree();
    const auto is_beyond = [&](FrameId frame) { return tree.common_parent(frame, parent.frame) == parent.frame; };
    if (!is_beyond(mass.frame)) return false;
    const PointId common = tree.common_base(mass.reference, parent.reference);
    const auto above = [&](PointId p) { return p != common && system_.model->point(p).base.is_valid(); };
    for (PointId p = mass.reference; above(p); p = system_.model->point(p).base) {
      for (const OffsetPart& part : lowering_.offset_parts(p)) {
        if (!is_beyond(part.frame)) return false;
      }
    }
    for (PointId p = parent.reference; above(p); p = system_.model->point(p).base) {
      if (!rigid_offset(p, parent.frame)) return false;
    }
    return true;
  }

  std::vector<Column> columns_of(const Mass& mass, int parent) {
    ExprVector omega, v;
    if (parent < 0) {
      omega = lowering_.angular_velocity(mass.frame);
      v = lowering_.motion_from_base(mass.reference, PointId(), 1, Model::newtonian(), mass.frame);
    } else {
      const Mass& base = masses_[static_cast<std::size_t>(parent)];
      const PointId common = lowering_.tree().common_base(mass.reference, base.reference);
      omega = lowering_.angular_velocity(mass.frame, base.frame);
      v = subtract(lowering_.motion_from_base(mass.reference, common, 1, base.frame, mass.frame),
                   lowering_.motion_from_base(base.reference, common, 1, base.frame, mass.frame));
    }
    std::vector<Column> columns;
    const std::array<Expr, 6> twist{omega[0], omega[1], omega[2], v[0], v[1], v[2]};
    for (const expr::Entry& entry : expr::sparse_jacobian(twist, system_.u)) {
      const auto speed = static_cast<std::size_t>(entry.column), row = static_cast<std::size_t>(entry.row);
      auto column = std::ranges::find(columns, speed, &Column::speed);
      if (column == columns.end()) {
        column = columns.insert(columns.end(), {speed, zero_vector(*system_.graph), zero_vector(*system_.graph)});
      }
      (row < 3 ? column->omega : column->v)[row % 3] = entry.value;
    }
    return columns;
  }

  /// The mass and all beyond, joined to its parent.
  void compose(const Mass& mass, Mass& parent) {
    Inertia inertia = mass.inertia;
    inertia.h = lowering_.express(inertia.h, mass.frame, parent.frame);
    for (FrameId f = mass.frame; f != parent.frame; f = system_.model->frame(f).parent) {
      const mechanics::Frame& frame = system_.model->frame(f);
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

  /// The momentum of one unit of a speed of the mass against all speeds on the way to the root.
  void add_column(const Mass& mass, std::size_t s, std::vector<Expr>& M) {
    const Column& own = mass.columns[s];
    const Inertia& inertia = mass.inertia;
    ExprVector p = dynamics::add(scale(inertia.mass, own.v), cross(own.omega, inertia.h));
    ExprVector L = dynamics::add(times(inertia.I, own.omega), cross(inertia.h, own.v));
    const auto against = [&](const Column& column) { return dot(column.omega, L) + dot(column.v, p); };
    for (std::size_t r = 0; r <= s; ++r)
      add_entry(mass.columns[r].speed, own.speed, against(mass.columns[r]), r != s, M);
    for (const Mass* at = &mass; at->parent >= 0;) {
      const Mass& parent = masses_[static_cast<std::size_t>(at->parent)];
      p = lowering_.express(p, at->frame, parent.frame);
      L = dynamics::add(lowering_.express(L, at->frame, parent.frame), cross(at->from_parent, p));
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

  System& system_;
  ChainMotion& motion_;
  Lowering& lowering_;
  Expr zero_;
  std::vector<Mass> masses_;
};

}  // namespace

std::optional<std::vector<Expr>> composite_mass_matrix(System& system, ChainMotion& motion) {
  MassTree tree(system, motion);
  if (!tree.find_parents()) return std::nullopt;
  return tree.mass_matrix();
}

}  // namespace vinculum::dynamics
