// Drawings of models built by programs, with the checks that elaboration performs for a text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "vinculum/api/builder_own.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/requirements.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum {
namespace {

using model::TermKind;
using Drawing = model::View;

Drawing& drawing_of(Builder::Own& own) {
  if (own.view == nullptr) own.builder.model().view = own.view = std::make_shared<Drawing>();
  return *own.view;
}

std::string names_among(const auto& table) {
  std::vector<std::string_view> names;
  for (const auto& row : table) names.push_back(row.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string hex_of(const std::string& colour) {
  if (colour.empty()) return {};
  if (model::is_colour_code(colour)) return colour;
  const auto table = model::colour_table();
  const auto row = std::ranges::find(table, colour, &model::ColourInfo::name);
  if (row == table.end())
    throw std::invalid_argument(fmt::format("unknown colour `{}`; there are {}", colour, names_among(table)));
  return std::string(row->hex);
}

bool is_of_parameters(model::Term term) {
  return std::ranges::all_of(model::in_order(term), [](model::Term one) {
    return one.kind() == TermKind::kNumber || one.kind() == TermKind::kParameter || one.kind() == TermKind::kFunction ||
           one.kind() == TermKind::kTable;
  });
}

/// A length in a drawing. It must be positive for the present parameter values; the model then requires this of all
/// later values.
model::Term drawn_length(Builder::Own& own, Term stated, std::string_view what) {
  const model::Term term = in(stated);
  if (!term.is_valid() || term.is_vector() || !is_of_parameters(term))
    throw std::invalid_argument(fmt::format("{} is a number, or made of parameters", what));
  model::Model& model = own.builder.model();
  const double now = model::TermValues(model, {}).scalar(term).value;
  if (!(now > 0.0)) throw std::invalid_argument(fmt::format("{} must be positive, and it is {:g}", what, now));
  model::require_positive(model, term, what);
  return term;
}

model::Term drawn_axis(Builder::Own& own, Term stated, model::FrameId frame) {
  const model::Term axis = in(stated);
  if (!axis.is_valid()) return {};
  const model::Model& model = own.builder.model();
  if (!axis.is_vector() || !model::KinematicTree(model).of_term(axis, frame).is_none())
    throw std::invalid_argument(fmt::format("the axis of a shape is a vector fixed in `{}`", model.frame(frame).name));
  model::Instant any;  // the axis is fixed in the frame, so its length is the same at every state
  any.q.assign(model.coordinates.size(), 0.5);
  any.q_dot = any.q_ddot = any.q;
  const auto direction = model::TermValues(model, any).vector(axis);
  if (!(std::hypot(direction[0].value, direction[1].value, direction[2].value) > 0.0))
    throw std::invalid_argument("the axis of a shape is not the zero vector");
  return axis;
}

void add_shape(Builder::Own& own, const View::Shape& stated, std::string owner, model::FrameId frame,
               model::PointId at) {
  const auto table = model::shape_table();
  const auto info = std::ranges::find(table, stated.kind, &model::ShapeInfo::name);
  if (info == table.end())
    throw std::invalid_argument(fmt::format("unknown shape `{}`; there are {}", stated.kind, names_among(table)));
  if (stated.sizes.size() != info->sizes)
    throw std::invalid_argument(fmt::format("`{}` has {} size{}, {} given", info->signature, info->sizes,
                                            info->sizes == 1 ? "" : "s", stated.sizes.size()));
  if (stated.axis.is_valid() && !info->has_axis)
    throw std::invalid_argument(fmt::format("`{}` has no axis", stated.kind));
  Drawing::Shape shape;
  shape.owner = std::move(owner);
  shape.at = at;
  shape.frame = frame;
  shape.kind = info->kind;
  for (const Term size : stated.sizes) shape.sizes.push_back(drawn_length(own, size, "the size of a shape"));
  shape.axis = drawn_axis(own, stated.axis, frame);
  shape.colour = hex_of(stated.colour);
  shape.is_surface = stated.is_surface;
  drawing_of(own).shapes.push_back(std::move(shape));
}

void add_link(Builder::Own& own, model::PointId first, model::PointId second, Term radius, const std::string& colour,
              bool is_coil) {
  if (first == second) throw std::invalid_argument("it is drawn between two different points");
  const auto drawn = radius.is_valid() ? drawn_length(own, radius, "a radius") : model::Term{};
  drawing_of(own).links.push_back(
      {first, second, drawn, hex_of(colour), is_coil ? Drawing::Link::Kind::kCoil : Drawing::Link::Kind::kRod});
}

void add_colour(Builder::Own& own, const std::string& owner, const std::string& colour) {
  const std::string hex = hex_of(colour);
  if (hex.empty()) throw std::invalid_argument("a colour is one of " + names_among(model::colour_table()));
  if (std::ranges::find(drawing_of(own).colours, owner, &Drawing::Colour::owner) != drawing_of(own).colours.end())
    throw std::invalid_argument(fmt::format("`{}` has a colour already", owner));
  drawing_of(own).colours.push_back({owner, hex});
}

const model::Body& body_of(const model::Model& model, Builder::Frame frame) {
  const auto body = model.frame(in(frame)).body;
  if (!body) throw std::invalid_argument(fmt::format("frame `{}` has no body", model.frame(in(frame)).name));
  return model.body(*body);
}

}  // namespace

View Builder::view() { return View(*own_); }

void View::shape(Builder::Body on, const Shape& shape, std::optional<Builder::Point> at) {
  const std::string& name = body_of(own_->builder.model(), on.frame).name;
  add_shape(*own_, shape, name, in(on.frame), in(at.value_or(on.center)));
}
void View::shape(Builder::Frame on, const Shape& shape, Builder::Point at) {
  add_shape(*own_, shape, own_->builder.model().frame(in(on)).name, in(on), in(at));
}
void View::shape(Builder::Point on, const Shape& shape) {
  add_shape(*own_, shape, own_->builder.model().point(in(on)).name, model::kNewtonian, in(on));
}

void View::rod(Builder::Point first, Builder::Point second, Term radius, const std::string& colour) {
  add_link(*own_, in(first), in(second), radius, colour, false);
}
void View::coil(Builder::Point first, Builder::Point second, Term radius, const std::string& colour) {
  add_link(*own_, in(first), in(second), radius, colour, true);
}

void View::axes(Builder::Frame frame, Builder::Point at, Term length) {
  const auto drawn = length.is_valid() ? drawn_length(*own_, length, "the length of axes") : model::Term{};
  drawing_of(*own_).axes.push_back({in(frame), in(at), drawn});
}

void View::trace(Builder::Point point, const std::string& colour) {
  drawing_of(*own_).traces.push_back({in(point), hex_of(colour)});
}

void View::arrow(const std::string& name, Term vector, Builder::Point at, const std::string& unit,
                 const std::string& colour) {
  const model::Term value = in(vector);
  if (!value.is_valid() || !value.is_vector() || level_of(own_->builder.model(), value) > model::Level::kAcceleration)
    throw std::invalid_argument("an arrow is a vector, up to accelerations");
  drawing_of(*own_).vectors.push_back({name, value, dimension_of(unit), in(at), hex_of(colour)});
}

void View::force(Builder::Constraint constraint, Builder::Point on) {
  const model::Model& model = own_->builder.model();
  const auto points = points_of(model, in(constraint));
  if (std::ranges::find(points, in(on)) == points.end())
    throw std::invalid_argument(
        fmt::format("`{}` has no arrow on `{}`", model.constraint(in(constraint)).name, model.point(in(on)).name));
  drawing_of(*own_).reactions.push_back({in(constraint), model.point(in(on)).name, false});
}

void View::torque(Builder::Constraint constraint, Builder::Frame body) {
  const model::Model& model = own_->builder.model();
  const std::string& name = body_of(model, body).name;
  const auto frames = bodies_of(model, in(constraint));
  if (std::ranges::find(frames, in(body)) == frames.end())
    throw std::invalid_argument(
        fmt::format("`{}` exerts nothing on `{}`", model.constraint(in(constraint)).name, name));
  drawing_of(*own_).reactions.push_back({in(constraint), name, true});
}

void View::colour(Builder::Body of, const std::string& colour) {
  add_colour(*own_, body_of(own_->builder.model(), of.frame).name, colour);
}
void View::colour(Builder::Point of, const std::string& colour) {
  add_colour(*own_, own_->builder.model().point(in(of)).name, colour);
}
void View::colour(Builder::Constraint of, const std::string& colour) {
  add_colour(*own_, own_->builder.model().constraint(in(of)).name, colour);
}

void View::hide(Builder::Body body) {
  drawing_of(*own_).hidden.push_back(body_of(own_->builder.model(), body.frame).name);
}
void View::hide(Builder::Point point) {
  drawing_of(*own_).hidden.push_back(own_->builder.model().point(in(point)).name);
}
void View::hide(Builder::Constraint constraint) {
  drawing_of(*own_).hidden.push_back(own_->builder.model().constraint(in(constraint)).name);
}

void View::without(const std::string& what) {
  if (std::ranges::find(model::kLeftOut, what) == model::kLeftOut.end())
    throw std::invalid_argument(fmt::format("no item that is drawn by default is called `{}`; there are {}", what,
                                            fmt::join(model::kLeftOut, ", ")));
  drawing_of(*own_).without.push_back(what);
}

}  // namespace vinculum
