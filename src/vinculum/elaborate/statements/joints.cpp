#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/elaborate/check/contact_rules.hpp"
#include "vinculum/elaborate/check/joint_rules.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/ground.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/joint.hpp"
#include "vinculum/model/requirements.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using model::FrameId;
using model::JointInfo;
using model::JointPart;
using model::PointId;
using model::Term;

namespace {

/// Reads the height of a ground, in which x, y, z are the place on it; invalid after an error.
/// \param frame  of the ground
Term ground_height(Context& context, Checker& check, const lang::Expression& written, const model::JointSpec& joint,
                   FrameId frame) {
  const bool is_of_first = frame == joint.first_body;
  const PointId ground = is_of_first ? joint.first_point : joint.second_point,
                other = is_of_first ? joint.second_point : joint.first_point;
  if (!ground.is_valid() || !other.is_valid()) return {};  // reported
  const std::array<Term, 3> place = model::place_on_ground(context.pool(), other, ground, frame);
  context.scope.set_place(place);
  const Value height = check.measured(written, {1.0, make_dimension(0, 1, 0)}, "the height of a ground");
  context.scope.set_place(std::nullopt);
  if (height.is_fault()) return {};
  const auto problem = height_problem(context.facts, height.term, place);
  if (!problem) return height.term;
  context.reporter.error(problem->kind, written.range, problem->message, problem->hint);
  return {};
}

}  // namespace

/// A body, particle, frame or the ground that a joint connects to another one.
struct Elaborator::JointSide {
  FrameId frame;  ///< the newtonian frame for a particle, which has no frame of its own
  std::optional<model::ParticleId> particle = {};
  bool has_matter = true;  ///< false for a frame without body
};

std::optional<Elaborator::JointSide> Elaborator::joint_side(const lang::Name& name) {
  const Symbol* symbol = context_.scope.find(name.text);
  if (symbol != nullptr && symbol->kind == SymbolKind::kPoint) {
    const PointId point = point_named(name);
    if (!point.is_valid()) return std::nullopt;
    if (const auto particle = model_.point(point).particle) return JointSide{model::Model::newtonian(), particle};
    return none(Kind::kWrongKind, name.range,
                "a body, a frame or a particle is needed here, `" + name.text + "` is a point without mass");
  }
  const FrameId frame = frame_named(name);
  if (!frame.is_valid()) return std::nullopt;
  const bool is_bare = frame != model::Model::newtonian() && !model_.frame(frame).body;
  if (is_bare) return JointSide{frame, {}, false};
  if (!body_frame_named(name, true)) return std::nullopt;
  return JointSide{frame};
}

PointId Elaborator::joint_point(const lang::JointPoint& written, const lang::Name& body, const JointSide& side) {
  const lang::Name& name = written.name;
  PointId point;
  if (written.is_center) {
    const std::optional<FrameId> frame = body_frame_named(name, false);
    if (!frame) return {};
    point = model_.body(*model_.frame(*frame).body).center;
  } else {
    point = point_named(name);
  }
  if (!point.is_valid()) return point;
  const std::string text = written.is_center ? "center(" + name.text + ")" : name.text;
  if (side.particle) {
    if (model_.point(point).particle == side.particle) return point;
    context_.reporter.error(
        Kind::kNotAllowedHere, name.range, "`" + text + "` is not the particle `" + body.text + "`",
        "at a particle, a joint uses the particle itself: `" + body.text + " of " + body.text + "`");
    return {};
  }
  if (context_.guesses_places || !side.has_matter) return point;
  const bool is_ground = side.frame == model::Model::newtonian();
  if (!context_.facts.tree().is_fixed_in(point, side.frame)) {
    context_.reporter.error(
        Kind::kNotAllowedHere, name.range, "`" + text + "` is not fixed in `" + body.text + "`",
        is_ground ? "declare it as `point " + name.text + " fixed in " + body.text + "`, or set off from such a point"
                  : "set it off from the body: `point " + name.text + " = center(" + body.text + ") + …`");
    return {};
  }
  if (!is_ground && context_.facts.tree().carrier_of(point) != model_.frame(side.frame).body) {
    context_.reporter.error(Kind::kNotAllowedHere, name.range,
                            "`" + text + "` stays at one place of `" + body.text + "`, but is not a point of it",
                            "declare the point of the body that is there: `point " + name.text + "1 on " + body.text +
                                " = " + name.text + "`");
    return {};
  }
  return point;
}

/// Whether a joint of this kind may connect these two; reports an error otherwise.
bool Elaborator::may_join(const lang::JointStatement& statement, const JointInfo& info, const JointSide& first,
                          const JointSide& second) {
  const auto fits = [&](const lang::Name& name, const JointSide& side, model::JointSides particle) {
    const auto problem = joint_side_problem(info, particle, side.particle.has_value(), side.has_matter, name.text);
    return !problem || refuse(problem->kind, name.range, problem->message, problem->hint);
  };
  const bool is_first_right = fits(statement.first_body, first, model::kFirstParticle);
  if (!fits(statement.second_body, second, model::kSecondParticle) || !is_first_right) return false;
  const bool is_one =
      first.particle || second.particle ? first.particle == second.particle : first.frame == second.frame;
  return !is_one || refuse(Kind::kBadValue, statement.second_body.range, "a joint connects two different bodies");
}

bool Elaborator::has_joint_parts(const lang::JointStatement& statement, const JointInfo& info) {
  const std::array<std::pair<JointPart, const lang::Expression*>, 7> written = {{
      {model::kJointAxis, statement.axis.get()},
      {model::kJointAxis2, statement.axis2.get()},
      {model::kJointRatio, statement.ratio.get()},
      {model::kJointPitch, statement.pitch.get()},
      {model::kJointLength, statement.length.get()},
      {model::kJointRadius, statement.radius.get()},
      {model::kJointPrescribed, statement.prescribed.get()},
  }};
  std::vector<JointPart> stated;
  std::vector<diag::SourceRange> ranges;
  for (const auto& [part, expression] : written) {
    if (expression == nullptr) continue;
    stated.push_back(part);
    ranges.push_back(expression->range);
  }
  const auto add_surface = [&](const std::optional<lang::JointSurface>& surface, JointPart part) {
    if (!surface) return;
    stated.push_back(part);
    ranges.push_back(surface->kind.range);
  };
  add_surface(statement.surface, model::kJointSurface);
  add_surface(statement.surface2, model::kJointSurface2);
  const std::vector<JointProblem> problems = joint_part_problems(info, stated);
  for (const JointProblem& one : problems) {
    const auto at = std::ranges::find(stated, one.part, [](JointPart part) { return std::uint16_t{part}; });
    context_.reporter.error(one.kind,
                            at == stated.end() ? statement.kind.range : ranges[std::size_t(at - stated.begin())],
                            one.message, one.hint);
  }
  return problems.empty();
}

Term Elaborator::joint_number(const lang::ExpressionPtr& expression, model::JointKind kind, JointPart part,
                              std::string_view what) {
  if (!expression) return {};
  const Value value = check_.measured(*expression, {1.0, model::joint_part_dimension(kind, part)}, what);
  if (value.is_fault()) return {};
  // A distance may change with time; ratios of gears, pitches of threads and radii are constant.
  if (part == model::kJointLength && context_.facts.holds(value.term) != kHoldsNothing) {
    return check_.holds_only(*expression, value, kConfiguration, what) ? value.term : Term{};
  }
  const std::optional<double> number = number_now(*expression, value, what);
  if (!number) return {};
  const std::string_view problem = problem_of_joint_number(part, *number);
  if (problem.empty()) {
    require_joint_number(model_, part, value.term, what);
    return value.term;
  }
  context_.reporter.error(Kind::kBadValue, expression->range, std::string(what) + std::string(problem));
  return {};
}

std::optional<model::SurfaceKind> Elaborator::joint_surface(const lang::JointSurface& written,
                                                            const model::JointSpec& joint, FrameId frame,
                                                            const lang::Name& body, std::vector<Term>& lengths) {
  if (const auto problem =
          joint_surface_problem(joint.kind, written.kind.text, written.arguments.size(), joint.radius.is_valid()))
    return none(problem->kind, written.kind.range, problem->message, problem->hint);
  const model::SurfaceInfo& info = *model::find_surface(written.kind.text);
  const Dimension length = make_dimension(0, 1, 0);
  bool is_right = true;
  if (info.kind == model::SurfaceKind::kGround) {
    lengths = {ground_height(context_, check_, *written.arguments.front(), joint, frame)};
    return lengths.front().is_valid() ? std::optional(info.kind) : std::nullopt;
  }
  for (const auto& argument : written.arguments) {
    if (info.lengths < 0) {
      const std::string_view what = "a corner of a polygon";
      const Value corner = check_.vector_of(*argument, length, what);
      const bool is_known = check_.holds_only(*argument, corner, kConfiguration, what) && !corner.is_fault();
      is_right = is_known && is_right;
      if (!is_known) continue;
      lengths.push_back(in_terms_of(corner.term, frame));
      if (context_.guesses_places || context_.facts.tree().of_term(lengths.back(), frame).is_none()) continue;
      const RuleProblem problem = corner_moves(body.text);
      is_right = refuse(problem.kind, argument->range, problem.message, problem.hint);
      continue;
    }
    const std::string_view what = "a length of a surface";
    const Value value = check_.measured(*argument, {1.0, length}, what);
    const std::optional<double> number = value.is_fault() ? std::nullopt : number_now(*argument, value, what);
    if (number && *number <= 0.0)
      context_.reporter.error(Kind::kBadValue, argument->range, std::string(what) + " must be positive",
                              std::string(hint_for_length(joint.kind)));
    is_right = number && *number > 0.0 && is_right;
    model::require_positive(model_, value.term, what);
    lengths.push_back(value.term);
  }
  return is_right ? std::optional(info.kind) : std::nullopt;
}

/// Warns if the center of a surface is probably the contact point instead. A surface is centered at the named point. If
/// the distance of that point from the mass center equals a length of the surface, it is probably the contact point,
/// which the joint itself determines.
void Elaborator::check_centre(const lang::JointPoint& written, PointId point, FrameId body,
                              const std::vector<Term>& lengths) {
  const auto owner = model_.frame(body).body;
  if (!owner || context_.guesses_places || !context_.reporter.is_complete()) return;
  const Term arm = context_.facts.tree().separation(point, model_.body(*owner).center), square = pool_.dot(arm, arm);
  if (arm.is_zero() || context_.facts.holds(square) != kHoldsNothing) return;
  model::Instant declared;
  declared.parameters = model::declared_values(model_);
  model::TermValues values(model_, declared);
  const double distance = std::sqrt(values.scalar(square).value);
  double reach = 0.0;
  const auto is_reached = [&](Term length) {
    reach += std::fabs(values.scalar(length).value);
    return std::fabs(distance - reach) <= tolerance::kZero * reach;
  };
  if (lengths.size() > 2 || std::ranges::none_of(lengths, is_reached)) return;
  const std::string name = quote(model_.body(*owner).name), of = model_.body(*owner).name;
  context_.reporter.warn(Kind::kPlaceOfContact, written.name.range,
                         "`" + written.name.text +
                             "` is the centre of the surface, and is as far from the mass centre of " + name +
                             " as the surface reaches",
                         "name the centre, `" + of + " of " + of + "`: a joint finds its contact, `NAME.Q`, itself");
}

std::optional<model::JointSpec> Elaborator::joint(const lang::JointStatement& statement) {
  const JointInfo* info = is_contact(statement) ? &model::contact_joint() : model::find_joint(statement.kind.text);
  if (info == nullptr) {
    context_.reporter.error(Kind::kUnknownName, statement.kind.range, "unknown joint `" + statement.kind.text + "`",
                            hint_for_joint(statement.kind.text));
  }
  model::JointSpec spec;
  const std::optional<JointSide> first = joint_side(statement.first_body), second = joint_side(statement.second_body);
  if (first) spec.first_point = joint_point(statement.first_point, statement.first_body, *first);
  if (second) spec.second_point = joint_point(statement.second_point, statement.second_body, *second);
  bool is_right = info != nullptr && first && second && spec.first_point.is_valid() && spec.second_point.is_valid();
  if (first) spec.first_body = first->frame;
  if (second) spec.second_body = second->frame;
  if (info != nullptr && first && second) is_right = may_join(statement, *info, *first, *second) && is_right;
  if (info == nullptr || !has_joint_parts(statement, *info)) return std::nullopt;
  spec.kind = info->kind;
  const auto axis = [&](const lang::ExpressionPtr& expression, FrameId frame, const lang::Name& body, Term& term) {
    if (!expression || !frame.is_valid()) return;
    term = fixed_direction(*expression, frame, body.text, "the axis of a joint", "this axis is a vector");
    is_right = term.is_valid() && is_right;
  };
  axis(statement.axis, spec.first_body, statement.first_body, spec.axis);
  axis(statement.axis2, spec.second_body, statement.second_body, spec.axis2);
  const auto number = [&](const lang::ExpressionPtr& expression, JointPart part, std::string_view what, Term& term) {
    term = joint_number(expression, info->kind, part, what);
    is_right = (!expression || term.is_valid()) && is_right;
  };
  number(statement.ratio, model::kJointRatio, "the ratio of a gear", spec.ratio);
  number(statement.pitch, model::kJointPitch, "the pitch of a screw", spec.pitch);
  number(statement.length, model::kJointLength, "the length of a strut", spec.length);
  number(statement.radius, model::kJointRadius, "the radius of a sphere", spec.radius);
  if (statement.prescribed) {
    const std::string_view what = "what a joint prescribes";
    const bool is_velocity = info->kind == model::JointKind::kPrescribedVelocity;
    const Value value =
        check_.vector_of(*statement.prescribed, model::joint_part_dimension(info->kind, model::kJointPrescribed), what);
    const auto allowed = static_cast<std::uint8_t>(kConfiguration | (is_velocity ? kHoldsRates : 0));
    is_right = check_.holds_only(*statement.prescribed, value, allowed, what) && is_right;
    spec.prescribed = value.term;
  }
  const auto surface = [&](const std::optional<lang::JointSurface>& written, bool is_first, model::SurfaceKind& kind,
                           std::vector<Term>& lengths) {
    if (!written) return;
    const FrameId frame = is_first ? spec.first_body : spec.second_body;
    const auto read = joint_surface(*written, spec, frame.is_valid() ? frame : model::Model::newtonian(),
                                    is_first ? statement.first_body : statement.second_body, lengths);
    kind = read.value_or(kind);
    is_right = read && is_right;
  };
  surface(statement.surface, is_contact(statement), spec.surface, spec.surface_lengths);
  surface(statement.surface2, false, spec.surface2, spec.surface2_lengths);
  if (!is_right) return std::nullopt;
  if (is_contact(statement)) return spec;
  if (statement.surface && !spec.surface_lengths.empty())
    check_centre(statement.second_point, spec.second_point, spec.second_body, spec.surface_lengths);
  if (spec.radius.is_valid()) check_centre(statement.first_point, spec.first_point, spec.first_body, {spec.radius});
  return spec;
}

void Elaborator::declare_points(std::size_t first, diag::SourceRange range) {
  point_depth_.resize(model_.points.size());
  for (std::size_t i = first; i < model_.points.size(); ++i) {
    const lang::Name name{model_.points[i].name, range};
    if (Symbol* point = context_.scope.declare(SymbolKind::kPoint, name, context_.statement)) {
      point->index = static_cast<std::uint32_t>(i);
      point->state = SymbolState::kReady;
    }
  }
}

void Elaborator::apply(const lang::JointStatement& statement, diag::SourceRange range) {
  context_.place = "a joint";
  if (is_contact(statement)) return apply_contact(statement);
  Symbol* symbol = context_.symbol_of(statement.name);
  context_.in_relation = true;
  const std::optional<model::JointSpec> spec = joint(statement);
  context_.in_relation = false;
  const auto give_up = [&] {
    fail(symbol);
    fail_limits(statement.name.text);
  };
  if (!spec || symbol == nullptr) {
    give_up();
    (void)read_clauses(statement.clauses, statement.name);
    return;
  }
  const diag::SourceRange head = cover(statement.name.range, statement.second_body.range);
  const std::size_t points_before = model_.points.size();
  const model::ConstraintId id =
      model::add_joint(builder_, symbol->name, *spec, range, context_.reporter.as_written(head));
  model::Constraint& constraint = model_.constraints[id.index()];
  if (!model_.has_units) {
    constraint.dimension = {};
    constraint.row_dimensions.clear();
  }
  declare_points(points_before, statement.name.range);
  std::size_t trivial = 0;
  for (std::size_t row = 0; row < constraint.rows.size() && !context_.guesses_places; ++row) {
    if (is_guessed(constraint.rows[row])) continue;
    const JudgedRelation judged = relations_.judge(constraint.rows[row], constraint.rows[row]);
    trivial += judged.verdict == RelationVerdict::kTrivial ? 1 : 0;
    if (judged.verdict != RelationVerdict::kContradiction) continue;
    const Dimension dimension = constraint.row_dimensions.empty() ? Dimension{} : constraint.row_dimensions[row];
    context_.reporter.error(Kind::kContradiction, head,
                            "row " + std::to_string(row + 1) + " of `" + symbol->name +
                                "` can never be true: the coordinates leave no motion that it could restrict" +
                                missed_by(judged.gap, dimension),
                            "its rows: " + std::string(model::joint_info(spec->kind).meaning));
    return give_up();
  }
  // Some rows may be identically satisfied, such as the out-of-plane rows in a plane mechanism; but not all of them,
  // unless the joint is there for the friction or the limits that its clauses state.
  const bool has_use = std::ranges::any_of(statement.clauses, [](const lang::Clause& one) {
    return std::holds_alternative<lang::GivenFrictionClause>(one.what) ||
           std::holds_alternative<lang::NonidealClause>(one.what) ||
           std::holds_alternative<lang::LimitsClause>(one.what);
  });
  if (trivial == constraint.rows.size() && !has_use) {
    context_.reporter.warn(Kind::kTrivialConstraint, head, "all rows of `" + symbol->name + "` reduce to 0 = 0",
                           "the coordinates already satisfy this joint; `reveal` reports its forces");
  }
  symbol->index = id.value;
  symbol->state = SymbolState::kReady;
  Clauses clauses = read_clauses(statement.clauses, statement.name, &*spec);
  if (clauses.branch != nullptr)
    clauses.is_right = refuse(Kind::kNotAllowedHere, clauses.branch->range,
                              "the rows of a joint are linear in the accelerations: they have no branches",
                              "leave the clause out; among positions `start` chooses");
  const bool is_right = clauses.is_right && !statement.lacks_clauses && set_clauses(id, clauses);
  if (!is_right || (clauses.limits != nullptr && !limit_joint(clauses, *spec, statement.name))) give_up();
}

}  // namespace vinculum::elaborate
