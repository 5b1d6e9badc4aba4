#include "vinculum/lang/statement_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "vinculum/lang/cursor.hpp"
#include "vinculum/lang/expression_parser.hpp"
#include "vinculum/lang/keywords.hpp"

namespace vinculum::lang {
namespace {

using diag::Diagnostic;
using diag::Kind;

std::vector<std::string> words_of(std::span<const KeywordInfo> table) {
  std::vector<std::string> result;
  for (const KeywordInfo& row : table) result.emplace_back(row.word);
  return result;
}

Diagnostic not_supported(SourceRange range, std::string_view what, std::string_view meaning) {
  Diagnostic diagnostic;
  diagnostic.kind = Kind::kNotSupported;
  diagnostic.range = range;
  diagnostic.message = fmt::format("{} is not supported by this version", what);
  diagnostic.label = std::string(meaning);
  return diagnostic;
}

// body or space, then three of the digits 1 to 3 of which no neighbours are equal: 24 sequences.
bool is_sequence(std::string_view name) {
  const std::size_t letters = name.starts_with("body") ? 4 : name.starts_with("space") ? 5 : 0;
  if (letters == 0 || name.size() != letters + 3) return false;
  const std::string_view axes = name.substr(letters);
  return std::ranges::all_of(axes, [](char c) { return '1' <= c && c <= '3'; }) && axes[0] != axes[1] &&
         axes[1] != axes[2];
}

class StatementParser {
 public:
  StatementParser(std::span<const Token> tokens, diag::Sink& sink) : cursor_(tokens, sink) {}

  // statement = model | source | param | coord | speed | let | frame | point | particle | force | gravity | spring
  //           | potential | generalized-force | constraint | output | start | run | expect
  std::optional<StatementNode> run() {
    const Token head = cursor_.take();
    struct Row {
      std::string_view keyword;
      StatementNode (StatementParser::*parse)();
    };
    constexpr Row kRows[] = {
        {"model", &StatementParser::model},           {"source", &StatementParser::source},
        {"param", &StatementParser::param},           {"coord", &StatementParser::coord},
        {"speed", &StatementParser::speed},           {"let", &StatementParser::let},
        {"frame", &StatementParser::frame},           {"point", &StatementParser::point},
        {"particle", &StatementParser::particle},     {"force", &StatementParser::force},
        {"gravity", &StatementParser::gravity},       {"spring", &StatementParser::spring},
        {"potential", &StatementParser::potential},   {"generalized", &StatementParser::generalized_force},
        {"constraint", &StatementParser::constraint}, {"output", &StatementParser::output},
        {"start", &StatementParser::start},           {"run", &StatementParser::run_statement},
        {"expect", &StatementParser::expect},
    };
    const auto* row =
        head.kind == TokenKind::kName ? std::ranges::find(kRows, head.text, &Row::keyword) : std::end(kRows);
    if (row == std::end(kRows)) {
      fail_at_head(head);
      return std::nullopt;
    }
    StatementNode node = (this->*row->parse)();
    if (cursor_.is_faulty()) return std::nullopt;
    return node;
  }

 private:
  void fail_at_head(const Token& head) {
    if (head.kind == TokenKind::kFault) return;
    if (head.is_symbol(")") || head.is_symbol("]") || head.is_symbol("}")) {
      return cursor_.fail(Kind::kUnclosedBracket, head.range, fmt::format("`{}` closes no bracket", head.text),
                          "remove it");
    }
    if (head.kind != TokenKind::kName) {
      return cursor_.fail(Kind::kUnknownStatement, head.range,
                          fmt::format("a statement begins with a keyword, found {}", describe(head)),
                          "indent a line that continues the one before");
    }
    if (const KeywordInfo* info = find_statement(head.text)) {
      return cursor_.fail(not_supported(head.range, fmt::format("`{}`", head.text), info->meaning));
    }
    if (find_clause(head.text) != nullptr) {
      return cursor_.fail(Kind::kMisplacedStatement, head.range,
                          fmt::format("the clause `{}` has no constraint", head.text),
                          "a clause stands under its `constraint`, indented");
    }
    std::string hint = hint_nearest(head.text, words_of(statement_table()));
    if (hint.empty() && cursor_.is_at("=")) {
      hint = fmt::format("a name is given by `let {} = …`, a constant by `param {} = …`", head.text, head.text);
    }
    cursor_.fail(Kind::kUnknownStatement, head.range, fmt::format("no statement begins with {}", describe(head)), hint);
  }

  // NAME; indexed names and members of components are parts of the language that are still to come.
  Name name(std::string_view what) {
    const Token token = cursor_.peek();
    if (token.kind != TokenKind::kName) {
      cursor_.fail_expected(what);
      return {};
    }
    cursor_.take();
    if (cursor_.is_at("[")) {
      cursor_.fail(not_supported(cursor_.peek().range, "an indexed name", ""));
    } else if (cursor_.is_at(".")) {
      cursor_.fail(not_supported(cursor_.peek().range, "a name inside a component", ""));
    }
    return {std::string(token.text), token.range};
  }

  ExpressionPtr expression(ExpressionEnd end = ExpressionEnd::kPlain) { return parse_expression_at(cursor_, end); }

  std::vector<ExpressionPtr> expressions() {
    std::vector<ExpressionPtr> result;
    do {
      result.push_back(expression());
    } while (cursor_.take_if(","));
    return result;
  }

  std::optional<Name> optional_name(std::string_view word, std::string_view what) {
    if (!cursor_.take_if_word(word)) return std::nullopt;
    return name(what);
  }

  // model = "model" NAME [ STRING ]
  StatementNode model() {
    ModelStatement result{name("the name of the model"), std::nullopt};
    if (cursor_.peek().kind == TokenKind::kString) result.title = std::string(cursor_.take().text);
    cursor_.expect_end();
    return result;
  }

  // source = "source" STRING
  StatementNode source() {
    SourceStatement result;
    if (cursor_.peek().kind != TokenKind::kString) cursor_.fail_expected("a string", "write source \"…\"");
    result.text = std::string(cursor_.take().text);
    cursor_.expect_end();
    return result;
  }

  // param = "param" NAME "=" expression [ unit ] { "," NAME "=" expression [ unit ] }
  StatementNode param() {
    ParamStatement result;
    do {
      ParamItem item;
      item.name = name("the name of a parameter");
      cursor_.expect("=");
      item.value = expression(ExpressionEnd::kUnit);
      item.unit = parse_unit_at(cursor_);
      result.items.push_back(std::move(item));
    } while (cursor_.take_if(","));
    cursor_.expect_end();
    return result;
  }

  // coord = "coord" group { "," group }      group = NAME { "," NAME } [ unit ]
  StatementNode coord() {
    CoordStatement result;
    CoordGroup group;
    do {
      const Token token = cursor_.peek();
      if (token.kind != TokenKind::kName) cursor_.fail_expected("the name of a coordinate");
      cursor_.take();
      group.names.push_back({std::string(token.text), token.range});
      if (!cursor_.is_at("[")) continue;
      const Token& inner = cursor_.peek(1);
      const bool is_count = inner.kind == TokenKind::kNumber && inner.text != "1";
      if (is_count || cursor_.peek(2).is_symbol("..")) {
        cursor_.fail(not_supported(cursor_.peek().range, "an indexed name", ""));
      }
      group.unit = parse_unit_at(cursor_);
      result.groups.push_back(std::exchange(group, {}));
    } while (cursor_.take_if(","));
    if (!group.names.empty()) result.groups.push_back(std::move(group));
    cursor_.expect_end();
    return result;
  }

  // speed = "speed" NAME "=" expression [ unit ] { "," NAME "=" expression [ unit ] }
  StatementNode speed() {
    SpeedStatement result;
    do {
      SpeedItem item;
      item.name = name("the name of a speed");
      cursor_.expect("=");
      item.definition = expression(ExpressionEnd::kUnit);
      item.unit = parse_unit_at(cursor_);
      result.items.push_back(std::move(item));
    } while (cursor_.take_if(","));
    cursor_.expect_end();
    return result;
  }

  // let = "let" NAME "=" expression
  StatementNode let() {
    LetStatement result{name("a name"), nullptr};
    cursor_.expect("=");
    result.value = expression();
    if (cursor_.is_at(",")) cursor_.fail_expected("the end of the statement", "one `let` a line");
    cursor_.expect_end();
    return result;
  }

  // frame = "frame" NAME ( "newtonian" | "=" NAME ( "rotated" expression "about" expression
  //                                                | SEQUENCE "(" expression "," expression "," expression ")" ) )
  StatementNode frame() {
    FrameStatement result{name("the name of a frame"), FrameNewtonian{}};
    if (cursor_.take_if_word("newtonian")) {
      cursor_.expect_end();
      return result;
    }
    if (!cursor_.take_if("=")) {
      const std::string words[] = {"newtonian"};
      cursor_.fail_expected("`newtonian` or `=`",
                            cursor_.peek().kind == TokenKind::kName ? hint_nearest(cursor_.peek().text, words) : "");
    }
    Name parent = name("the frame to rotate from");
    if (cursor_.take_if_word("rotated")) {
      FrameRotated rotated{std::move(parent), expression(), nullptr};
      cursor_.expect_word("about");
      rotated.axis = expression();
      result.definition = std::move(rotated);
    } else {
      result.definition = sequence(std::move(parent));
    }
    cursor_.expect_end();
    return result;
  }

  FrameSequence sequence(Name parent) {
    const Token token = cursor_.peek();
    FrameSequence result{std::move(parent), {std::string(token.text), token.range}, {}};
    if (token.is_name("quaternion")) {
      cursor_.fail(not_supported(token.range, "a frame by `quaternion`", ""));
    } else if (token.kind != TokenKind::kName || !is_sequence(token.text)) {
      const bool is_near = token.text.starts_with("body") || token.text.starts_with("space");
      const std::string words[] = {"rotated", "quaternion"};
      cursor_.fail_expected("`rotated` or a sequence of rotations",
                            token.kind == TokenKind::kName && !is_near
                                ? hint_nearest(token.text, words)
                                : "a sequence names three axes, neighbours different: body123, space312, body313 …");
    }
    cursor_.take();
    const Token open = cursor_.peek();
    cursor_.expect("(");
    result.angles = expressions();
    cursor_.expect_closing(open, ")");
    if (!cursor_.is_faulty() && result.angles.size() != 3) {
      cursor_.fail(Kind::kWrongArgumentCount, cursor_.range_from(open),
                   fmt::format("`{}` takes 3 angles, {} given", result.sequence.text, result.angles.size()));
    }
    return result;
  }

  // point = "point" NAME ( "fixed" "in" NAME | [ "on" NAME ] "=" expression )
  StatementNode point() {
    PointStatement result{name("the name of a point"), PointFixed{}};
    if (cursor_.take_if_word("fixed")) {
      cursor_.expect_word("in");
      result.definition = PointFixed{name("a frame")};
    } else {
      PointAt at{optional_name("on", "a body"), nullptr};
      if (!at.on && !cursor_.is_at("=")) cursor_.fail_expected("`fixed in`, `on` or `=`");
      cursor_.expect("=");
      at.position = expression();
      result.definition = std::move(at);
    }
    cursor_.expect_end();
    return result;
  }

  // particle = "particle" NAME "mass" expression "at" expression
  StatementNode particle() {
    ParticleStatement result;
    result.name = name("the name of a particle");
    cursor_.expect_word("mass");
    result.mass = expression();
    cursor_.expect_word("at");
    result.position = expression();
    cursor_.expect_end();
    return result;
  }

  // force = "force" "on" NAME "=" expression [ "from" NAME ]
  StatementNode force() {
    ForceStatement result;
    cursor_.expect_word("on");
    result.point = name("a point or a particle");
    cursor_.expect("=");
    result.force = expression();
    result.from = optional_name("from", "a point or a particle");
    cursor_.expect_end({"from"});
    return result;
  }

  // gravity = "gravity" expression
  StatementNode gravity() {
    GravityStatement result{expression()};
    cursor_.expect_end();
    return result;
  }

  // spring = "spring" NAME NAME { ("stiffness" | "length" | "damping") expression }
  StatementNode spring() {
    SpringStatement result;
    result.first = name("a point or a particle");
    result.second = name("a second point or particle");
    for (;;) {
      if (!take_option("stiffness", result.stiffness) && !take_option("length", result.length) &&
          !take_option("damping", result.damping)) {
        break;
      }
    }
    if (cursor_.is_at_end()) {
      if (result.stiffness == nullptr) cursor_.fail_expected("`stiffness`");
      if (result.length == nullptr)
        cursor_.fail_expected("`length`", "the length at which the spring is at rest, 0 if none");
    }
    cursor_.expect_end({"stiffness", "length", "damping"});
    return result;
  }

  // `word` and its expression, once.
  bool take_option(std::string_view word, ExpressionPtr& value) {
    if (!may_take_option(word, value != nullptr)) return false;
    value = expression();
    return true;
  }
  bool take_option(std::string_view word, std::optional<Name>& value, std::string_view what) {
    if (!may_take_option(word, value.has_value())) return false;
    value = name(what);
    return true;
  }
  bool may_take_option(std::string_view word, bool is_given) {
    if (!cursor_.is_at_word(word)) return false;
    if (is_given) {
      cursor_.fail(Kind::kUnexpectedToken, cursor_.peek().range, fmt::format("`{}` is given twice", word));
      return false;
    }
    cursor_.take();
    return true;
  }

  // potential = "potential" expression
  StatementNode potential() {
    PotentialStatement result{expression()};
    cursor_.expect_end();
    return result;
  }

  // generalized-force = "generalized" "force" "on" NAME "=" expression
  StatementNode generalized_force() {
    GeneralizedForceStatement result;
    cursor_.expect_word("force");
    cursor_.expect_word("on");
    result.coordinate = name("a coordinate");
    cursor_.expect("=");
    result.force = expression();
    cursor_.expect_end();
    return result;
  }

  // constraint = "constraint" NAME ":" expression "=" expression [ "along" expression { "," expression } ] { clause }
  StatementNode constraint() {
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

  // `=` behind `left`, which may have swallowed a `==` that was meant.
  void expect_equals(const Expression& left) {
    const auto* comparison = std::get_if<Binary>(&left.node);
    if (comparison != nullptr && comparison->op == BinaryOperator::kEqual && !cursor_.is_at("=")) {
      cursor_.fail(Kind::kUnexpectedToken, comparison->op_range, "expected `=`, found `==`",
                   "`==` compares; what a statement states is written with `=`");
    }
    cursor_.expect("=");
  }

  // clause = "law" "ideal" | "nonideal" "on" NAME "=" expression [ "from" NAME ]
  void clause(ConstraintStatement& constraint) {
    const Token head = cursor_.take();
    const KeywordInfo& info = *find_clause(head.text);
    if (info.support == Support::kLater) {
      cursor_.complain(not_supported(head.range, fmt::format("the clause `{}`", head.text), info.meaning));
      return skip_clause();
    }
    if (head.text == "law") return law(head, constraint);
    NonidealClause result;
    cursor_.expect_word("on");
    result.target = name("a point, a particle or a coordinate");
    cursor_.expect("=");
    result.value = expression();
    result.from = optional_name("from", "a point or a particle");
    result.range = cursor_.range_from(head);
    constraint.clauses.emplace_back(std::move(result));
  }

  void law(const Token& head, ConstraintStatement& constraint) {
    const bool has_law = std::ranges::any_of(
        constraint.clauses, [](const Clause& one) { return std::holds_alternative<IdealClause>(one); });
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
      cursor_.complain(not_supported(cursor_.range_from(head), fmt::format("`law {}`", token.text), info->meaning));
      return skip_clause();
    }
    constraint.clauses.emplace_back(IdealClause{cursor_.range_from(head)});
  }

  // To the next line that begins with a clause.
  void skip_clause() {
    while (!cursor_.is_at_end() && !(cursor_.peek().is_first_on_line && find_clause(cursor_.peek().text) != nullptr)) {
      cursor_.take();
    }
  }

  // output = "output" NAME "=" expression [ "in" NAME ]
  StatementNode output() {
    OutputStatement result;
    result.name = name("the name of an output");
    cursor_.expect("=");
    result.value = expression();
    result.frame = optional_name("in", "a frame");
    cursor_.expect_end({"in"});
    return result;
  }

  // start = "start" item { "," item }      item = variable ("=" | "~") expression [ unit ]
  StatementNode start() {
    StartStatement result;
    do {
      StartItem item{parse_variable_at(cursor_), StartKind::kHeld, nullptr, std::nullopt};
      if (cursor_.take_if("~")) {
        item.kind = StartKind::kGuess;
      } else if (!cursor_.take_if("=")) {
        cursor_.fail_expected("`=` or `~`", cursor_.is_at("==") ? "`=` holds a value, `~` guesses one" : "");
      }
      item.value = expression(ExpressionEnd::kUnit);
      item.unit = parse_unit_at(cursor_);
      result.items.push_back(std::move(item));
    } while (cursor_.take_if(","));
    cursor_.expect_end();
    return result;
  }

  // run = "run" expression { "step" expression | "tolerance" expression | "method" NAME | "formulation" NAME }
  StatementNode run_statement() {
    RunStatement result;
    for (const std::string_view word : {"step", "tolerance", "method", "formulation"}) {
      if (cursor_.is_at_word(word)) cursor_.fail_expected("how long to run", "write `run 10 [s] …`");
    }
    result.duration = expression();
    for (;;) {
      if (!take_option("step", result.step) && !take_option("tolerance", result.tolerance) &&
          !take_option("method", result.method, "a method") &&
          !take_option("formulation", result.formulation, "explicit, augmented or minimal")) {
        break;
      }
    }
    cursor_.expect_end({"step", "tolerance", "method", "formulation"});
    return result;
  }

  // expect = "expect" "stop" ":" KIND [ "at" expression plus-minus expression ]
  //        | "expect" ( "always" | "at" ( "start" | "end" | expression ) ) ":" claim
  StatementNode expect() {
    if (cursor_.take_if_word("stop")) return ExpectStatement{expect_stop()};
    ExpectValue result{ExpectWhen::kAlways, nullptr, nullptr, nullptr, nullptr};
    if (!cursor_.take_if_word("always")) {
      if (!cursor_.take_if_word("at")) {
        fail_at_expect();
      }
      result.when = ExpectWhen::kAt;
      if (cursor_.is_at_word("start") && cursor_.peek(1).is_symbol(":")) result.when = ExpectWhen::kStart;
      if (cursor_.is_at_word("end") && cursor_.peek(1).is_symbol(":")) result.when = ExpectWhen::kEnd;
      if (result.when == ExpectWhen::kAt) {
        result.time = expression();
      } else {
        cursor_.take();
      }
    }
    cursor_.expect(":");
    claim(result);
    cursor_.expect_end();
    return ExpectStatement{std::move(result)};
  }

  void fail_at_expect() {
    const Token& found = cursor_.peek();
    const std::string words[] = {"at", "always", "stop"};
    std::string hint = found.kind == TokenKind::kName ? hint_nearest(found.text, words) : "";
    if (found.is_name("start") || found.is_name("end")) hint = fmt::format("write `expect at {}: …`", found.text);
    cursor_.fail_expected("`at`, `always` or `stop`", std::move(hint));
  }

  // claim = expression "=" expression plus-minus expression | expression      (the latter compares)
  void claim(ExpectValue& result) {
    result.left = expression(ExpressionEnd::kPlusMinus);
    if (cursor_.take_if("=")) {
      result.right = expression(ExpressionEnd::kPlusMinus);
      expect_plus_minus();
      result.tolerance = expression();
      return;
    }
    if (cursor_.is_at("±") && !cursor_.is_faulty()) {
      const auto* comparison = std::get_if<Binary>(&result.left->node);
      if (comparison != nullptr && comparison->op == BinaryOperator::kEqual) return expect_equals(*result.left);
    }
    if (!claims(*result.left)) cursor_.expect("=", "an expectation is `EXPR = VALUE ± TOL` or a comparison");
  }

  static bool claims(const Expression& expression) {
    if (const auto* binary = std::get_if<Binary>(&expression.node)) {
      return BinaryOperator::kLess <= binary->op && binary->op <= BinaryOperator::kOr;
    }
    const auto* unary = std::get_if<Unary>(&expression.node);
    return unary != nullptr && unary->op == UnaryOperator::kNot;
  }

  // plus-minus = "±" | "+-"
  void expect_plus_minus() {
    if (cursor_.take_if("±")) return;
    if (cursor_.is_at("+") && cursor_.peek(1).is_symbol("-")) {
      cursor_.take();
      cursor_.take();
      return;
    }
    cursor_.fail_expected("`±`", "write the tolerance behind the value: `= 1.5 ± 1e-9`, or `+- 1e-9`");
  }

  ExpectStop expect_stop() {
    ExpectStop result;
    cursor_.expect(":");
    const Token first = cursor_.peek();
    if (first.kind != TokenKind::kName)
      cursor_.fail_expected("the kind of stop", "as in `expect stop: not-unique at 1.5 ± 1e-6`");
    result.kind.text = std::string(cursor_.take().text);
    while (cursor_.is_at("-") && cursor_.peek(1).kind == TokenKind::kName) {
      cursor_.take();
      result.kind.text += '-';
      result.kind.text += cursor_.take().text;
    }
    result.kind.range = cursor_.range_from(first);
    if (cursor_.take_if_word("at")) {
      result.time = expression(ExpressionEnd::kPlusMinus);
      expect_plus_minus();
      result.tolerance = expression();
    }
    cursor_.expect_end({"at"});
    return result;
  }

  Cursor cursor_;
};

}  // namespace

std::optional<StatementNode> parse_statement(std::span<const Token> tokens, diag::Sink& sink) {
  return StatementParser(tokens, sink).run();
}

}  // namespace vinculum::lang
