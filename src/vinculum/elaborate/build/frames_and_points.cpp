#include <algorithm>
#include <cmath>

#include "vinculum/elaborate/build/elaborator.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/mechanics/evaluate.hpp"
#include "vinculum/mechanics/traversal.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using mechanics::FrameId;
using mechanics::PointId;
using mechanics::SimpleRotation;
using mechanics::Term;

namespace {

constexpr std::uint32_t kLongestChain = 4000;  // frames or points that stand on each other
int axis_of(const lang::Expression& expression) {
  const lang::NameReference* name = as_name(expression);
  if (name == nullptr || name->name.size() != 1) return -1;
  return name->name[0] >= 'x' && name->name[0] <= 'z' ? name->name[0] - 'x' : -1;
}

}  // namespace

Term Elaborator::angle(const lang::Expression& expression) {
  const Value value = check_.scalar_of(expression, {}, "an angle");
  if (!check_.holds_only(expression, value, kConfiguration, "the angle of a frame")) return {};
  for (const Term node : mechanics::in_order(value.term)) {
    if (node.kind() != mechanics::TermKind::kCoordinate) continue;
    const mechanics::CoordinateId id(std::size_t{node.index()});
    angle_coordinates_.try_emplace(id, expression.range);
    const auto quaternion = quaternion_coordinates_.find(id);
    if (quaternion == quaternion_coordinates_.end()) continue;
    context_.reporter.error(
        Kind::kNotAllowedHere, expression.range,
        "an angle cannot hold `" + model_.coordinates[id.index()].name + "`, a coordinate of a quaternion",
        diag::Label{quaternion->second, "the quaternion"});
    return {};
  }
  return value.term;
}

Term Elaborator::fixed_direction(const lang::Expression& expression, FrameId frame, const std::string& frame_name,
                                 std::string_view what, std::string_view wanted) {
  const Value axis = check_.vector(expression, "an axis");
  if (!check_.holds_only(expression, axis, kConfiguration, what)) return {};
  if (!context_.facts.tree().of_term(axis.term, frame).is_none()) {
    context_.reporter.error(Kind::kNotAllowedHere, expression.range,
                            std::string(wanted) + " fixed in `" + frame_name + "`",
                            "this vector moves in `" + frame_name + "`");
    return {};
  }
  // Fixed in the frame, so its length is that of any state.
  mechanics::Instant any;
  any.q.assign(model_.coordinates.size(), 0.5);
  any.q_dot = any.q_ddot = any.q;
  const mechanics::JetVector direction = mechanics::TermValues(model_, any).vector(axis.term);
  const double length = std::hypot(direction[0].value, direction[1].value, direction[2].value);
  if (axis.term.is_zero() || length == 0.0) {
    context_.reporter.error(Kind::kBadValue, expression.range, "this axis is the zero vector");
    return {};
  }
  return axis.term;
}

std::vector<SimpleRotation> Elaborator::rotated(const lang::FrameRotated& definition, FrameId parent) {
  SimpleRotation rotation;
  rotation.angle = angle(*definition.angle);
  rotation.axis = axis_of(*definition.axis);
  if (rotation.axis < 0) {
    const Term axis = fixed_direction(*definition.axis, parent, definition.parent.text, "the axis of a frame",
                                      "an axis is `x`, `y`, `z` or a vector");
    if (!axis.is_valid()) return {};
    rotation.direction = pool_.unit(axis);
  }
  if (!rotation.angle.is_valid()) return {};
  return {rotation};
}

std::vector<SimpleRotation> Elaborator::sequence(const lang::FrameSequence& definition) {
  const std::string& name = definition.sequence.text;
  const bool is_space = name.starts_with("space");
  const std::string digits = is_space || name.starts_with("body") ? name.substr(is_space ? 5 : 4) : std::string();
  const bool is_known = digits.size() == 3 && digits.find_first_not_of("123") == std::string::npos &&
                        digits[0] != digits[1] && digits[1] != digits[2];
  if (!is_known) {
    context_.reporter.error(Kind::kUnknownFunction, definition.sequence.range,
                            "unknown sequence of rotations `" + name + "`",
                            "a sequence names three axes, neighbours different: body123, space312, body313 …");
    return {};
  }
  if (definition.angles.size() != 3) {
    context_.reporter.error(Kind::kWrongArgumentCount, definition.sequence.range, "`" + name + "` takes 3 angles");
    return {};
  }
  std::vector<SimpleRotation> rotations;
  bool is_right = true;
  for (std::size_t i = 0; i < 3; ++i) {
    SimpleRotation rotation;
    rotation.axis = digits[i] - '1';
    rotation.angle = angle(*definition.angles[i]);
    is_right = is_right && rotation.angle.is_valid();
    rotations.push_back(rotation);
  }
  // Turning about axes fixed in the parent is turning about the body's own axes in the opposite order.
  if (is_space) std::ranges::reverse(rotations);
  return is_right ? rotations : std::vector<SimpleRotation>();
}

void Elaborator::apply(const lang::FrameStatement& statement) {
  context_.place = "the definition of a frame";
  Symbol* symbol = context_.symbol_of(statement.name);
  if (std::holds_alternative<lang::FrameNewtonian>(statement.definition)) {
    if (symbol == nullptr) return;
    if (has_newtonian_) {
      context_.reporter.error(Kind::kMisplacedStatement, statement.name.range, "a model has one newtonian frame",
                              diag::Label{model_.frames[0].range, "the first one"});
      return fail(symbol);
    }
    has_newtonian_ = true;
    builder_.name_newtonian(statement.name.text, statement.name.range);
    symbol->index = 0;
    symbol->state = SymbolState::kReady;
    return;
  }
  const auto* turned = std::get_if<lang::FrameRotated>(&statement.definition);
  const auto* in_sequence = std::get_if<lang::FrameSequence>(&statement.definition);
  const auto* by_quaternion = std::get_if<lang::FrameQuaternion>(&statement.definition);
  const FrameId parent = frame_named(turned != nullptr        ? turned->parent
                                     : in_sequence != nullptr ? in_sequence->parent
                                                              : by_quaternion->parent);
  if (!parent.is_valid()) return fail(symbol);
  std::vector<SimpleRotation> rotations;
  std::optional<mechanics::QuaternionRotation> e;
  if (by_quaternion != nullptr)
    e = quaternion(*by_quaternion);
  else
    rotations = turned != nullptr ? rotated(*turned, parent) : sequence(*in_sequence);
  if ((rotations.empty() && !e) || symbol == nullptr) return fail(symbol);
  frame_depth_.resize(std::max(frame_depth_.size(), model_.frames.size()));
  if (frame_depth_[parent.index()] >= kLongestChain) {
    context_.reporter.error(Kind::kNestingTooDeep, statement.name.range, "too many frames turn one upon the other");
    return fail(symbol);
  }
  symbol->index = e ? builder_.add_quaternion_frame(symbol->name, parent, e->e, statement.name.range).value
                    : builder_.add_frame(symbol->name, parent, std::move(rotations), statement.name.range).value;
  frame_depth_.push_back(frame_depth_[parent.index()] + 1);
  symbol->state = SymbolState::kReady;
}

Value Elaborator::place(const lang::Expression& expression) {
  Value value = check_.as_place(check_.evaluate(expression));
  if (value.is_fault()) return value;
  if (!value.is(ValueKind::kPlace)) {
    context_.reporter.error(Kind::kWrongKind, expression.range,
                            "a place is a point, or a point plus a vector, found " + std::string(describe(value.kind)),
                            "begin with a point: `O + …`");
    return {};
  }
  if (!value.term.is_valid()) value.term = pool_.zero_vector();
  if (!check_.holds_only(expression, value, kConfiguration, "the place of a point")) return {};
  point_depth_.resize(std::max(point_depth_.size(), model_.points.size()));
  if (point_depth_[value.point.index()] >= kLongestChain) {
    context_.reporter.error(Kind::kNestingTooDeep, expression.range, "too many points are set off one from the other");
    return {};
  }
  return value;
}

void Elaborator::apply(const lang::PointStatement& statement) {
  context_.place = "the place of a point";
  Symbol* symbol = context_.symbol_of(statement.name);
  if (const auto* fixed = std::get_if<lang::PointFixed>(&statement.definition)) {
    const FrameId frame = frame_named(fixed->frame);
    if (!frame.is_valid() || symbol == nullptr) return fail(symbol);
    if (frame.value != 0) {
      // Where in it is not said; only in the newtonian frame may that be anywhere.
      const mechanics::Frame& its = model_.frame(frame);
      const std::string base = its.body ? model_.body(*its.body).name : "P";
      context_.reporter.error(
          Kind::kNotAllowedHere, fixed->frame.range,
          "`" + fixed->frame.text + "` moves: a point fixed in it has a place in it, which is not said",
          "set it off by a vector fixed there, `point " + symbol->name + " = " + base + " + VEC`, or write `point " +
              symbol->name + " on " + fixed->frame.text + " = " + base + " + VEC`");
      return fail(symbol);
    }
    symbol->index = builder_.add_fixed_point(symbol->name, frame, statement.name.range).value;
    symbol->state = SymbolState::kReady;
    return;
  }
  const auto& at = std::get<lang::PointAt>(statement.definition);
  const Value value = place(*at.position);
  std::optional<FrameId> on;
  if (at.on) on = body_frame_named(*at.on, true);
  if (value.is_fault() || (at.on && !on) || symbol == nullptr) return fail(symbol);
  symbol->index = on ? builder_.add_point_on(symbol->name, *on, value.point, value.term, statement.name.range).value
                     : builder_.add_point(symbol->name, value.point, value.term, statement.name.range).value;
  point_depth_.resize(model_.points.size());
  point_depth_[symbol->index] = point_depth_[value.point.index()] + 1;
  symbol->state = SymbolState::kReady;
}

void Elaborator::apply(const lang::ParticleStatement& statement) {
  context_.place = "a particle";
  Symbol* symbol = context_.symbol_of(statement.name);
  const std::optional<Term> kilograms = mass(*statement.mass, statement.name.text);
  const Value value = place(*statement.position);
  if (!kilograms || value.is_fault() || symbol == nullptr) return fail(symbol);
  const mechanics::ParticleId particle =
      builder_.add_particle(symbol->name, *kilograms, value.point, value.term, statement.name.range);
  symbol->index = builder_.point_of(particle).value;
  point_depth_.resize(model_.points.size());
  point_depth_[symbol->index] = point_depth_[value.point.index()] + 1;
  symbol->state = SymbolState::kReady;
}

}  // namespace vinculum::elaborate
