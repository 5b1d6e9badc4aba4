#include "vinculum/mechanics/builder.hpp"

#include <algorithm>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/mechanics/calculus.hpp"
#include "vinculum/mechanics/speed_completion.hpp"

namespace vinculum::mechanics {
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

PointId ModelBuilder::add_fixed_point(std::string name, FrameId frame, SourceRange range) {
  claim(name);
  return PointId(append(model_->points, Point{std::move(name), frame, PointId{}, Term{}, std::nullopt, range}));
}

PointId ModelBuilder::add_point(std::string name, PointId base, Term offset, SourceRange range) {
  claim(name);
  VINCULUM_EXPECTS(base.is_valid() && base.index() < model_->points.size() && offset.is_vector());
  return PointId(append(model_->points, Point{std::move(name), FrameId{}, base, offset, std::nullopt, range}));
}

ParticleId ModelBuilder::add_particle(std::string name, Term mass, PointId base, Term offset, SourceRange range) {
  VINCULUM_EXPECTS(mass.is_valid() && mass.is_scalar());
  const PointId point = add_point(name, base, offset, range);
  const ParticleId id(append(model_->particles, Particle{std::move(name), point, mass, range}));
  model_->points[point.index()].particle = id;
  return id;
}

LoadId ModelBuilder::add_load(Load load) { return LoadId(append(model_->loads, std::move(load))); }
LoadId ModelBuilder::add_force(PointId point, Term force, std::optional<PointId> from) {
  return add_load(Load{ForceOn{point, force, from}, {}});
}
LoadId ModelBuilder::add_gravity(Term acceleration) { return add_load(Load{Gravity{acceleration}, {}}); }
LoadId ModelBuilder::add_spring(PointId first, PointId second, Term stiffness, Term length, Term damping) {
  return add_load(Load{SpringBetween{first, second, stiffness, length, damping}, {}});
}
LoadId ModelBuilder::add_potential(Term energy) { return add_load(Load{PotentialEnergy{energy}, {}}); }
LoadId ModelBuilder::add_generalized_force(CoordinateId coordinate, Term force) {
  return add_load(Load{GeneralizedForceOn{coordinate, force}, {}});
}

ConstraintId ModelBuilder::add_constraint(std::string name, Term relation, std::span<const Term> along,
                                          Dimension dimension, SourceRange range, std::string text) {
  claim(name);
  VINCULUM_EXPECTS(relation.is_valid() && (relation.is_vector() || along.empty()));
  Constraint constraint;
  constraint.name = std::move(name);
  constraint.dimension = dimension;
  constraint.range = range;
  if (relation.is_scalar()) {
    constraint.rows.push_back(relation);
  } else if (along.empty()) {
    for (int axis = 0; axis < 3; ++axis) {
      constraint.rows.push_back(terms().dot(relation, terms().basis_vector(Model::newtonian(), axis)));
    }
  } else {
    for (const Term direction : along) constraint.rows.push_back(terms().dot(relation, direction));
  }
  for (const Term row : constraint.rows) constraint.level = std::max(constraint.level, level_of(*model_, row));
  constraint.text = text.empty() ? to_text(*model_, relation) + " = 0" : std::move(text);
  return ConstraintId(append(model_->constraints, std::move(constraint)));
}

void ModelBuilder::add_nonideal(ConstraintId constraint, Nonideal nonideal) {
  model_->constraints[constraint.index()].nonideal.push_back(std::move(nonideal));
}
void ModelBuilder::add_nonideal_force(ConstraintId constraint, PointId point, Term force,
                                      std::optional<PointId> from) {
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
  auto failure = mechanics::complete_speeds(*model_);
  has_all_speeds_ = !failure;
  return failure;
}

Outcome<std::shared_ptr<const Model>> ModelBuilder::finish() {
  if (auto failure = complete_speeds()) return fail(std::move(*failure));
  return std::shared_ptr<const Model>(std::move(model_));
}

}  // namespace vinculum::mechanics
