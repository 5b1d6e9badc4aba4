#include "vinculum/equations/mass_tree.hpp"

#include <algorithm>

#include "vinculum/expr/derivative.hpp"

namespace vinculum::equations {

using expr::Expr;
using model::FrameId;
using model::Model;
using model::PointId;

MassTree::MassTree(const System& system, ChainMotion& motion)
    : system_(system), motion_(motion), lowering_(motion.lowering()), moving_(system.q) {
  moving_.push_back(system.t);
  const Model& model = *system.model;
  const Tensor none{zero_vector(*system.graph), zero_vector(*system.graph)};
  for (const model::Particle& particle : model.particles) {
    const auto& parts = lowering_.offset_parts(particle.point);
    const FrameId frame = parts.size() == 1 ? parts[0].frame : motion.home(particle.point);
    add_mass(frame, particle.point, lowering_.scalar(particle.mass), none);
  }
  for (const model::Body& body : model.bodies) {
    const auto value = [&](model::Term term) { return lowering_.scalar(term); };
    const model::Inertia& I = body.inertia;
    add_mass(body.frame, body.center, value(body.mass),
             {{value(I.xx), value(I.yy), value(I.zz)}, {value(I.yz), value(I.zx), value(I.xy)}});
  }
  std::ranges::stable_sort(masses_, {}, &Mass::frame);
  for (std::size_t i = 0; i < masses_.size(); ++i) references_.try_emplace({masses_[i].frame, masses_[i].reference}, i);
}

bool MassTree::find_parents() {
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

void MassTree::add_mass(FrameId frame, PointId center, Expr m, const Tensor& I) {
  Mass mass{frame, center, {m, zero_vector(*system_.graph), I}};
  ExprVector r = zero_vector(*system_.graph);
  while (const auto offset = rigid_offset(mass.reference, frame)) {
    r = add(r, *offset);
    mass.reference = system_.model->point(mass.reference).base;
  }
  mass.inertia = shifted(mass.inertia, r);
  masses_.push_back(std::move(mass));
}

/// Offset of the point from its base if it is constant in one frame. A zero offset has an invalid frame.
const std::optional<OffsetPart>& MassTree::constant_offset(PointId point) {
  const auto [found, is_new] = offsets_.try_emplace(point);
  if (!is_new) return found->second;
  if (!system_.model->point(point).base.is_valid() || lowering_.stated_velocity(point) != nullptr) return found->second;
  const auto& parts = lowering_.offset_parts(point);
  if (parts.size() > 1) return found->second;
  if (parts.empty()) {
    found->second = OffsetPart{FrameId(), zero_vector(*system_.graph)};
  } else if (std::ranges::none_of(parts[0].r, [this](Expr part) { return expr::depends_on(part, moving_); })) {
    found->second = parts[0];
  }
  return found->second;
}

/// Offset of the point from its base if it is constant in the given frame.
std::optional<ExprVector> MassTree::rigid_offset(PointId point, FrameId frame) {
  const std::optional<OffsetPart>& offset = constant_offset(point);
  if (!offset || (offset->frame.is_valid() && offset->frame != frame)) return std::nullopt;
  return offset->r;
}

/// Whether the mass is attached to a point fixed in the parent, by frames that descend from the parent's frame. If so,
/// the speeds that move the parent move the mass with it as one rigid body.
bool MassTree::moves_with(const Mass& mass, const Mass& parent) {
  model::KinematicTree& tree = lowering_.tree();
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

/// Derivative of order `order` of the vector from the reference point of `parent` to that of `mass`, as seen in the
/// parent.
ExprVector MassTree::motion_in_parent(const Mass& mass, const Mass& parent, int order, FrameId components) {
  const PointId common = lowering_.tree().common_base(mass.reference, parent.reference);
  return subtract(lowering_.motion_from_base(mass.reference, common, order, parent.frame, components),
                  lowering_.motion_from_base(parent.reference, common, order, parent.frame, components));
}

std::vector<Column> MassTree::columns_of(const Mass& mass, int parent) {
  ExprVector omega, v;
  if (parent < 0) {
    omega = lowering_.angular_velocity(mass.frame);
    v = lowering_.motion_from_base(mass.reference, PointId(), 1, Model::newtonian(), mass.frame);
  } else {
    const Mass& base = masses_[static_cast<std::size_t>(parent)];
    omega = lowering_.angular_velocity(mass.frame, base.frame);
    v = motion_in_parent(mass, base, 1, mass.frame);
  }
  return columns_of(omega, v);
}

std::vector<Column> MassTree::columns_apart(const Mass& mass) {
  const FrameId axes = motion_.axes(mass.frame);
  return columns_of(lowering_.angular_velocity(mass.frame, Model::newtonian(), axes), motion_.velocity(mass.reference));
}

std::vector<Column> MassTree::columns_of(const ExprVector& omega, const ExprVector& v) const {
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

SpatialVector MassTree::relative_acceleration(const Mass& mass) {
  if (mass.parent < 0) {
    return {lowering_.angular_acceleration(mass.frame),
            lowering_.motion_from_base(mass.reference, PointId(), 2, Model::newtonian(), mass.frame)};
  }
  const Mass& parent = masses_[static_cast<std::size_t>(mass.parent)];
  const ExprVector& omega = lowering_.angular_velocity(parent.frame);
  const auto in_parent = [&](const ExprVector& v) { return lowering_.express(v, mass.frame, parent.frame); };
  const ExprVector v = motion_in_parent(mass, parent, 1, parent.frame);
  const Expr two = system_.graph->constant(2.0);
  return {add(in_parent(lowering_.angular_acceleration(mass.frame, parent.frame)),
              cross(omega, in_parent(lowering_.angular_velocity(mass.frame, parent.frame)))),
          add(motion_in_parent(mass, parent, 2, parent.frame),
              cross(omega, add(cross(omega, mass.from_parent), scale(two, v))))};
}

std::optional<MassTree::Place> MassTree::place_in(PointId point, FrameId frame) {
  ExprVector r = zero_vector(*system_.graph);
  for (PointId p = point;;) {
    if (const auto mass = references_.find({frame, p}); mass != references_.end()) return Place{mass->second, r};
    const auto offset = rigid_offset(p, frame);
    if (!offset) return std::nullopt;
    r = add(r, *offset);
    p = system_.model->point(p).base;
  }
}

std::optional<MassTree::Place> MassTree::place_of(PointId point) {
  if (system_.model->point(point).on.is_valid()) return std::nullopt;
  const auto& parts = lowering_.offset_parts(point);
  if (parts.size() == 1) {
    if (auto place = place_in(point, parts[0].frame)) return place;
  }
  return place_in(point, motion_.home(point));
}

std::optional<std::size_t> MassTree::mass_in(FrameId frame) const {
  const auto found = std::ranges::lower_bound(masses_, frame, {}, &Mass::frame);
  if (found == masses_.end() || found->frame != frame) return std::nullopt;
  return static_cast<std::size_t>(found - masses_.begin());
}

}  // namespace vinculum::equations
