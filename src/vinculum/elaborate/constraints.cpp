#include <algorithm>

#include "vinculum/elaborate/elaborator.hpp"
#include "vinculum/mechanics/calculus.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using mechanics::Level;
using mechanics::Model;
using mechanics::Term;

namespace {

constexpr std::uint8_t kNoMultiplier = kHoldsTime | kHoldsCoordinates | kHoldsRates | kHoldsAccelerations;

}  // namespace

/// LHS − RHS, as a whole and row by row.
struct Elaborator::Relation {
  Term difference;
  Term left, right;
  std::vector<Term> along;
  std::vector<Term> rows;
  std::vector<Term> scales;        ///< what the size of each row is compared to
  Dimension dimension;             ///< of a row
  diag::SourceRange range;
};

std::optional<Elaborator::Relation> Elaborator::relation(const lang::ConstraintStatement& statement) {
  const std::string what = "constraint `" + statement.name.text + "`";
  Value left = check_.evaluate(*statement.left), right = check_.evaluate(*statement.right);
  std::vector<Value> along;
  for (const auto& direction : statement.along) along.push_back(check_.vector(*direction, "a direction"));
  bool is_right = !left.is_fault() && !right.is_fault() && std::ranges::none_of(along, &Value::is_fault);
  const auto is_relation_side = [&](const lang::Expression& side, const Value& value) {
    if (value.is_fault() || value.is_quantity()) return;
    check_.wrong_kind(side, value, "a side of " + what + " is a scalar or a vector");
    is_right = false;
  };
  is_relation_side(*statement.left, left);
  is_relation_side(*statement.right, right);
  if (!is_right) return std::nullopt;
  if (left.is(ValueKind::kVector)) right = check_.as_vector(right);
  if (right.is(ValueKind::kVector)) left = check_.as_vector(left);
  if (left.kind != right.kind) {
    context_.reporter.report({Kind::kWrongKind, diag::Severity::kError, statement.left->range,
                              "two sides of " + what + " are of one kind", std::string(describe(left.kind)),
                              {{statement.right->range, std::string(describe(right.kind))}}, {}});
    return std::nullopt;
  }
  if (left.is(ValueKind::kScalar) && !along.empty()) {
    context_.reporter.error(Kind::kWrongKind, statement.along.front()->range, "`along` follows a vector relation, this one is scalar");
    return std::nullopt;
  }
  bool holds_right = check_.holds_only(*statement.left, left, kNoMultiplier, "the relation of a constraint");
  holds_right = check_.holds_only(*statement.right, right, kNoMultiplier, "the relation of a constraint") && holds_right;
  holds_right = holds_right && check_.agree(*statement.left, left, *statement.right, right,
                                            "two sides of " + what + " differ in dimension",
                                            "give the right side in " + si_unit(left.dimension));
  for (std::size_t i = 0; i < along.size(); ++i) {
    holds_right = check_.holds_only(*statement.along[i], along[i], kNoMultiplier, "a direction of a constraint") && holds_right;
    if (i > 0) {
      holds_right = check_.agree(*statement.along[0], along[0], *statement.along[i], along[i],
                                 "directions of " + what + " differ in dimension") && holds_right;
    }
  }
  if (!holds_right) return std::nullopt;

  Relation result;
  result.left = left.term;
  result.right = right.term;
  result.difference = left.term - right.term;
  result.dimension = left.fits_any ? right.dimension : left.dimension;
  result.range = cover(statement.left->range, statement.right->range);
  const auto absolute = [&](Term term) { return pool_.function(expr::Op::kAbsolute, term); };
  if (left.is(ValueKind::kScalar)) {
    result.rows.push_back(result.difference);
    result.scales.push_back(absolute(left.term) + absolute(right.term));
    return result;
  }
  for (const Value& direction : along) result.along.push_back(direction.term);
  if (along.empty()) {
    for (int axis = 0; axis < 3; ++axis) result.along.push_back(pool_.basis_vector(Model::newtonian(), axis));
  } else {
    result.dimension = result.dimension * along[0].dimension;
    result.range = cover(result.range, statement.along.back()->range);
  }
  for (const Term direction : result.along) {
    result.rows.push_back(pool_.dot(result.difference, direction));
    result.scales.push_back(pool_.norm(left.term) + pool_.norm(right.term));
  }
  return result;
}

void Elaborator::judge(const lang::ConstraintStatement& statement, const Relation& relation) {
  for (std::size_t row = 0; row < relation.rows.size(); ++row) {
    const bool is_whole = relation.rows.size() == 1;
    const std::string what = is_whole ? "the relation of `" + statement.name.text + "`"
                                      : "row " + std::to_string(row + 1) + " of `" + statement.name.text + "`";
    const diag::SourceRange range =
        is_whole || statement.along.empty() ? relation.range : statement.along[row]->range;
    switch (relations_.judge(relation.rows[row], relation.scales[row])) {
      case RelationVerdict::kRegular: break;
      case RelationVerdict::kTrivial:
        context_.reporter.warn(Kind::kTrivialConstraint, range, what + " reduces to 0 = 0", "it restricts no motion");
        break;
      case RelationVerdict::kContradiction:
        context_.reporter.error(Kind::kContradiction, range, what + " can never hold: it holds nothing that moves",
                                "a constraint relates coordinates, speeds or accelerations");
        break;
      case RelationVerdict::kNonlinear:
        context_.reporter.error(Kind::kNotSupported, range,
                                what + " is nonlinear in the accelerations, which is not supported by this version");
        break;
    }
  }
}

std::optional<mechanics::Nonideal> Elaborator::nonideal(const lang::NonidealClause& clause, diag::SourceRange range) {
  context_.in_nonideal = true;
  context_.place = "a `nonideal` clause";
  const Symbol* target = context_.scope.find(clause.target.text);
  std::optional<mechanics::Nonideal> result;
  if (target != nullptr && target->kind == SymbolKind::kCoordinate) {
    if (clause.from) {
      context_.reporter.error(Kind::kNotAllowedHere, clause.from->range, "a generalized force has no opposite",
                              "`from` follows a force on a point");
    }
    const auto force = generalized_force_on(clause.target, *clause.value, "a generalized force");
    if (force && !clause.from) result = mechanics::Nonideal{*force, range};
  } else if (const auto force = force_on(clause.target, *clause.value, clause.from, "a `nonideal` force")) {
    result = mechanics::Nonideal{*force, range};
  }
  context_.in_nonideal = false;
  return result;
}

void Elaborator::apply(const lang::ConstraintStatement& statement) {
  context_.place = "the relation of a constraint";
  Symbol* symbol = context_.symbol_of(statement.name);
  context_.in_relation = true;
  const std::optional<Relation> relation_found = relation(statement);
  context_.in_relation = false;
  std::vector<mechanics::Nonideal> forces;
  bool is_right = relation_found.has_value();
  for (const lang::Clause& clause : statement.clauses) {
    const auto* stated = std::get_if<lang::NonidealClause>(&clause.what);
    if (stated == nullptr) continue;   // `law ideal` is what holds anyway
    if (auto force = nonideal(*stated, clause.range)) forces.push_back(std::move(*force));
    else is_right = false;
  }
  if (relation_found) judge(statement, *relation_found);
  if (!is_right || statement.lacks_clauses || symbol == nullptr) return fail(symbol);
  const std::span<const Term> along = relation_found->difference.is_vector() ? std::span<const Term>(relation_found->along)
                                                                             : std::span<const Term>();
  const std::string text = context_.reporter.as_written(relation_found->range);
  const mechanics::ConstraintId id = builder_.add_constraint(symbol->name, relation_found->difference, along,
                                                             context_.stored(relation_found->dimension), relation_found->range, text);
  for (mechanics::Nonideal& force : forces) builder_.add_nonideal(id, std::move(force));
  symbol->index = id.value;
  symbol->state = SymbolState::kReady;
}

}  // namespace vinculum::elaborate
