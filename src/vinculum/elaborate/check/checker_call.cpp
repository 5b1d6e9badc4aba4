#include <algorithm>
#include <cstdlib>
#include <utility>

#include "vinculum/elaborate/check/checker.hpp"
#include "vinculum/elaborate/check/contact_rules.hpp"
#include "vinculum/elaborate/check/grid_terms.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/check/table_file.hpp"
#include "vinculum/elaborate/check/table_terms.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/hamiltonian.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/shared_frame.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using diag::Severity;
using expr::Op;
using model::FrameId;
using model::Model;
using model::PointId;
using model::Term;

namespace {

std::string count_text(const FunctionInfo& info) {
  const int least = info.min_arguments, most = info.max_arguments;
  const std::string last = std::to_string(most) + (most == 1 ? " argument" : " arguments");
  if (least == most) return last;
  if (most == kAnyCount) return std::to_string(least) + " arguments or more";
  return std::to_string(least) + (most == least + 1 ? " or " : " to ") + last;
}

bool is_coordinate(const Value& value) {
  return value.is(ValueKind::kScalar) && value.term.kind() == model::TermKind::kCoordinate && value.term.order() == 0;
}

constexpr std::uint32_t bit(ValueKind kind) { return 1u << static_cast<unsigned>(kind); }

constexpr std::uint32_t kPlaces = bit(ValueKind::kPlace) | bit(ValueKind::kBody);
constexpr std::uint32_t kFrames = bit(ValueKind::kFrame) | bit(ValueKind::kBody);
constexpr std::uint32_t kArrays = bit(ValueKind::kList) | bit(ValueKind::kMatrix);

struct ArgumentRow {
  ArgumentKind kind;
  std::string_view wanted;
  std::uint32_t values;  // allowed kinds of values, as bits of ValueKind
};
constexpr ArgumentRow kArguments[] = {
    {ArgumentKind::kNone, "nothing", 0},
    {ArgumentKind::kNumber, "a scalar", bit(ValueKind::kScalar)},
    {ArgumentKind::kScalar, "a scalar", bit(ValueKind::kScalar)},
    {ArgumentKind::kLike, "a scalar", bit(ValueKind::kScalar)},
    {ArgumentKind::kVector, "a vector", bit(ValueKind::kVector)},
    {ArgumentKind::kQuantity, "a scalar, a vector, a list or a matrix",
     bit(ValueKind::kScalar) | bit(ValueKind::kVector) | kArrays},
    {ArgumentKind::kPoint, "a point", kPlaces},
    {ArgumentKind::kMass, "a particle or a body", kPlaces},
    {ArgumentKind::kMomentumOf, "a particle, a body or a coordinate", kPlaces},
    {ArgumentKind::kFrame, "a frame", kFrames},
    {ArgumentKind::kBody, "a body", kFrames},
    {ArgumentKind::kPointOrBody, "a point or a body", kPlaces | kFrames},
    {ArgumentKind::kConstraint, "a constraint", bit(ValueKind::kConstraint)},
    {ArgumentKind::kText, "the name of a file in quotes", bit(ValueKind::kText)},
    {ArgumentKind::kList, "a list", bit(ValueKind::kList)},
    {ArgumentKind::kMatrix, "a matrix", bit(ValueKind::kMatrix)},
    {ArgumentKind::kArray, "a list or a matrix", kArrays},
    {ArgumentKind::kIndex, "a whole number", bit(ValueKind::kScalar)},
};

const ArgumentRow& row_of(ArgumentKind kind) { return *std::ranges::find(kArguments, kind, &ArgumentRow::kind); }

bool is_of_kind(ArgumentKind kind, const Value& value) {
  return (row_of(kind).values & bit(value.kind)) != 0 || (kind == ArgumentKind::kMomentumOf && is_coordinate(value));
}

ArgumentKind kind_at(const FunctionInfo& info, std::size_t place) {
  const ArgumentKind kind = info.arguments[std::min(place, info.arguments.size() - 1)];
  return kind == ArgumentKind::kNone ? info.arguments[1] : kind;
}

/// Whether the call is written like a start value: `x(0)`.
bool is_start_like(const lang::Call& node) {
  const auto* number =
      node.arguments.size() != 1 ? nullptr : std::get_if<lang::NumberLiteral>(&node.arguments.front()->node);
  return number != nullptr && number->value == 0.0;
}

bool holds_what_is_stated(Function function) {
  switch (function) {
    case Function::kForce:
    case Function::kNonidealForce:
    case Function::kTorque:
    case Function::kGeneralizedForce:
    case Function::kGeneralizedIdealForce:
    case Function::kGeneralizedNonidealForce:
    case Function::kDeparture:
    case Function::kPower: return true;
    default: return false;
  }
}

bool is_of_reaction(Function function) {
  return function == Function::kForce || function == Function::kIdealForce || function == Function::kNonidealForce ||
         function == Function::kReaction || function == Function::kTorque;
}

bool takes_single_rows(Function function) {
  return function == Function::kMultiplier || function == Function::kIdealMultiplier ||
         function == Function::kResidual || function == Function::kDeparture;
}

}  // namespace

bool Checker::is_known(diag::SourceRange range, const FunctionInfo& info) {
  if (info.needs <= context_.known) return true;
  constexpr std::string_view kHintOfClosed =
      "let events set a state: `state s' = 0` and `event on: closed(c) = 0.5 rising set s = 1`";
  context_.reporter.error(Kind::kNotAllowedHere, range,
                          quote(info.name) + " cannot be used in " + std::string(context_.place),
                          info.function == Function::kClosed ? std::string(kHintOfClosed)
                          : info.needs == Needs::kMasses     ? "energies are known once all masses and potentials are"
                                                             : hint_for_reactions());
  return false;
}

std::string Checker::hint_for_reactions() const {
  if (context_.place == "a load")
    return "a force that depends on a reaction is part of the reaction: under its constraint write `nonideal on P = "
           "VEC`, "
           "or `friction on P mu = EXPR`";
  return "results of constraints are for `output`, `expect` and `let`";
}

Value Checker::named_energy(const lang::Expression& expression, const FunctionInfo& info) {
  if (!is_known(expression.range, info)) return fault();
  if (is_of_system(info.function)) return of_system(expression, info);
  const Model& model = context_.model;
  const Dimension energy = make_dimension(1, 2, -2);
  const bool is_one_part = info.function == Function::kKineticEnergy || info.function == Function::kPotentialEnergy;
  const bool has_lagrangian = std::ranges::any_of(model.loads, [](const model::Load& load) {
    return std::holds_alternative<model::LagrangianFunction>(load.what);
  });
  if (is_one_part && has_lagrangian)
    return fault(
        Kind::kNotAllowedHere, expression.range,
        quote(info.name) +
            " has no meaning in a model with a `lagrangian`, which is not split into kinetic and potential energy",
        "`energy` is q'*dL/dq' - L");
  switch (info.function) {
    case Function::kKineticEnergy: return make_scalar(model::kinetic_energy(model), energy);
    case Function::kPotentialEnergy: return make_scalar(model::potential_energy(model), energy);
    case Function::kHamiltonian: return make_scalar(model::hamiltonian(model), energy);
    case Function::kEffectiveEnergy: return make_scalar(model::effective_energy(model), energy);
    default: return make_scalar(model::total_energy(model), energy);
  }
}

Value Checker::call(const lang::Expression& expression, const lang::Call& node) {
  const std::string& name = node.function.text;
  const FunctionInfo* info = find_function(name);
  if (info == nullptr) {
    const Symbol* symbol = context_.scope.find(name);
    if (symbol == nullptr && context_.scope.is_forgiven(name, node.function.range.begin)) {
      context_.reporter.leave_out();
      return fault();
    }
    return fault(Kind::kUnknownFunction, node.function.range,
                 symbol == nullptr
                     ? "unknown function `" + name + "`"
                     : "`" + name + "` is " + with_article(std::string(to_string(symbol->kind))) + ", no function",
                 symbol == nullptr     ? hint_for_function(name)
                 : is_start_like(node) ? "its value at the start is `start " + name + " = …`"
                                       : "a product is written with `*`");
  }
  if (info->function == Function::kNotSupported)
    return fault(Kind::kNotSupported, node.function.range, "`" + name + "` is not supported by this version");
  if (context_.in_nonideal && holds_what_is_stated(info->function))
    return fault(
        Kind::kNotAllowedHere, expression.range,
        "`" + name + "` cannot be used in a `nonideal` clause, because it contains the forces that such clauses state",
        "use `reaction(c, P)`, the actual reaction without the stated forces, or `multiplier(c)`");
  if (context_.in_relation && info->needs == Needs::kConstraints && info->function != Function::kResidual) {
    RuleProblem problem = reaction_in_relation();
    return fault(problem.kind, expression.range, std::move(problem.message), std::move(problem.hint));
  }
  const auto count = static_cast<int>(node.arguments.size());
  if (info->max_arguments == 0)
    return fault(Kind::kWrongArgumentCount, expression.range, "`" + name + "` takes no arguments",
                 "write `" + name + "` alone");
  if (count < info->min_arguments || count > info->max_arguments ||
      (info->function == Function::kSmoothstep && count == 2)) {
    const std::string takes = info->function == Function::kSmoothstep ? "1 or 3 arguments" : count_text(*info);
    return fault(Kind::kWrongArgumentCount, expression.range,
                 "`" + name + "` takes " + takes + ", found " + std::to_string(count),
                 "write `" + std::string(info->signature) + "`");
  }
  if (!is_known(node.function.range, *info)) return fault();
  if (info->function == Function::kTable && !std::holds_alternative<lang::StringLiteral>(node.arguments[0]->node)) {
    const std::string text = context_.reporter.as_written(node.arguments[0]->range);
    const lang::NameReference* plain = as_name(*node.arguments[0]);
    const bool has_ending = text.ends_with(".csv") || text.ends_with(".txt") || text.ends_with(".dat");
    const bool is_file = has_ending || (plain != nullptr && context_.scope.find(plain->name) == nullptr);
    return fault(
        Kind::kWrongKind, node.arguments[0]->range, "`table` needs the name of a file in quotes",
        "write `" +
            (is_file ? "table(\"" + text + (has_ending ? "" : ".csv") + "\", …)" : std::string(info->signature)) + "`");
  }
  // Read before the arguments are evaluated, because an unknown word among them is an unknown option.
  if (info->function == Function::kTable && !read_table_options(node, context_.scope, context_.reporter))
    return fault();
  std::vector<Value> arguments;
  for (const auto& argument : node.arguments) arguments.push_back(evaluate(*argument));
  bool fits = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) fits = argument_fits(*info, i, node, arguments) && fits;
  return fits ? apply(expression, node, *info, arguments) : fault();
}

bool Checker::argument_fits(const FunctionInfo& info, std::size_t place, const lang::Call& node,
                            std::vector<Value>& values) {
  Value& value = values[place];
  if (value.is_fault()) return false;
  const ArgumentKind kind = kind_at(info, place);
  const lang::Expression& argument = *node.arguments[place];
  const std::string name = quote(info.name);
  if (kind == ArgumentKind::kVector) value = as_vector(value);
  if (!is_of_kind(kind, value)) {
    std::string found = std::string(describe(value.kind));
    if (value.is(ValueKind::kConstraint) && value.row >= 0) found = "a row of a constraint";
    std::string hint = "write `" + std::string(info.signature) + "`";
    if (kind == ArgumentKind::kVector && value.is(ValueKind::kList))
      hint = "a list is not a vector: with a frame N write `a*N.x + b*N.y + c*N.z`";
    context_.reporter.error(Kind::kWrongKind, argument.range,
                            name + " needs " + std::string(row_of(kind).wanted) + " here, found " + found,
                            std::move(hint));
    return false;
  }
  switch (kind) {
    case ArgumentKind::kNumber: return has_dimension(argument, value, {}, "the argument of " + name);
    case ArgumentKind::kLike:
      return values[0].is_fault() ||
             agree(*node.arguments[0], values[0], argument, value, "arguments of " + name + " differ in dimension");
    case ArgumentKind::kPoint:
    case ArgumentKind::kMass:
    case ArgumentKind::kMomentumOf:
    case ArgumentKind::kPointOrBody:
      if (value.is(ValueKind::kPlace) && value.term.is_valid()) {
        context_.reporter.error(
            Kind::kWrongKind, argument.range, name + " needs the name of a point",
            "declare it before: `point P = " + std::string(context_.reporter.source().slice(argument.range)) + "`");
        return false;
      }
      if (kind == ArgumentKind::kPoint) value = as_place(value);
      if ((kind == ArgumentKind::kMass || kind == ArgumentKind::kMomentumOf) && value.is(ValueKind::kPlace)) {
        const model::Point& point = context_.model.point(value.point);
        if (!point.particle && !point.center_of) {
          context_.reporter.error(Kind::kWrongKind, argument.range,
                                  name + " needs a particle or a body, found a point without mass");
          return false;
        }
        if (point.center_of) {
          value.kind = ValueKind::kBody;
          value.body = *point.center_of;
        }
      }
      return value.is(ValueKind::kFrame) ? body_fits(info, argument, value) : true;
    case ArgumentKind::kFrame: value.kind = ValueKind::kFrame; return true;
    case ArgumentKind::kBody: return value.is(ValueKind::kFrame) ? body_fits(info, argument, value) : true;
    case ArgumentKind::kIndex: return has_dimension(argument, value, {}, "an index");
    case ArgumentKind::kConstraint:
      if (value.row < 0 || takes_single_rows(info.function)) return true;
      context_.reporter.error(Kind::kWrongKind, argument.range,
                              name + " needs a whole constraint, found one of its rows");
      return false;
    default: return true;
  }
}

bool Checker::body_fits(const FunctionInfo& info, const lang::Expression& argument, Value& value) {
  if (value.frame == model::Model::newtonian() && is_of_reaction(info.function))
    return true;  // the newtonian frame
                  // means the ground
  const model::Frame& frame = context_.model.frame(value.frame);
  if (const std::string bodies = model::bodies_sharing(context_.model, value.frame); !bodies.empty()) {
    context_.reporter.error(Kind::kWrongKind, argument.range,
                            quote(frame.name) + " is the frame of several bodies: " + bodies, "name the body");
    return false;
  }
  if (!frame.body && context_.guesses_places) return false;
  if (!frame.body) {
    context_.reporter.error(Kind::kWrongKind, argument.range,
                            quote(info.name) + " needs a body, and no body is fixed in the frame " + quote(frame.name),
                            "write `" + std::string(info.signature) + "`");
    return false;
  }
  value.kind = ValueKind::kBody;
  value.body = *frame.body;
  value.point = context_.model.body(value.body).center;
  return true;
}

Value Checker::apply(const lang::Expression& expression, const lang::Call& node, const FunctionInfo& info,
                     const std::vector<Value>& arguments) {
  switch (info.function) {
    case Function::kElementary:
    case Function::kMinimum:
    case Function::kMaximum:
    case Function::kSmoothstep:
    case Function::kDot:
    case Function::kCross:
    case Function::kNorm:
    case Function::kUnit: return apply_algebra(node, info, arguments);
    case Function::kTable: return table(node, arguments);
    case Function::kPosition:
    case Function::kVelocity:
    case Function::kAcceleration:
    case Function::kAngularVelocity:
    case Function::kAngularAcceleration: return apply_kinematics(expression, info, arguments);
    case Function::kTimeDerivative:
      if (!arguments[0].is_array()) return apply_kinematics(expression, info, arguments);
      if (arguments.size() == 1) return apply_to_arrays(expression, node, info, arguments);
      return fault(Kind::kWrongArgumentCount, node.arguments[1]->range, "the derivative of a list is seen in no frame",
                   "write `dt(x)`");
    case Function::kJacobian:
    case Function::kTranspose:
    case Function::kPseudoInverse:
    case Function::kSolve: return apply_to_arrays(expression, node, info, arguments);
    case Function::kCenter: {
      Value place = arguments[0];
      place.kind = ValueKind::kPlace;
      return place;
    }
    default: return apply_results(node, info, arguments);
  }
}

Value Checker::product_of_vectors(Function function, const Value& left, const Value& right) {
  const Dimension dimension = left.dimension * right.dimension;
  const bool is_dot = function == Function::kDot;
  Value result = is_dot ? make_scalar(pool_.dot(left.term, right.term), dimension)
                        : make_vector(pool_.cross(left.term, right.term), dimension);
  if (is_dot) result.turning.turns = left.turning.turns != right.turning.turns;
  // A force times a displacement (dot product) gives work; a force times a lever arm gives a moment.
  const bool is_work = is_dot && !left.dimension.is_dimensionless() && !right.dimension.is_dimensionless();
  result.turning.is_reaction = !is_work && (left.turning.is_reaction || right.turning.is_reaction);
  return result;
}

Value Checker::apply_algebra(const lang::Call& node, const FunctionInfo& info, const std::vector<Value>& arguments) {
  const Value& first = arguments[0];
  Dimension dimension;
  switch (info.dimension) {
    case DimensionRule::kAsFirst: dimension = first.dimension; break;
    case DimensionRule::kRoot: dimension = power(first.dimension, make_rational(1, 2)); break;
    case DimensionRule::kProduct: dimension = first.dimension * arguments[1].dimension; break;
    default: break;
  }
  if (info.op == Op::kSine || info.op == Op::kCosine || info.op == Op::kTangent) used_as_angle(*node.arguments[0]);
  switch (info.function) {
    case Function::kMinimum:
    case Function::kMaximum: {
      Value result = first;
      for (std::size_t i = 1; i < arguments.size(); ++i) {
        if (result.fits_any && !arguments[i].fits_any) {
          result.dimension = arguments[i].dimension;
          result.fits_any = false;
        } else if (!arguments[i].fits_any && first.fits_any &&
                   !agree(*node.arguments[1], result, *node.arguments[i], arguments[i],
                          "arguments of `" + std::string(info.name) + "` differ in dimension"))
          return fault();
        result.term = pool_.function(info.op, result.term, arguments[i].term);
        result.turning = result.turning + arguments[i].turning;
      }
      return result;
    }
    case Function::kSmoothstep: {
      Term s = first.term;
      if (arguments.size() == 3) {
        const Term from = arguments[1].term, width = arguments[2].term - from;
        if (width.is_zero())
          return fault(Kind::kBadValue, node.arguments[2]->range, "`smoothstep` rises between two different values");
        s = (s - from) / width;
      } else if (!has_dimension(*node.arguments[0], first, {}, "the argument of `smoothstep`"))
        return fault();
      s = pool_.function(Op::kMinimum, pool_.function(Op::kMaximum, s, pool_.number(0.0)), pool_.number(1.0));
      const Term polynomial = s * (s * pool_.number(6.0) - pool_.number(15.0)) + pool_.number(10.0);
      return make_scalar(s * s * s * polynomial, {});
    }
    case Function::kDot:
    case Function::kCross: return product_of_vectors(info.function, first, arguments[1]);
    case Function::kNorm: {
      Value result = make_scalar(pool_.norm(first.term), dimension);
      result.turning = first.turning;
      return result;
    }
    case Function::kUnit:
      if (first.term.is_zero())
        return fault(Kind::kBadValue, node.arguments[0]->range, "the zero vector has no direction");
      return make_vector(pool_.unit(first.term), dimension);
    default: break;
  }
  Value result =
      make_scalar(pool_.function(info.op, first.term, arguments.size() > 1 ? arguments[1].term : Term{}), dimension);
  result.fits_any = first.fits_any && info.dimension != DimensionRule::kNumber;
  if (info.op == Op::kAbsolute) result.turning = first.turning;
  result.turning.turns |=
      info.op == Op::kArcSine || info.op == Op::kArcCosine || info.op == Op::kArcTangent || info.op == Op::kArcTangent2;
  return result;
}

Value Checker::apply_kinematics(const lang::Expression& expression, const FunctionInfo& info,
                                const std::vector<Value>& arguments) {
  const Value& first = arguments[0];
  const FrameId seen_in =
      arguments.size() > 1 && arguments[1].is(ValueKind::kFrame) ? arguments[1].frame : Model::newtonian();
  model::KinematicTree& tree = context_.facts.tree();
  // The position of the observer in a frame is known only after all bodies are known.
  const bool is_observer_known = seen_in == Model::newtonian() || context_.known > Needs::kNothing;
  const auto unless_fixed = [&](model::Dependence dependence, Term term) {
    return dependence.is_none() && is_observer_known ? pool_.zero_vector() : term;
  };
  // The ground, and points at rest for all coordinates, have zero velocity. The term is kept nevertheless, because the
  // reaction acts on a point along the derivative with respect to that velocity.
  const bool is_seen_by_ground = seen_in == Model::newtonian();
  const auto motion = [&](Term term, int order) {
    const bool takes_force = context_.model.point(first.point).particle || tree.solid_of(first.point);
    return make_vector(
        is_seen_by_ground && takes_force ? term : unless_fixed(tree.of_motion(first.point, seen_in), term),
        make_dimension(0, 1, -order));
  };
  const auto turning = [&](Term term, Term of_ground, int order) {
    const std::optional<FrameId> solid = tree.solid_of(first.frame);
    if (is_seen_by_ground && solid == seen_in) return make_vector(of_ground, make_dimension(0, 0, -order));
    return make_vector(is_seen_by_ground && solid ? term : unless_fixed(tree.of_rotation(first.frame, seen_in), term),
                       make_dimension(0, 0, -order));
  };
  switch (info.function) {
    case Function::kPosition:
      return make_vector(pool_.position(first.point, arguments[1].point), make_dimension(0, 1, 0));
    case Function::kVelocity: return motion(pool_.velocity(first.point, seen_in), 1);
    case Function::kAcceleration: return motion(pool_.acceleration(first.point, seen_in), 2);
    case Function::kAngularVelocity:
      return turning(pool_.angular_velocity(first.frame, seen_in), pool_.ground_angular_velocity(), 1);
    case Function::kAngularAcceleration:
      return turning(pool_.angular_acceleration(first.frame, seen_in), pool_.ground_angular_acceleration(), 2);
    default: break;
  }
  const Term rate = model::time_derivative(context_.model, first.term, seen_in);
  if (!rate.is_valid()) {
    const bool has_multiplier = (context_.facts.holds(first.term) & kHoldsMultipliers) != 0;
    return fault(Kind::kDerivativeOrder, expression.range,
                 has_multiplier ? "a multiplier has no time derivative here"
                                : "this derivative would contain derivatives of coordinates above the eighth");
  }
  Value result = first;
  result.term = rate;
  result.dimension = per_time({1.0, first.dimension}, 1).dimension;
  return result;
}

Value Checker::table(const lang::Call& node, const std::vector<Value>& arguments) {
  const std::optional<TableOptions> options = read_table_options(node, context_.scope, context_.reporter);
  if (!options) return fault();
  if (arguments.size() > 2) {
    const std::optional<Grid> grid =
        read_grid(context_.options.folder, arguments[0].text, node.arguments[0]->range, context_.reporter);
    if (!grid) return fault();
    if (!has_dimension(*node.arguments[1], arguments[1], grid->x_dimension, "the first argument of this table") ||
        !has_dimension(*node.arguments[2], arguments[2], grid->y_dimension, "the second argument of this table"))
      return fault();
    return make_scalar(grid_term(pool_, *grid, arguments[0].text, *options, arguments[1].term, arguments[2].term),
                       grid->z_dimension);
  }
  const std::optional<Table> table =
      read_table(context_.options.folder, arguments[0].text, *options, node.arguments[0]->range, context_.reporter);
  if (!table) return fault();
  const Value& x = arguments[1];
  const bool lacks_unit = table->x.is_dimensionless() && !x.dimension.is_dimensionless();
  if (context_.model.has_units && lacks_unit && !x.fits_any && !x.is_doubtful) {
    const std::string unit = si_unit(x.dimension), title = table->title.empty() ? "t" : table->title;
    return fault(Kind::kDimensionMismatch, node.arguments[0]->range,
                 (table->title.empty() ? "the first column" : "column " + quote(title)) +
                     " of this table has no unit, and its argument " +
                     context_.reporter.quoted(node.arguments[1]->range) + " is in " + unit,
                 (table->title.empty() ? "begin the file with a line of titles with units, as `"
                                       : "write the units of the columns in the first line of the file, as `") +
                     title.substr(0, title.find_last_not_of(' ', title.find('(') - 1) + 1) + " [" + unit +
                     "]`; or give the argument no dimension: `" + in_brackets_if_sum(*node.arguments[1]) + "/(1 [" +
                     unit + "])`");
  }
  if (!has_dimension(*node.arguments[1], x, table->x, "the argument of this table")) return fault();
  return make_scalar(table_term(pool_, table->spline, options->outside, x.term), table->y);
}

}  // namespace vinculum::elaborate
