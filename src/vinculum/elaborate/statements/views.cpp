// Items of a `view`. Names, kinds and units are checked as in all statements, but the items do not affect the motion.
// They are processed last, so that everything else is the same with and without them.
#include <fmt/format.h>

#include <algorithm>

#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/requirements.hpp"
#include "vinculum/model/view.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using model::FrameId;
using model::PointId;
using model::Term;
using model::View;

namespace {

std::vector<std::string> names_in(const auto& table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(row.name);
  return names;
}

View::Link::Kind kind_of(lang::DrawnLink::Kind stated) {
  switch (stated) {
    case lang::DrawnLink::Kind::kRod: return View::Link::Kind::kRod;
    case lang::DrawnLink::Kind::kCoil: return View::Link::Kind::kCoil;
    case lang::DrawnLink::Kind::kCapsule: break;
  }
  return View::Link::Kind::kCapsule;
}

}  // namespace

View& Elaborator::view() {
  if (view_ == nullptr) model_.view = view_ = std::make_shared<View>();
  return *view_;
}

std::optional<std::string> Elaborator::colour(const lang::Name& name) {
  if (name.text.starts_with('"')) {
    const std::string code = name.text.substr(1, name.text.size() - 2);
    if (model::is_colour_code(code)) return code;
    return none(Kind::kBadValue, name.range, quote(code) + " is not a color code",
                "write six hexadecimal digits: `\"#ff8800\"`");
  }
  const auto table = model::colour_table();
  const auto row = std::ranges::find(table, name.text, &model::ColourInfo::name);
  if (row != table.end()) return std::string(row->hex);
  return none(Kind::kBadValue, name.range, "unknown color " + quote(name.text),
              diag::hint_among(name.text, names_in(table)));
}

std::optional<std::string> Elaborator::colour(const std::optional<lang::ColourName>& stated) {
  return stated ? colour(stated->name) : std::string();
}

/// A length in the drawing. It must be positive, for the current parameter values and for those that are set later. An
/// invalid term after an error.
Term Elaborator::drawn_length(const lang::Expression& expression, std::string_view what) {
  const Value value = check_.measured(expression, {1.0, make_dimension(0, 1, 0)}, what);
  return is_positive(expression, value, what) ? value.term : Term{};
}

/// Sets the owner, the place and the frame of a shape or a mesh; false after an error. The place or the frame may be
/// invalid after an error elsewhere.
/// \param form  how the item is written with a place, for a hint
bool Elaborator::place(const lang::Name& target, const std::optional<lang::Name>& at, const std::string& form,
                       auto& drawn) {
  const Symbol* owner = context_.scope.resolve(target.text, target.range, context_.statement);
  if (owner == nullptr) return false;
  drawn.owner = owner->name;
  const bool is_frame = owner->kind == SymbolKind::kFrame;
  if (is_frame || owner->kind == SymbolKind::kBody) {
    drawn.frame = frame_named(target);
  } else {
    drawn.frame = model::Model::newtonian();
    drawn.at = point_named(target);
    if (!drawn.at.is_valid()) return false;
  }
  if (owner->kind == SymbolKind::kBody) drawn.at = model_.bodies[owner->index].center;
  if (at) drawn.at = point_named(*at);
  return !is_frame || at ||
         refuse(Kind::kWrongKind, target.range, quote(target.text) + " is a frame, which turns and has no place",
                "say where it is: `" + form + "`");
}

std::optional<View::Shape> Elaborator::shape(const lang::DrawnShape& statement) {
  const auto table = model::shape_table();
  const auto info = std::ranges::find(table, statement.kind.text, &model::ShapeInfo::name);
  if (info == table.end())
    return none(Kind::kUnknownName, statement.kind.range, "unknown shape " + quote(statement.kind.text),
                diag::hint_among(statement.kind.text, names_in(table)));
  const std::string form = "write `" + std::string(info->signature) + "`";
  if (statement.sizes.size() != info->sizes)
    return none(Kind::kWrongArgumentCount, statement.kind.range,
                quote(statement.kind.text) + " has " + std::to_string(info->sizes) +
                    (info->sizes == 1 ? " size, " : " sizes, ") + std::to_string(statement.sizes.size()) + " given",
                form);
  if (statement.axis && !info->has_axis)
    return none(Kind::kNotAllowedHere, statement.axis->range, quote(statement.kind.text) + " has no axis", form);
  View::Shape shape;
  shape.kind = info->kind;
  if (!place(statement.target, statement.at, "shape " + statement.target.text + " = … at P", shape))
    return std::nullopt;
  bool is_right = shape.at.is_valid() && shape.frame.is_valid();
  for (const lang::ExpressionPtr& size : statement.sizes) {
    shape.sizes.push_back(drawn_length(*size, "the size of a shape"));
    is_right = shape.sizes.back().is_valid() && is_right;
  }
  if (statement.axis) {
    const int letter = axis_letter(*statement.axis);
    if (letter >= 0) {
      shape.letter = letter;
    } else if (is_right) {
      shape.axis = fixed_direction(*statement.axis, shape.frame, model_.frame(shape.frame).name, "the axis of a shape",
                                   "the axis of a shape is `x`, `y`, `z` or a vector");
      is_right = shape.axis.is_valid();
    }
  }
  const auto hex = colour(statement.colour);
  if (!is_right || !hex) return std::nullopt;
  shape.colour = *hex;
  return shape;
}

void Elaborator::apply(const lang::DrawnShape& statement) {
  context_.place = "a shape";
  auto drawn = shape(statement);
  if (!drawn) return context_.reporter.leave_out();
  drawn->is_surface = statement.is_surface;
  view().shapes.push_back(*std::move(drawn));
}

void Elaborator::apply(const lang::DrawnLink& statement) {
  context_.place = "a drawing";
  View::Link link{point_named(statement.first), point_named(statement.second), {}, {}, kind_of(statement.kind)};
  const auto hex = colour(statement.colour);
  bool is_right = link.first.is_valid() && link.second.is_valid() && hex;
  if (statement.radius) {
    link.radius = drawn_length(*statement.radius, "a radius");
    is_right = link.radius.is_valid() && is_right;
  }
  if (is_right && link.first == link.second)
    is_right = refuse(Kind::kBadValue, statement.second.range, "it is drawn between two different points");
  if (!is_right) return context_.reporter.leave_out();
  link.colour = *hex;
  view().links.push_back(std::move(link));
}

void Elaborator::apply(const lang::MeshStatement& statement) {
  context_.place = "a mesh";
  View::Mesh mesh;
  mesh.file = statement.file;
  mesh.folder = context_.options.folder.string();
  mesh.range = statement.file_range;
  bool is_right = place(statement.target, statement.at,
                        "mesh \"" + statement.file + "\" on " + statement.target.text + " at P", mesh) &&
                  mesh.at.is_valid() && mesh.frame.is_valid();
  if (statement.scale) {
    mesh.scale = drawn_length(*statement.scale, "the scale of a mesh");
    is_right = mesh.scale.is_valid() && is_right;
  }
  const auto hex = colour(statement.colour);
  if (!is_right || !hex) return context_.reporter.leave_out();
  mesh.colour = *hex;
  view().meshes.push_back(std::move(mesh));
}

void Elaborator::apply(const lang::LabelStatement& statement) {
  const PointId point = point_named(statement.target);
  const auto hex = colour(statement.colour);
  if (!point.is_valid() || !hex) return context_.reporter.leave_out();
  view().labels.push_back({point, statement.text, *hex});
}

void Elaborator::apply(const lang::CameraStatement& statement) {
  const PointId point = point_named(statement.target);
  if (!point.is_valid()) return context_.reporter.leave_out();
  if (view().followed.is_valid())
    return context_.reporter.error(Kind::kMisplacedStatement, statement.target.range,
                                   "the camera follows " + quote(model_.point(view().followed).name) + " already");
  view().followed = point;
}

void Elaborator::apply(const lang::AxesStatement& statement) {
  const Symbol* owner = context_.scope.resolve(statement.frame.text, statement.frame.range, context_.statement);
  View::Axes axes{owner == nullptr ? FrameId{} : frame_named(statement.frame), {}, {}};
  bool is_right = axes.frame.is_valid();
  if (statement.at) {
    axes.at = point_named(*statement.at);
  } else if (is_right && owner->kind == SymbolKind::kBody) {
    axes.at = model_.bodies[owner->index].center;
  } else if (is_right && model_.frame(axes.frame).body) {
    axes.at = model_.body(*model_.frame(axes.frame).body).center;
  } else if (is_right) {
    is_right = refuse(Kind::kWrongKind, statement.frame.range, "no body is fixed in " + quote(statement.frame.text),
                      "say where its axes are drawn: `axes " + statement.frame.text + " at P`");
  }
  if (statement.length) {
    axes.length = drawn_length(*statement.length, "the length of axes");
    is_right = axes.length.is_valid() && is_right;
  }
  if (!is_right || !axes.at.is_valid()) return context_.reporter.leave_out();
  view().axes.push_back(axes);
}

void Elaborator::apply(const lang::TraceStatement& statement) {
  const auto hex = colour(statement.colour);
  for (const lang::Name& name : statement.points) {
    const PointId point = point_named(name);
    if (!hex || !point.is_valid()) {
      context_.reporter.leave_out();
      continue;
    }
    view().traces.push_back({point, *hex});
  }
}

/// Draws the arrow of `force(c, P)` or `torque(c, B)`.   \pre the call has been evaluated
bool Elaborator::draw_reaction(const lang::ArrowStatement& statement, const lang::Call& call, bool is_torque) {
  if (statement.at || statement.colour)
    return refuse(Kind::kNotAllowedHere, statement.value->range,
                  "the arrow of a constraint is drawn where it acts, in the color of the constraint",
                  "leave the rest out; colors of constraints are stated by `color`");
  const Value constraint = check_.evaluate(*call.arguments[0]), on = check_.evaluate(*call.arguments[1]);
  View::Reaction reaction{constraint.constraint, {}, is_torque};
  if (is_torque) {
    reaction.on = on.is(ValueKind::kBody) ? model_.body(on.body).name : model_.body(*model_.frame(on.frame).body).name;
  } else {
    const auto points = model::points_of(model_, reaction.constraint);
    const PointId point = check_.as_place(on).point;
    if (context_.guesses_places) return true;  // the points on which the constraint acts are unknown
    if (std::ranges::find(points, point) == points.end()) {
      std::string where;
      for (const PointId one : points) where += (where.empty() ? "" : ", ") + quote(model_.point(one).name);
      return refuse(Kind::kPointNotInConstraint, call.arguments[1]->range,
                    quote(model_.constraint(reaction.constraint).name) + " has no arrow here",
                    "its forces are drawn on " + where);
    }
    reaction.on = model_.point(point).name;
  }
  view().reactions.push_back(std::move(reaction));
  return true;
}

void Elaborator::apply(const lang::ArrowStatement& statement) {
  context_.place = "an arrow";
  const Value value = check_.vector(*statement.value, "an arrow");
  if (value.is_fault()) return context_.reporter.leave_out();
  const auto* call = std::get_if<lang::Call>(&statement.value->node);
  const FunctionInfo* info = call == nullptr ? nullptr : find_function(call->function.text);
  const bool is_torque = info != nullptr && info->function == Function::kTorque;
  if (is_torque || (info != nullptr && info->function == Function::kForce)) {
    if (!draw_reaction(statement, *call, is_torque)) context_.reporter.leave_out();
    return;
  }
  const auto hex = colour(statement.colour);
  bool is_right = hex && knows_third_derivatives(*statement.value, value);
  if (is_right && !statement.at)
    is_right = refuse(Kind::kNotAllowedHere, statement.value->range, "an arrow has a place",
                      "write `arrow VEC at P`; `force(c, P)` and `torque(c, B)` have theirs");
  const PointId at = statement.at ? point_named(*statement.at) : PointId{};
  if (!is_right || !at.is_valid()) return context_.reporter.leave_out();
  view().vectors.push_back({std::string(context_.reporter.source().slice(statement.value->range)), value.term,
                            context_.stored(value.dimension), at, *hex});
}

/// The name of a body, point, particle or constraint; empty after an error, which has been reported.
std::string Elaborator::drawn_thing(const lang::Name& name) {
  const Symbol* symbol = context_.scope.resolve(name.text, name.range, context_.statement);
  if (symbol == nullptr) return {};
  if (symbol->kind == SymbolKind::kBody || symbol->kind == SymbolKind::kPoint ||
      symbol->kind == SymbolKind::kConstraint)
    return symbol->name;
  context_.reporter.error(Kind::kWrongKind, name.range,
                          "a body, a point, a particle or a constraint is needed here, " + quote(name.text) + " is " +
                              with_article(std::string(to_string(symbol->kind))));
  return {};
}

void Elaborator::apply(const lang::ColourStatement& statement) {
  for (const lang::ColourItem& item : statement.items) {
    const std::string owner = drawn_thing(item.target);
    const auto hex = colour(item.colour);
    if (owner.empty() || !hex) {
      context_.reporter.leave_out();
      continue;
    }
    const auto is_same = [&](const View::Colour& other) { return other.owner == owner; };
    if (std::ranges::any_of(view().colours, is_same)) {
      context_.reporter.error(Kind::kMisplacedStatement, item.target.range,
                              quote(item.target.text) + " has a color already");
      continue;
    }
    view().colours.push_back({owner, *hex});
  }
}

void Elaborator::apply(const lang::HideStatement& statement) {
  for (const lang::Name& name : statement.targets) {
    const std::string owner = drawn_thing(name);
    owner.empty() ? context_.reporter.leave_out() : view().hidden.push_back(owner);
  }
}

void Elaborator::apply(const lang::NoStatement& statement) {
  const std::vector<std::string> words(model::kLeftOut.begin(), model::kLeftOut.end());
  if (std::ranges::find(words, statement.word.text) == words.end()) {
    context_.reporter.error(Kind::kUnknownName, statement.word.range,
                            "no item that is drawn by default is called " + quote(statement.word.text),
                            diag::hint_among(statement.word.text, words));
    return;
  }
  view().without.push_back(statement.word.text);
}

}  // namespace vinculum::elaborate
