#include <algorithm>
#include <cstdlib>
#include <utility>

#include "vinculum/elaborate/checker.hpp"
#include "vinculum/elaborate/table_file.hpp"
#include "vinculum/mechanics/calculus.hpp"
#include "vinculum/mechanics/hamiltonian.hpp"
#include "vinculum/mechanics/inspection.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using diag::Severity;
using expr::Op;
using mechanics::FrameId;
using mechanics::Model;
using mechanics::PointId;
using mechanics::Term;

namespace {

std::string unknown_function_hint(const std::string& name) {
  std::vector<std::string> names;
  for (const FunctionInfo& info : function_table()) names.emplace_back(info.name);
  const std::string nearest = diag::nearest_name(name, names);
  return nearest.empty() ? std::string() : "did you mean `" + nearest + "`?";
}

std::string count_text(const FunctionInfo& info) {
  const int least = info.min_arguments, most = info.max_arguments;
  const std::string last = std::to_string(most) + (most == 1 ? " argument" : " arguments");
  if (least == most) return last;
  if (most == kAnyCount) return std::to_string(least) + " arguments or more";
  return std::to_string(least) + (most == least + 1 ? " or " : " to ") + last;
}

std::string_view wanted(ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::kNone: return "nothing";
    case ArgumentKind::kNumber:
    case ArgumentKind::kScalar:
    case ArgumentKind::kLike: return "a scalar";
    case ArgumentKind::kVector: return "a vector";
    case ArgumentKind::kQuantity: return "a scalar or a vector";
    case ArgumentKind::kPoint: return "a point";
    case ArgumentKind::kParticle: return "a particle";
    case ArgumentKind::kFrame: return "a frame";
    case ArgumentKind::kConstraint: return "a constraint";
    case ArgumentKind::kText: return "the name of a file in quotes";
  }
  return {};
}

bool is_of_kind(ArgumentKind wanted_kind, const Value& value) {
  switch (wanted_kind) {
    case ArgumentKind::kNone: return false;
    case ArgumentKind::kNumber:
    case ArgumentKind::kScalar:
    case ArgumentKind::kLike: return value.is(ValueKind::kScalar);
    case ArgumentKind::kVector: return value.is(ValueKind::kVector);
    case ArgumentKind::kQuantity: return value.is_quantity();
    case ArgumentKind::kPoint:
    case ArgumentKind::kParticle: return value.is(ValueKind::kPlace);
    case ArgumentKind::kFrame: return value.is(ValueKind::kFrame);
    case ArgumentKind::kConstraint: return value.is(ValueKind::kConstraint);
    case ArgumentKind::kText: return value.is(ValueKind::kText);
  }
  return false;
}

ArgumentKind kind_at(const FunctionInfo& info, std::size_t place) {
  const ArgumentKind kind = info.arguments[std::min(place, info.arguments.size() - 1)];
  return kind == ArgumentKind::kNone ? info.arguments[1] : kind;
}

bool takes_single_rows(Function function) {
  return function == Function::kMultiplier || function == Function::kIdealMultiplier || function == Function::kResidual;
}

}  // namespace

bool Checker::is_known(diag::SourceRange range, const FunctionInfo& info) {
  if (info.needs <= context_.known) return true;
  context_.reporter.error(Kind::kNotAllowedHere, range,
                          quote(info.name) + " cannot be used in " + std::string(context_.place),
                          info.needs == Needs::kMasses ? "energies are known once all particles and potentials are"
                                                       : "results of constraints are for `output`, `expect` and `let`");
  return false;
}

Value Checker::named_energy(const lang::Expression& expression, const FunctionInfo& info) {
  if (!is_known(expression.range, info)) return fault();
  const Model& model = context_.model;
  const Dimension energy = make_dimension(1, 2, -2);
  switch (info.function) {
    case Function::kKineticEnergy: return make_scalar(mechanics::kinetic_energy(model), energy);
    case Function::kPotentialEnergy: return make_scalar(mechanics::potential_energy(model), energy);
    case Function::kHamiltonian: return make_scalar(mechanics::hamiltonian(model), energy);
    default: return make_scalar(mechanics::kinetic_energy(model) + mechanics::potential_energy(model), energy);
  }
}

Value Checker::call(const lang::Expression& expression, const lang::Call& node) {
  const std::string& name = node.function.text;
  const FunctionInfo* info = find_function(name);
  if (info == nullptr) {
    const Symbol* symbol = context_.scope.find(name);
    context_.reporter.error(Kind::kUnknownFunction, node.function.range,
                            symbol == nullptr ? "unknown function `" + name + "`"
                                              : "`" + name + "` is " + with_article(std::string(to_string(symbol->kind))) + ", no function",
                            symbol == nullptr ? unknown_function_hint(name) : "a product is written with `*`");
    return fault();
  }
  if (info->function == Function::kNotSupported) {
    context_.reporter.error(Kind::kNotSupported, node.function.range, "`" + name + "` is not supported by this version");
    return fault();
  }
  if (context_.in_nonideal && info->needs == Needs::kConstraints) {
    context_.reporter.error(Kind::kNotSupported, expression.range,
                            "`" + name + "` inside `nonideal` is not supported by this version");
    return fault();
  }
  if (context_.in_relation && info->needs == Needs::kConstraints && info->function != Function::kResidual) {
    context_.reporter.error(Kind::kNotAllowedHere, expression.range,
                            "multipliers and forces of constraints cannot be used in the relation of a constraint",
                            "a relation holds positions, velocities and accelerations; a law of forces is a `nonideal` clause");
    return fault();
  }
  const auto count = static_cast<int>(node.arguments.size());
  if (info->max_arguments == 0) {
    context_.reporter.error(Kind::kWrongArgumentCount, expression.range, "`" + name + "` takes no arguments",
                            "write `" + name + "` alone");
    return fault();
  }
  if (count < info->min_arguments || count > info->max_arguments ||
      (info->function == Function::kSmoothstep && count == 2)) {
    const std::string takes = info->function == Function::kSmoothstep ? "1 or 3 arguments" : count_text(*info);
    context_.reporter.error(Kind::kWrongArgumentCount, expression.range,
                            "`" + name + "` takes " + takes + ", found " + std::to_string(count),
                            "write `" + std::string(info->signature) + "`");
    return fault();
  }
  if (!is_known(node.function.range, *info)) return fault();
  std::vector<Value> arguments;
  for (const auto& argument : node.arguments) arguments.push_back(evaluate(*argument));
  bool fits = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) fits = argument_fits(*info, i, node, arguments) && fits;
  return fits ? apply(expression, node, *info, arguments) : fault();
}

bool Checker::argument_fits(const FunctionInfo& info, std::size_t place, const lang::Call& node, std::vector<Value>& values) {
  Value& value = values[place];
  if (value.is_fault()) return false;
  const ArgumentKind kind = kind_at(info, place);
  const lang::Expression& argument = *node.arguments[place];
  const std::string name = quote(info.name);
  if (kind == ArgumentKind::kVector) value = as_vector(value);
  if (!is_of_kind(kind, value)) {
    std::string found = std::string(describe(value.kind));
    if (value.is(ValueKind::kConstraint) && value.row >= 0) found = "a row of a constraint";
    context_.reporter.error(Kind::kWrongKind, argument.range, name + " wants " + std::string(wanted(kind)) + " here, found " + found,
                            "write `" + std::string(info.signature) + "`");
    return false;
  }
  switch (kind) {
    case ArgumentKind::kNumber: return has_dimension(argument, value, {}, "the argument of " + name);
    case ArgumentKind::kLike:
      return values[0].is_fault() || agree(*node.arguments[0], values[0], argument, value, "arguments of " + name + " differ in dimension");
    case ArgumentKind::kPoint:
    case ArgumentKind::kParticle:
      if (value.term.is_valid()) {
        context_.reporter.error(Kind::kWrongKind, argument.range, name + " wants the name of a point",
                                "declare it before: `point P = " + std::string(context_.reporter.source().slice(argument.range)) + "`");
        return false;
      }
      if (kind == ArgumentKind::kParticle && !context_.model.point(value.point).particle) {
        context_.reporter.error(Kind::kWrongKind, argument.range, name + " wants a particle, found a point without mass");
        return false;
      }
      return true;
    case ArgumentKind::kConstraint:
      if (value.row < 0 || takes_single_rows(info.function)) return true;
      context_.reporter.error(Kind::kWrongKind, argument.range, name + " wants a whole constraint, found one of its rows");
      return false;
    default: return true;
  }
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
    case Function::kAngularAcceleration:
    case Function::kTimeDerivative: return apply_kinematics(expression, info, arguments);
    default: return apply_results(node, info, arguments);
  }
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
                          "arguments of `" + std::string(info.name) + "` differ in dimension")) {
          return fault();
        }
        result.term = pool_.function(info.op, result.term, arguments[i].term);
      }
      return result;
    }
    case Function::kSmoothstep: {
      Term s = first.term;
      if (arguments.size() == 3) {
        const Term from = arguments[1].term, width = arguments[2].term - from;
        if (width.is_zero()) {
          context_.reporter.error(Kind::kBadValue, node.arguments[2]->range, "`smoothstep` rises between two different values");
          return fault();
        }
        s = (s - from) / width;
      } else if (!has_dimension(*node.arguments[0], first, {}, "the argument of `smoothstep`")) {
        return fault();
      }
      s = pool_.function(Op::kMinimum, pool_.function(Op::kMaximum, s, pool_.number(0.0)), pool_.number(1.0));
      const Term polynomial = s * (s * pool_.number(6.0) - pool_.number(15.0)) + pool_.number(10.0);
      return make_scalar(s * s * s * polynomial, {});
    }
    case Function::kDot: return make_scalar(pool_.dot(first.term, arguments[1].term), dimension);
    case Function::kCross: return make_vector(pool_.cross(first.term, arguments[1].term), dimension);
    case Function::kNorm: return make_scalar(pool_.norm(first.term), dimension);
    case Function::kUnit:
      if (first.term.is_zero()) {
        context_.reporter.error(Kind::kBadValue, node.arguments[0]->range, "the zero vector has no direction");
        return fault();
      }
      return make_vector(pool_.unit(first.term), dimension);
    default: break;
  }
  Value result = make_scalar(pool_.function(info.op, first.term, arguments.size() > 1 ? arguments[1].term : Term{}), dimension);
  result.fits_any = first.fits_any && info.dimension != DimensionRule::kNumber;
  return result;
}

Value Checker::apply_kinematics(const lang::Expression& expression, const FunctionInfo& info, const std::vector<Value>& arguments) {
  const Value& first = arguments[0];
  const FrameId seen_in = arguments.size() > 1 && arguments[1].is(ValueKind::kFrame) ? arguments[1].frame : Model::newtonian();
  mechanics::KinematicTree& tree = context_.facts.tree();
  const auto unless_fixed = [&](mechanics::Dependence dependence, Term term) {
    return dependence.is_none() ? pool_.zero_vector() : term;
  };
  switch (info.function) {
    case Function::kPosition: return make_vector(pool_.position(first.point, arguments[1].point), make_dimension(0, 1, 0));
    case Function::kVelocity:
      return make_vector(unless_fixed(tree.of_position(first.point, seen_in), pool_.velocity(first.point, seen_in)),
                         make_dimension(0, 1, -1));
    case Function::kAcceleration:
      return make_vector(unless_fixed(tree.of_position(first.point, seen_in), pool_.acceleration(first.point, seen_in)),
                         make_dimension(0, 1, -2));
    case Function::kAngularVelocity:
      return make_vector(unless_fixed(tree.of_rotation(first.frame, seen_in), pool_.angular_velocity(first.frame, seen_in)),
                         make_dimension(0, 0, -1));
    case Function::kAngularAcceleration:
      return make_vector(unless_fixed(tree.of_rotation(first.frame, seen_in), pool_.angular_acceleration(first.frame, seen_in)),
                         make_dimension(0, 0, -2));
    default: break;
  }
  const Term rate = mechanics::time_derivative(context_.model, first.term, seen_in);
  if (!rate.is_valid()) {
    const bool has_multiplier = (context_.facts.holds(first.term) & kHoldsMultipliers) != 0;
    context_.reporter.error(Kind::kDerivativeOrder, expression.range,
                            has_multiplier ? "a multiplier has no time derivative here"
                                           : "this derivative would hold third derivatives of coordinates");
    return fault();
  }
  Value result = first;
  result.term = rate;
  result.dimension = per_time({1.0, first.dimension}, 1).dimension;
  return result;
}

Value Checker::apply_results(const lang::Call& node, const FunctionInfo& info, const std::vector<Value>& arguments) {
  const Model& model = context_.model;
  const Value& first = arguments[0];
  if (info.function == Function::kMomentum || info.function == Function::kAngularMomentum) {
    const mechanics::ParticleId particle = *model.point(first.point).particle;
    if (info.function == Function::kMomentum) return make_vector(mechanics::momentum(model, particle), make_dimension(1, 1, -1));
    return make_vector(mechanics::angular_momentum(model, particle, arguments[1].point), make_dimension(1, 2, -1));
  }
  const mechanics::ConstraintId id = first.constraint;
  const mechanics::Constraint& constraint = model.constraint(id);
  const auto rows = static_cast<int>(constraint.rows.size());
  switch (info.function) {
    case Function::kMultiplier:
    case Function::kIdealMultiplier: {
      const auto of_row = [&](int row) {
        return info.function == Function::kMultiplier ? pool_.multiplier(id, row) : pool_.ideal_multiplier(id, row);
      };
      const int rate_of_work = -2 - static_cast<int>(constraint.level);   // J, W, W/s
      const Dimension dimension = make_dimension(1, 2, rate_of_work) / constraint.dimension;
      if (rows == 1 || first.row >= 0) return make_scalar(of_row(std::max(first.row, 0)), dimension);
      Value list = make_scalar({}, dimension);
      list.kind = ValueKind::kList;
      for (int row = 0; row < rows; ++row) list.list.push_back(of_row(row));
      return list;
    }
    case Function::kResidual: {
      if (rows == 1 || first.row >= 0) {
        return make_scalar(constraint.rows[static_cast<std::size_t>(std::max(first.row, 0))], constraint.dimension);
      }
      Term worst = pool_.function(Op::kAbsolute, constraint.rows[0]);
      for (int row = 1; row < rows; ++row) {
        worst = pool_.function(Op::kMaximum, worst, pool_.function(Op::kAbsolute, constraint.rows[static_cast<std::size_t>(row)]));
      }
      return make_scalar(worst, constraint.dimension);
    }
    case Function::kGeneralizedForce: {
      if (!context_.reporter.is_complete()) return fault();   // the speeds are perhaps not all there
      Value list = make_scalar({}, {});
      list.kind = ValueKind::kList;
      for (std::size_t r = 0; r < model.speeds.size(); ++r) {
        list.list.push_back(pool_.generalized_force(id, mechanics::SpeedId(r)));
        list.list_dimensions.push_back(make_dimension(1, 2, -3) / model.speeds[r].dimension);
      }
      const auto is_first = [&](const Dimension& one) { return one == list.list_dimensions.front(); };
      if (std::ranges::all_of(list.list_dimensions, is_first)) list.dimension = list.list_dimensions.front();
      return list;
    }
    case Function::kPower: {
      if (!context_.reporter.is_complete()) return fault();   // as above
      const Term power = mechanics::power_of_constraint(model, id);
      if (power.is_valid()) return make_scalar(power, make_dimension(1, 2, -3));
      context_.reporter.error(Kind::kNotSupported, node.function.range,
                              "the power of " + quote(constraint.name) +
                                  ", which acts on coordinates of a model whose points move with the time, is not supported by this version",
                              "state the constraint in positions or velocities of points");
      return fault();
    }
    default: break;
  }
  const PointId point = arguments[1].point;
  const std::vector<PointId> points = mechanics::points_of(model, id);
  if (std::ranges::find(points, point) == points.end()) {
    std::string where;
    for (const PointId one : points) where += (where.empty() ? "`" : ", `") + model.point(one).name + "`";
    const std::string name = quote(model.point(point).name), of = "constraint " + quote(constraint.name);
    const bool is_named_without_mass = !model.point(point).particle && mechanics::names_point(constraint, point);
    std::string message = of + " puts no force on " + name, hint = "it puts forces on " + where;
    if (points.empty()) hint = "it is written in coordinates, which name no point";
    if (is_named_without_mass && !points.empty()) {
      message = name + " carries no mass: the force of " + of + " is reported on " + where;
      hint = "ask for the force on " + where;
    } else if (is_named_without_mass) {
      message = name + " carries no mass, and no point with mass stands behind it in " + of;
    }
    context_.reporter.error(Kind::kPointNotInConstraint, node.arguments[1]->range, std::move(message), std::move(hint));
    return fault();
  }
  const Dimension force = make_dimension(1, 1, -2);
  switch (info.function) {
    case Function::kIdealForce: return make_vector(mechanics::ideal_force(model, id, point), force);
    case Function::kNonidealForce: return make_vector(mechanics::nonideal_force(model, id, point), force);
    case Function::kReaction: return make_vector(mechanics::reaction(model, id, point), force);
    default: return make_vector(mechanics::total_force(model, id, point), force);
  }
}

Value Checker::table(const lang::Call& node, const std::vector<Value>& arguments) {
  const std::optional<Table> table =
      read_table(context_.options.folder, arguments[0].text, node.arguments[0]->range, context_.reporter);
  if (!table) return fault();
  if (!has_dimension(*node.arguments[1], arguments[1], table->x, "the first column of this table")) return fault();
  return make_scalar(pool_.table(table->spline, 0, arguments[1].term), table->y);
}

}  // namespace vinculum::elaborate
