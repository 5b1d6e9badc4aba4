#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/joint_vectors.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using model::FrameId;
using model::PointId;
using model::SimpleRotation;
using model::Term;

namespace {

constexpr std::uint32_t kLongestChain = 20000;  // frames or points, each defined from the previous one
const lang::Name& parent_of(const decltype(lang::FrameStatement::definition)& definition) {
  static const lang::Name kNone;
  return std::visit(
      [](const auto& its) -> const lang::Name& {
        if constexpr (requires { its.parent; }) return its.parent;
        return kNone;
      },
      definition);
}

}  // namespace

Term Elaborator::angle(const lang::Expression& expression) {
  const Value value = check_.scalar_of(expression, {}, "an angle");
  check_.used_as_angle(expression);
  if (!check_.holds_only(expression, value, kConfiguration, "the angle of a frame")) return {};
  for (const Term node : model::in_order(value.term)) {
    if (node.kind() != model::TermKind::kCoordinate) continue;
    const model::CoordinateId id(std::size_t{node.index()});
    angle_coordinates_.try_emplace(id, expression.range);
    const auto quaternion = quaternion_coordinates_.find(id);
    if (quaternion == quaternion_coordinates_.end()) continue;
    context_.reporter.error(
        Kind::kNotAllowedHere, expression.range,
        "an angle cannot contain `" + model_.coordinates[id.index()].name + "`, a coordinate of a quaternion",
        diag::Label{quaternion->second, "the quaternion"});
    return {};
  }
  return value.term;
}

Term Elaborator::fixed_direction(const lang::Expression& expression, FrameId frame, const std::string& frame_name,
                                 std::string_view what, std::string_view wanted) {
  const int letter = axis_letter(expression);
  const Symbol* symbol = letter < 0 ? nullptr : context_.scope.find(as_name(expression)->name);
  if (symbol != nullptr && symbol->kind == SymbolKind::kCoordinate) {
    context_.reporter.error(Kind::kWrongKind, expression.range,
                            "an axis is a vector, `" + symbol->name + "` is a coordinate",
                            "the vector along " + symbol->name + " is `" + frame_name + "." + symbol->name + "`");
    return {};
  }
  const Value axis = check_.vector(expression, "an axis");
  if (!check_.holds_only(expression, axis, kConfiguration, what)) return {};
  if ((context_.guesses_places || is_guessed(axis.term)) && !axis.term.is_zero()) return axis.term;
  const Term direction_in_frame = in_terms_of(axis.term, frame);
  if (!context_.facts.tree().of_term(direction_in_frame, frame).is_none()) {
    context_.reporter.error(Kind::kNotAllowedHere, expression.range,
                            std::string(wanted) + " fixed in `" + frame_name + "`",
                            "this vector moves in `" + frame_name + "`");
    return {};
  }
  // The axis is constant in the frame, so its length is the same at any state.
  model::Instant any;
  any.q.assign(model_.coordinates.size(), 0.5);
  any.q_dot = any.q_ddot = any.q;
  const model::JetVector direction = model::TermValues(model_, any).vector(axis.term);
  const double length = std::hypot(direction[0].value, direction[1].value, direction[2].value);
  if (axis.term.is_zero() || length == 0.0) {
    context_.reporter.error(Kind::kBadValue, expression.range, "this axis is the zero vector");
    return {};
  }
  return direction_in_frame;
}

/// Rewrites a vector in the basis vectors of `frame`, if it is constant both there and in the frame in which it is
/// written. Example: N.z for a frame B that is rotated about N.z, or the axis VEC of `B = N rotated q about VEC`. Other
/// vectors are returned unchanged.
Term Elaborator::in_terms_of(Term vector, FrameId frame) {
  model::KinematicTree& tree = context_.facts.tree();
  std::unordered_map<model::TermId, Term> rewritten;
  std::optional<FrameId> written_in;
  bool is_of_one_frame = true;
  std::vector<Term> operands;
  for (const Term node : model::in_order(vector)) {
    operands.clear();
    for (int i = 0; i < node.operand_count(); ++i) operands.push_back(rewritten.at(node.operand(i).id()));
    Term result = model::with_operands(node, operands);
    if (node.kind() == model::TermKind::kBasisVector) {
      const FrameId its(std::size_t{node.index()});
      is_of_one_frame = is_of_one_frame && written_in.value_or(its) == its;
      written_in = its;
      const auto axis = static_cast<int>(node.second());
      if (!tree.of_rotation(its, frame).is_none() && tree.shares_axis(its, axis, frame))
        result = pool_.basis_vector(frame, axis);
    } else if (node.operand_count() == 0 && node.is_vector()) {
      is_of_one_frame = false;
    }
    rewritten[node.id()] = result;
  }
  const Term result = rewritten.at(vector.id());
  if (!written_in || !is_of_one_frame || tree.of_term(result, frame).is_none()) return result;
  // This holds if one of the two frames is rotated from the other about the direction of the vector.
  const auto is_axis_of = [&](FrameId child, FrameId parent) {
    const model::Frame& its = model_.frame(child);
    return its.parent == parent && !its.quaternion && its.rotations.size() == 1 && its.rotations.front().axis < 0 &&
           model::are_proportional(pool_, vector, *written_in, its.rotations.front().direction, parent);
  };
  return is_axis_of(frame, *written_in) || is_axis_of(*written_in, frame)
             ? model::counterpart(pool_, vector, *written_in, frame)
             : result;
}

std::vector<SimpleRotation> Elaborator::rotated(const lang::FrameRotated& definition, FrameId parent) {
  SimpleRotation rotation;
  rotation.angle = angle(*definition.angle);
  rotation.axis = axis_letter(*definition.axis);
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
  // A sequence about space-fixed axes equals the reverse sequence about body-fixed axes.
  if (is_space) std::ranges::reverse(rotations);
  return is_right ? rotations : std::vector<SimpleRotation>();
}

/// The rotation matrix with columns e_1, e_2, e_3, as rotations about z, y and x; also correct if the middle angle is
/// 90°.
std::vector<SimpleRotation> Elaborator::axes(const lang::FrameAxes& definition, FrameId parent) {
  constexpr std::string_view kWhat = "an axis of a frame", kWanted = "an axis of a frame is a vector";
  const auto letter = [](const lang::Name& name) { return name.text.empty() ? 0 : name.text[0] - 'x'; };
  const int first = letter(definition.first_axis), second = letter(definition.second_axis), third = 3 - first - second;
  const Term a = fixed_direction(*definition.first, parent, definition.parent.text, kWhat, kWanted);
  const Term b = fixed_direction(*definition.second, parent, definition.parent.text, kWhat, kWanted);
  if (!a.is_valid() || !b.is_valid()) return {};
  const Term across = (second - first + 3) % 3 == 1 ? pool_.cross(a, b) : pool_.cross(b, a);
  model::Instant any;
  any.q.assign(model_.coordinates.size(), 0.5);
  any.q_dot = any.q_ddot = any.q;
  model::TermValues values(model_, any);
  const auto length = [&](Term vector) { return values.scalar(pool_.norm(vector)).value; };
  const bool is_judged = !context_.guesses_places && !is_guessed(across);
  if (is_judged && length(across) <= tolerance::kZero * length(a) * length(b)) {
    context_.reporter.contrast(Kind::kBadValue, "the two axes are parallel", {definition.first->range, "kept"},
                               {definition.second->range, "has no part across it"},
                               "the first axis is kept, the second is made orthogonal to it");
    return {};
  }
  std::array<Term, 3> e;
  e[static_cast<std::size_t>(first)] = pool_.unit(a);
  e[static_cast<std::size_t>(third)] = pool_.unit(across);
  const Term& kept = e[static_cast<std::size_t>(first)];
  const Term& normal = e[static_cast<std::size_t>(third)];
  e[static_cast<std::size_t>(second)] =
      (second - first + 3) % 3 == 1 ? pool_.cross(normal, kept) : pool_.cross(kept, normal);
  const auto R = [&](int row, std::size_t column) { return pool_.dot(e[column], pool_.basis_vector(parent, row)); };
  const auto turn = [&](Term sine, Term cosine) { return pool_.function(expr::Op::kArcTangent2, sine, cosine); };
  const Term yaw = turn(R(1, 0), R(0, 0));
  const Term s = pool_.function(expr::Op::kSine, yaw), c = pool_.function(expr::Op::kCosine, yaw);
  const Term pitch = turn(-R(2, 0), c * R(0, 0) + s * R(1, 0));
  const Term roll = turn(s * R(0, 2) - c * R(1, 2), c * R(1, 1) - s * R(0, 1));
  std::vector<SimpleRotation> rotations;
  for (const auto& [axis, angle] : {std::pair{2, yaw}, std::pair{1, pitch}, std::pair{0, roll}}) {
    const bool is_number = std::ranges::none_of(model::in_order(angle),
                                                [](Term node) { return node.kind() == model::TermKind::kParameter; });
    rotations.push_back({axis, Term{}, is_number ? pool_.number(values.scalar(angle).value) : angle});
  }
  return rotations;
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
  const auto* by_quaternion = std::get_if<lang::FrameQuaternion>(&statement.definition);
  FrameId parent = frame_named(parent_of(statement.definition));
  std::vector<SimpleRotation> rotations;
  std::optional<model::QuaternionRotation> e;
  if (parent.is_valid() && by_quaternion != nullptr) e = quaternion(*by_quaternion);
  if (parent.is_valid() && by_quaternion == nullptr) rotations = rotations_of(statement.definition, parent);
  // If a quaternion has an error, its speeds are unknown too.
  if (symbol == nullptr || (by_quaternion != nullptr && !e)) return fail(symbol);
  if (rotations.empty() && !e) {
    context_.reporter.leave_out();
    context_.guesses_places = true;
    if (!parent.is_valid()) parent = model::Model::newtonian();
    rotations.push_back({2, Term{}, pool_.number(0.0)});
  }
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

std::vector<SimpleRotation> Elaborator::rotations_of(const decltype(lang::FrameStatement::definition)& definition,
                                                     FrameId parent) {
  if (const auto* turned = std::get_if<lang::FrameRotated>(&definition)) return rotated(*turned, parent);
  if (const auto* by_axes = std::get_if<lang::FrameAxes>(&definition)) return axes(*by_axes, parent);
  return sequence(std::get<lang::FrameSequence>(definition));
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
    if (!frame.is_valid()) return place_somewhere(symbol);
    if (symbol == nullptr) return context_.reporter.leave_out();
    if (frame.value != 0) {
      // The statement gives no position of the point in the frame. Only for the newtonian frame is any position as good
      // as another.
      const model::Frame& its = model_.frame(frame);
      const std::string base = its.body ? model_.body(*its.body).name : "P";
      context_.reporter.error(Kind::kNotAllowedHere, fixed->frame.range,
                              "`" + fixed->frame.text + "` moves: a point fixed in it needs a place in it",
                              "set it off by a vector fixed there, `point " + symbol->name + " = " + base +
                                  " + VEC`, or write `point " + symbol->name + " on " + fixed->frame.text + " = " +
                                  base + " + VEC`");
      return place_somewhere(symbol);
    }
    symbol->index = builder_.add_fixed_point(symbol->name, frame, statement.name.range).value;
    symbol->state = SymbolState::kReady;
    return;
  }
  const auto& at = std::get<lang::PointAt>(statement.definition);
  const Value value = place(*at.position);
  std::optional<FrameId> on;
  if (at.on) on = body_frame_named(*at.on, true);
  if (value.is_fault() || (at.on && !on) || symbol == nullptr) return place_somewhere(symbol);
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
  if (!kilograms || value.is_fault() || symbol == nullptr) context_.reporter.leave_out();
  if (symbol == nullptr) return;
  const Value at = value.is_fault() ? somewhere() : value;
  const model::ParticleId particle = builder_.add_particle(symbol->name, kilograms.value_or(pool_.number(1.0)),
                                                           at.point, at.term, statement.name.range);
  symbol->index = builder_.point_of(particle).value;
  point_depth_.resize(model_.points.size());
  point_depth_[symbol->index] = point_depth_[at.point.index()] + 1;
  symbol->state = SymbolState::kReady;
}

Value Elaborator::somewhere() {
  context_.reporter.leave_out();
  context_.guesses_places = true;
  if (!somewhere_.is_valid())
    // a name that no text can contain, because it is not a valid name
    somewhere_ = builder_.add_fixed_point("(somewhere)", model::Model::newtonian());
  point_depth_.resize(std::max(point_depth_.size(), model_.points.size()));
  Value value;
  value.kind = ValueKind::kPlace;
  value.point = somewhere_;
  value.term = pool_.zero_vector();
  return value;
}

void Elaborator::place_somewhere(Symbol* symbol) {
  const Value at = somewhere();
  if (symbol == nullptr) return;
  symbol->index = builder_.add_point(symbol->name, at.point, at.term, symbol->range).value;
  symbol->state = SymbolState::kReady;
}

}  // namespace vinculum::elaborate
