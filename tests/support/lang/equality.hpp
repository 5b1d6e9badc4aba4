#pragma once

#include <utility>

#include "vinculum/lang/ast.hpp"

namespace vinculum::lang {

// Static members of a class, so that the mutually recursive functions need no declarations.
struct Equality {
  static bool same(const ExpressionPtr& a, const ExpressionPtr& b) { return a && b ? same(*a, *b) : !a && !b; }
  static bool same(const std::string& a, const std::string& b) { return a == b; }
  static bool same(const std::shared_ptr<const Name>& a, const std::shared_ptr<const Name>& b) {
    return a == nullptr || b == nullptr ? a == b : same(*a, *b);
  }
  static bool same(const Name& a, const Name& b) {
    return a.text == b.text && same(a.indices, b.indices) && same(a.owner, b.owner);
  }
  static bool same(const UnitFactor& a, const UnitFactor& b) {
    return a.name == b.name && a.numerator == b.numerator && a.denominator == b.denominator;
  }

  template <class T>
  static bool same(const std::vector<T>& a, const std::vector<T>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!same(a[i], b[i])) return false;
    }
    return true;
  }

  template <class T>
  static bool same(const std::optional<T>& a, const std::optional<T>& b) {
    return a.has_value() == b.has_value() && (!a || same(*a, *b));
  }

  static bool same(const Unit& a, const Unit& b) { return same(a.factors, b.factors); }

  static bool same(const NumberLiteral& a, const NumberLiteral& b) {
    return a.spelling == b.spelling && same(a.unit, b.unit);
  }
  static bool same(const StringLiteral& a, const StringLiteral& b) { return a.value == b.value; }
  static bool same(const NameReference& a, const NameReference& b) { return a.name == b.name; }
  static bool same(const Prime& a, const Prime& b) { return a.count == b.count && same(a.operand, b.operand); }
  static bool same(const Index& a, const Index& b) { return same(a.operand, b.operand) && same(a.indices, b.indices); }
  static bool same(const Member& a, const Member& b) { return same(a.operand, b.operand) && same(a.member, b.member); }
  static bool same(const Call& a, const Call& b) {
    return same(a.function, b.function) && same(a.arguments, b.arguments);
  }
  static bool same(const Unary& a, const Unary& b) { return a.op == b.op && same(a.operand, b.operand); }
  static bool same(const Binary& a, const Binary& b) {
    return a.op == b.op && same(a.left, b.left) && same(a.right, b.right);
  }
  static bool same(const Conditional& a, const Conditional& b) {
    return same(a.if_true, b.if_true) && same(a.condition, b.condition) && same(a.if_false, b.if_false);
  }
  static bool same(const Absolute& a, const Absolute& b) { return same(a.operand, b.operand); }
  static bool same(const List& a, const List& b) { return same(a.rows, b.rows); }
  static bool same(const Range& a, const Range& b) { return same(a.from, b.from) && same(a.to, b.to); }

  static bool same(const FrameNewtonian&, const FrameNewtonian&) { return true; }
  static bool same(const FrameRotated& a, const FrameRotated& b) {
    return same(a.parent, b.parent) && same(a.angle, b.angle) && same(a.axis, b.axis);
  }
  static bool same(const FrameSequence& a, const FrameSequence& b) {
    return same(a.parent, b.parent) && same(a.sequence, b.sequence) && same(a.angles, b.angles);
  }
  static bool same(const FrameQuaternion& a, const FrameQuaternion& b) {
    return same(a.parent, b.parent) && same(a.coordinates, b.coordinates);
  }
  static bool same(const FrameAxes& a, const FrameAxes& b) {
    return same(a.parent, b.parent) && same(a.first_axis, b.first_axis) && same(a.first, b.first) &&
           same(a.second_axis, b.second_axis) && same(a.second, b.second);
  }
  static bool same(const PointFixed& a, const PointFixed& b) { return same(a.frame, b.frame); }
  static bool same(const PointAt& a, const PointAt& b) { return same(a.on, b.on) && same(a.position, b.position); }
  static bool same(const Clause& a, const Clause& b) {
    return same(a.what, b.what) && a.comments_before == b.comments_before && a.comment_behind == b.comment_behind;
  }
  static bool same(const NonidealClause& a, const NonidealClause& b) {
    return same(a.target, b.target) && same(a.value, b.value) && same(a.from, b.from);
  }
  static bool same(const GivenFrictionClause& a, const GivenFrictionClause& b) {
    return same(a.bound, b.bound) && same(a.static_bound, b.static_bound) && same(a.viscous, b.viscous);
  }
  static bool same(const FrictionStatement& a, const FrictionStatement& b) {
    return same(a.coordinate, b.coordinate) && same(a.bound, b.bound) && same(a.static_bound, b.static_bound) &&
           same(a.viscous, b.viscous);
  }
  static bool same(const FrictionClause& a, const FrictionClause& b) {
    return same(a.target, b.target) && same(a.mu, b.mu) && same(a.static_mu, b.static_mu) && same(a.from, b.from) &&
           same(a.sliding, b.sliding);
  }
  static bool same(const ViaItem& a, const ViaItem& b) {
    return a.is_torque == b.is_torque && same(a.target, b.target) && same(a.from, b.from) && same(a.along, b.along) &&
           same(a.scale, b.scale);
  }
  static bool same(const ViaClause& a, const ViaClause& b) { return same(a.items, b.items); }
  static bool same(const BranchClause& a, const BranchClause& b) { return same(a.condition, b.condition); }
  static bool same(const WhenClause& a, const WhenClause& b) { return same(a.condition, b.condition); }
  static bool same(const RestitutionClause& a, const RestitutionClause& b) {
    return same(a.value, b.value) && same(a.law, b.law) && a.is_sequential == b.is_sequential;
  }
  static bool same(const ComplianceClause& a, const ComplianceClause& b) { return same(a.value, b.value); }
  static bool same(const LimitsClause& a, const LimitsClause& b) {
    return same(a.lower, b.lower) && same(a.upper, b.upper) && same(a.restitution, b.restitution);
  }
  static bool same(const LimitsStatement& a, const LimitsStatement& b) {
    return same(a.name, b.name) && same(a.coordinate, b.coordinate) && same(a.limits, b.limits);
  }
  static bool same(const StopAction&, const StopAction&) { return true; }
  static bool same(const RecordAction&, const RecordAction&) { return true; }
  static bool same(const SetAction& a, const SetAction& b) {
    return same(a.target, b.target) && same(a.value, b.value);
  }
  static bool same(const EventStatement& a, const EventStatement& b) {
    return same(a.name, b.name) && a.trigger == b.trigger && same(a.left, b.left) && same(a.right, b.right) &&
           a.is_rising == b.is_rising && a.is_falling == b.is_falling && same(a.clauses, b.clauses);
  }
  static bool same(const TerminateStatement& a, const TerminateStatement& b) { return same(a.condition, b.condition); }
  static bool same(const LawArgument& a, const LawArgument& b) {
    return a.word == b.word && a.order == b.order && same(a.values, b.values);
  }
  static bool same(const LawClause& a, const LawClause& b) {
    return same(a.law, b.law) && same(a.arguments, b.arguments);
  }
  static bool same(const ClauseChoice& a, const ClauseChoice& b) {
    return same(a.condition, b.condition) && same(a.then, b.then) &&
           a.comments_at_end_of_then == b.comments_at_end_of_then && a.has_else == b.has_else &&
           same(a.otherwise, b.otherwise) && a.comments_at_end_of_else == b.comments_at_end_of_else;
  }
  static bool same(const JointPoint& a, const JointPoint& b) {
    return a.is_center == b.is_center && same(a.name, b.name);
  }
  static bool same(const JointSurface& a, const JointSurface& b) {
    return same(a.kind, b.kind) && same(a.arguments, b.arguments);
  }
  static bool same(const ExpectValue& a, const ExpectValue& b) {
    return a.when == b.when && same(a.time, b.time) && same(a.left, b.left) && same(a.right, b.right) &&
           same(a.tolerance, b.tolerance);
  }
  static bool same(const ExpectStop& a, const ExpectStop& b) {
    return same(a.kind, b.kind) && same(a.time, b.time) && same(a.tolerance, b.tolerance);
  }

  template <class... T>
  static bool same(const std::variant<T...>& a, const std::variant<T...>& b) {
    if (a.index() != b.index()) return false;
    return std::visit([&b]<class One>(const One& one) { return same(one, std::get<One>(b)); }, a);
  }

  static bool same(const ParamItem& a, const ParamItem& b) {
    return same(a.name, b.name) && same(a.value, b.value) && same(a.unit, b.unit);
  }
  static bool same(const CoordGroup& a, const CoordGroup& b) {
    return same(a.names, b.names) && same(a.unit, b.unit) && same(a.scale, b.scale);
  }
  static bool same(const SpeedItem& a, const SpeedItem& b) {
    return same(a.name, b.name) && same(a.definition, b.definition) && same(a.unit, b.unit);
  }
  static bool same(const StartItem& a, const StartItem& b) {
    return a.kind == b.kind && same(a.variable, b.variable) && same(a.value, b.value) && same(a.unit, b.unit) &&
           same(a.axis, b.axis);
  }

  static bool same(const ModelStatement& a, const ModelStatement& b) {
    return same(a.name, b.name) && same(a.title, b.title);
  }
  static bool same(const SourceStatement& a, const SourceStatement& b) { return a.text == b.text; }
  static bool same(const ParamStatement& a, const ParamStatement& b) { return same(a.items, b.items); }
  static bool same(const CoordStatement& a, const CoordStatement& b) { return same(a.groups, b.groups); }
  static bool same(const SpeedStatement& a, const SpeedStatement& b) { return same(a.items, b.items); }
  static bool same(const LetStatement& a, const LetStatement& b) {
    return same(a.name, b.name) && same(a.parameters, b.parameters) && same(a.value, b.value);
  }
  static bool same(const FrameStatement& a, const FrameStatement& b) {
    return same(a.name, b.name) && same(a.definition, b.definition);
  }
  static bool same(const PointStatement& a, const PointStatement& b) {
    return same(a.name, b.name) && same(a.definition, b.definition);
  }
  static bool same(const ParticleStatement& a, const ParticleStatement& b) {
    return same(a.name, b.name) && same(a.mass, b.mass) && same(a.position, b.position);
  }
  static bool same(const ForceStatement& a, const ForceStatement& b) {
    return same(a.point, b.point) && same(a.force, b.force) && same(a.from, b.from) && same(a.at, b.at);
  }
  static bool same(const GravityStatement& a, const GravityStatement& b) {
    return same(a.acceleration, b.acceleration);
  }
  static bool same(const SpringStatement& a, const SpringStatement& b) {
    return same(a.first, b.first) && same(a.second, b.second) && same(a.stiffness, b.stiffness) &&
           same(a.length, b.length) && same(a.damping, b.damping);
  }
  static bool same(const DamperStatement& a, const DamperStatement& b) {
    return same(a.first, b.first) && same(a.second, b.second) && same(a.damping, b.damping);
  }
  static bool same(const PotentialStatement& a, const PotentialStatement& b) { return same(a.energy, b.energy); }
  static bool same(const GeneralizedForceStatement& a, const GeneralizedForceStatement& b) {
    return same(a.coordinate, b.coordinate) && same(a.force, b.force);
  }
  static bool same(const ConstraintStatement& a, const ConstraintStatement& b) {
    return same(a.name, b.name) && a.sign == b.sign && same(a.left, b.left) && same(a.right, b.right) &&
           same(a.along, b.along) && same(a.clauses, b.clauses);
  }
  static bool same(const OutputStatement& a, const OutputStatement& b) {
    return same(a.name, b.name) && same(a.value, b.value) && same(a.frame, b.frame) && same(a.unit, b.unit);
  }
  static bool same(const StartStatement& a, const StartStatement& b) { return same(a.items, b.items); }
  static bool same(const RunStatement& a, const RunStatement& b) {
    return same(a.duration, b.duration) && same(a.step, b.step) && same(a.tolerance, b.tolerance) &&
           same(a.method, b.method) && same(a.formulation, b.formulation) && same(a.independent, b.independent);
  }
  static bool same(const ConserveStatement& a, const ConserveStatement& b) { return same(a.invariants, b.invariants); }
  static bool same(const ExpectStatement& a, const ExpectStatement& b) { return same(a.what, b.what); }

  static bool same(const BodyStatement& a, const BodyStatement& b) {
    return same(a.name, b.name) && same(a.frame, b.frame) && same(a.mass, b.mass) && same(a.inertia, b.inertia) &&
           same(a.inertia_unit, b.inertia_unit) && same(a.position, b.position) && same(a.about, b.about) &&
           same(a.density, b.density) && same(a.solid, b.solid) && same(a.solid_axis, b.solid_axis);
  }
  static bool same(const TorqueStatement& a, const TorqueStatement& b) {
    return same(a.body, b.body) && same(a.torque, b.torque) && same(a.from, b.from);
  }
  static bool same(const JointStatement& a, const JointStatement& b) {
    return same(a.name, b.name) && same(a.kind, b.kind) && same(a.first_point, b.first_point) &&
           same(a.first_body, b.first_body) && same(a.second_point, b.second_point) &&
           same(a.second_body, b.second_body) && same(a.axis, b.axis) && same(a.axis2, b.axis2) &&
           same(a.ratio, b.ratio) && same(a.pitch, b.pitch) && same(a.length, b.length) && same(a.radius, b.radius) &&
           same(a.prescribed, b.prescribed) && same(a.surface, b.surface) && same(a.surface2, b.surface2) &&
           same(a.clauses, b.clauses);
  }
  static bool same(const LagrangianStatement& a, const LagrangianStatement& b) { return same(a.L, b.L); }
  static bool same(const StateStatement& a, const StateStatement& b) {
    return same(a.name, b.name) && same(a.rate, b.rate) && same(a.start, b.start) && same(a.unit, b.unit) &&
           same(a.period, b.period);
  }
  static bool same(const InputStatement& a, const InputStatement& b) {
    return same(a.name, b.name) && same(a.unit, b.unit) && same(a.value, b.value);
  }
  static bool same(const RevealStatement& a, const RevealStatement& b) {
    return same(a.name, b.name) && a.is_torque == b.is_torque && same(a.target, b.target) && same(a.along, b.along);
  }
  static bool same(const ForStatement& a, const ForStatement& b) {
    return same(a.variable, b.variable) && same(a.from, b.from) && same(a.to, b.to) && same(a.body, b.body) &&
           a.comments_at_end == b.comments_at_end;
  }
  static bool same(const IfStatement& a, const IfStatement& b) {
    return same(a.condition, b.condition) && same(a.then, b.then) && a.has_else == b.has_else &&
           same(a.otherwise, b.otherwise) && a.comments_at_end_of_then == b.comments_at_end_of_then &&
           a.comments_at_end_of_else == b.comments_at_end_of_else;
  }
  static bool same(const IncludeStatement& a, const IncludeStatement& b) { return a.file == b.file; }
  static bool same(const ComponentStatement& a, const ComponentStatement& b) {
    return same(a.name, b.name) && same(a.parameters, b.parameters) && same(a.body, b.body) &&
           a.comments_at_end == b.comments_at_end;
  }
  static bool same(const UseStatement& a, const UseStatement& b) {
    return same(a.component, b.component) && same(a.arguments, b.arguments) && same(a.as, b.as);
  }

  static bool same(const ViewStatement& a, const ViewStatement& b) {
    return same(a.body, b.body) && a.comments_at_end == b.comments_at_end;
  }
  static bool same(const ColourName& a, const ColourName& b) { return same(a.name, b.name); }
  static bool same(const DrawnShape& a, const DrawnShape& b) {
    return same(a.target, b.target) && same(a.kind, b.kind) && same(a.sizes, b.sizes) && same(a.axis, b.axis) &&
           same(a.at, b.at) && same(a.colour, b.colour);
  }
  static bool same(const DrawnLink& a, const DrawnLink& b) {
    return same(a.first, b.first) && same(a.second, b.second) && same(a.radius, b.radius) && same(a.colour, b.colour);
  }
  static bool same(const AxesStatement& a, const AxesStatement& b) {
    return same(a.frame, b.frame) && same(a.at, b.at) && same(a.length, b.length);
  }
  static bool same(const TraceStatement& a, const TraceStatement& b) {
    return same(a.points, b.points) && same(a.colour, b.colour);
  }
  static bool same(const ArrowStatement& a, const ArrowStatement& b) {
    return same(a.value, b.value) && same(a.at, b.at) && same(a.colour, b.colour);
  }
  static bool same(const ColourItem& a, const ColourItem& b) {
    return same(a.target, b.target) && same(a.colour, b.colour);
  }
  static bool same(const ColourStatement& a, const ColourStatement& b) { return same(a.items, b.items); }
  static bool same(const HideStatement& a, const HideStatement& b) { return same(a.targets, b.targets); }
  static bool same(const NoStatement& a, const NoStatement& b) { return same(a.word, b.word); }
  static bool same(const MeshStatement& a, const MeshStatement& b) {
    return a.file == b.file && same(a.target, b.target) && same(a.at, b.at) && same(a.scale, b.scale) &&
           same(a.colour, b.colour);
  }
  static bool same(const LabelStatement& a, const LabelStatement& b) {
    return same(a.target, b.target) && a.text == b.text && same(a.colour, b.colour);
  }
  static bool same(const CameraStatement& a, const CameraStatement& b) { return same(a.target, b.target); }

  static bool same(const Expression& a, const Expression& b) { return same(a.node, b.node); }

  static bool same(const Statement& a, const Statement& b) {
    return same(a.node, b.node) && a.blank_line_before == b.blank_line_before &&
           a.comments_before == b.comments_before && a.comment_behind == b.comment_behind &&
           a.comments_under == b.comments_under;
  }
};

/// Whether two files have the same content, apart from source ranges.
[[nodiscard]] inline bool is_equal(const ModelFile& first, const ModelFile& second) {
  return Equality::same(first.statements, second.statements) && first.comments_at_end == second.comments_at_end;
}

}  // namespace vinculum::lang
