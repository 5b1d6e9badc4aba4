#include <algorithm>
#include <array>
#include <span>

#include "vinculum/elaborate/check/units.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/real_inertia.hpp"
#include "vinculum/model/requirements.hpp"
#include "vinculum/model/shared_frame.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using model::FrameId;
using model::PointId;
using model::Term;

namespace {

/// Converts a plane inertia about a point to the inertia about the mass center.
/// \param arm  vector from the mass center to the point
model::Inertia about_center(const model::Inertia& about, Term kilograms, Term arm, FrameId frame) {
  model::TermPool& pool = kilograms.pool();
  const Term x = pool.dot(arm, pool.basis_vector(frame, 0)), y = pool.dot(arm, pool.basis_vector(frame, 1));
  const Term zz = about.zz - kilograms * (x * x + y * y), half = zz / 2.0, none = pool.number(0.0);
  return {half, half, zz, none, none, none};
}

}  // namespace

std::optional<Term> Elaborator::mass(const lang::Expression& expression, const std::string& name) {
  const Value value = check_.scalar_of(expression, make_dimension(1, 0, 0), "a mass");
  const std::optional<double> kilograms = value.is_fault() ? std::nullopt : number_now(expression, value, "a mass");
  if (!kilograms) return std::nullopt;
  if (*kilograms >= 0.0) {
    model::require(
        model_, {value.term}, [](std::span<const double> m) { return m[0] >= 0.0; },
        "the mass of `" + name + "` must not be negative");
    return value.term;
  }
  return none(Kind::kBadValue, expression.range, "the mass of `" + name + "` is negative");
}

std::optional<model::Inertia> Elaborator::inertia(const lang::BodyStatement& statement) {
  const Dimension dimension = make_dimension(1, 2, 0);
  std::optional<UnitValue> unit;
  if (statement.inertia_unit) {
    unit = read_unit(*statement.inertia_unit, context_.reporter);
    if (!unit) return std::nullopt;
    if (model_.has_units && !(unit->dimension == dimension))
      return none(Kind::kDimensionMismatch, statement.inertia_unit->range,
                  "moments of inertia must be in kg*m^2, found " + si_unit(unit->dimension));
  }
  if (statement.is_plane) return plane_inertia(statement);
  const std::size_t count = statement.inertia.size();
  if (count != 3 && count != 6)
    return none(
        Kind::kWrongArgumentCount,
        count == 0 ? statement.name.range : cover(statement.inertia.front()->range, statement.inertia.back()->range),
        "an inertia has 3 moments, or 6 numbers with the products, found " + std::to_string(count),
        "write `inertia (Ixx, Iyy, Izz)` or `inertia (Ixx, Iyy, Izz, Ixy, Iyz, Izx)`");
  std::array<Term, 6> parts;
  parts.fill(pool_.number(0.0));
  bool is_right = true;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view what = i < 3 ? "a moment of inertia" : "a product of inertia";
    const lang::Expression& written = *statement.inertia[i];
    const Value value = unit ? check_.closed_by(written, *unit, what) : check_.scalar_of(written, dimension, what);
    is_right = !value.is_fault() && number_now(written, value, what).has_value() && is_right;
    parts[i] = value.term;
  }
  if (!is_right) return std::nullopt;
  return model::Inertia{parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]};
}

/// Inertia from a plane moment Izz. In plane motion only Izz matters; the other moments are set to those of a plate.
std::optional<model::Inertia> Elaborator::plane_inertia(const lang::BodyStatement& statement) {
  const std::string_view what = "a moment of inertia";
  const lang::Expression& written = *statement.inertia.front();
  const Value value = check_.scalar_of(written, make_dimension(1, 2, 0), what);
  if (value.is_fault() || !number_now(written, value, what)) return std::nullopt;
  const Term half = value.term / 2.0, none = pool_.number(0.0);
  return model::Inertia{half, half, value.term, none, none, none};
}

/// Whether a body with a plane inertia turns about its z axis only.
bool Elaborator::moves_in_plane(const lang::BodyStatement& statement, FrameId frame) {
  if (context_.guesses_places) return true;
  const Term omega = pool_.angular_velocity(frame, model::Model::newtonian());
  const Term size = pool_.norm(omega);
  RelationCheck rates(model_, context_.facts);  // with the coordinates so far
  for (const int axis : {0, 1}) {
    const RelationVerdict verdict = rates.judge(pool_.dot(omega, pool_.basis_vector(frame, axis)), size).verdict;
    if (verdict == RelationVerdict::kTrivial) continue;
    return refuse(Kind::kNotAllowedHere, statement.inertia.front()->range,
                  "`" + statement.frame.text + "` turns about other axes than its z too: all of its inertia matters",
                  "a plane inertia is for a body that turns only about its z; write `inertia (Ixx, Iyy, Izz)`");
  }
  return true;
}

/// The frame of a body. If the stated frame already belongs to a body, or is the newtonian frame, the body gets a new
/// frame fixed in it.
FrameId Elaborator::own_frame(const lang::BodyStatement& statement, FrameId given) {
  const model::SourceRange range = statement.name.range;
  const std::string own = "(frame of " + statement.name.text + ")";  // not a valid name, so no text can contain it
  if (!given.is_valid()) {
    context_.reporter.leave_out();
    context_.guesses_places = true;
    return builder_.add_frame(own, model::Model::newtonian(), {model::SimpleRotation{2, Term{}, pool_.number(0.0)}},
                              range);
  }
  // The newtonian frame belongs to the ground. A body that translates without turning gets a child frame of it.
  const bool is_newtonian = given == model::Model::newtonian();
  if (!model_.frame(given).body && !is_newtonian) return given;
  frame_depth_.resize(std::max(frame_depth_.size(), model_.frames.size()));
  frame_depth_.push_back(frame_depth_[given.index()] + 1);
  return builder_.add_frame(own, given, {}, range);
}

void Elaborator::apply(const lang::BodyStatement& statement) {
  context_.place = "a body";
  Symbol* symbol = context_.symbol_of(statement.name);
  const FrameId given = frame_named(statement.frame);
  auto [kilograms, dyadic] = statement.solid
                                 ? solid(statement, given)
                                 : MassAndInertia{mass(*statement.mass, statement.name.text), inertia(statement)};
  Value at = place(*statement.position);
  std::optional<PointId> about;
  if (statement.about) about = point_named(*statement.about);
  if (!kilograms || !dyadic || symbol == nullptr || (about && !about->is_valid())) context_.reporter.leave_out();
  if (at.is_fault()) at = somewhere();
  if (symbol == nullptr) return;
  const FrameId frame = own_frame(statement, given);
  if (about && about->is_valid() && !context_.guesses_places) {
    const Term arm = pool_.position(*about, at.point) - at.term;
    if (!context_.facts.tree().of_term(arm, frame).is_none()) {
      context_.reporter.error(
          Kind::kNotAllowedHere, statement.about->range,
          "inertia is about a point fixed in the body, and `" + statement.about->text + "` moves in it");
      about.reset();
    }
  }
  if (dyadic && statement.is_plane && !moves_in_plane(statement, frame)) dyadic.reset();
  const bool is_known = dyadic && (!about || about->is_valid());
  if (!is_known) {
    const Term one = pool_.number(1.0), none = pool_.number(0.0);
    dyadic = model::Inertia{one, one, one, none, none, none};
    about.reset();
  }
  // In plane motion only the distance perpendicular to z matters, so the inertia of a plate stays the inertia of a
  // plate.
  if (is_known && about && statement.is_plane) {
    dyadic =
        about_center(*dyadic, kilograms.value_or(pool_.number(1.0)), pool_.position(*about, at.point) - at.term, frame);
    about.reset();
  }
  const model::BodyId body = builder_.add_body(symbol->name, frame, kilograms.value_or(pool_.number(1.0)), *dyadic,
                                               at.point, at.term, about, statement.name.range);
  context_.facts.forget_observers();
  point_depth_.resize(model_.points.size());
  point_depth_[model_.body(body).center.index()] = point_depth_[at.point.index()] + 1;
  symbol->index = body.value;
  symbol->state = SymbolState::kReady;
  if (is_known && !context_.guesses_places) judge_inertia(statement, body);
}

/// Reports an error if the inertia is physically impossible.
void Elaborator::judge_inertia(const lang::BodyStatement& statement, model::BodyId body) {
  const model::Inertia& central = model_.body(body).inertia;
  const std::array<Term, 6> parts = {central.xx, central.yy, central.zz, central.xy, central.yz, central.zx};
  if (std::ranges::any_of(parts, [&](Term part) { return is_guessed(part); })) return;
  model::Instant any;
  any.q.assign(model_.coordinates.size(), 0.5);
  any.q_dot = any.q_ddot = any.q;
  model::TermValues values(model_, any);
  model::Moments numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = values.scalar(parts[i]).value;
  const diag::SourceRange range = cover(statement.inertia.front()->range, statement.inertia.back()->range);
  switch (model::fault_of(numbers)) {
    case model::InertiaFault::kNone: break;
    case model::InertiaFault::kNegative:
      context_.reporter.error(
          Kind::kBadValue, range,
          "no body has this inertia: about some axis through the mass centre its moment is negative",
          statement.about ? "is it about `" + statement.about->text + "`, the masses' distance included?"
                          : "products of inertia carry their sign: Ixy = -∫ x y dm");
      return;
    case model::InertiaFault::kUneven:
      context_.reporter.error(
          Kind::kBadValue, range,
          "no body has this inertia: a principal moment about the mass centre exceeds the sum of the other two",
          "of a plate it is the sum, of any other body less: I_zz = ∫ (x^2 + y^2) dm ≤ I_xx + I_yy");
      return;
  }
  model::require(
      model_, {parts.begin(), parts.end()},
      [](std::span<const double> moments) {
        model::Moments inertia{};
        std::ranges::copy(moments, inertia.begin());
        return model::fault_of(inertia) == model::InertiaFault::kNone;
      },
      "there are bodies with the inertia of `" + statement.name.text + "`");
}

std::optional<model::QuaternionRotation> Elaborator::quaternion(const lang::FrameQuaternion& definition) {
  model::QuaternionRotation result;
  bool is_right = definition.coordinates.size() == 4;
  if (!is_right) {
    context_.reporter.error(Kind::kWrongArgumentCount, definition.parent.range,
                            "a quaternion has 4 coordinates, found " + std::to_string(definition.coordinates.size()));
  }
  for (std::size_t i = 0; i < definition.coordinates.size(); ++i) {
    const lang::Name& name = definition.coordinates[i];
    const Symbol* symbol = named(name, SymbolKind::kCoordinate);
    if (symbol == nullptr) {
      is_right = false;
      continue;
    }
    const model::CoordinateId id(std::size_t{symbol->index});
    if (model_.has_units && !symbol->declared.dimension.is_dimensionless()) {
      return none(Kind::kDimensionMismatch, name.range,
                  "a coordinate of a quaternion must be dimensionless, found " + si_unit(symbol->declared.dimension),
                  "a unit in `coord` is that of all names before it up to the one before: declare the four in a "
                  "separate `coord`");
    } else if (const auto [before, is_new] = quaternion_coordinates_.try_emplace(id, name.range); !is_new) {
      context_.reporter.error(Kind::kNotAllowedHere, name.range,
                              "`" + name.text + "` is a coordinate of a quaternion already",
                              diag::Label{before->second, "here"}, "each quaternion needs four separate coordinates");
      is_right = false;
    } else if (const auto angle = angle_coordinates_.find(id); angle != angle_coordinates_.end()) {
      context_.reporter.error(Kind::kNotAllowedHere, name.range,
                              "`" + name.text + "` is part of an angle and cannot be a coordinate of a quaternion",
                              diag::Label{angle->second, "the angle"});
      is_right = false;
    }
    if (i < 4) result.e[i] = id;
  }
  if (!is_right) return std::nullopt;
  return result;
}

std::optional<FrameId> Elaborator::body_frame_named(const lang::Name& name, bool may_be_newtonian) {
  const FrameId frame = frame_named(name);
  if (!frame.is_valid()) return std::nullopt;
  const Symbol* symbol = context_.scope.find(name.text);
  const bool names_frame = symbol != nullptr && symbol->kind == SymbolKind::kFrame;
  if (const std::string bodies = names_frame ? model::bodies_sharing(model_, frame) : std::string(); !bodies.empty())
    return none(Kind::kWrongKind, name.range, "`" + name.text + "` is the frame of several bodies: " + bodies,
                "name the body");
  const bool is_newtonian = frame == model::Model::newtonian();
  if (model_.frame(frame).body || (is_newtonian && may_be_newtonian)) return frame;
  if (context_.guesses_places) {
    context_.reporter.leave_out();
    return std::nullopt;
  }
  return none(Kind::kWrongKind, name.range,
              is_newtonian ? "a body is needed here, `" + name.text + "` is the newtonian frame"
                           : "a body is needed here, and no body is fixed in the frame `" + name.text + "`",
              is_newtonian ? "the ground does not turn; the opposite of a torque on a body goes there by `from " +
                                 name.text + "`"
                           : "declare the body: `body B frame " + name.text + " mass m inertia (…) at O + …`");
}

}  // namespace vinculum::elaborate
