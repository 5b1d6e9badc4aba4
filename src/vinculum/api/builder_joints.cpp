#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/api/builder_own.hpp"
#include "vinculum/api/shared.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/elaborate/check/contact_rules.hpp"
#include "vinculum/elaborate/check/facts.hpp"
#include "vinculum/elaborate/check/joint_rules.hpp"
#include "vinculum/elaborate/check/law_rows.hpp"
#include "vinculum/elaborate/check/table_terms.hpp"
#include "vinculum/model/ground.hpp"
#include "vinculum/model/joint.hpp"
#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/requirements.hpp"
#include "vinculum/reaction_laws/hints.hpp"
#include "vinculum/reaction_laws/law_table.hpp"

// Joints, reaction laws, tables and run settings of models that a program builds. The rules and messages are those of
// model texts: elaborate/check/joint_rules.hpp, law_rows.hpp and reaction_laws/law_table.hpp.
namespace vinculum {
namespace {

using diag::Kind;
using model::JointPart;
using reaction_laws::MayHold;

/// The numbers of a joint, in the order in which model texts check them.
struct JointNumber {
  JointPart part;
  Term JointParts::* term;
  std::string_view what;
};
constexpr JointNumber kNumbers[] = {{model::kJointRatio, &JointParts::ratio, "the ratio of a gear"},
                                    {model::kJointPitch, &JointParts::pitch, "the pitch of a screw"},
                                    {model::kJointLength, &JointParts::length, "the length of a strut"},
                                    {model::kJointRadius, &JointParts::radius, "the radius of a sphere"}};

std::vector<JointPart> stated_parts(const JointParts& parts) {
  std::vector<JointPart> stated;
  const auto add = [&](bool is_stated, JointPart part) {
    if (is_stated) stated.push_back(part);
  };
  add(parts.axis.is_valid(), model::kJointAxis);
  add(parts.axis2.is_valid(), model::kJointAxis2);
  for (const JointNumber& one : kNumbers) add((parts.*one.term).is_valid(), one.part);
  add(parts.prescribed.is_valid(), model::kJointPrescribed);
  add(!parts.surface.empty(), model::kJointSurface);
  add(!parts.surface2.empty(), model::kJointSurface2);
  return stated;
}

/// Whether the point is fixed in the frame of the joint; reports an error otherwise. A frame without body needs no
/// fixed point.
bool is_end(Builder::Own& own, Builder::JointEnd end) {
  const model::Model& model = own.builder.model();
  if (in(end.point).index() >= model.points.size() || in(end.body).index() >= model.frames.size()) {
    complain(own, Kind::kBadValue, "an end of a joint is not a point and a frame of this builder",
             "make them by functions of the builder");
    return false;
  }
  const model::Point& point = model.point(in(end.point));
  const model::Frame& frame = model.frame(in(end.body));
  const bool is_ground = in(end.body) == model::kNewtonian;
  if ((is_ground && point.particle) || (!is_ground && !frame.body)) return true;
  if (model::KinematicTree(model).is_fixed_in(in(end.point), in(end.body))) return true;
  complain(own, Kind::kNotAllowedHere, "`" + point.name + "` is not fixed in `" + frame.name + "`",
           "set it off from a point that is fixed there");
  return false;
}

/// Whether the joint may connect this end.
bool fits(Builder::Own& own, const model::JointInfo& info, Builder::JointEnd end, model::JointSides particle) {
  const model::Model& model = own.builder.model();
  const model::Frame& frame = model.frame(in(end.body));
  const bool is_ground = in(end.body) == model::kNewtonian;
  const bool is_particle = is_ground && model.point(in(end.point)).particle.has_value();
  const auto problem =
      elaborate::joint_side_problem(info, particle, is_particle, is_ground || frame.body.has_value(), frame.name);
  if (problem) complain(own, problem->kind, problem->message, problem->hint);
  return !problem;
}

/// Whether a term depends on these variables only (elaborate::Holds); reports an error otherwise.
bool holds_only(Builder::Own& own, model::Term term, std::uint8_t allowed, std::string_view what) {
  if ((elaborate::TermFacts(own.builder.model()).holds(term) & ~allowed) == 0) return true;
  const std::string_view may = allowed == elaborate::kHoldsNothing    ? "is constant"
                               : allowed == elaborate::kConfiguration ? "depends on the time and coordinates only"
                                                                      : "depends on no accelerations and reactions";
  complain(own, Kind::kNotAllowedHere, fmt::format("{} {}", what, may), "");
  return false;
}

/// A corner of a polygon that is fixed in the frame.
bool is_corner(Builder::Own& own, Term stated, model::FrameId in_frame) {
  const std::string what = "a corner of a polygon";
  if (!stated.is_valid() || &in(stated).pool() != &own.builder.terms() || !in(stated).is_vector()) {
    complain(own, Kind::kWrongKind, what + " is a vector of this builder", "");
    return false;
  }
  const model::Model& model = own.builder.model();
  if (model::KinematicTree(model).of_term(in(stated), in_frame).is_none()) return true;
  complain(own, elaborate::corner_moves(name_of_side(model, in_frame)));
  return false;
}

/// Whether a length of a surface is a positive constant. The model then requires it of later values too.
bool is_length(Builder::Own& own, model::Term length, model::JointKind kind) {
  const std::string_view what = "a length of a surface";
  model::Model& model = own.builder.model();
  if (!is_usable(own, length, std::string(what)) || !holds_only(own, length, elaborate::kHoldsNothing, what))
    return false;
  if (!(reaction_laws::constant_value(model, length).value_or(0.0) > 0.0)) {
    complain(own, Kind::kBadValue, std::string(what) + " must be positive",
             std::string(elaborate::hint_for_length(kind)));
    return false;
  }
  model::require_positive(model, length, what);
  return true;
}

/// Whether a term is the height of a ground. It contains the place as measure numbers of pos(Q, P), where P is the
/// point of the ground and Q that of the other body.
/// \param frame  of the ground
bool is_height(Builder::Own& own, model::Term height, const model::JointSpec& spec, model::FrameId frame) {
  if (!is_usable(own, height, "the height of a ground")) return false;
  model::Model& model = own.builder.model();
  const bool is_of_first = frame == spec.first_body;
  const model::PointId ground = is_of_first ? spec.first_point : spec.second_point,
                       other = is_of_first ? spec.second_point : spec.first_point;
  elaborate::TermFacts facts(model);
  const auto problem =
      elaborate::height_problem(facts, height, model::place_on_ground(*model.terms, other, ground, frame));
  if (problem) complain(own, problem->kind, problem->message, problem->hint);
  return !problem;
}

/// Whether the joint can have a surface; adds its lengths to `lengths`.
/// \param frame  of the body that has the surface
bool has_surface(Builder::Own& own, const JointParts& parts, bool is_second, const model::JointSpec& spec,
                 model::FrameId frame, model::SurfaceKind& kind, std::vector<model::Term>& lengths) {
  const std::string& word = is_second ? parts.surface2 : parts.surface;
  const std::vector<Term>& stated = is_second ? parts.surface2_lengths : parts.surface_lengths;
  if (word.empty()) return true;
  if (const auto problem = elaborate::joint_surface_problem(spec.kind, word, stated.size(), parts.radius.is_valid())) {
    complain(own, problem->kind, problem->message, problem->hint);
    return false;
  }
  const model::SurfaceInfo& info = *model::find_surface(word);
  kind = info.kind;
  for (const Term length : stated) {
    if (kind == model::SurfaceKind::kGround) {
      if (!is_height(own, in(length), spec, frame)) return false;
    } else if (!(info.lengths < 0 ? is_corner(own, length, frame) : is_length(own, in(length), spec.kind)))
      return false;
    lengths.push_back(in(length));
  }
  return true;
}

/// Whether the vectors and numbers of the joint can be used; fills `spec`.
bool has_values(Builder::Own& own, const JointParts& parts, model::JointSpec& spec) {
  bool is_right = true;
  const auto vector = [&](Term stated, std::string_view what, model::Term& to) {
    if (!stated.is_valid()) return false;
    to = in(stated);
    if (&to.pool() == &own.builder.terms() && to.is_vector() && !to.is_zero()) return true;
    complain(own, Kind::kBadValue, std::string(what) + " is a nonzero vector of this builder", "");
    is_right = false;
    return false;
  };
  const auto axis = [&](Term stated, model::FrameId body, model::Term& to) {
    if (!vector(stated, "the axis of a joint", to)) return;
    if (model::KinematicTree(own.builder.model()).of_term(to, body).is_none()) return;
    complain(own, Kind::kNotAllowedHere, "the axis of a joint moves in `" + own.builder.model().frame(body).name + "`",
             "write a vector that is fixed there");
    is_right = false;
  };
  axis(parts.axis, spec.first_body, spec.axis);
  axis(parts.axis2, spec.second_body, spec.axis2);
  const bool is_velocity = spec.kind == model::JointKind::kPrescribedVelocity;
  const auto allowed =
      static_cast<std::uint8_t>(elaborate::kConfiguration | (is_velocity ? elaborate::kHoldsRates : 0));
  if (vector(parts.prescribed, "what a joint prescribes", spec.prescribed))
    is_right = holds_only(own, spec.prescribed, allowed, "what a joint prescribes") && is_right;
  const auto number = [&](const JointNumber& one, model::Term& to) {
    if (!(parts.*one.term).is_valid()) return;
    to = in(parts.*one.term);
    const bool is_length = one.part == model::kJointLength;
    const auto may_hold = static_cast<std::uint8_t>(is_length ? +elaborate::kConfiguration : +elaborate::kHoldsNothing);
    if (!is_usable(own, to, std::string(one.what)) || !holds_only(own, to, may_hold, one.what)) {
      is_right = false;
      return;
    }
    const auto value = reaction_laws::constant_value(own.builder.model(), to);
    if (!value) return;
    const std::string_view problem = elaborate::problem_of_joint_number(one.part, *value);
    if (problem.empty()) return elaborate::require_joint_number(own.builder.model(), one.part, to, one.what);
    complain(own, Kind::kBadValue, std::string(one.what) + std::string(problem), "");
    is_right = false;
  };
  number(kNumbers[0], spec.ratio);
  number(kNumbers[1], spec.pitch);
  number(kNumbers[2], spec.length);
  number(kNumbers[3], spec.radius);
  const bool is_contact = spec.kind == model::JointKind::kContact;
  is_right = has_surface(own, parts, false, spec, is_contact ? spec.first_body : spec.second_body, spec.surface,
                         spec.surface_lengths) &&
             is_right;
  return has_surface(own, parts, true, spec, spec.second_body, spec.surface2, spec.surface2_lengths) && is_right;
}

/// Reads a law whose arguments are terms. The laws check and interpret them as they do those of a text.
class TermReader final : public reaction_laws::Reader {
 public:
  TermReader(Builder::Own& own, model::ConstraintId id, lang::LawClause clause, std::vector<std::vector<Term>> values)
      : own_(own), id_(id), clause_(std::move(clause)), values_(std::move(values)) {}

  model::ModelBuilder& builder() override { return own_.builder; }
  model::ConstraintId id() const override { return id_; }
  const lang::LawClause& clause() const override { return clause_; }
  diag::SourceRange range() const override { return {}; }
  void report(diag::Diagnostic one) override {
    if (one.severity == diag::Severity::kError) complain(own_, one.kind, std::move(one.message), std::move(one.hint));
  }
  bool has_rows(const model::LawRows& wanted) override {
    auto problem = elaborate::law_row_problem(model(), constraint(), wanted, clause_.law.text);
    if (problem) report(std::move(problem->diagnostic));
    return !problem;
  }
  std::optional<model::Term> scalar(const lang::LawArgument& argument, const Dimension&, std::string_view what,
                                    MayHold may) override {
    if (of(argument).size() != 1) {
      error(Kind::kWrongArgumentCount, {}, std::string(what) + " is one value");
      return std::nullopt;
    }
    const model::Term term = in(of(argument).front());
    return is_allowed(term, what, may) ? std::optional(term) : std::nullopt;
  }
  std::optional<double> constant(const lang::LawArgument&, model::Term value, std::string_view what) override {
    const auto number = reaction_laws::constant_value(model(), value);
    if (!number)
      error(Kind::kNotAllowedHere, {}, std::string(what) + " is not constant", "write numbers or parameters");
    else
      model::fix_parameters(own_.builder.model(), value, what);
    return number;
  }
  std::optional<std::vector<model::Term>> of_rows(const lang::LawArgument& argument, std::span<const Dimension>,
                                                  std::string_view what, MayHold may) override {
    const std::size_t rows = constraint().rows.size();
    const std::vector<Term>& given = of(argument);
    if (given.size() != rows) {
      error(Kind::kWrongArgumentCount, {},
            elaborate::wrong_count_of_rows(argument.word, constraint().name, rows, given.size()));
      return std::nullopt;
    }
    for (const Term term : given)
      if (!is_allowed(in(term), what, may)) return std::nullopt;
    return in(given);
  }
  std::optional<std::vector<std::vector<model::Term>>> matrix_of_coordinates(const lang::LawArgument& argument,
                                                                             const std::string& what) override {
    const std::size_t n = model().coordinates.size();
    const std::vector<Term>& given = of(argument);
    if (given.size() != n * n) {
      error(Kind::kWrongArgumentCount, {},
            fmt::format("{} has a row and a column for each of the {} coordinates, found {} entries", what, n,
                        given.size()));
      return std::nullopt;
    }
    std::vector<std::vector<model::Term>> matrix(n);
    for (std::size_t i = 0; i < n * n; ++i) {
      if (!is_usable(own_, in(given[i]), what)) return std::nullopt;
      matrix[i / n].push_back(in(given[i]));
    }
    return matrix;
  }
  std::optional<std::vector<reaction_laws::Direction>> directions(const lang::LawArgument& argument) override {
    std::vector<reaction_laws::Direction> all;
    for (const Term term : of(argument)) {
      if (!term.is_valid() || &in(term).pool() != &own_.builder.terms() || !in(term).is_vector()) {
        error(Kind::kWrongKind, {}, "a direction of a reaction is a vector of this builder");
        return std::nullopt;
      }
      if (!holds_only(own_, in(term), elaborate::kMotionState, "a direction of a reaction")) return std::nullopt;
      if (in(term).is_zero()) {
        error(Kind::kBadValue, {}, "the zero vector has no direction");
        return std::nullopt;
      }
      all.push_back({in(term), {}, {}});
    }
    return all;
  }

 private:
  bool is_allowed(model::Term term, std::string_view what, MayHold may) {
    constexpr auto kState = static_cast<std::uint8_t>(elaborate::kMotionState | elaborate::kHoldsStates);
    return is_usable(own_, term, std::string(what)) &&
           holds_only(own_, term, may == MayHold::kPlace ? elaborate::kConfiguration : kState, what);
  }
  const std::vector<Term>& of(const lang::LawArgument& argument) const {
    return values_[static_cast<std::size_t>(&argument - clause_.arguments.data())];
  }
  Builder::Own& own_;
  model::ConstraintId id_;
  lang::LawClause clause_;
  std::vector<std::vector<Term>> values_;
};

}  // namespace

Builder::Constraint without_effect(Builder::Own& own, std::string name, int rows) {
  const std::vector<model::Term> zeros(static_cast<std::size_t>(rows), own.builder.number(0.0));
  const model::ConstraintId id = own.builder.add_rows(std::move(name), zeros);
  own.faulty.insert(id_of(id));
  return handle_of(own.builder.model(), id);
}

std::optional<model::JointSpec> joint_spec(Builder::Own& own, const model::JointInfo& info, Builder::JointEnd first,
                                           Builder::JointEnd second, const JointParts& parts) {
  const model::Model& model = own.builder.model();
  const auto problems = elaborate::joint_part_problems(info, stated_parts(parts));
  for (const elaborate::JointProblem& one : problems) complain(own, one.kind, one.message, one.hint);
  bool is_right = is_end(own, first) && is_end(own, second) && problems.empty() &&
                  fits(own, info, first, model::kFirstParticle) && fits(own, info, second, model::kSecondParticle);
  const bool has_particle =
      is_right && (model.point(in(first.point)).particle || model.point(in(second.point)).particle);
  if (is_right && first.body.id == second.body.id && !(has_particle && first.point.id != second.point.id)) {
    complain(own, Kind::kBadValue, "a joint connects two different bodies", "");
    is_right = false;
  }
  model::JointSpec spec;
  spec.kind = info.kind;
  spec.first_point = in(first.point);
  spec.second_point = in(second.point);
  spec.first_body = in(first.body);
  spec.second_body = in(second.body);
  if (!is_right || !has_values(own, parts, spec)) return std::nullopt;
  return spec;
}

Builder::Constraint Builder::joint(std::string name, const std::string& kind, JointEnd first, JointEnd second,
                                   const JointParts& parts) {
  const model::JointInfo* info = model::find_joint(kind);
  if (info == nullptr) {
    if (kind == model::contact_joint().name)
      complain(*own_, Kind::kNotAllowedHere, "a `contact` has one constraint for each place of contact",
               "call `contact` instead of `joint`");
    else
      complain(*own_, Kind::kUnknownName, "unknown joint `" + kind + "`", elaborate::hint_for_joint(kind));
    return without_effect(*own_, std::move(name));
  }
  const std::optional<model::JointSpec> spec = joint_spec(*own_, *info, first, second, parts);
  if (!spec) return without_effect(*own_, std::move(name), info->rows);
  const model::ConstraintId id = model::add_joint(own_->builder, std::move(name), *spec);
  own_->joints.emplace(id_of(id), *spec);
  if (!own_->builder.model().has_units) {
    model::Constraint& constraint = own_->builder.model().constraints[id.index()];
    constraint.dimension = {};
    constraint.row_dimensions.clear();
  }
  return handle_of(own_->builder.model(), id);
}

void Builder::law(Constraint constraint, const std::string& name, const std::vector<LawArgument>& arguments) {
  const reaction_laws::Kind* kind = reaction_laws::laws().find(name);
  if (kind == nullptr)
    return complain(*own_, Kind::kUnknownName, "unknown law `" + name + "`", "the laws are listed in docs/laws.md");
  lang::LawClause clause;
  clause.law.text = name;
  std::vector<std::vector<Term>> values;
  const std::string law = "`law " + name + "`", hint = "write `" + lang::clause_syntax(kind->form) + "`";
  for (const LawArgument& one : arguments) {
    const auto form = std::ranges::find(kind->form.arguments, one.name, &lang::LawArgumentForm::word);
    if (form == kind->form.arguments.end())
      return complain(*own_, Kind::kNotAllowedHere, law + " takes no `" + one.name + "`", hint);
    if (std::ranges::count(arguments, one.name, &LawArgument::name) > 1)
      return complain(*own_, Kind::kDuplicateName, "`" + one.name + "` of " + law + " is stated twice", hint);
    if (one.values.empty())
      return complain(*own_, Kind::kWrongArgumentCount, "`" + one.name + "` of " + law + " has no value", hint);
    lang::LawArgument written;
    written.word = one.name;
    written.is_start = form->is_start;
    for (std::size_t i = 0; i < one.values.size(); ++i) written.values.push_back(std::make_unique<lang::Expression>());
    clause.arguments.push_back(std::move(written));
    values.push_back(one.values);
  }
  for (const lang::LawArgumentForm& form : kind->form.arguments) {
    if (!form.is_start && std::ranges::find(arguments, form.word, &LawArgument::name) == arguments.end())
      return complain(*own_, Kind::kWrongArgumentCount, law + " needs `" + std::string(form.word) + "`", hint);
  }
  if (!takes_law(*own_, constraint, name)) return;
  TermReader reader(*own_, in(constraint), std::move(clause), std::move(values));
  (void)kind->read(reader);
}

bool takes_law(Builder::Own& own, Builder::Constraint constraint, const std::string& name) {
  const std::vector<model::Constraint>& all = own.builder.model().constraints;
  if (in(constraint).index() >= all.size()) {
    complain(own, Kind::kBadValue, "`law " + name + "` of a constraint of another builder", "");
    return false;
  }
  if (!takes_clauses(own, constraint)) return false;
  const auto [first, is_first] = own.laws.try_emplace(constraint.id, name);
  if (!is_first)
    complain(own, Kind::kMisplacedStatement, "a constraint has one law",
             "`" + all[in(constraint).index()].name + "` has one: `" + first->second + "`");
  return is_first;
}

void check_laws(Builder::Own& own) {
  const model::Model& model = own.builder.model();
  for (const model::Constraint& constraint : model.constraints) {
    const bool has_other = constraint.law->is_ideal() && !constraint.nonideal.empty();
    if (constraint.when.is_valid() && !constraint.unilateral && has_other)
      complain(own, Kind::kNotSupported, elaborate::when_needs_ideal(constraint.name), elaborate::kHintOfWhen);
  }
  for (const auto& [id, name] : own.laws) {
    const model::Constraint& constraint = model.constraint(model::ConstraintId(std::size_t{id}));
    const reaction_laws::Kind* kind = reaction_laws::laws().find(name);
    if (kind != nullptr && kind->is_ideal) continue;
    if (!constraint.nonideal.empty())
      complain(own, Kind::kNotAllowedHere, elaborate::kNonidealNeedsIdeal, elaborate::kHintOfNonideal);
    if (constraint.when.is_valid())
      complain(own, Kind::kNotSupported, elaborate::when_needs_ideal(constraint.name), elaborate::kHintOfWhen);
    elaborate::TermFacts facts(model);
    const bool holds_states = std::ranges::any_of(
        constraint.rows, [&](model::Term row) { return (facts.holds(row) & elaborate::kHoldsStates) != 0; });
    if (holds_states && kind != nullptr && !kind->keeps_states)
      complain(own, Kind::kNotAllowedHere, elaborate::state_not_kept(constraint.name, "`law " + name + "`"),
               reaction_laws::kHintOfStates);
  }
}

Term Builder::table(const std::string& name, std::vector<double> x, std::vector<double> y, Term at,
                    const TableOptions& options) {
  using expr::Spline;
  std::string problem;
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (x.size() != y.size())
    problem = fmt::format("there are {} arguments and {} values", x.size(), y.size());
  else if (x.size() < 2)
    problem = "a table has two rows at least";
  else if (!std::ranges::all_of(x, is_finite) || !std::ranges::all_of(y, is_finite))
    problem = "a number is not finite";
  else if (std::ranges::adjacent_find(x, std::greater_equal<>()) != x.end())
    problem = "the first column must increase strictly";
  else if (options.is_periodic && y.front() != y.back())
    problem =
        fmt::format("the first and the last value of a periodic table are equal, found {} and {}", y.front(), y.back());
  else if (options.is_periodic && options.outside != TableOptions::Outside::kError)
    problem = "a periodic table has values everywhere, so `outside` is not used";
  if (!problem.empty()) {
    complain(*own_, Kind::kBadTable, "`" + name + "`, " + problem, "");
    return number(0.0);
  }
  if (!is_usable(*own_, in(at), "the argument of table `" + name + "`")) return number(0.0);
  using From = TableOptions::Kind;
  const Spline::Kind kind = options.kind == From::kLinear   ? Spline::Kind::kLinear
                            : options.kind == From::kSmooth ? Spline::Kind::kSmooth
                            : options.kind == From::kHold   ? Spline::Kind::kHold
                                                            : Spline::Kind::kSpline;
  const elaborate::Outside outside = options.outside == TableOptions::Outside::kHold     ? elaborate::Outside::kHold
                                     : options.outside == TableOptions::Outside::kLinear ? elaborate::Outside::kLinear
                                                                                         : elaborate::Outside::kError;
  const auto reach = options.is_periodic                     ? Spline::Reach::kPeriodic
                     : outside == elaborate::Outside::kError ? Spline::Reach::kInside
                                                             : Spline::Reach::kEndPieces;
  const auto spline = std::make_shared<const Spline>(name, std::move(x), std::move(y), Spline::Shape{kind, reach});
  return out_of(elaborate::table_term(own_->builder.terms(), spline, outside, in(at)));
}

void Builder::run(double duration, const RunSettings& settings) {
  model::Model& model = own_->builder.model();
  if (model.run) return complain(*own_, Kind::kMisplacedStatement, "a model has one `run`", "call `run` once");
  const auto refuse = [&](const std::string& message) { complain(*own_, Kind::kBadValue, message, ""); };
  if (!(duration >= 0.0 && std::isfinite(duration))) return refuse("the length of a run is 0 or more");
  if (settings.step && !(*settings.step > 0.0)) return refuse("the output step must be positive");
  if (settings.max_step && !(*settings.max_step > 0.0)) return refuse("the longest step must be positive");
  const double relative = settings.tolerance.value_or(tolerance::kDefaultRun);
  if (!(relative >= tolerance::kFinestRun && relative <= tolerance::kCoarsestRun))
    return refuse("the tolerance is between 1e-15 and 0.1");
  model::RunSettings run;
  run.duration = duration;
  run.step = settings.step;
  run.max_step = settings.max_step;
  run.tolerance = relative;
  model.run = std::move(run);
}

}  // namespace vinculum
