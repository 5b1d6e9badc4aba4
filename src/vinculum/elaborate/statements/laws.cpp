#include "vinculum/base/contract.hpp"
#include "vinculum/elaborate/check/law_rows.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/reaction_laws/law_table.hpp"

// Reads the clause of a reaction law, after the rows of its constraint exist. The law itself interprets the arguments
// (reaction_laws/).
namespace vinculum::elaborate {

using diag::Kind;
using model::Term;
using reaction_laws::MayHold;

namespace {

std::uint8_t held_by(MayHold may) {
  constexpr std::uint8_t kPlace = kHoldsTime | kHoldsCoordinates;
  return may == MayHold::kPlace ? kPlace : kPlace | kHoldsRates | kHoldsStates;
}

}  // namespace

class Elaborator::LawReader final : public reaction_laws::Reader {
 public:
  LawReader(Elaborator& of, model::ConstraintId id, const lang::LawClause& clause, diag::SourceRange range,
            const lang::ConstraintStatement* relation)
      : of_(of), id_(id), clause_(clause), range_(range), relation_(relation) {}

  model::ModelBuilder& builder() override { return of_.builder_; }
  model::ConstraintId id() const override { return id_; }
  const lang::LawClause& clause() const override { return clause_; }
  diag::SourceRange range() const override { return range_; }
  void report(diag::Diagnostic diagnostic) override { of_.context_.reporter.report(std::move(diagnostic)); }

  bool has_rows(const model::LawRows& wanted) override {
    std::optional<LawRowProblem> problem = law_row_problem(model(), constraint(), wanted, clause_.law.text);
    if (!problem) return true;
    diag::Diagnostic& diagnostic = problem->diagnostic;
    diagnostic.range = range_;
    if (const lang::Expression* at_fault = problem->is_free_term ? free_summand() : nullptr) {
      diagnostic.message = "`law " + clause_.law.text + "` needs rows homogeneous in the velocities: " +
                           of_.context_.reporter.quoted(at_fault->range) + " is free of them";
      diagnostic.labels.push_back({at_fault->range, "no velocity here"});
    }
    report(std::move(diagnostic));
    return false;
  }

  std::optional<Term> scalar(const lang::LawArgument& argument, const Dimension& dimension, std::string_view what,
                             MayHold may) override {
    return one(*argument.values.front(), dimension, what, may);
  }

  std::optional<double> constant(const lang::LawArgument& argument, Term value, std::string_view what) override {
    Value scalar;
    scalar.kind = ValueKind::kScalar;
    scalar.term = value;
    return of_.constant(*argument.values.front(), scalar, what);
  }

  std::optional<std::vector<Term>> of_rows(const lang::LawArgument& argument, std::span<const Dimension> dimensions,
                                           std::string_view what, MayHold may) override {
    const std::size_t rows = constraint().rows.size(), count = argument.values.size();
    if (count != rows) {
      error(Kind::kWrongArgumentCount, range_, wrong_count_of_rows(argument.word, constraint().name, rows, count));
      return std::nullopt;
    }
    std::vector<Term> terms;
    bool is_right = true;
    for (std::size_t row = 0; row < rows; ++row) {
      const auto term = one(*argument.values[row], dimensions[row], what, may);
      is_right = term.has_value() && is_right;
      terms.push_back(term.value_or(Term{}));
    }
    return is_right ? std::optional(std::move(terms)) : std::nullopt;
  }

  std::optional<std::vector<std::vector<Term>>> matrix_of_coordinates(const lang::LawArgument& argument,
                                                                      const std::string& what) override {
    const lang::Expression& written = *argument.values.front();
    const Value value = of_.check_.evaluate(written);
    if (value.is_fault()) return std::nullopt;
    const auto& coordinates = model().coordinates;
    const std::size_t n = coordinates.size();
    if (!value.is(ValueKind::kMatrix)) {
      (void)of_.check_.wrong_kind(written, value, what + " is a matrix");
      return std::nullopt;
    }
    if (static_cast<std::size_t>(value.rows) != n || static_cast<std::size_t>(value.columns) != n) {
      error(Kind::kWrongArgumentCount, written.range,
            what + " has a row and a column for each of the " + std::to_string(n) + " coordinates, found " +
                std::to_string(value.rows) + " by " + std::to_string(value.columns));
      return std::nullopt;
    }
    if (!of_.check_.holds_only(written, value, held_by(MayHold::kMotion), what)) return std::nullopt;
    std::vector<std::vector<Term>> terms(n);
    for (std::size_t i = 0; i < n * n; ++i) {
      const Entry& entry = value.entries[i];
      const Dimension wanted = make_dimension(1, 2, -1) / (coordinates[i / n].dimension * coordinates[i % n].dimension);
      if (model().has_units && !entry.fits_any && !(entry.dimension == wanted)) {
        error(Kind::kDimensionMismatch, written.range,
              "entry " + std::to_string(i / n + 1) + ", " + std::to_string(i % n + 1) + " of " + what +
                  " differs in dimension: " + vinculum::describe(entry.dimension) + " instead of " +
                  vinculum::describe(wanted),
              "H_ij*q_j' is a generalized force on q_i");
        return std::nullopt;
      }
      terms[i / n].push_back(entry.term);
    }
    return terms;
  }

  std::optional<std::vector<reaction_laws::Direction>> directions(const lang::LawArgument& argument) override {
    std::vector<reaction_laws::Direction> all;
    bool is_right = true;
    of_.context_.place = "a direction of a reaction";
    for (const auto& expression : argument.values) {
      const Value value = of_.direction(*expression);
      is_right = !value.is_fault() && is_right;
      all.push_back({value.term, value.dimension, expression->range});
    }
    return is_right ? std::optional(std::move(all)) : std::nullopt;
  }

 private:
  std::optional<Term> one(const lang::Expression& written, const Dimension& dimension, std::string_view what,
                          MayHold may) {
    const Value value = of_.check_.measured(written, {1.0, dimension}, what);
    const bool is_right = of_.check_.holds_only(written, value, held_by(may), what) && !value.is_fault();
    return is_right ? std::optional(value.term) : std::nullopt;
  }

  /// The first summand that contains no velocities, or null.   \pre the whole sum has been evaluated
  const lang::Expression* summand_without_rates(const lang::Expression& sum) {
    if (const auto* sign = std::get_if<lang::Unary>(&sum.node)) return summand_without_rates(*sign->operand);
    const auto* binary = std::get_if<lang::Binary>(&sum.node);
    if (binary != nullptr &&
        (binary->op == lang::BinaryOperator::kAdd || binary->op == lang::BinaryOperator::kSubtract)) {
      const lang::Expression* left = summand_without_rates(*binary->left);
      return left != nullptr ? left : summand_without_rates(*binary->right);
    }
    const Value value = of_.check_.evaluate(sum);
    const bool is_there = value.is_quantity() && !value.term.is_zero();
    return is_there && (of_.context_.facts.holds(value.term) & kHoldsRates) == 0 ? &sum : nullptr;
  }

  /// The first summand of the relation that contains no velocities, or null.
  const lang::Expression* free_summand() {
    if (relation_ == nullptr) return nullptr;
    const lang::Expression* left = summand_without_rates(*relation_->left);
    return left != nullptr ? left : summand_without_rates(*relation_->right);
  }

  Elaborator& of_;
  model::ConstraintId id_;
  const lang::LawClause& clause_;
  diag::SourceRange range_;
  const lang::ConstraintStatement* relation_;
};

bool Elaborator::set_law(model::ConstraintId id, const lang::Clause& clause,
                         const lang::ConstraintStatement* relation) {
  context_.place = "a law of reaction";
  const auto& written = std::get<lang::LawClause>(clause.what);
  const reaction_laws::Kind* kind = context_.options.laws->find(written.law.text);
  VINCULUM_EXPECTS(kind != nullptr);  // the parser has read the clause with the same table
  LawReader reader(*this, id, written, clause.range, relation);
  return kind->read(reader);
}

}  // namespace vinculum::elaborate
