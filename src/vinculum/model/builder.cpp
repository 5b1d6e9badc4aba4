#include "vinculum/model/builder.hpp"

#include <algorithm>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/expansion.hpp"
#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/sliding.hpp"
#include "vinculum/model/speed_completion.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

template <class Container, class Element>
auto append(Container& container, Element element) {
  container.push_back(std::move(element));
  return container.size() - 1;
}

}  // namespace

ModelBuilder::ModelBuilder(std::string name, std::string newtonian_name) : model_(std::make_unique<Model>()) {
  model_->name = std::move(name);
  claim(newtonian_name);
  model_->frames.push_back(Frame{std::move(newtonian_name), FrameId{}, {}, {}});
}

void ModelBuilder::claim(const std::string& name) {
  VINCULUM_EXPECTS(!name.empty());
  VINCULUM_EXPECTS(names_.insert(name).second);
}

void ModelBuilder::name_newtonian(std::string name, SourceRange range) {
  names_.erase(model_->frames[0].name);
  claim(name);
  model_->frames[0].name = std::move(name);
  model_->frames[0].range = range;
}

ParameterId ModelBuilder::add_parameter(std::string name, double value, Dimension dimension, SourceRange range) {
  claim(name);
  return ParameterId(append(model_->parameters, Parameter{std::move(name), value, dimension, range}));
}

CoordinateId ModelBuilder::add_coordinate(std::string name, Dimension dimension, SourceRange range) {
  claim(name);
  return CoordinateId(append(model_->coordinates, Coordinate{std::move(name), dimension, range}));
}

SpeedId ModelBuilder::add_speed(std::string name, Term definition, Dimension dimension, SourceRange range) {
  claim(name);
  VINCULUM_EXPECTS(definition.is_valid() && definition.is_scalar());
  return SpeedId(append(model_->speeds, Speed{std::move(name), definition, false, dimension, range}));
}

std::size_t ModelBuilder::add_nonlinear_speed(std::string name, Term definition, Dimension dimension,
                                              SourceRange range) {
  claim(name);
  VINCULUM_EXPECTS(definition.is_valid() && definition.is_scalar() && !has_all_speeds_);
  return append(model_->nonlinear_speeds,
                NonlinearSpeed{{std::move(name), definition, false, dimension, range}, {}, model_->speeds.size()});
}

FrameId ModelBuilder::add_frame(std::string name, FrameId parent, std::vector<SimpleRotation> rotations,
                                SourceRange range) {
  claim(name);
  VINCULUM_EXPECTS(parent.is_valid() && parent.index() < model_->frames.size());
  return FrameId(append(model_->frames, Frame{std::move(name), parent, std::move(rotations), range}));
}

FrameId ModelBuilder::add_rotated_frame(std::string name, FrameId parent, Term angle, int axis) {
  VINCULUM_EXPECTS(axis >= 0 && axis < 3);
  return add_frame(std::move(name), parent, {SimpleRotation{axis, Term{}, angle}});
}

FrameId ModelBuilder::add_rotated_frame(std::string name, FrameId parent, Term angle, Term direction) {
  return add_frame(std::move(name), parent, {SimpleRotation{-1, terms().unit(direction), angle}});
}

FrameId ModelBuilder::add_quaternion_frame(std::string name, FrameId parent, std::array<CoordinateId, 4> e,
                                           SourceRange range) {
  for (const CoordinateId q : e) {
    VINCULUM_EXPECTS(q.is_valid() && q.index() < model_->coordinates.size() && std::ranges::count(e, q) == 1);
    for (const Frame& other : model_->frames) {
      VINCULUM_EXPECTS(!other.quaternion || std::ranges::count(other.quaternion->e, q) == 0);
    }
  }
  const FrameId frame = add_frame(std::move(name), parent, {}, range);
  model_->frames[frame.index()].quaternion = QuaternionRotation{e};
  return frame;
}

PointId ModelBuilder::add_fixed_point(std::string name, FrameId frame, SourceRange range) {
  claim(name);
  return PointId(append(model_->points, Point{std::move(name), frame, PointId{}, Term{}, std::nullopt, range}));
}

PointId ModelBuilder::add_point(std::string name, PointId base, Term offset, SourceRange range) {
  claim(name);
  VINCULUM_EXPECTS(base.is_valid() && base.index() < model_->points.size() && offset.is_vector());
  return PointId(append(model_->points, Point{std::move(name), FrameId{}, base, offset, std::nullopt, range}));
}

PointId ModelBuilder::add_point_on(std::string name, FrameId on, PointId base, Term offset, SourceRange range) {
  VINCULUM_EXPECTS(on.is_valid() && on.index() < model_->frames.size());
  const PointId point = add_point(std::move(name), base, offset, range);
  model_->points[point.index()].on = on;
  return point;
}

ParticleId ModelBuilder::add_particle(std::string name, Term mass, PointId base, Term offset, SourceRange range) {
  VINCULUM_EXPECTS(mass.is_valid() && mass.is_scalar());
  const PointId point = add_point(name, base, offset, range);
  const ParticleId id(append(model_->particles, Particle{std::move(name), point, mass, range}));
  model_->points[point.index()].particle = id;
  return id;
}

BodyId ModelBuilder::add_body(std::string name, FrameId frame, Term mass, Inertia inertia, PointId base, Term offset,
                              std::optional<PointId> about, SourceRange range) {
  VINCULUM_EXPECTS(frame.is_valid() && frame.index() < model_->frames.size() && frame != Model::newtonian());
  VINCULUM_EXPECTS(!model_->frame(frame).body && mass.is_valid() && mass.is_scalar());
  for (const Term moment : {inertia.xx, inertia.yy, inertia.zz, inertia.xy, inertia.yz, inertia.zx}) {
    VINCULUM_EXPECTS(moment.is_valid() && moment.is_scalar());
  }
  const PointId center = add_point(name, base, offset, range);
  if (about) {
    // Parallel axis theorem: I_C = I_A − m (d·d 1 − d d), with d from A to C.
    const Term d = KinematicTree(*model_).separation(center, *about);
    std::array<Term, 3> along;
    for (int axis = 0; axis < 3; ++axis) {
      along[static_cast<std::size_t>(axis)] = terms().dot(d, terms().basis_vector(frame, axis));
    }
    const auto [x, y, z] = along;
    inertia = {inertia.xx - mass * (y * y + z * z), inertia.yy - mass * (z * z + x * x),
               inertia.zz - mass * (x * x + y * y), inertia.xy + mass * (x * y),
               inertia.yz + mass * (y * z),         inertia.zx + mass * (z * x)};
  }
  const BodyId body(append(model_->bodies, Body{std::move(name), frame, center, mass, inertia, range}));
  model_->points[center.index()].center_of = body;
  model_->frames[frame.index()].body = body;
  return body;
}

LoadId ModelBuilder::add_load(Load load) { return LoadId(append(model_->loads, std::move(load))); }
LoadId ModelBuilder::add_force(PointId point, Term force, std::optional<PointId> from) {
  return add_load(Load{ForceOn{point, force, from}, {}});
}
LoadId ModelBuilder::add_torque(FrameId body, Term torque, std::optional<FrameId> from) {
  VINCULUM_EXPECTS(torque.is_valid() && torque.is_vector());
  return add_load(Load{TorqueOn{body, torque, from}, {}});
}
LoadId ModelBuilder::add_gravity(Term acceleration) { return add_load(Load{Gravity{acceleration}, {}}); }
LoadId ModelBuilder::add_spring(PointId first, PointId second, Term stiffness, Term length, Term damping) {
  return add_load(Load{SpringBetween{first, second, stiffness, length, damping}, {}});
}
LoadId ModelBuilder::add_potential(Term energy) { return add_load(Load{PotentialEnergy{energy}, {}}); }
LoadId ModelBuilder::add_generalized_force(CoordinateId coordinate, Term force) {
  return add_load(Load{GeneralizedForceOn{coordinate, force}, {}});
}
LoadId ModelBuilder::add_lagrangian(Term L) {
  VINCULUM_EXPECTS(L.is_valid() && L.is_scalar() && level_of(*model_, L) <= Level::kVelocity);
  return add_load(Load{LagrangianFunction{L}, {}});
}

ConstraintId ModelBuilder::add_constraint(std::string name, Term relation, std::span<const Term> along,
                                          Dimension dimension, SourceRange range, std::string text) {
  VINCULUM_EXPECTS(relation.is_valid() && (relation.is_vector() || along.empty()));
  std::vector<Term> rows;
  if (relation.is_scalar()) {
    rows.push_back(relation);
  } else if (along.empty()) {
    for (int axis = 0; axis < 3; ++axis) {
      rows.push_back(terms().dot(relation, terms().basis_vector(Model::newtonian(), axis)));
    }
  } else {
    for (const Term direction : along) rows.push_back(terms().dot(relation, direction));
  }
  if (text.empty()) text = to_text(*model_, relation) + " = 0";
  const ConstraintId id = add_rows(std::move(name), std::move(rows), {}, {}, range, std::move(text));
  model_->constraints[id.index()].dimension = dimension;
  return id;
}

ConstraintId ModelBuilder::add_rows(std::string name, std::vector<Term> rows, std::vector<Dimension> dimensions,
                                    std::string joint, SourceRange range, std::string text) {
  claim(name);
  VINCULUM_EXPECTS(!rows.empty() && (dimensions.empty() || dimensions.size() == rows.size()));
  Constraint constraint;
  for (const Term row : rows) {
    VINCULUM_EXPECTS(row.is_valid() && row.is_scalar());
    add_coincident_points(row);
    constraint.level = std::max(constraint.level, level_of(*model_, row));
    if (text.empty()) constraint.text += (constraint.text.empty() ? "" : ", ") + to_text(*model_, row) + " = 0";
  }
  if (!text.empty()) constraint.text = std::move(text);
  constraint.name = std::move(name);
  constraint.rows = std::move(rows);
  if (!dimensions.empty()) constraint.dimension = dimensions.front();
  constraint.row_dimensions = std::move(dimensions);
  constraint.joint = std::move(joint);
  constraint.range = range;
  return ConstraintId(append(model_->constraints, std::move(constraint)));
}

void ModelBuilder::add_coincident_points(Term row) {
  for (const Term leaf : leaves_as_read(row)) {
    if (leaf.kind() != TermKind::kVelocity && leaf.kind() != TermKind::kAcceleration) continue;
    const PointId point(std::size_t{leaf.index()});
    const FrameId frame(std::size_t{leaf.second()});
    KinematicTree tree(*model_);
    const std::optional<FrameId> solid = tree.solid_of(frame);
    if (!solid || *solid == Model::newtonian() || coincident_point(*model_, tree, point, frame)) continue;
    const std::string& body = model_->body(*model_->frame(*solid).body).name;
    add_point_on(model_->point(point).name + " on " + body, *solid, point, terms().zero_vector());
  }
}

void ModelBuilder::set_law(ConstraintId constraint, std::shared_ptr<const Law> law) {
  Constraint& c = model_->constraints[constraint.index()];
  for (const auto& of_rows : law->mu()) VINCULUM_EXPECTS(of_rows.size() == c.rows.size());
  c.law = std::move(law);
}

StateId ModelBuilder::add_state(State state) {
  claim(state.name);
  VINCULUM_EXPECTS(!state.rate.is_valid() || state.rate.is_scalar());
  VINCULUM_EXPECTS(!state.start.is_valid() || state.start.is_scalar());
  return StateId(append(model_->states, std::move(state)));
}

StateId ModelBuilder::add_state(std::string name, Term rate, Term start, Dimension dimension) {
  State state;
  state.name = std::move(name);
  state.rate = rate;
  state.start = start;
  state.is_start_stated = start.is_valid();
  state.dimension = dimension;
  return add_state(std::move(state));
}

RevealId ModelBuilder::add_reveal(Reveal reveal) {
  claim(reveal.name);
  VINCULUM_EXPECTS(reveal.point.is_valid() != reveal.body.is_valid() && !reveal.along.empty());
  return RevealId(append(model_->reveals, std::move(reveal)));
}

void ModelBuilder::add_nonideal(ConstraintId constraint, Nonideal nonideal) {
  nonideal.stated = nonideal.what;
  hold_directions(*model_, constraint, nonideal);
  model_->constraints[constraint.index()].nonideal.push_back(std::move(nonideal));
}
void ModelBuilder::add_nonideal_force(ConstraintId constraint, PointId point, Term force, std::optional<PointId> from) {
  add_nonideal(constraint, Nonideal{ForceOn{point, force, from}, {}});
}

void ModelBuilder::add_output(std::string name, Term value, std::optional<FrameId> frame, Dimension dimension,
                              SourceRange range) {
  claim(name);
  Output output;
  output.name = std::move(name);
  output.value = value;
  output.frame = frame;
  output.dimension = dimension;
  output.range = range;
  model_->outputs.push_back(std::move(output));
}

void ModelBuilder::add_start(StartCondition condition) { model_->starts.push_back(std::move(condition)); }

std::optional<Failure> ModelBuilder::complete_speeds() {
  if (has_all_speeds_) return std::nullopt;
  auto failure = model::complete_speeds(*model_);
  has_all_speeds_ = !failure;
  for (const NonlinearSpeed& one : model_->nonlinear_speeds) {
    Output output;
    output.name = one.speed.name;
    output.value = one.speed.definition;
    output.dimension = one.speed.dimension;
    output.range = one.speed.range;
    model_->outputs.push_back(std::move(output));
  }
  return failure;
}

Outcome<std::shared_ptr<const Model>> ModelBuilder::finish() {
  if (auto failure = complete_speeds()) return fail(std::move(*failure));
  hold_friction_of_loads(*model_);
  return std::shared_ptr<const Model>(std::move(model_));
}

}  // namespace vinculum::model
