#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "vinculum/lang/statement_reader.hpp"

namespace vinculum::lang {
namespace {

using diag::Kind;

class ConstraintParser : private StatementReader {
 public:
  explicit ConstraintParser(Cursor& cursor) : StatementReader(cursor) {}

  // constraint = "constraint" NAME ":" expression "=" expression [ "along" expression { "," expression } ] { clause }
  StatementNode run() {
    ConstraintStatement result;
    result.name = name("the name of the constraint");
    cursor_.expect(":", "a constraint has a name: `constraint c: … = …`");
    result.left = expression();
    expect_equals(*result.left);
    result.right = expression();
    if (cursor_.take_if_word("along")) result.along = expressions();
    while (cursor_.peek().kind == TokenKind::kName && find_clause(cursor_.peek().text) != nullptr) clause(result);
    cursor_.expect_end({"along", "law", "nonideal"});
    return result;
  }

 private:
  // clause = "law" "ideal" | "nonideal" "on" NAME "=" expression [ "from" NAME ]
  void clause(ConstraintStatement& constraint) {
    const Token head = cursor_.take();
    const KeywordInfo& info = *find_clause(head.text);
    if (info.support == Support::kLater) {
      cursor_.leave_out(not_supported(head.range, fmt::format("the clause `{}`", head.text), info.meaning));
      return skip_clause(constraint);
    }
    if (head.text == "law") return law(head, constraint);
    NonidealClause result;
    cursor_.expect_word("on");
    result.target = name("a point, a particle or a coordinate");
    cursor_.expect("=");
    result.value = expression();
    result.from = optional_name("from", "a point or a particle");
    constraint.clauses.push_back({std::move(result), cursor_.range_from(head)});
  }

  void law(const Token& head, ConstraintStatement& constraint) {
    const bool has_law = std::ranges::any_of(
        constraint.clauses, [](const Clause& one) { return std::holds_alternative<IdealClause>(one.what); });
    if (has_law) return cursor_.fail(Kind::kUnexpectedToken, head.range, "a constraint has one `law`");
    const Token token = cursor_.peek();
    const KeywordInfo* info = token.kind == TokenKind::kName ? find_law(token.text) : nullptr;
    if (info == nullptr) {
      const std::vector<std::string> laws = words_of(law_table());
      return cursor_.fail_expected("the name of a law",
                                   token.kind == TokenKind::kName ? hint_nearest(token.text, laws) : "");
    }
    cursor_.take();
    if (info->support == Support::kLater) {
      cursor_.leave_out(not_supported(cursor_.range_from(head), fmt::format("`law {}`", token.text), info->meaning));
      return skip_clause(constraint);
    }
    constraint.clauses.push_back({IdealClause{}, cursor_.range_from(head)});
  }

  // To the next line that begins with a clause.
  void skip_clause(ConstraintStatement& constraint) {
    constraint.lacks_clauses = true;
    while (!cursor_.is_at_end() && !(cursor_.peek().is_first_on_line && find_clause(cursor_.peek().text) != nullptr)) {
      cursor_.take();
    }
  }
};

}  // namespace

StatementNode parse_constraint(Cursor& cursor) { return ConstraintParser(cursor).run(); }

}  // namespace vinculum::lang
