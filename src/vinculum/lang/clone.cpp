#include "vinculum/lang/clone.hpp"

#include <utility>

namespace vinculum::lang {

// One overload for each node. Bindings name every member, so that none can be added and forgotten here. Words of the
// language (a sequence of rotations, a kind of joint, a method) are no names and stay.
struct Copier::Nodes {
  Copier& to;

  ExpressionPtr of(const ExpressionPtr& expression) const { return to.copy(expression); }
  Name used(const Name& name) const { return to.used(name); }
  Name declared(const Name& name) const { return to.declared(name); }
  std::optional<Name> used(const std::optional<Name>& name) const {
    return name ? std::optional(to.used(*name)) : std::nullopt;
  }

  template <class T>
  auto each(const std::vector<T>& all) const {
    std::vector<T> result;
    result.reserve(all.size());
    for (const T& one : all) {
      if constexpr (std::is_same_v<T, ExpressionPtr>)
        result.push_back(of(one));
      else if constexpr (std::is_same_v<T, Statement>)
        result.push_back(to.copy(one));
      else if constexpr (std::is_same_v<T, Name>)
        result.push_back(used(one));
      else
        result.push_back((*this)(one));
    }
    return result;
  }

  template <class... T>
  std::variant<T...> any(const std::variant<T...>& node) const {
    return std::visit([this](const auto& one) -> std::variant<T...> { return (*this)(one); }, node);
  }

  // Expressions.
  NumberLiteral operator()(const NumberLiteral& node) const { return node; }
  StringLiteral operator()(const StringLiteral& node) const { return node; }
  NameReference operator()(const NameReference& node) const { return node; }
  Prime operator()(const Prime& node) const {
    const auto& [operand, count] = node;
    return {of(operand), count};
  }
  Index operator()(const Index& node) const {
    const auto& [operand, indices] = node;
    return {of(operand), each(indices)};
  }
  Member operator()(const Member& node) const {
    const auto& [operand, member] = node;
    return {of(operand), member};
  }
  Call operator()(const Call& node) const {
    const auto& [function, arguments] = node;
    return {function, each(arguments)};
  }
  Unary operator()(const Unary& node) const {
    const auto& [op, operand] = node;
    return {op, of(operand)};
  }
  Binary operator()(const Binary& node) const {
    const auto& [op, op_range, left, right] = node;
    return {op, op_range, of(left), of(right)};
  }
  Conditional operator()(const Conditional& node) const {
    const auto& [if_true, condition, if_false] = node;
    return {of(if_true), of(condition), of(if_false)};
  }
  Absolute operator()(const Absolute& node) const { return {of(node.operand)}; }
  List operator()(const List& node) const {
    List result;
    for (const auto& row : node.rows) result.rows.push_back(each(row));
    return result;
  }
  Range operator()(const Range& node) const {
    const auto& [from, to_end] = node;
    return {of(from), of(to_end)};
  }

  // Statements.
  ModelStatement operator()(const ModelStatement& node) const { return node; }
  SourceStatement operator()(const SourceStatement& node) const { return node; }
  ParamStatement operator()(const ParamStatement& node) const {
    ParamStatement result;
    for (const ParamItem& item : node.items) {
      const auto& [name, value, unit] = item;
      for (Name& one : to.declared_family(name)) result.items.push_back({std::move(one), of(value), unit});
    }
    return result;
  }
  CoordStatement operator()(const CoordStatement& node) const {
    CoordStatement result;
    for (const CoordGroup& group : node.groups) {
      const auto& [names, unit] = group;
      CoordGroup& copied = result.groups.emplace_back(CoordGroup{{}, unit});
      for (const Name& name : names) {
        for (Name& one : to.declared_family(name)) copied.names.push_back(std::move(one));
      }
    }
    return result;
  }
  SpeedItem operator()(const SpeedItem& item) const {
    const auto& [name, definition, unit] = item;
    return {declared(name), of(definition), unit};
  }
  SpeedStatement operator()(const SpeedStatement& node) const { return {each(node.items)}; }
  LetStatement operator()(const LetStatement& node) const {
    const auto& [name, value] = node;
    return {declared(name), of(value)};
  }
  FrameNewtonian operator()(const FrameNewtonian& node) const { return node; }
  FrameRotated operator()(const FrameRotated& node) const {
    const auto& [parent, angle, axis] = node;
    // Behind `about`, x, y and z are axes whatever bears these names.
    const auto* word = axis == nullptr ? nullptr : std::get_if<NameReference>(&axis->node);
    const bool is_axis = word != nullptr && (word->name == "x" || word->name == "y" || word->name == "z");
    return {used(parent), of(angle), is_axis ? clone(*axis) : of(axis)};
  }
  FrameSequence operator()(const FrameSequence& node) const {
    const auto& [parent, sequence, angles] = node;
    return {used(parent), sequence, each(angles)};
  }
  FrameQuaternion operator()(const FrameQuaternion& node) const {
    const auto& [parent, coordinates] = node;
    return {used(parent), each(coordinates)};
  }
  FrameStatement operator()(const FrameStatement& node) const {
    const auto& [name, definition] = node;
    return {declared(name), any(definition)};
  }
  PointFixed operator()(const PointFixed& node) const { return {used(node.frame)}; }
  PointAt operator()(const PointAt& node) const {
    const auto& [on, position] = node;
    return {used(on), of(position)};
  }
  PointStatement operator()(const PointStatement& node) const {
    const auto& [name, definition] = node;
    return {declared(name), any(definition)};
  }
  ParticleStatement operator()(const ParticleStatement& node) const {
    const auto& [name, mass, position] = node;
    return {declared(name), of(mass), of(position)};
  }
  BodyStatement operator()(const BodyStatement& node) const {
    const auto& [name, frame, mass, inertia, inertia_unit, position, about] = node;
    return {declared(name), used(frame), of(mass), each(inertia), inertia_unit, of(position), used(about)};
  }
  ForceStatement operator()(const ForceStatement& node) const {
    const auto& [point, force, from] = node;
    return {used(point), of(force), used(from)};
  }
  TorqueStatement operator()(const TorqueStatement& node) const {
    const auto& [body, torque, from] = node;
    return {used(body), of(torque), used(from)};
  }
  GravityStatement operator()(const GravityStatement& node) const { return {of(node.acceleration)}; }
  SpringStatement operator()(const SpringStatement& node) const {
    const auto& [first, second, stiffness, length, damping] = node;
    return {used(first), used(second), of(stiffness), of(length), of(damping)};
  }
  PotentialStatement operator()(const PotentialStatement& node) const { return {of(node.energy)}; }
  GeneralizedForceStatement operator()(const GeneralizedForceStatement& node) const {
    const auto& [coordinate, force] = node;
    return {used(coordinate), of(force)};
  }

  IdealClause operator()(const IdealClause& node) const { return node; }
  NonidealClause operator()(const NonidealClause& node) const {
    const auto& [target, value, from] = node;
    return {used(target), of(value), used(from)};
  }
  FrictionClause operator()(const FrictionClause& node) const {
    const auto& [target, mu, static_mu, from, sliding] = node;
    return {used(target), of(mu), of(static_mu), used(from), of(sliding)};
  }
  DirectedClause operator()(const DirectedClause& node) const { return {each(node.along)}; }
  ViaItem operator()(const ViaItem& item) const {
    const auto& [is_torque, target, from, along, scale, range] = item;
    return {is_torque, used(target), used(from), of(along), of(scale), range};
  }
  ViaClause operator()(const ViaClause& node) const { return {each(node.items)}; }
  VakonomicClause operator()(const VakonomicClause& node) const {
    VakonomicClause copy{each(node.start)};
    for (const StartOfRate& rate : node.start_of_rates) copy.start_of_rates.push_back({rate.order, each(rate.values)});
    return copy;
  }
  KozlovClause operator()(const KozlovClause& node) const {
    const auto& [c, start] = node;
    return {of(c), each(start)};
  }
  AdiabaticClause operator()(const AdiabaticClause& node) const { return {each(node.mu)}; }
  GyroscopicClause operator()(const GyroscopicClause& node) const { return {of(node.H)}; }
  RealisedClause operator()(const RealisedClause& node) const {
    const auto& [kind, kappa] = node;
    return {kind, of(kappa)};
  }
  Clause operator()(const Clause& clause) const {
    const auto& [what, range, comments_before, comment_behind] = clause;
    return {any(what), range, comments_before, comment_behind};
  }
  ConstraintStatement operator()(const ConstraintStatement& node) const {
    const auto& [name, left, right, along, clauses, lacks_clauses] = node;
    return {declared(name), of(left), of(right), each(along), each(clauses), lacks_clauses};
  }
  JointSurface operator()(const JointSurface& surface) const {
    const auto& [kind, arguments] = surface;
    return {kind, each(arguments)};
  }
  JointStatement operator()(const JointStatement& node) const {
    const auto& [name, kind, first_point, first_body, second_point, second_body, axis, axis2, ratio, pitch, length,
                 radius, prescribed, surface, clauses, lacks_clauses] = node;
    return {declared(name),     kind,
            used(first_point),  used(first_body),
            used(second_point), used(second_body),
            of(axis),           of(axis2),
            of(ratio),          of(pitch),
            of(length),         of(radius),
            of(prescribed),     surface ? std::optional((*this)(*surface)) : std::nullopt,
            each(clauses),      lacks_clauses};
  }
  LagrangianStatement operator()(const LagrangianStatement& node) const { return {of(node.L)}; }
  StateStatement operator()(const StateStatement& node) const {
    const auto& [name, rate, start] = node;
    return {declared(name), of(rate), of(start)};
  }
  RevealStatement operator()(const RevealStatement& node) const {
    const auto& [name, is_torque, target, along] = node;
    return {declared(name), is_torque, used(target), each(along)};
  }

  OutputStatement operator()(const OutputStatement& node) const {
    const auto& [name, value, frame] = node;
    return {declared(name), of(value), used(frame)};
  }
  StartItem operator()(const StartItem& item) const {
    const auto& [variable, kind, value, unit] = item;
    return {of(variable), kind, of(value), unit};
  }
  StartStatement operator()(const StartStatement& node) const { return {each(node.items)}; }
  RunStatement operator()(const RunStatement& node) const {
    const auto& [duration, step, tolerance, method, formulation] = node;
    return {of(duration), of(step), of(tolerance), method, formulation};
  }
  ConserveStatement operator()(const ConserveStatement& node) const { return {each(node.invariants)}; }
  ExpectValue operator()(const ExpectValue& node) const {
    const auto& [when, time, left, right, tolerance] = node;
    return {when, of(time), of(left), of(right), of(tolerance)};
  }
  ExpectStop operator()(const ExpectStop& node) const {
    const auto& [kind, time, tolerance] = node;
    return {kind, of(time), of(tolerance)};
  }
  ExpectStatement operator()(const ExpectStatement& node) const { return {any(node.what)}; }

  ForStatement operator()(const ForStatement& node) const {
    const auto& [variable, from, to_end, body, comments_at_end] = node;
    return {variable, of(from), of(to_end), each(body), comments_at_end};
  }
  IfStatement operator()(const IfStatement& node) const {
    const auto& [condition, then, comments_of_then, has_else, otherwise, comments_of_else] = node;
    return {of(condition), each(then), comments_of_then, has_else, each(otherwise), comments_of_else};
  }
  IncludeStatement operator()(const IncludeStatement& node) const { return node; }
  ComponentStatement operator()(const ComponentStatement& node) const {
    const auto& [name, parameters, body, comments_at_end] = node;
    return {name, parameters, each(body), comments_at_end};
  }
  UseStatement operator()(const UseStatement& node) const {
    const auto& [component, arguments, as] = node;
    return {component, each(arguments), declared(as)};
  }
};

ExpressionPtr Copier::copy(const Expression& expression) {
  const Nodes nodes{*this};
  return std::make_unique<Expression>(Expression{nodes.any(expression.node), expression.range});
}

Statement Copier::copy(const Statement& statement) {
  const Nodes nodes{*this};
  const auto& [node, range, blank_line_before, comments_before, comment_behind, comments_under, written_out_by] =
      statement;
  return {nodes.any(node), range, blank_line_before, comments_before, comment_behind, comments_under, written_out_by};
}

ExpressionPtr clone(const Expression& expression) { return Copier().copy(expression); }
Statement clone(const Statement& statement) { return Copier().copy(statement); }

}  // namespace vinculum::lang
