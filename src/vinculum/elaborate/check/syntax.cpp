#include "vinculum/elaborate/check/syntax.hpp"

#include <algorithm>

#include "vinculum/elaborate/check/functions.hpp"

namespace vinculum::elaborate {
namespace {

using Visit = std::function<void(const lang::Expression&)>;

void visit_if_there(const lang::ExpressionPtr& expression, const Visit& visit) {
  if (expression) visit(*expression);
}

struct OperandVisitor {
  const Visit& visit;

  void operator()(const lang::NumberLiteral&) const {}
  void operator()(const lang::StringLiteral&) const {}
  void operator()(const lang::NameReference&) const {}
  void operator()(const lang::Prime& node) const { visit_if_there(node.operand, visit); }
  void operator()(const lang::Index& node) const {
    visit_if_there(node.operand, visit);
    for (const auto& index : node.indices) visit_if_there(index, visit);
  }
  void operator()(const lang::Member& node) const { visit_if_there(node.operand, visit); }
  void operator()(const lang::Call& node) const {
    for (const auto& argument : node.arguments) visit_if_there(argument, visit);
  }
  void operator()(const lang::Unary& node) const { visit_if_there(node.operand, visit); }
  void operator()(const lang::Binary& node) const {
    visit_if_there(node.left, visit);
    visit_if_there(node.right, visit);
  }
  void operator()(const lang::Conditional& node) const {
    visit_if_there(node.if_true, visit);
    visit_if_there(node.condition, visit);
    visit_if_there(node.if_false, visit);
  }
  void operator()(const lang::Absolute& node) const { visit_if_there(node.operand, visit); }
  void operator()(const lang::List& node) const {
    for (const auto& row : node.rows) {
      for (const auto& entry : row) visit_if_there(entry, visit);
    }
  }
  void operator()(const lang::Range& node) const {
    visit_if_there(node.from, visit);
    visit_if_there(node.to, visit);
  }
};

struct StatementVisitor {
  const Visit& visit;

  void clauses(const std::vector<lang::Clause>& all) const {
    for (const auto& clause : all) {
      if (const auto* nonideal = std::get_if<lang::NonidealClause>(&clause.what))
        visit_if_there(nonideal->value, visit);
      if (const auto* friction = std::get_if<lang::FrictionClause>(&clause.what)) {
        for (const auto* part : {&friction->mu, &friction->static_mu, &friction->sliding}) visit_if_there(*part, visit);
      }
      if (const auto* directed = std::get_if<lang::DirectedClause>(&clause.what)) {
        for (const auto& direction : directed->along) visit_if_there(direction, visit);
      }
      if (const auto* vakonomic = std::get_if<lang::VakonomicClause>(&clause.what)) {
        for (const auto& start : vakonomic->start) visit_if_there(start, visit);
        for (const auto& rate : vakonomic->start_of_rates) {
          for (const auto& start : rate.values) visit_if_there(start, visit);
        }
      }
      if (const auto* kozlov = std::get_if<lang::KozlovClause>(&clause.what)) {
        visit_if_there(kozlov->c, visit);
        for (const auto& start : kozlov->start) visit_if_there(start, visit);
      }
      if (const auto* adiabatic = std::get_if<lang::AdiabaticClause>(&clause.what)) {
        for (const auto& mu : adiabatic->mu) visit_if_there(mu, visit);
      }
      if (const auto* gyroscopic = std::get_if<lang::GyroscopicClause>(&clause.what))
        visit_if_there(gyroscopic->H, visit);
      if (const auto* realised = std::get_if<lang::RealisedClause>(&clause.what))
        visit_if_there(realised->kappa, visit);
      if (const auto* via = std::get_if<lang::ViaClause>(&clause.what)) {
        for (const auto& item : via->items) {
          visit_if_there(item.along, visit);
          visit_if_there(item.scale, visit);
        }
      }
    }
  }

  void operator()(const lang::ModelStatement&) const {}
  void operator()(const lang::SourceStatement&) const {}
  void operator()(const lang::ParamStatement& node) const {
    for (const auto& item : node.items) visit_if_there(item.value, visit);
  }
  void operator()(const lang::CoordStatement&) const {}
  void operator()(const lang::SpeedStatement& node) const {
    for (const auto& item : node.items) visit_if_there(item.definition, visit);
  }
  void operator()(const lang::LetStatement& node) const { visit_if_there(node.value, visit); }
  void operator()(const lang::FrameStatement& node) const {
    if (const auto* rotated = std::get_if<lang::FrameRotated>(&node.definition)) {
      visit_if_there(rotated->angle, visit);
      visit_if_there(rotated->axis, visit);
    } else if (const auto* sequence = std::get_if<lang::FrameSequence>(&node.definition)) {
      for (const auto& angle : sequence->angles) visit_if_there(angle, visit);
    }
  }
  void operator()(const lang::PointStatement& node) const {
    if (const auto* at = std::get_if<lang::PointAt>(&node.definition)) visit_if_there(at->position, visit);
  }
  void operator()(const lang::ParticleStatement& node) const {
    visit_if_there(node.mass, visit);
    visit_if_there(node.position, visit);
  }
  void operator()(const lang::BodyStatement& node) const {
    visit_if_there(node.mass, visit);
    for (const auto& part : node.inertia) visit_if_there(part, visit);
    visit_if_there(node.position, visit);
  }
  void operator()(const lang::TorqueStatement& node) const { visit_if_there(node.torque, visit); }
  void operator()(const lang::ForceStatement& node) const { visit_if_there(node.force, visit); }
  void operator()(const lang::GravityStatement& node) const { visit_if_there(node.acceleration, visit); }
  void operator()(const lang::SpringStatement& node) const {
    visit_if_there(node.stiffness, visit);
    visit_if_there(node.length, visit);
    visit_if_there(node.damping, visit);
  }
  void operator()(const lang::PotentialStatement& node) const { visit_if_there(node.energy, visit); }
  void operator()(const lang::GeneralizedForceStatement& node) const { visit_if_there(node.force, visit); }
  void operator()(const lang::ConstraintStatement& node) const {
    visit_if_there(node.left, visit);
    visit_if_there(node.right, visit);
    for (const auto& direction : node.along) visit_if_there(direction, visit);
    clauses(node.clauses);
  }
  void operator()(const lang::JointStatement& node) const {
    for (const auto* part :
         {&node.axis, &node.axis2, &node.ratio, &node.pitch, &node.length, &node.radius, &node.prescribed}) {
      visit_if_there(*part, visit);
    }
    if (node.surface) {
      for (const auto& argument : node.surface->arguments) visit_if_there(argument, visit);
    }
    clauses(node.clauses);
  }
  void operator()(const lang::LagrangianStatement& node) const { visit_if_there(node.L, visit); }
  void operator()(const lang::StateStatement& node) const {
    visit_if_there(node.rate, visit);
    visit_if_there(node.start, visit);
  }
  void operator()(const lang::RevealStatement& node) const {
    for (const auto& direction : node.along) visit_if_there(direction, visit);
  }
  void operator()(const lang::ConserveStatement& node) const {
    for (const auto& invariant : node.invariants) visit_if_there(invariant, visit);
  }
  void operator()(const lang::OutputStatement& node) const { visit_if_there(node.value, visit); }
  void operator()(const lang::StartStatement& node) const {
    for (const auto& item : node.items) visit_if_there(item.value, visit);
  }
  void operator()(const lang::RunStatement& node) const {
    visit_if_there(node.duration, visit);
    visit_if_there(node.step, visit);
    visit_if_there(node.tolerance, visit);
  }
  void operator()(const lang::ExpectStatement& node) const {
    if (const auto* value = std::get_if<lang::ExpectValue>(&node.what)) {
      visit_if_there(value->time, visit);
      visit_if_there(value->left, visit);
      visit_if_there(value->right, visit);
      visit_if_there(value->tolerance, visit);
    } else if (const auto* stop = std::get_if<lang::ExpectStop>(&node.what)) {
      visit_if_there(stop->time, visit);
      visit_if_there(stop->tolerance, visit);
    }
  }
  void operator()(const lang::ForStatement& node) const {
    visit_if_there(node.from, visit);
    visit_if_there(node.to, visit);
    block(node.body);
  }
  void operator()(const lang::IfStatement& node) const {
    visit_if_there(node.condition, visit);
    block(node.then);
    block(node.otherwise);
  }
  void operator()(const lang::IncludeStatement&) const {}
  void operator()(const lang::ComponentStatement& node) const { block(node.body); }
  void operator()(const lang::UseStatement& node) const {
    for (const auto& argument : node.arguments) visit_if_there(argument, visit);
  }
  void block(const std::vector<lang::Statement>& statements) const {
    for (const lang::Statement& statement : statements) for_each_expression(statement, visit);
  }
};

bool declares_unit(const lang::Statement& statement) {
  const auto has = [](const auto& item) { return item.unit.has_value(); };
  if (const auto* param = std::get_if<lang::ParamStatement>(&statement.node))
    return std::ranges::any_of(param->items, has);
  if (const auto* coord = std::get_if<lang::CoordStatement>(&statement.node))
    return std::ranges::any_of(coord->groups, has);
  if (const auto* body = std::get_if<lang::BodyStatement>(&statement.node)) return body->inertia_unit.has_value();
  if (const auto* speed = std::get_if<lang::SpeedStatement>(&statement.node))
    return std::ranges::any_of(speed->items, has);
  if (const auto* start = std::get_if<lang::StartStatement>(&statement.node))
    return std::ranges::any_of(start->items, has);
  return false;
}

}  // namespace

void for_each_operand(const lang::Expression& expression, const Visit& visit) {
  std::visit(OperandVisitor{visit}, expression.node);
}

void for_each_expression(const lang::Statement& statement, const Visit& visit) {
  std::visit(StatementVisitor{visit}, statement.node);
}

bool has_unit(const lang::Expression& expression) {
  if (const auto* number = std::get_if<lang::NumberLiteral>(&expression.node)) return number->unit.has_value();
  bool found = false;
  for_each_operand(expression, [&](const lang::Expression& operand) { found = found || has_unit(operand); });
  return found;
}

bool states_units(const lang::ModelFile& file) {
  return std::ranges::any_of(file.statements, [](const lang::Statement& statement) {
    bool found = declares_unit(statement);
    for_each_expression(statement, [&](const lang::Expression& expression) { found = found || has_unit(expression); });
    return found;
  });
}

bool is_bare_number(const lang::Expression& expression) {
  if (const auto* number = std::get_if<lang::NumberLiteral>(&expression.node)) return !number->unit.has_value();
  const auto* sign = std::get_if<lang::Unary>(&expression.node);
  return sign != nullptr && sign->op != lang::UnaryOperator::kNot && is_bare_number(*sign->operand);
}

bool is_numeric(const lang::Expression& expression) {
  if (const auto* number = std::get_if<lang::NumberLiteral>(&expression.node)) return !number->unit.has_value();
  if (const auto* name = as_name(expression)) return name->name == "pi";
  const auto* call = std::get_if<lang::Call>(&expression.node);
  const FunctionInfo* function = call == nullptr ? nullptr : find_function(call->function.text);
  if (call != nullptr ? function == nullptr || function->function != Function::kElementary
                      : !std::holds_alternative<lang::Unary>(expression.node) &&
                            !std::holds_alternative<lang::Binary>(expression.node) &&
                            !std::holds_alternative<lang::Absolute>(expression.node)) {
    return false;
  }
  bool result = true;
  for_each_operand(expression, [&](const lang::Expression& operand) { result = result && is_numeric(operand); });
  return result;
}

const lang::NameReference* as_name(const lang::Expression& expression) {
  return std::get_if<lang::NameReference>(&expression.node);
}

}  // namespace vinculum::elaborate
