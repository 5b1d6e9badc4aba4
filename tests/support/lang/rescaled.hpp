#pragma once

#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "vinculum/base/unit.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/lang/walk.hpp"
#include "vinculum/model/dimensions.hpp"
#include "vinculum/model/model.hpp"

/// Helpers for tests: the same model in other units of mass, length and time.
namespace vinculum::test_support {

/// A number of dimension M^a L^b T^c is multiplied by 2^(a mass + b length + c time), which is exact. Without units
/// the copy has the same numbers and no dimensions.
struct Rescaling {
  int mass = 0, length = 0, time = 0;
  bool keeps_units = true;

  [[nodiscard]] double of(const Dimension& dimension) const {
    const auto part = [](Rational exponent, int power) {
      return static_cast<double>(exponent.numerator * power) / exponent.denominator;
    };
    const double power = part(dimension.exponents[Dimension::kMass], mass) +
                         part(dimension.exponents[Dimension::kLength], length) +
                         part(dimension.exponents[Dimension::kTime], time);
    if (power != std::floor(power)) throw std::runtime_error("no twin of powers of two");
    return std::exp2(power);
  }
};

/// Converts the statements of a model, after expansion of loops and components, to other units. For a number without
/// a unit that takes the unit of its context, the unit is found with the help of the original model. `expect`
/// statements are left out.
class Restated final : public lang::Rewriter {
 public:
  /// \param model  the model of these statements.
  Restated(const model::Model& model, const Rescaling& by) : model_(model), by_(by) {}

  void file(lang::ModelFile& file) {
    std::erase_if(file.statements, [](const lang::Statement& statement) {
      return std::holds_alternative<lang::ExpectStatement>(statement.node);
    });
    for (lang::Statement& statement : file.statements) this->statement(statement);
  }

  void statement(lang::Statement& statement) override {
    std::visit([this](auto& node) { restate(node); }, statement.node);
    lang::Rewriter::statement(statement);
  }
  void expression(lang::ExpressionPtr& place) override {
    auto* number = std::get_if<lang::NumberLiteral>(&place->node);
    if (number != nullptr && number->unit) {
      const UnitValue unit = value_of(*number->unit);
      number->value *= by_.of(unit.dimension) * (by_.keeps_units ? 1.0 : unit.scale);
      if (!by_.keeps_units) number->unit.reset();
    }
    lang::Rewriter::expression(place);
  }

 private:
  static UnitValue value_of(const lang::Unit& unit) {
    UnitValue result;
    for (const lang::UnitFactor& factor : unit.factors) {
      if (factor.name == "1") continue;
      const std::optional<UnitValue> value = find_unit(factor.name);
      if (!value || factor.denominator != 1) throw std::runtime_error("a unit that the test does not know");
      for (int i = 0; i < std::abs(factor.numerator); ++i) {
        result.scale = factor.numerator < 0 ? result.scale / value->scale : result.scale * value->scale;
      }
      result.dimension = result.dimension * power(value->dimension, make_rational(factor.numerator, 1));
    }
    return result;
  }

  /// Scales a number, or arithmetic of numbers, that is in the given unit.
  void scale(lang::ExpressionPtr& place, const UnitValue& unit, bool is_closed) {
    if (!place || !elaborate::is_numeric(*place)) return;
    const double factor = by_.of(unit.dimension) * (by_.keeps_units ? 1.0 : unit.scale);
    if (factor == 1.0) return;
    if (!is_closed && !elaborate::is_bare_number(*place)) throw std::runtime_error("arithmetic without a unit");
    if (elaborate::is_bare_number(*place)) return scale_bare(*place, factor);
    auto by = std::make_unique<lang::Expression>(lang::NumberLiteral{factor, "1", std::nullopt}, place->range);
    const diag::SourceRange range = place->range;
    lang::Binary product{lang::BinaryOperator::kMultiply, range, std::move(place), std::move(by)};
    place = std::make_unique<lang::Expression>(std::move(product), range);
  }
  static void scale_bare(lang::Expression& expression, double factor) {
    if (auto* number = std::get_if<lang::NumberLiteral>(&expression.node)) {
      number->value *= factor;
    } else {
      scale_bare(*std::get<lang::Unary>(expression.node).operand, factor);
    }
  }
  void scale(lang::ExpressionPtr& place, const Dimension& dimension) { scale(place, UnitValue{1.0, dimension}, false); }
  /// Scales the value of a declaration and its unit.
  void close(lang::ExpressionPtr& value, std::optional<lang::Unit>& unit) {
    if (unit) scale(value, value_of(*unit), true);
    if (!by_.keeps_units) unit.reset();
  }

  void restate(lang::ParamStatement& statement) {
    for (lang::ParamItem& item : statement.items) {
      // In `m1 = 1, m2 = 2 [kg]` both are in kilograms.
      for (const model::Parameter& parameter : model_.parameters) {
        if (!item.unit && parameter.name == item.name.text)
          scale(item.value, UnitValue{parameter.unit.scale, parameter.dimension}, true);
      }
      close(item.value, item.unit);
    }
  }
  void restate(lang::CoordStatement& statement) {
    for (lang::CoordGroup& group : statement.groups) {
      for (const lang::Name& name : group.names)
        declared_[name.text] = group.unit ? value_of(*group.unit) : UnitValue{};
      if (group.unit) scale(group.scale, value_of(*group.unit), true);
      if (!by_.keeps_units) group.unit.reset();
    }
  }
  void restate(lang::SpeedStatement& statement) {
    for (lang::SpeedItem& item : statement.items) {
      for (const model::Speed& speed : model_.speeds) {
        if (speed.name == item.name.text) declared_[speed.name] = UnitValue{1.0, speed.dimension};
      }
      if (item.unit) declared_[item.name.text] = value_of(*item.unit);
      if (!by_.keeps_units) item.unit.reset();
    }
  }
  void restate(lang::InputStatement& statement) {
    if (!by_.keeps_units) statement.unit.reset();
  }
  void restate(lang::OutputStatement& statement) {
    if (!by_.keeps_units) statement.unit.reset();
  }
  void restate(lang::StateStatement& statement) {
    for (const model::State& state : model_.states) {
      if (state.name == statement.name.text) declared_[state.name] = UnitValue{1.0, state.dimension};
    }
    if (statement.unit) declared_[statement.name.text] = value_of(*statement.unit);
    if (!by_.keeps_units) statement.unit.reset();
  }
  void restate(lang::BodyStatement& statement) {
    for (lang::ExpressionPtr& moment : statement.inertia) {
      if (statement.inertia_unit) scale(moment, value_of(*statement.inertia_unit), true);
    }
    if (!by_.keeps_units) statement.inertia_unit.reset();
  }
  void restate(lang::SpringStatement& statement) {
    scale(statement.stiffness, make_dimension(1, 0, -2));
    scale(statement.length, make_dimension(0, 1, 0));
    scale(statement.damping, make_dimension(1, 0, -1));
  }
  void restate(lang::DamperStatement& statement) { scale(statement.damping, make_dimension(1, 0, -1)); }
  void restate(lang::StartStatement& statement) {
    for (lang::StartItem& item : statement.items) {
      if (item.axis) continue;  // an angle and a direction are not scaled
      if (item.unit) {
        close(item.value, item.unit);
        continue;
      }
      const auto* prime = std::get_if<lang::Prime>(&item.variable->node);
      const lang::Expression& bare = prime != nullptr ? *prime->operand : *item.variable;
      // Speeds of quaternions, such as B.wx, are not declared in the text.
      UnitValue unit{1.0, make_dimension(0, 0, -1)};
      if (const auto* name = std::get_if<lang::NameReference>(&bare.node)) unit = declared_.at(name->name);
      if (prime != nullptr) unit.dimension = unit.dimension * make_dimension(0, 0, -prime->count);
      if (elaborate::is_bare_number(*item.value)) scale(item.value, unit, false);
    }
  }
  void restate(lang::RunStatement& statement) {
    scale(statement.duration, make_dimension(0, 0, 1));
    scale(statement.step, make_dimension(0, 0, 1));
  }
  void restate(lang::ConstraintStatement& statement) {
    for (lang::Clause& clause : statement.clauses) {
      auto* law = std::get_if<lang::LawClause>(&clause.what);
      if (law == nullptr) continue;
      for (lang::LawArgument& argument : law->arguments) {
        for (std::size_t row = 0; row < argument.values.size(); ++row) {
          if (!elaborate::is_bare_number(*argument.values[row])) continue;
          if (argument.word != "mu") throw std::runtime_error("an argument of a law that the test does not know");
          scale(argument.values[row],
                dimension_of_mu(statement.name.text, row) * make_dimension(0, 0, -argument.order));
        }
      }
    }
  }
  [[nodiscard]] Dimension dimension_of_mu(const std::string& constraint, std::size_t row) const {
    for (std::size_t c = 0; c < model_.constraints.size(); ++c) {
      if (model_.constraints[c].name == constraint) return model::dimension_of_mu(model_, model::ConstraintId(c), row);
    }
    throw std::runtime_error("no constraint of this name");
  }
  void restate(auto&) {}

  const model::Model& model_;
  Rescaling by_;
  std::map<std::string, UnitValue> declared_;
};

}  // namespace vinculum::test_support
