#include <algorithm>

#include "vinculum/api/handles.hpp"

namespace vinculum {
namespace {

/// The thing of this name, as a handle. \param what  kind of thing, as a noun
template <class Kind, class Things>
Result<Kind> find(const Model::Shared& model, std::string_view what, std::string_view name, const Things& things) {
  for (std::size_t i = 0; i < things.size(); ++i)
    if (things[i].name == name) return Kind{i, model.id};
  std::vector<std::string> names;
  for (const auto& one : things) names.push_back(one.name);
  return no_such(what, name, names);
}

}  // namespace

std::span<const Parameter> ModelNames::parameters() const { return shared_->parameters; }
std::span<const Entity> ModelNames::coordinates() const { return shared_->coordinates; }
std::span<const Entity> ModelNames::speeds() const { return shared_->speeds; }
std::span<const Entity> ModelNames::states() const { return shared_->states; }
std::span<const Entity> ModelNames::inputs() const { return shared_->inputs; }
std::span<const Entity> ModelNames::constraints() const { return shared_->constraints; }
std::span<const Entity> ModelNames::outputs() const { return shared_->outputs; }

Result<ParameterHandle> ModelNames::parameter(std::string_view name) const {
  return find<ParameterHandle>(*shared_, "parameter", name, shared_->parameters);
}
Result<CoordinateHandle> ModelNames::coordinate(std::string_view name) const {
  return find<CoordinateHandle>(*shared_, "coordinate", name, shared_->coordinates);
}
Result<SpeedHandle> ModelNames::speed(std::string_view name) const {
  return find<SpeedHandle>(*shared_, "speed", name, shared_->speeds);
}
Result<StateHandle> ModelNames::state(std::string_view name) const {
  return find<StateHandle>(*shared_, "state", name, shared_->states);
}
Result<InputHandle> ModelNames::input(std::string_view name) const {
  return find<InputHandle>(*shared_, "input", name, shared_->inputs);
}
Result<ConstraintHandle> ModelNames::constraint(std::string_view name) const {
  return find<ConstraintHandle>(*shared_, "constraint", name, shared_->constraints);
}
Result<PointHandle> ModelNames::point(std::string_view name) const {
  return find<PointHandle>(*shared_, "point", name, shared_->model->points);
}
Result<BodyHandle> ModelNames::body(std::string_view name) const {
  return find<BodyHandle>(*shared_, "body", name, shared_->model->bodies);
}

Result<FrameHandle> ModelNames::frame(std::string_view name) const {
  const model::Model& model = *shared_->model;
  const auto body = std::ranges::find(model.bodies, name, &model::Body::name);
  if (body != model.bodies.end()) return FrameHandle{body->frame.index(), shared_->id};
  return find<FrameHandle>(*shared_, "frame", name, model.frames);
}

Result<ColumnHandle> ModelNames::column(std::string_view name) const {
  const auto bound = shared_->compiled();
  if (!bound) return Unexpected<Error>{bound.error()};
  return find_column(*shared_, report::columns_of(**bound), name);
}

Result<ColumnHandle> find_column(const Model::Shared& model, std::span<const report::Column> columns,
                                 std::string_view name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name) return ColumnHandle{i, -1, model.id};
    for (int k = 0; k < columns[i].count; ++k)
      if (report::entry_name(columns[i], k) == name) return ColumnHandle{i, k, model.id};
    names.push_back(columns[i].name);
  }
  return no_such("coordinate, speed, state, output or residual", name, names);
}

}  // namespace vinculum
