#include "vinculum/lang/statement_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "vinculum/lang/expression_format.hpp"
#include "vinculum/lang/statement_reader.hpp"

namespace vinculum::lang {
namespace {

using diag::Kind;

class StatementParser : private StatementReader {
 public:
  explicit StatementParser(Cursor& cursor) : StatementReader(cursor) {}

  // statement = model | source | param | coord | speed | let | frame | point | particle | force | gravity | spring
  //           | potential | generalized-force | constraint | output | start | run | expect | body | torque | joint |
  //           reveal | lagrangian | state | conserve
  std::optional<StatementNode> run() {
    const Token head = cursor_.take();
    struct Row {
      std::string_view keyword;
      StatementNode (StatementParser::*parse)();
    };
    constexpr Row kRows[] = {
        {"model", &StatementParser::model},
        {"source", &StatementParser::source},
        {"param", &StatementParser::param},
        {"coord", &StatementParser::coord},
        {"speed", &StatementParser::speed},
        {"let", &StatementParser::let},
        {"frame", &StatementParser::frame},
        {"point", &StatementParser::point},
        {"particle", &StatementParser::particle},
        {"force", &StatementParser::force},
        {"gravity", &StatementParser::gravity},
        {"spring", &StatementParser::spring},
        {"potential", &StatementParser::potential},
        {"generalized", &StatementParser::generalized_force},
        {"constraint", &StatementParser::constraint},
        {"output", &StatementParser::output},
        {"start", &StatementParser::start},
        {"run", &StatementParser::run_statement},
        {"expect", &StatementParser::expect},
        {"body", &StatementParser::body},
        {"torque", &StatementParser::torque},
        {"joint", &StatementParser::joint},
        {"reveal", &StatementParser::reveal},
        {"include", &StatementParser::include},
        {"use", &StatementParser::use},
        {"lagrangian", &StatementParser::lagrangian},
        {"state", &StatementParser::state},
        {"conserve", &StatementParser::conserve},
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
  StatementNode frame() { return parse_frame(cursor_); }
  StatementNode constraint() { return parse_constraint(cursor_); }
  StatementNode joint() { return parse_joint(cursor_); }
  StatementNode reveal() { return parse_reveal(cursor_); }
  StatementNode expect() { return parse_expect(cursor_); }

  static bool is_same(const Name& a, const Name& b) { return format_with_breaks(a) == format_with_breaks(b); }

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
                          "a clause stands under its `constraint` or `joint`, indented");
    }
    if (head.text == "else") {
      return cursor_.fail(Kind::kMisplacedStatement, head.range, "this `else` follows no `if`",
                          "it stands behind the `}` of its `if`");
    }
    std::string hint = hint_nearest(head.text, words_of(statement_table()));
    if (hint.empty() && cursor_.is_at("=")) {
      hint = fmt::format("a name is given by `let {} = …`, a constant by `param {} = …`", head.text, head.text);
    }
    cursor_.fail(Kind::kUnknownStatement, head.range, fmt::format("no statement begins with {}", describe(head)), hint);
  }

  // model = "model" NAME [ STRING ]
  StatementNode model() {
    ModelStatement result{word("the name of the model"), std::nullopt};
    if (cursor_.peek().kind == TokenKind::kString) result.title = std::string(cursor_.take().text);
    if (cursor_.peek().kind == TokenKind::kName) cursor_.fail_expected("the title in quotes");
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

  // param = "param" family "=" expression [ unit ] { "," family "=" expression [ unit ] }
  StatementNode param() {
    ParamStatement result;
    do {
      ParamItem item;
      item.name = family("the name of a parameter");
      cursor_.expect("=");
      item.value = expression(ExpressionEnd::kUnit);
      item.unit = parse_unit_at(cursor_);
      result.items.push_back(std::move(item));
    } while (cursor_.take_if(","));
    cursor_.expect_end();
    return result;
  }

  // coord = "coord" group { "," group }      group = family { "," family } [ unit ]
  StatementNode coord() {
    CoordStatement result;
    CoordGroup group;
    do {
      const bool has_indices = cursor_.peek(1).is_symbol("[") && is_at_declared_indices(cursor_, 1);
      group.names.push_back(has_indices ? family("the name of a coordinate") : word("the name of a coordinate"));
      if (!cursor_.is_at("[")) continue;
      group.unit = parse_unit_at(cursor_);
      result.groups.push_back(std::exchange(group, {}));
    } while (cursor_.take_if(","));
    if (!group.names.empty()) result.groups.push_back(std::move(group));
    if (cursor_.peek().kind == TokenKind::kName) {
      cursor_.fail_expected("`,`, a unit or the end of the statement", "coordinates are separated by commas");
    }
    cursor_.expect_end();
    return result;
  }

  // speed = "speed" declared "=" expression [ unit ] { "," declared "=" expression [ unit ] }
  StatementNode speed() {
    SpeedStatement result;
    do {
      SpeedItem item;
      item.name = declared("the name of a speed");
      cursor_.expect("=");
      item.definition = expression(ExpressionEnd::kUnit);
      item.unit = parse_unit_at(cursor_);
      result.items.push_back(std::move(item));
    } while (cursor_.take_if(","));
    cursor_.expect_end();
    return result;
  }

  // let = "let" declared "=" expression
  StatementNode let() {
    LetStatement result{declared("a name"), nullptr};
    cursor_.expect("=");
    result.value = expression();
    if (cursor_.is_at(",")) cursor_.fail_expected("the end of the statement", "one `let` a line");
    cursor_.expect_end();
    return result;
  }

  // point = "point" declared ( "fixed" "in" reference | [ "on" reference ] "=" expression )
  StatementNode point() {
    PointStatement result{declared("the name of a point"), PointFixed{}};
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

  // particle = "particle" declared "mass" expression "at" expression
  StatementNode particle() {
    ParticleStatement result;
    result.name = declared("the name of a particle");
    cursor_.expect_word("mass");
    result.mass = expression();
    cursor_.expect_word("at");
    result.position = expression();
    cursor_.expect_end();
    return result;
  }

  // force = "force" "on" reference "=" expression [ "from" reference ]
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

  // torque = "torque" "on" reference "=" expression [ "from" reference ]
  StatementNode torque() {
    TorqueStatement result;
    cursor_.expect_word("on");
    result.body = name("a body");
    cursor_.expect("=");
    result.torque = expression();
    result.from = optional_name("from", "a body");
    cursor_.expect_end({"from"});
    return result;
  }

  // body = "body" declared "frame" reference "mass" expression "inertia" "(" expression { "," expression } ")" [ unit ]
  //        ( "at" expression [ "about" reference ] | "about" reference "at" expression )
  StatementNode body() {
    BodyStatement result;
    result.name = declared("the name of a body");
    cursor_.expect_word("frame");
    result.frame = name("the frame that is fixed in the body");
    cursor_.expect_word("mass");
    result.mass = expression();
    cursor_.expect_word("inertia");
    const Token open = cursor_.peek();
    cursor_.expect("(", "three moments and perhaps three products: `inertia (Ixx, Iyy, Izz, Ixy, Iyz, Izx)`");
    result.inertia = expressions();
    cursor_.expect_closing(open, ")");
    if (!cursor_.is_faulty() && result.inertia.size() != 3 && result.inertia.size() != 6) {
      cursor_.fail(Kind::kWrongArgumentCount, cursor_.range_from(open),
                   fmt::format("`inertia` takes 3 or 6 values, {} given", result.inertia.size()),
                   "Ixx, Iyy, Izz and, where they are not 0, Ixy, Iyz, Izx");
    }
    result.inertia_unit = parse_unit_at(cursor_);
    take_option("about", result.about, "the point that the inertia is about");
    cursor_.expect_word("at");
    result.position = expression();
    take_option("about", result.about, "the point that the inertia is about");
    cursor_.expect_end({"about"});
    return result;
  }

  // gravity = "gravity" expression
  StatementNode gravity() {
    GravityStatement result{expression()};
    cursor_.expect_end();
    return result;
  }

  // spring = "spring" reference reference { ("stiffness" | "length" | "damping") expression }
  StatementNode spring() {
    SpringStatement result;
    result.first = name("a point or a particle");
    // A point may be called `length`: then the word stands twice, or another option follows it.
    const auto is_option = [&](std::size_t ahead) {
      const Token& token = cursor_.peek(ahead);
      return token.is_name("stiffness") || token.is_name("length") || token.is_name("damping");
    };
    if (is_option(0) && !is_option(1)) {
      cursor_.fail_expected("a second point or particle",
                            "a spring acts between two points: `spring P Q stiffness k length l`");
    }
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

  // potential = "potential" expression
  StatementNode potential() {
    PotentialStatement result{expression()};
    cursor_.expect_end();
    return result;
  }

  // lagrangian = "lagrangian" expression
  StatementNode lagrangian() {
    LagrangianStatement result{expression()};
    cursor_.expect_end();
    return result;
  }

  // state = "state" declared "'" "=" expression [ "start" declared "=" expression ]
  StatementNode state() {
    StateStatement result{declared("the name of a state"), nullptr, nullptr};
    if (cursor_.peek().kind != TokenKind::kPrimes) {
      cursor_.fail_expected("a prime behind the name of the state",
                            fmt::format("write `state {}' = …`, its rate", result.name.text));
    }
    if (cursor_.peek().text.size() > 1) {
      cursor_.fail(Kind::kUnexpectedToken, cursor_.peek().range, "a state is given by its first derivative",
                   "for a second derivative take two states: `state z' = w`, `state w' = …`");
    }
    cursor_.take();
    cursor_.expect("=");
    result.rate = expression();
    if (cursor_.take_if_word("start")) {
      const Name started = declared("the name of the state");
      if (!cursor_.is_faulty() && !is_same(started, result.name)) {
        cursor_.fail(Kind::kUnexpectedToken, started.range,
                     fmt::format("expected `{}`, the state of this line", result.name.text),
                     "the start of another variable is a statement of its own");
      }
      cursor_.expect("=");
      result.start = expression();
    }
    cursor_.expect_end({"start"});
    return result;
  }

  // generalized-force = "generalized" "force" "on" reference "=" expression
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

  // output = "output" declared "=" expression [ "in" reference ]
  StatementNode output() {
    OutputStatement result;
    if (cursor_.peek(1).is_symbol("[") && cursor_.peek(1).has_space_before &&
        cursor_.peek(2).kind == TokenKind::kName && cursor_.peek(3).is_symbol("]")) {
      cursor_.take();
      cursor_.fail_expected("`=`", "an output has no unit bracket: its unit is that of its value");
    }
    result.name = declared("the name of an output");
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

  // conserve = "conserve" expression { "," expression }
  StatementNode conserve() {
    ConserveStatement result{expressions()};
    cursor_.expect_end();
    return result;
  }

  // include = "include" STRING
  StatementNode include() {
    const Token file = cursor_.peek();
    if (file.kind != TokenKind::kString) cursor_.fail_expected("the name of a file in quotes", "write include \"…\"");
    cursor_.take();
    cursor_.expect_end();
    return IncludeStatement{std::string(file.text), file.range};
  }

  // use = "use" NAME "(" [ expression { "," expression } ] ")" "as" declared
  StatementNode use() {
    UseStatement result{word("the name of a component"), {}, {}};
    const Token open = cursor_.peek();
    cursor_.expect("(", "a component is used with its arguments, perhaps none: `use leg(1) as left`");
    if (!cursor_.is_at(")")) result.arguments = expressions();
    cursor_.expect_closing(open, ")");
    cursor_.expect_word("as");
    result.as = declared("a name for this use of the component");
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
};

}  // namespace

std::optional<StatementNode> parse_statement(std::span<const Token> tokens, diag::Sink& sink) {
  Cursor cursor(tokens, sink);
  return StatementParser(cursor).run();
}

}  // namespace vinculum::lang
