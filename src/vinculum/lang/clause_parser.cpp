#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "vinculum/lang/statement_reader.hpp"

namespace vinculum::lang {
namespace {

using diag::Kind;

class ClauseParser : private StatementReader {
 public:
  ClauseParser(Cursor& cursor, std::vector<Clause>& clauses) : StatementReader(cursor), clauses_(clauses) {}

  // { clause }      clause = law | nonideal | friction | via
  bool run() {
    while (cursor_.peek().kind == TokenKind::kName && find_clause(cursor_.peek().text) != nullptr) clause();
    return lacks_clauses_;
  }

 private:
  void clause() {
    const Token head = cursor_.take();
    const KeywordInfo& info = *find_clause(head.text);
    if (info.support == Support::kLater) {
      cursor_.leave_out(not_supported(head.range, fmt::format("the clause `{}`", head.text), info.meaning));
      return skip_clause();
    }
    if (head.text == "law") return law(head);
    if (head.text == "via") return via(head);
    if (head.text == "friction") return friction(head);
    nonideal(head);
  }

  // nonideal = "nonideal" "on" reference "=" expression [ "from" reference ]
  void nonideal(const Token& head) {
    NonidealClause result;
    cursor_.expect_word("on");
    result.target = name("a point, a particle, a body or a coordinate");
    cursor_.expect("=");
    result.value = expression();
    result.from = optional_name("from", "a point, a particle or a body");
    clauses_.push_back({std::move(result), cursor_.range_from(head)});
  }

  // friction = "friction" "on" reference "mu" "=" expression { "static" expression | "from" reference | "sliding"
  // expression }
  void friction(const Token& head) {
    FrictionClause result;
    cursor_.expect_word("on");
    const std::string_view kind = "a point, a particle or a body";
    result.target = name(kind);
    given("mu", find_clause("friction")->syntax);
    result.mu = expression();
    while (take_option("static", result.static_mu) || take_option("from", result.from, kind) ||
           take_option("sliding", result.sliding)) {
    }
    clauses_.push_back({std::move(result), cursor_.range_from(head)});
  }

  // law = "law" ( "ideal" | "directed" "along" expression { "," expression } | "vakonomic" [ start-mus ]
  //       | "kozlov" "c" "=" expression [ start-mu ] | "adiabatic" "mu" "=" expression { "," expression }
  //       | "gyroscopic" "H" "=" expression | ( "stiff" | "viscous" | "inertial" ) "kappa" "=" expression )
  void law(const Token& head) {
    const bool has_law = std::ranges::any_of(clauses_, [](const Clause& one) {
      return !std::holds_alternative<NonidealClause>(one.what) && !std::holds_alternative<FrictionClause>(one.what) &&
             !std::holds_alternative<ViaClause>(one.what);
    });
    if (has_law) return cursor_.fail(Kind::kUnexpectedToken, head.range, "a constraint has one `law`");
    const Token token = cursor_.peek();
    const KeywordInfo* info = token.kind == TokenKind::kName ? find_law(token.text) : nullptr;
    if (info == nullptr) {
      const std::vector<std::string> laws = words_of(law_table());
      return cursor_.fail_expected("the name of a law",
                                   token.kind == TokenKind::kName ? hint_nearest(token.text, laws) : "");
    }
    cursor_.take();
    Clause result{law_of(token, info->syntax), {}};
    result.range = cursor_.range_from(head);
    clauses_.push_back(std::move(result));
  }

  decltype(Clause::what) law_of(const Token& name, std::string_view syntax) {
    if (name.text == "ideal") return IdealClause{};
    if (name.text == "directed") {
      cursor_.expect_word("along");
      return DirectedClause{expressions()};
    }
    if (name.text == "vakonomic") return vakonomic();
    if (name.text == "kozlov") {
      given("c", syntax);
      KozlovClause result{expression(), {}};
      result.start = start_of_mu();
      return result;
    }
    if (name.text == "adiabatic") {
      given("mu", syntax);
      return AdiabaticClause{expressions()};
    }
    if (name.text == "gyroscopic") {
      given("H", syntax);
      return GyroscopicClause{expression()};
    }
    given("kappa", syntax);
    return RealisedClause{{std::string(name.text), name.range}, expression()};
  }

  // What a law needs beside its name: its letter and `=`.
  void given(std::string_view letter, std::string_view syntax) {
    if (!cursor_.is_at_word(letter))
      cursor_.fail_expected(fmt::format("`{}`", letter), fmt::format("write `{}`", syntax));
    cursor_.take();
    cursor_.expect("=");
  }

  // start-mus = "start" start-of-mu { "," start-of-mu }      start-of-mu = "mu" [ primes ] "=" expression { ","
  // expression }
  VakonomicClause vakonomic() {
    VakonomicClause result;
    if (!cursor_.take_if_word("start")) return result;
    int before = -1;
    do {
      const Token head = cursor_.peek();
      if (!is_at_start_of_mu()) cursor_.fail_expected("`mu`", "write `start mu = EXPR, ..., mu' = EXPR, ...`");
      cursor_.take();
      const int order = cursor_.peek().kind == TokenKind::kPrimes ? static_cast<int>(cursor_.take().text.size()) : 0;
      if (order <= before) {
        cursor_.fail(Kind::kUnexpectedToken, cursor_.range_from(head),
                     "`mu` and its derivatives are given in ascending order, each once");
      }
      before = order;
      cursor_.expect("=");
      std::vector<ExpressionPtr> values;
      do {
        values.push_back(expression());
      } while (!(cursor_.is_at(",") && is_at_start_of_mu(1)) && cursor_.take_if(","));
      if (order == 0)
        result.start = std::move(values);
      else
        result.start_of_rates.push_back({order, std::move(values)});
    } while (cursor_.take_if(","));
    return result;
  }

  // Of the next derivative of `mu`, not of a parameter of this name.
  bool is_at_start_of_mu(std::size_t ahead = 0) const {
    if (!cursor_.peek(ahead).is_name("mu")) return false;
    return cursor_.peek(ahead + 1).kind == TokenKind::kPrimes || cursor_.peek(ahead + 1).is_symbol("=");
  }

  // start-mu = "start" "mu" "=" expression { "," expression }
  std::vector<ExpressionPtr> start_of_mu() {
    if (!cursor_.take_if_word("start")) return {};
    given("mu", "start mu = EXPR, ...");
    return expressions();
  }

  // via = "via" actuator { "," actuator }
  void via(const Token& head) {
    ViaClause result;
    do {
      result.items.push_back(actuator());
    } while (cursor_.take_if(","));
    clauses_.push_back({std::move(result), cursor_.range_from(head)});
  }

  // actuator = ( "force" | "torque" ) "on" reference { "along" expression | "from" reference | "scale" expression }
  ViaItem actuator() {
    const Token head = cursor_.peek();
    ViaItem result{head.is_name("torque"), {}, std::nullopt, nullptr, nullptr, {}};
    if (!cursor_.take_if_word("force") && !cursor_.take_if_word("torque")) {
      cursor_.fail_expected("`force` or `torque`",
                            "an actuator acts along one direction: `via force on P along N.x, force on P along N.y`");
    }
    cursor_.expect_word("on");
    const std::string_view kind = result.is_torque ? "a body" : "a point or a particle";
    result.target = name(kind);
    while (take_option("along", result.along) || take_option("from", result.from, kind) ||
           take_option("scale", result.scale)) {
    }
    if (result.along == nullptr) cursor_.expect_word("along");
    result.range = cursor_.range_from(head);
    return result;
  }

  // To the next line that begins with a clause.
  void skip_clause() {
    lacks_clauses_ = true;
    while (!cursor_.is_at_end() && !(cursor_.peek().is_first_on_line && find_clause(cursor_.peek().text) != nullptr)) {
      cursor_.take();
    }
  }

  std::vector<Clause>& clauses_;
  bool lacks_clauses_ = false;
};

}  // namespace

bool parse_clauses(Cursor& cursor, std::vector<Clause>& clauses) { return ClauseParser(cursor, clauses).run(); }

}  // namespace vinculum::lang
