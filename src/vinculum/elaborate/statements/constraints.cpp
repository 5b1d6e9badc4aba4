#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <tuple>

#include "vinculum/elaborate/check/law_rows.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/traversal.hpp"
#include "vinculum/reaction_laws/hints.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using model::Level;
using model::Model;
using model::Term;

namespace {

constexpr std::uint8_t kMotion = kHoldsTime | kHoldsCoordinates | kHoldsRates | kHoldsAccelerations | kHoldsThird;
constexpr std::uint8_t kNoThird = kHoldsTime | kHoldsCoordinates | kHoldsRates | kHoldsAccelerations;
constexpr std::uint8_t kNoMultiplier = kMotion | kHoldsStates | kHoldsInputs;

/// Whether the law of the constraint accepts relations of that level.
bool takes(const reaction_laws::Table& laws, const lang::ConstraintStatement& statement, Level level) {
  return level < Level::kThird || std::ranges::any_of(
                                      statement.clauses,
                                      [&](const lang::Clause& one) {
                                        const auto* law = std::get_if<lang::LawClause>(&one.what);
                                        return law != nullptr && laws.find(law->law.text)->highest >= level;
                                      });
}

/// Message if `other` is a number outside the range of the inverse function `side`: "`atan2` lies between -pi and pi".
/// Empty if the number is possible.
std::string out_of_range(const lang::Expression& side, const Value& other) {
  struct Range {
    std::string_view function;
    double least, most;
    std::string_view text;
  };
  constexpr double kPi = std::numbers::pi;
  constexpr Range kRanges[] = {{"atan2", -kPi, kPi, "between -pi and pi"},
                               {"atan", -kPi / 2.0, kPi / 2.0, "between -pi/2 and pi/2"},
                               {"asin", -kPi / 2.0, kPi / 2.0, "between -pi/2 and pi/2"},
                               {"acos", 0.0, kPi, "between 0 and pi"}};
  const auto* call = std::get_if<lang::Call>(&side.node);
  if (call == nullptr || !other.is(ValueKind::kScalar) || !other.term.is_number()) return {};
  const auto* row = std::ranges::find(kRanges, call->function.text, &Range::function);
  const double value = other.term.value();
  if (row == std::end(kRanges) || (row->least <= value && value <= row->most)) return {};
  return "`" + std::string(row->function) + "` is " + std::string(row->text) + ", not " + fmt::format("{:.6g}", value);
}

/// Warns about rows that reduce to 0 = 0. Rows with the same place in the text, such as the three of a vector relation
/// without `along`, are one warning.
/// \param axes_of  the frame along whose x, y, z the three rows are; empty for other rows
void warn_of_trivial_rows(Reporter& reporter, const std::string& name, std::span<const diag::SourceRange> ranges,
                          std::span<const std::size_t> trivial, const std::string& axes_of) {
  while (!trivial.empty()) {
    const diag::SourceRange range = ranges[trivial.front()];
    const auto others = std::ranges::find_if(trivial, [&](std::size_t row) { return ranges[row] != range; });
    const std::span<const std::size_t> rows = trivial.first(static_cast<std::size_t>(others - trivial.begin()));
    trivial = trivial.subspan(rows.size());
    const bool is_whole = rows.size() == ranges.size(), is_singular = is_whole || rows.size() == 1;
    std::string numbers, along;
    for (std::size_t row = 0; row < ranges.size(); ++row) {
      const bool is_trivial = std::ranges::find(rows, row) != rows.end();
      if (is_trivial) numbers += (numbers.empty() ? "" : " and ") + std::to_string(row + 1);
      if (!is_trivial && !axes_of.empty()) along += (along.empty() ? "" : ", ") + axes_of + "." + "xyz"[row];
    }
    const std::string what = is_whole      ? "the relation of " + quote(name)
                             : is_singular ? "row " + numbers + " of " + quote(name)
                                           : "rows " + numbers + " of " + quote(name);
    reporter.warn(Kind::kTrivialConstraint, range, what + (is_singular ? " reduces" : " reduce") + " to 0 = 0",
                  (is_singular ? "it restricts no motion" : "they restrict no motion") +
                      (along.empty() ? "" : "; the other rows alone are stated by `along " + along + "`"));
  }
}

}  // namespace

/// The relation of a constraint, left side minus right side, as a whole and as scalar rows.
struct Elaborator::Relation {
  Term difference;  ///< invalid for lists
  std::vector<Term> along;
  std::vector<Term> rows;
  std::vector<Term> scales;  ///< [rows] terms with whose sizes the rows are compared
  std::vector<diag::SourceRange> row_ranges;
  Dimension dimension;                    ///< dimension of a row
  std::vector<Dimension> row_dimensions;  ///< [rows] dimension of each row, for lists
  bool is_doubtful = false;               ///< the dimension of the relation is unknown
  bool has_branches = false;  ///< the relation is not linear in the accelerations, or this cannot be decided
  diag::SourceRange range;
};

std::optional<Elaborator::Relation> Elaborator::relation(const lang::ConstraintStatement& statement) {
  const std::string what = "constraint `" + statement.name.text + "`";
  Value left = check_.evaluate(*statement.left), right = check_.evaluate(*statement.right);
  std::vector<Value> along;
  for (const auto& direction : statement.along) along.push_back(check_.vector(*direction, "a direction"));
  bool is_right = !left.is_fault() && !right.is_fault() && std::ranges::none_of(along, &Value::is_fault);
  const auto is_relation_side = [&](const lang::Expression& side, const Value& value) {
    if (value.is_fault() || value.is_quantity() || value.is(ValueKind::kList)) return;
    check_.wrong_kind(side, value, "a side of " + what + " is a scalar, a vector or a list");
    is_right = false;
  };
  is_relation_side(*statement.left, left);
  is_relation_side(*statement.right, right);
  if (!is_right) return std::nullopt;
  if (!check_.alike(*statement.left, left, *statement.right, right, "two sides of " + what + " are of one ", "length"))
    return std::nullopt;
  if (!left.is(ValueKind::kVector) && !along.empty())
    return none(Kind::kWrongKind, statement.along.front()->range,
                std::string("`along` follows a vector relation, this one is ") +
                    (left.is(ValueKind::kList) ? "of lists" : "scalar"));
  bool holds_right = check_.holds_only(*statement.left, left, kNoMultiplier, "the relation of a constraint");
  holds_right =
      check_.holds_only(*statement.right, right, kNoMultiplier, "the relation of a constraint") && holds_right;
  if (!holds_right) return std::nullopt;
  auto result = left.is(ValueKind::kList) ? list_relation(statement, left, right)
                                          : vector_relation(statement, left, right, along);
  const bool is_doubtful = left.is_doubtful || right.is_doubtful || std::ranges::any_of(along, &Value::is_doubtful);
  if (result) result->is_doubtful = is_doubtful;
  return result;
}

std::optional<Elaborator::Relation> Elaborator::vector_relation(const lang::ConstraintStatement& statement,
                                                                const Value& left, const Value& right,
                                                                const std::vector<Value>& along) {
  const std::string what = "constraint `" + statement.name.text + "`";
  bool holds_right =
      check_.agree(*statement.left, left, *statement.right, right, "two sides of " + what + " differ in dimension",
                   "give the right side in " + si_unit(left.dimension));
  for (std::size_t i = 0; i < along.size(); ++i) {
    holds_right =
        check_.holds_only(*statement.along[i], along[i], kMotion, "a direction of a constraint") && holds_right;
    if (i > 0) {
      holds_right = check_.agree(*statement.along[0], along[0], *statement.along[i], along[i],
                                 "directions of " + what + " differ in dimension") &&
                    holds_right;
    }
  }
  for (const auto& [side, other, range] : {std::tuple(statement.left.get(), &right, statement.right->range),
                                           {statement.right.get(), &left, statement.left->range}}) {
    const std::string why = out_of_range(*side, *other);
    if (!why.empty()) {
      holds_right = refuse(Kind::kContradiction, range, what + " can never be true: " + why,
                           "angles differ by whole turns: take `sin` and `cos` of them, or a number in that range");
    }
  }
  if (!holds_right) return std::nullopt;

  Relation result;
  result.difference = left.term - right.term;
  result.dimension = left.fits_any ? right.dimension : left.dimension;
  result.range = cover(statement.left->range, statement.right->range);
  const auto absolute = [&](Term term) { return pool_.function(expr::Op::kAbsolute, term); };
  if (left.is(ValueKind::kScalar)) {
    result.rows.push_back(result.difference);
    result.scales.push_back(absolute(left.term) + absolute(right.term));
    result.row_ranges.push_back(result.range);
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
    const bool is_only = along.size() <= 1;
    result.row_ranges.push_back(is_only ? result.range : statement.along[result.row_ranges.size()]->range);
  }
  return result;
}

std::optional<Elaborator::Relation> Elaborator::list_relation(const lang::ConstraintStatement& statement,
                                                              const Value& left, const Value& right) {
  Relation result;
  result.range = cover(statement.left->range, statement.right->range);
  const auto* written = std::get_if<lang::List>(&statement.left->node);
  const auto absolute = [&](Term term) { return pool_.function(expr::Op::kAbsolute, term); };
  for (std::size_t i = 0; i < left.entries.size(); ++i) {
    const Entry &a = left.entries[i], &b = right.entries[i];
    if (model_.has_units && !a.fits_any && !b.fits_any && !(a.dimension == b.dimension)) {
      context_.reporter.contrast(
          Kind::kDimensionMismatch,
          "entry " + std::to_string(i + 1) + " of the two sides of constraint `" + statement.name.text +
              "` differs in dimension",
          {written != nullptr ? written->rows[0][i]->range : statement.left->range, vinculum::describe(a.dimension)},
          {statement.right->range, vinculum::describe(b.dimension)});
      return std::nullopt;
    }
    result.rows.push_back(a.term - b.term);
    result.scales.push_back(absolute(a.term) + absolute(b.term));
    result.row_ranges.push_back(written != nullptr ? written->rows[0][i]->range : result.range);
    result.row_dimensions.push_back(a.fits_any ? b.dimension : a.dimension);
  }
  result.dimension = result.row_dimensions.front();
  return result;
}

/// Text such as ", and it misses by 1e-06 m"; empty if the gap is not the same at all states.
std::string Elaborator::missed_by(std::optional<double> gap, Dimension dimension) const {
  if (!gap) return {};
  const std::string unit = model_.has_units ? si_unit(dimension) : "1";
  return fmt::format(", and it misses by {:.3g}{}", *gap, unit == "1" ? "" : " " + unit);
}

/// Whether a gap has one value at all states, although it is written in coordinates.
bool Elaborator::is_fixed(Term gap) {
  if (context_.guesses_places || is_guessed(gap)) return false;
  const RelationVerdict verdict = relations_.judge(gap, gap).verdict;
  return verdict == RelationVerdict::kTrivial || verdict == RelationVerdict::kContradiction;
}

bool Elaborator::is_gap(const lang::ConstraintStatement& statement, Relation& relation) {
  const bool is_scalar = statement.along.empty() && relation.difference.is_valid() && !relation.difference.is_vector();
  const Term gap = is_scalar ? relation.rows.front() : Term{};
  if (const auto problem = gap_problem(context_.facts, gap, statement.name.text, is_scalar && is_guessed(gap)))
    return refuse(problem->kind, relation.range, problem->message, problem->hint);
  if (is_fixed(gap))
    return refuse(Kind::kContradiction, relation.range,
                  "nothing in the gap of `" + statement.name.text + "` moves, so no force can keep it from closing",
                  "a relation with `>=` or `<=` limits coordinates along the direction in which they move the body");
  if (statement.sign == lang::ConstraintStatement::Sign::kAtLeast) return true;
  relation.difference = -relation.difference;
  relation.rows.front() = relation.difference;
  return true;
}

void Elaborator::judge(const lang::ConstraintStatement& statement, Relation& relation) {
  std::vector<std::size_t> trivial;
  for (std::size_t row = 0; row < relation.rows.size(); ++row) {
    const bool is_whole = relation.rows.size() == 1;
    const std::string what = is_whole ? "the relation of `" + statement.name.text + "`"
                                      : "row " + std::to_string(row + 1) + " of `" + statement.name.text + "`";
    const diag::SourceRange range = relation.row_ranges[row];
    if (context_.guesses_places || is_guessed(relation.rows[row])) {
      relation.has_branches = true;
      continue;
    }
    const JudgedRelation judged = relations_.judge(relation.rows[row], relation.scales[row]);
    switch (judged.verdict) {
      case RelationVerdict::kRegular: break;
      case RelationVerdict::kNonlinear:  // in the accelerations: Gauss' principle determines them (theory.md §3.4)
        relation.has_branches = true;
        break;
      case RelationVerdict::kTrivial: trivial.push_back(row); break;
      case RelationVerdict::kContradiction:
        context_.reporter.error(
            Kind::kContradiction, range,
            what + " can never be true: nothing in it moves" +
                missed_by(judged.gap,
                          relation.row_dimensions.empty() ? relation.dimension : relation.row_dimensions[row]),
            "a constraint relates coordinates, speeds or accelerations");
        break;
    }
  }
  const bool has_axes = relation.difference.is_valid() && relation.difference.is_vector() && statement.along.empty();
  warn_of_trivial_rows(context_.reporter, statement.name.text, relation.row_ranges, trivial,
                       has_axes ? model_.frames[0].name : std::string());
}

/// Evaluates the rates of the states that the term contains, and of the states in these rates. Their statements may
/// follow later in the file.
/// \returns the name of a state whose rate contains reactions; nothing if no state has such a rate.
std::optional<std::string> Elaborator::state_without_rate(Term term) {
  for (const Term leaf : model::leaves_as_read(term)) {
    if (leaf.kind() != model::TermKind::kState) continue;
    const std::size_t index = leaf.index();
    if (!model_.states[index].rate.is_valid()) {
      const std::size_t here = context_.statement;
      for (std::size_t i = 0; i < context_.file.statements.size(); ++i) {
        const auto* state = std::get_if<lang::StateStatement>(&context_.file.statements[i].node);
        const Symbol* symbol = state == nullptr ? nullptr : context_.symbol_of(state->name);
        if (symbol == nullptr || symbol->kind != SymbolKind::kState || symbol->index != index) continue;
        if (!may_be_evaluated(*state->rate)) return model_.states[index].name;
        context_.statement = i;
        context_.in_state = true;
        const Value rate = check_.evaluate(*state->rate);
        context_.in_state = false;
        if (rate.is(ValueKind::kScalar)) model_.states[index].rate = rate.term;
      }
      context_.statement = here;
    }
    const Term rate = model_.states[index].rate;
    if (!rate.is_valid() || (context_.facts.holds(rate) & kHoldsMultipliers) != 0) return model_.states[index].name;
    if (visited_states_.insert(index).second) {
      if (auto name = state_without_rate(rate)) return name;
    }
  }
  return std::nullopt;
}

/// Sets the derivatives of rows with states that determine where the reaction acts: in each case the highest derivative
/// without accelerations.
void Elaborator::read_by_rates(model::ConstraintId id) {
  model::Constraint& constraint = model_.constraints[id.index()];
  for (std::size_t row = 0; row < constraint.rows.size(); ++row) {
    const Term relation = constraint.rows[row];
    if (!model::holds_state(relation)) continue;
    const int order = model::order_of_accelerations(model_, relation).value_or(0);
    if (order < 2) continue;
    constraint.row_rates.resize(constraint.rows.size());
    constraint.row_rates[row] = model::derivative_of(model_, relation, order - 1);
  }
}

/// Whether a law by Hamilton's principle allows these rows with states; reports an error otherwise. Such a law requires
/// velocities in the row itself or in its first derivative. In contrast, the ideal law allows all rows: the reaction
/// acts along the coefficients of u' in the first derivative of the row that contains u'.
bool Elaborator::may_vary_states(const Relation& relation, const lang::Clause& clause, const std::string& name) {
  for (const Term row : relation.rows) {
    if ((context_.facts.holds(row) & kHoldsStates) == 0) continue;
    const Level level = context_.facts.level(row);
    const int order = model::order_of_accelerations(model_, row).value_or(0);
    if (level <= Level::kVelocity && order == 2 - static_cast<int>(level)) continue;
    return refuse(
        Kind::kNotAllowedHere, clause.range,
        name + " contains a state, and " +
            (level > Level::kVelocity ? "derivatives above the first"
                                      : "neither it nor its first derivative contains a velocity") +
            ": this law is stated for relations of velocities, or of places whose rates contain velocities",
        level > Level::kVelocity
            ? "`law ideal` keeps it"
            : "take `law ideal`; with one state whose rate contains no velocity Hamilton's principle gives the same");
  }
  return true;
}

bool Elaborator::judge_functional(const lang::ConstraintStatement& statement, const Relation& relation) {
  const bool holds_states =
      std::ranges::any_of(relation.rows, [&](Term row) { return (context_.facts.holds(row) & kHoldsStates) != 0; });
  if (!holds_states) return true;
  const std::string name = "`" + statement.name.text + "`";
  for (const lang::Clause& clause : statement.clauses) {
    const auto* law = std::get_if<lang::LawClause>(&clause.what);
    const reaction_laws::Kind* kind = law == nullptr ? nullptr : context_.options.laws->find(law->law.text);
    const bool is_other = kind != nullptr && !kind->is_ideal && !kind->keeps_states;
    if (!is_other && !std::holds_alternative<lang::ViaClause>(clause.what)) continue;
    return refuse(Kind::kNotAllowedHere, clause.range,
                  state_not_kept(statement.name.text, is_other ? "`law " + law->law.text + "`" : "`via`"),
                  reaction_laws::kHintOfStates);
  }
  for (std::size_t row = 0; row < relation.rows.size(); ++row) {
    visited_states_.clear();
    if (const auto state = state_without_rate(relation.rows[row]))
      return refuse(Kind::kNotAllowedHere, relation.row_ranges[row],
                    name + " contains the state `" + *state + "`, whose rate depends on reactions");
    if ((context_.facts.holds(relation.rows[row]) & kHoldsStates) == 0) continue;
    if (!model::order_of_accelerations(model_, relation.rows[row]))
      return refuse(
          Kind::kNotAllowedHere, relation.row_ranges[row],
          "no force can keep " + name + ": accelerations do not enter it, nor its derivatives up to the fourth");
    if (!has_rates_of_inputs(relation.rows[row], relation.row_ranges[row], name)) return false;
  }
  for (const lang::Clause& clause : statement.clauses) {
    const auto* law = std::get_if<lang::LawClause>(&clause.what);
    const reaction_laws::Kind* kind = law == nullptr ? nullptr : context_.options.laws->find(law->law.text);
    if (kind != nullptr && !kind->is_ideal && !may_vary_states(relation, clause, name)) return false;
  }
  return true;
}

void Elaborator::apply(const lang::ConstraintStatement& statement) {
  context_.place = "the relation of a constraint";
  Symbol* symbol = context_.symbol_of(statement.name);
  context_.in_relation = true;
  std::optional<Relation> relation_found = relation(statement);
  context_.in_relation = false;
  if (relation_found && !judge_functional(statement, *relation_found)) {
    fail(symbol);
    (void)read_clauses(statement.clauses, statement.name);
    return;
  }
  if (relation_found && statement.sign != lang::ConstraintStatement::Sign::kEqual &&
      !is_gap(statement, *relation_found))
    relation_found.reset();
  const bool is_equation = statement.sign == lang::ConstraintStatement::Sign::kEqual;
  if (relation_found && is_equation) judge(statement, *relation_found);
  if (relation_found) {
    for (std::size_t row = 0; row < relation_found->rows.size(); ++row) {
      const Level level = context_.facts.level(relation_found->rows[row]);
      if (takes(*context_.options.laws, statement, level)) continue;
      context_.reporter.error(Kind::kDerivativeOrder, relation_found->row_ranges[row],
                              std::string(to_string(level)) + "s are for constraints under " +
                                  context_.options.laws->names_of_third() + ", and constraint `" + statement.name.text +
                                  "` is not",
                              "other laws keep constraints of positions, velocities and accelerations");
      fail(symbol);
      (void)read_clauses(statement.clauses, statement.name);
      return;
    }
  }
  if (!relation_found || symbol == nullptr) {
    fail(symbol);
    const Clauses clauses = read_clauses(statement.clauses, statement.name);
    if (!is_equation && clauses.restitution != nullptr)
      (void)restitution(&std::get<lang::RestitutionClause>(clauses.restitution->what));
    return;
  }
  const std::string text = context_.reporter.as_written(relation_found->range);
  model::ConstraintId id;
  if (!relation_found->difference.is_valid()) {
    id = builder_.add_rows(symbol->name, relation_found->rows,
                           model_.has_units ? relation_found->row_dimensions : std::vector<Dimension>(), "",
                           relation_found->range, text);
  } else {
    const std::span<const Term> along =
        relation_found->difference.is_vector() ? std::span<const Term>(relation_found->along) : std::span<const Term>();
    id = builder_.add_constraint(symbol->name, relation_found->difference, along,
                                 context_.stored(relation_found->dimension), relation_found->range, text);
  }
  read_by_rates(id);
  symbol->index = id.value;
  symbol->is_doubtful = relation_found->is_doubtful;
  symbol->state = SymbolState::kReady;  // so that a friction law may refer to the reaction of its own constraint
  Clauses clauses = read_clauses(statement.clauses, statement.name);
  const lang::Clause* branch = clauses.branch;
  const bool is_read = clauses.is_right && !statement.lacks_clauses;
  // Mistakes in other clauses of a unilateral constraint are reported too.
  const bool is_set = (is_read || !is_equation) && set_clauses(id, std::move(clauses), &statement);
  bool is_right = is_read && is_set;
  if (branch != nullptr) is_right = set_branch(id, *branch, *relation_found) && is_right;
  if (!is_right) fail(symbol);
}

bool Elaborator::set_branch(model::ConstraintId id, const lang::Clause& clause, const Relation& relation) {
  const lang::Expression& written = *std::get<lang::BranchClause>(clause.what).condition;
  context_.place = "a `branch` clause";
  const Value condition = check_.evaluate(written);
  if (condition.is_fault()) return false;
  if (!condition.is(ValueKind::kCondition)) {
    check_.wrong_kind(written, condition, "a branch is chosen by a comparison: `branch dot(acc(P), N.x) > 0`");
    return false;
  }
  if (!check_.holds_only(written, condition, kNoThird, "the condition of a branch")) return false;
  const std::string name = "`" + model_.constraint(id).name + "`";
  if (!relation.has_branches)
    return refuse(Kind::kNotAllowedHere, clause.range, name + " is linear in the accelerations: it has no branches",
                  "leave the clause out; among positions `start` chooses");
  if ((context_.facts.holds(condition.term) & kHoldsAccelerations) == 0)
    return refuse(Kind::kNotAllowedHere, written.range,
                  "the condition contains no acceleration, so it cannot choose a branch",
                  "name one, as in `branch dot(acc(P), N.x) > 0`");
  model_.constraints[id.index()].branch = condition.term;
  return true;
}

}  // namespace vinculum::elaborate
