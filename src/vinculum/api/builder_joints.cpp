#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/api/builder_own.hpp"
#include "vinculum/api/shared.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/elaborate/check/joint_rules.hpp"
#include "vinculum/elaborate/check/law_rows.hpp"
#include "vinculum/elaborate/check/table_terms.hpp"
#include "vinculum/model/joint.hpp"
#include "vinculum/model/kinematic_tree.hpp"
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

/// Whether the joint may connect this end: some joints use directions, which a particle does not have, or act at points
/// of matter, which a frame without a body does not have.
bool fits(Builder::Own& own, const model::JointInfo& info, Builder::JointEnd end, model::JointSides particle) {
  const model::Model& model = own.builder.model();
  const model::Frame& frame = model.frame(in(end.body));
  const bool is_ground = in(end.body) == model::kNewtonian;
  const std::string joint = "a `" + std::string(info.name) + "` joint";
  if (is_ground && model.point(in(end.point)).particle && (info.sides & particle) == 0)
    complain(own, Kind::kNotAllowedHere, joint + " uses directions, and a particle has none", "join a body");
  else if (!is_ground && !frame.body && (info.sides & model::kBareFrames) == 0)
    complain(own, Kind::kNotAllowedHere,
             joint + " acts at points of matter, and no body is fixed in the frame `" + frame.name + "`",
             "add the body, its mass may be 0");
  else
    return true;
  return false;
}

bool has_surface(Builder::Own& own, const JointParts& parts, model::JointSpec& spec) {
  if (parts.surface.empty()) return true;
  const model::SurfaceInfo* info = model::find_surface(parts.surface);
  const auto refuse = [&](Kind kind, std::string message, std::string hint) {
    complain(own, kind, std::move(message), std::move(hint));
    return false;
  };
  if (info == nullptr) return refuse(Kind::kUnknownName, "unknown surface `" + parts.surface + "`", "");
  const bool rolls = spec.kind == model::JointKind::kRolling;
  if (rolls ? !info->rolls : !info->holds_points)
    return refuse(Kind::kNotAllowedHere,
                  fmt::format("a {} {}", info->name, rolls ? "does not roll" : "is not a surface for a point"), "");
  if (rolls && info->kind == model::SurfaceKind::kEllipsoid && parts.radius.is_valid())
    return refuse(Kind::kNotAllowedHere, "an ellipsoid does not roll on a sphere", "leave out the radius");
  if (static_cast<int>(parts.surface_lengths.size()) != info->lengths)
    return refuse(Kind::kWrongArgumentCount,
                  fmt::format("`{}` takes {}, found {}", info->name,
                              elaborate::count_of(static_cast<std::size_t>(info->lengths), "length"),
                              parts.surface_lengths.size()),
                  fmt::format("write `surface {}`", info->signature));
  spec.surface = info->kind;
  for (const Term length : parts.surface_lengths) {
    if (!is_usable(own, in(length), "a length of a surface")) return false;
    const auto number = reaction_laws::constant_value(own.builder.model(), in(length));
    if (!number) return refuse(Kind::kNotAllowedHere, "a length of a surface is not constant", "");
    if (!(*number > 0.0)) return refuse(Kind::kBadValue, "a length of a surface must be positive", "");
    spec.surface_lengths.push_back(in(length));
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
  (void)vector(parts.prescribed, "what a joint prescribes", spec.prescribed);
  const auto number = [&](const JointNumber& one, model::Term& to) {
    if (!(parts.*one.term).is_valid()) return;
    to = in(parts.*one.term);
    if (!is_usable(own, to, std::string(one.what))) {
      is_right = false;
      return;
    }
    const auto value = reaction_laws::constant_value(own.builder.model(), to);
    const bool is_constant = value || one.part == model::kJointLength;
    const std::string_view problem = !is_constant ? " is not constant"
                                     : value      ? elaborate::problem_of_joint_number(one.part, *value)
                                                  : "";
    if (problem.empty()) return;
    complain(own, Kind::kBadValue, std::string(one.what) + std::string(problem), "");
    is_right = false;
  };
  number(kNumbers[0], spec.ratio);
  number(kNumbers[1], spec.pitch);
  number(kNumbers[2], spec.length);
  number(kNumbers[3], spec.radius);
  return has_surface(own, parts, spec) && is_right;
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
                                    MayHold) override {
    if (of(argument).size() != 1) {
      error(Kind::kWrongArgumentCount, {}, std::string(what) + " is one value");
      return std::nullopt;
    }
    const model::Term term = in(of(argument).front());
    return is_usable(own_, term, std::string(what)) ? std::optional(term) : std::nullopt;
  }
  std::optional<double> constant(const lang::LawArgument&, model::Term value, std::string_view what) override {
    const auto number = reaction_laws::constant_value(model(), value);
    if (!number)
      error(Kind::kNotAllowedHere, {}, std::string(what) + " is not constant", "write numbers or parameters");
    return number;
  }
  std::optional<std::vector<model::Term>> of_rows(const lang::LawArgument& argument, std::span<const Dimension>,
                                                  std::string_view what, MayHold) override {
    const std::size_t rows = constraint().rows.size();
    const std::vector<Term>& given = of(argument);
    if (given.size() != rows) {
      error(Kind::kWrongArgumentCount, {},
            elaborate::wrong_count_of_rows(argument.word, constraint().name, rows, given.size()));
      return std::nullopt;
    }
    for (const Term term : given)
      if (!is_usable(own_, in(term), std::string(what))) return std::nullopt;
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
      all.push_back({in(term), {}, {}});
    }
    return all;
  }

 private:
  const std::vector<Term>& of(const lang::LawArgument& argument) const {
    return values_[static_cast<std::size_t>(&argument - clause_.arguments.data())];
  }
  Builder::Own& own_;
  model::ConstraintId id_;
  lang::LawClause clause_;
  std::vector<std::vector<Term>> values_;
};

}  // namespace

Builder::Constraint Builder::joint(std::string name, const std::string& kind, JointEnd first, JointEnd second,
                                   const JointParts& parts) {
  const model::JointInfo* info = model::find_joint(kind);
  const auto placeholder = [&] {
    const auto rows = static_cast<std::size_t>(info == nullptr ? 1 : info->rows);
    const std::vector<model::Term> zeros(rows, own_->builder.number(0.0));
    return Constraint{id_of(own_->builder.add_rows(std::move(name), zeros))};
  };
  if (info == nullptr) {
    complain(*own_, Kind::kUnknownName, "unknown joint `" + kind + "`", elaborate::hint_for_joint(kind));
    return placeholder();
  }
  const auto problems = elaborate::joint_part_problems(*info, stated_parts(parts));
  for (const elaborate::JointProblem& one : problems)
    complain(*own_, one.kind, one.message, elaborate::joint_hint(*info));
  bool is_right = is_end(*own_, first) && is_end(*own_, second) && problems.empty() &&
                  fits(*own_, *info, first, model::kFirstParticle) &&
                  fits(*own_, *info, second, model::kSecondParticle);
  const bool has_particle = is_right && (own_->builder.model().point(in(first.point)).particle ||
                                         own_->builder.model().point(in(second.point)).particle);
  if (is_right && first.body.id == second.body.id && !(has_particle && first.point.id != second.point.id)) {
    complain(*own_, Kind::kBadValue, "a joint connects two different bodies", "");
    is_right = false;
  }
  model::JointSpec spec;
  spec.kind = info->kind;
  spec.first_point = in(first.point);
  spec.second_point = in(second.point);
  spec.first_body = in(first.body);
  spec.second_body = in(second.body);
  if (!is_right || !has_values(*own_, parts, spec)) return placeholder();
  const model::ConstraintId id = model::add_joint(own_->builder, std::move(name), spec);
  if (!own_->builder.model().has_units) {
    model::Constraint& constraint = own_->builder.model().constraints[id.index()];
    constraint.dimension = {};
    constraint.row_dimensions.clear();
  }
  return {id_of(id)};
}

void Builder::law(Constraint constraint, const std::string& name, const std::vector<LawArgument>& arguments) {
  const reaction_laws::Kind* kind = reaction_laws::laws().find(name);
  if (kind == nullptr)
    return complain(*own_, Kind::kUnknownName, "unknown law `" + name + "`", "the laws are listed in docs/laws.md");
  lang::LawClause clause;
  clause.law.text = name;
  std::vector<std::vector<Term>> values;
  if (in(constraint).index() >= own_->builder.model().constraints.size())
    return complain(*own_, Kind::kBadValue, "`law " + name + "` of a constraint of another builder", "");
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
  TermReader reader(*own_, in(constraint), std::move(clause), std::move(values));
  (void)kind->read(reader);
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
