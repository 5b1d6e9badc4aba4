#include "vinculum/equations/chain_motion.hpp"

#include <algorithm>
#include <array>

namespace vinculum::equations {

using expr::Expr;
using model::FrameId;
using model::Model;
using model::PointId;

ChainMotion::ChainMotion(Lowering& lowering) : lowering_(lowering), gravity_(zero_vector(lowering.graph())) {
  find_homes();
}

/// Whether the tensor is symmetric about `axis`: diag(a, b, a) or a permutation. Such a tensor has the same entries in
/// all frames that differ by a rotation about that axis.
bool ChainMotion::is_round(const model::Inertia& inertia, int axis) {
  const auto value = [this](model::Term term) { return lowering_.scalar(term); };
  const std::array<Expr, 3> on{value(inertia.xx), value(inertia.yy), value(inertia.zz)};
  if (!value(inertia.xy).is_zero() || !value(inertia.yz).is_zero() || !value(inertia.zx).is_zero()) return false;
  const auto i = static_cast<std::size_t>(axis);
  return on[(i + 1) % 3] == on[(i + 2) % 3];
}

FrameId ChainMotion::axes(FrameId frame) {
  const model::Frame& own = lowering_.model().frame(frame);
  const bool is_one_turn = own.body && !own.quaternion && own.rotations.size() == 1 && own.rotations[0].axis >= 0;
  if (!is_one_turn || !is_round(lowering_.model().body(*own.body).inertia, own.rotations[0].axis)) return frame;
  return own.parent;
}

void ChainMotion::find_homes() {
  const Model& model = lowering_.model();
  model::KinematicTree& tree = lowering_.tree();
  const std::size_t n = model.points.size();
  const auto is_turned_from = [&](FrameId frame, FrameId from) { return tree.common_parent(frame, from) == from; };

  std::vector<FrameId> own(n);
  std::vector<std::vector<std::size_t>> children(n);
  for (std::size_t i = 0; i < n; ++i) {
    const model::Point& point = model.points[i];
    const PointId id(i);
    if (point.base.is_valid()) children[point.base.index()].push_back(i);
    for (const OffsetPart& part : lowering_.offset_parts(id)) {
      own[i] = own[i].is_valid() ? tree.common_parent(own[i], part.frame) : part.frame;
    }
    if (const auto* stated = lowering_.stated_velocity(id)) own[i] = stated->components;
  }

  // The home of a point is the frame in which its motion is computed. For a point with attached points it is the frame
  // of the point's offset, if the homes of the attached points are that frame or descend from it; otherwise it is the
  // nearest common ancestor of these frames.
  homes_.assign(n, FrameId());
  for (std::size_t i = n; i-- > 0;) {
    if (!model.points[i].base.is_valid()) {
      homes_[i] = Model::newtonian();
    } else if (!children[i].empty() && own[i].is_valid()) {
      FrameId home = own[i];
      for (const std::size_t child : children[i]) {
        const FrameId of_child = homes_[child].is_valid() ? homes_[child] : own[child];
        if (of_child.is_valid()) home = tree.common_parent(home, of_child);
      }
      homes_[i] = home;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (homes_[i].is_valid()) continue;
    const std::size_t base = model.points[i].base.index();
    if (!own[i].is_valid()) {
      homes_[i] = homes_[base];  // the point coincides with its base
      continue;
    }
    const bool is_at_origin = !model.points[base].base.is_valid();
    const bool has_company = std::ranges::any_of(children[base], [&](std::size_t other) {
      return other != i && !children[other].empty() && homes_[other] == own[i];
    });
    if (is_at_origin || has_company || lowering_.stated_velocity(PointId(i)) != nullptr) {
      homes_[i] = own[i];
    } else {
      homes_[i] = is_turned_from(own[i], homes_[base]) ? homes_[base] : tree.common_parent(own[i], homes_[base]);
    }
  }
}

ExprVector ChainMotion::own_motion(PointId point, int order) {
  const model::Point& p = lowering_.model().point(point);
  const FrameId home = homes_[point.index()];
  const auto falling = [&](FrameId frame) { return lowering_.express(gravity_, Model::newtonian(), frame); };
  if (!p.base.is_valid()) return order == 1 ? zero_vector(lowering_.graph()) : negate(falling(home));
  if (const auto* stated = lowering_.stated_velocity(point); stated != nullptr && !p.on.is_valid()) {
    const ExprVector value =
        lowering_.express(lowering_.stated_value(*stated, order - 1, Model::newtonian()), stated->components, home);
    return order == 1 ? value : subtract(value, falling(home));
  }
  ExprVector sum = lowering_.express(places_[order - 1].at(p.base), homes_[p.base.index()], home);
  for (const OffsetPart& part : lowering_.offset_parts(point)) {
    sum = add(sum, lowering_.express(lowering_.offset_motion(part, order, Model::newtonian()), part.frame, home));
  }
  return sum;
}

const ExprVector& ChainMotion::motion(PointId point, int order) {
  const Model& model = lowering_.model();
  auto& places = places_[order - 1];
  std::vector<PointId> open;
  for (PointId p = point; !places.contains(p); p = model.point(p).base) {
    open.push_back(p);
    if (!model.point(p).base.is_valid()) break;
  }
  for (auto it = open.rbegin(); it != open.rend(); ++it) {
    ExprVector value = own_motion(*it, order);
    places[*it] = value;
  }
  if (!model.point(point).on.is_valid()) return places.at(point);

  auto& matter = matter_[order - 1];
  if (const auto found = matter.find(point); found != matter.end()) return found->second;
  const FrameId home = homes_[point.index()];
  ExprVector value = lowering_.point_motion(point, order, Model::newtonian(), home);
  if (order == 2) value = subtract(value, lowering_.express(gravity_, Model::newtonian(), home));
  return matter[point] = value;
}

const ExprVector& ChainMotion::velocity(PointId point) { return motion(point, 1); }
const ExprVector& ChainMotion::acceleration(PointId point) { return motion(point, 2); }

}  // namespace vinculum::equations
