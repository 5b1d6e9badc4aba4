#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/elaborate/build/elaborator.hpp"
#include "vinculum/elaborate/check/units.hpp"
#include "vinculum/mechanics/evaluate.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using mechanics::FrameId;
using mechanics::PointId;
using mechanics::Term;

namespace {

using Dyadic = std::array<double, 6>;  // xx, yy, zz, xy, yz, zx

/// Whether a symmetric dyadic is nowhere negative, but for rounding: by its principal minors.
bool is_semidefinite(const Dyadic& dyadic) {
  const auto [xx, yy, zz, xy, yz, zx] = dyadic;
  const double size = std::max({std::fabs(xx), std::fabs(yy), std::fabs(zz)});
  const double least2 = -tolerance::kZero * size * size, least3 = least2 * size;
  const double determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * zx) + zx * (xy * yz - yy * zx);
  return std::min({xx, yy, zz}) >= -tolerance::kZero * size && xx * yy - xy * xy >= least2 &&
         yy * zz - yz * yz >= least2 && zz * xx - zx * zx >= least2 && determinant >= least3;
}

/// ∫ r r dm of a body with the inertia ∫ (r·r 1 − r r) dm, and `share` of the largest moment about each axis. It is
/// nowhere negative where no principal moment exceeds the sum of the other two.
Dyadic mass_distribution(const Dyadic& inertia, double share) {
  const auto [xx, yy, zz, xy, yz, zx] = inertia;
  const double half = (xx + yy + zz) / 2.0 + share * std::max({xx, yy, zz});
  return {half - xx, half - yy, half - zz, -xy, -yz, -zx};
}

}  // namespace

std::optional<Term> Elaborator::mass(const lang::Expression& expression, const std::string& name) {
  const Value value = check_.scalar_of(expression, make_dimension(1, 0, 0), "a mass");
  const std::optional<double> kilograms = value.is_fault() ? std::nullopt : number_now(expression, value, "a mass");
  if (!kilograms) return std::nullopt;
  if (*kilograms >= 0.0) {
    require(
        {value.term}, [](std::span<const double> m) { return m[0] >= 0.0; },
        "the mass of `" + name + "` is not negative");
    return value.term;
  }
  return none(Kind::kBadValue, expression.range, "the mass of `" + name + "` is negative");
}

std::optional<mechanics::Inertia> Elaborator::inertia(const lang::BodyStatement& statement) {
  const Dimension dimension = make_dimension(1, 2, 0);
  std::optional<UnitValue> unit;
  if (statement.inertia_unit) {
    unit = read_unit(*statement.inertia_unit, context_.reporter);
    if (!unit) return std::nullopt;
    if (model_.has_units && !(unit->dimension == dimension))
      return none(Kind::kDimensionMismatch, statement.inertia_unit->range,
                  "moments of inertia must be in kg*m^2, found " + si_unit(unit->dimension));
  }
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
  return mechanics::Inertia{parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]};
}

void Elaborator::apply(const lang::BodyStatement& statement) {
  context_.place = "a body";
  Symbol* symbol = context_.symbol_of(statement.name);
  const FrameId frame = frame_named(statement.frame);
  const std::optional<Term> kilograms = mass(*statement.mass, statement.name.text);
  const std::optional<mechanics::Inertia> dyadic = inertia(statement);
  const Value at = place(*statement.position);
  std::optional<PointId> about;
  if (statement.about) about = point_named(*statement.about);
  bool is_right =
      frame.is_valid() && kilograms && dyadic && !at.is_fault() && symbol != nullptr && (!about || about->is_valid());
  if (frame == mechanics::Model::newtonian()) {
    context_.reporter.error(Kind::kNotAllowedHere, statement.frame.range,
                            "a body cannot be fixed in the newtonian frame",
                            "turn a frame of its own: `frame B = " + statement.frame.text + " rotated q about z`");
    is_right = false;
  } else if (frame.is_valid() && model_.frame(frame).body) {
    context_.reporter.error(Kind::kDuplicateName, statement.frame.range,
                            "`" + model_.frame(frame).name + "` is the frame of another body already",
                            diag::Label{model_.body(*model_.frame(frame).body).range, "this one"},
                            "each body has a frame of its own");
    is_right = false;
  }
  if (is_right && about) {
    const Term arm = pool_.position(*about, at.point) - at.term;
    if (!context_.facts.tree().of_term(arm, frame).is_none()) {
      context_.reporter.error(
          Kind::kNotAllowedHere, statement.about->range,
          "inertia is about a point fixed in the body, and `" + statement.about->text + "` moves in it");
      is_right = false;
    }
  }
  if (!is_right) return fail(symbol);
  const mechanics::BodyId body =
      builder_.add_body(symbol->name, frame, *kilograms, *dyadic, at.point, at.term, about, statement.name.range);
  context_.facts.forget();
  point_depth_.resize(model_.points.size());
  point_depth_[model_.body(body).center.index()] = point_depth_[at.point.index()] + 1;
  const mechanics::Inertia& central = model_.body(body).inertia;
  mechanics::Instant any;
  any.q.assign(model_.coordinates.size(), 0.5);
  any.q_dot = any.q_ddot = any.q;
  mechanics::TermValues values(model_, any);
  Dyadic numbers{};
  const std::array<Term, 6> parts = {central.xx, central.yy, central.zz, central.xy, central.yz, central.zx};
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = values.scalar(parts[i]).value;
  if (!is_semidefinite(numbers)) {
    context_.reporter.error(Kind::kBadValue, cover(statement.inertia.front()->range, statement.inertia.back()->range),
                            "no body has this inertia: about some axis through the mass centre its moment is negative",
                            about ? "is it about `" + statement.about->text + "`, the masses' distance included?"
                                  : "products of inertia carry their sign: Ixy = -∫ x y dm");
    return fail(symbol);
  }
  if (!is_semidefinite(mass_distribution(numbers, tolerance::kWritten))) {
    context_.reporter.error(
        Kind::kBadValue, cover(statement.inertia.front()->range, statement.inertia.back()->range),
        "no body has this inertia: a principal moment about the mass centre exceeds the sum of the other two",
        "of a plate it is the sum, of any other body less: I_zz = ∫ (x^2 + y^2) dm ≤ I_xx + I_yy");
    return fail(symbol);
  }
  require(
      {parts.begin(), parts.end()},
      [](std::span<const double> moments) {
        Dyadic inertia{};
        std::ranges::copy(moments, inertia.begin());
        return is_semidefinite(inertia) && is_semidefinite(mass_distribution(inertia, tolerance::kWritten));
      },
      "there are bodies with the inertia of `" + symbol->name + "`");
  symbol->index = body.value;
  symbol->state = SymbolState::kReady;
}

std::optional<mechanics::QuaternionRotation> Elaborator::quaternion(const lang::FrameQuaternion& definition) {
  mechanics::QuaternionRotation result;
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
    const mechanics::CoordinateId id(std::size_t{symbol->index});
    if (model_.has_units && !symbol->declared.dimension.is_dimensionless()) {
      return none(
          Kind::kDimensionMismatch, name.range,
          "a coordinate of a quaternion must be dimensionless, found " + si_unit(symbol->declared.dimension),
          "a unit in `coord` is that of all names before it up to the one before: declare the four in a `coord` of "
          "their own");
    } else if (const auto [before, is_new] = quaternion_coordinates_.try_emplace(id, name.range); !is_new) {
      context_.reporter.error(Kind::kNotAllowedHere, name.range,
                              "`" + name.text + "` is a coordinate of a quaternion already",
                              diag::Label{before->second, "here"}, "each quaternion has four coordinates of its own");
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
  const bool is_newtonian = frame == mechanics::Model::newtonian();
  if (model_.frame(frame).body || (is_newtonian && may_be_newtonian)) return frame;
  return none(Kind::kWrongKind, name.range,
              is_newtonian ? "a body is wanted here, `" + name.text + "` is the newtonian frame"
                           : "a body is wanted here, and no body is fixed in the frame `" + name.text + "`");
}

}  // namespace vinculum::elaborate
