// Detects common mistakes in statements, and reports what to write instead.
#include "vinculum/lang/usual_mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <variant>

#include "vinculum/base/unit.hpp"
#include "vinculum/lang/foreign_words.hpp"
#include "vinculum/lang/keywords.hpp"
#include "vinculum/lang/syntax_reader.hpp"

namespace vinculum::lang {

using diag::Kind;

namespace {

bool is_opening(const Token& token) { return token.is_symbol("(") || token.is_symbol("[") || token.is_symbol("{"); }
bool is_closing(const Token& token) { return token.is_symbol(")") || token.is_symbol("]") || token.is_symbol("}"); }

bool is_inequality(const Token& token) {
  return token.is_symbol("<") || token.is_symbol("<=") || token.is_symbol(">") || token.is_symbol(">=");
}

/// Properties of a relation, found from its tokens outside brackets.
struct Relation {
  std::size_t size = 0;                   ///< number of tokens up to the first clause or the end
  std::vector<std::size_t> inequalities;  ///< positions from the cursor; `=>` and `=<` count as one sign, at `=`
  bool has_equals = false, has_condition = false;
};

/// Whether a clause, or a word that is meant as a clause, begins at the token `at`: in an expression no word follows an
/// operand, except word operators.
bool begins_clause(const Cursor& cursor, std::size_t at) {
  const Token& token = cursor.peek(at);
  if (at == 0 || token.kind != TokenKind::kName) return false;
  if (token.is_first_on_line && token.is_name("if")) return true;
  const bool is_word = find_clause(token.text) != nullptr;
  if (!is_word && (!token.is_first_on_line || is_connective(token.text))) return false;
  const Token& before = cursor.peek(at - 1);
  const bool ends_operand = before.kind == TokenKind::kName
                                ? !is_word_operator(before.text)
                                : before.kind != TokenKind::kSymbol || is_closing(before) || before.is_symbol("|");
  return (is_word && token.is_first_on_line) || ends_operand;
}

Relation read_ahead(const Cursor& cursor) {
  Relation relation;
  int depth = 0, bars = 0;
  for (std::size_t& at = relation.size; cursor.peek(at).kind != TokenKind::kEnd; ++at) {
    const Token &token = cursor.peek(at), &next = cursor.peek(at + 1);
    if ((depth + bars == 0 || token.is_first_on_line) && begins_clause(cursor, at)) break;
    if (token.is_symbol("|")) bars = 1 - bars;
    depth += is_opening(token) ? 1 : is_closing(token) ? -1 : 0;
    if (depth + bars > 0) continue;
    const bool is_swapped =
        token.is_symbol("=") && (next.is_symbol(">") || next.is_symbol("<")) && !next.has_space_before;
    if (is_swapped || is_inequality(token)) {
      relation.inequalities.push_back(at);
      if (is_swapped) ++at;
      continue;
    }
    relation.has_equals = relation.has_equals || token.is_symbol("=") || token.is_symbol("==");
    relation.has_condition = relation.has_condition || token.is_name("if");
  }
  return relation;
}

/// Whether an operand that follows a word begins at this token. A sign does not count: after a name it is an operator.
bool begins_operand(const Token& token) {
  return token.kind == TokenKind::kNumber || (token.kind == TokenKind::kName && !is_word_operator(token.text)) ||
         token.is_symbol("|") || (token.is_symbol("(") && token.has_space_before);
}

/// The distance from the cursor to the word of `mu = 0.3` or `P mu 0.3` in this line; nothing without such a word.
std::optional<std::size_t> coefficient_ahead(const Cursor& cursor) {
  for (std::size_t at = 0;; ++at) {
    const Token& token = cursor.peek(at);
    if (token.kind == TokenKind::kEnd || (at > 0 && token.is_first_on_line)) return std::nullopt;
    const Token& before = cursor.peek(at == 0 ? 0 : at - 1);
    const bool is_option = before.is_name("on") || before.is_name("static") || before.is_name("viscous");
    const bool follows_name = at > 0 && before.kind == TokenKind::kName && !is_option;
    if (token.is_name("mu") && (cursor.peek(at + 1).is_symbol("=") || follows_name)) return at;
  }
}

}  // namespace

bool is_restitution_law(std::string_view word) {
  return word == "energetic" || word == "newton" || word == "poisson" || word == "moreau";
}

/// The sign of the relation ahead. A comparison outside brackets in a relation without `=` is that sign.
ConstraintStatement::Sign SyntaxReader::sign_of_relation() {
  using Sign = ConstraintStatement::Sign;
  const Relation relation = read_ahead(cursor_);
  if (relation.inequalities.empty() || relation.has_equals) return Sign::kEqual;
  const std::size_t at = relation.inequalities.front();
  const Token& sign = cursor_.peek(at);
  const std::size_t width = sign.is_symbol("=") ? 2 : 1;
  const Token& last = cursor_.peek(at + width - 1);
  const bool is_lower = last.text.starts_with('>');
  const char* const right_sign = is_lower ? ">=" : "<=";
  const SourceRange range = {sign.range.begin, last.range.end};
  if (relation.has_condition) {
    cursor_.fail(Kind::kUnexpectedToken, range, "a comparison in a relation with `>=` or `<=` is written in brackets",
                 "write `GAP >= (A if CONDITION else B)`");
  } else if (relation.inequalities.size() > 1) {
    cursor_.fail(Kind::kUnexpectedToken, range, "a unilateral constraint has one `>=` or `<=`",
                 "state one constraint for each limit: `constraint a: x >= 0`, `constraint b: x <= 1 [m]`");
  } else if (!sign.is_symbol(">=") && !sign.is_symbol("<=")) {
    cursor_.fail(Kind::kUnexpectedToken, range, fmt::format("a unilateral constraint is written with `{}`", right_sign),
                 fmt::format("`{}` permits a gap of 0, at which the constraint acts", right_sign));
  }
  return is_lower ? Sign::kAtLeast : Sign::kAtMost;
}

// Detects `event e: x > 1 [m] stop`.
void SyntaxReader::expect_crossing() {
  const auto ends = [](const Token& token) {
    constexpr std::array<std::string_view, 5> kWords = {"rising", "falling", "stop", "record", "set"};
    return token.kind == TokenKind::kEnd || token.is_symbol("{") ||
           (token.kind == TokenKind::kName && std::ranges::find(kWords, token.text) != kWords.end());
  };
  const Token word = cursor_.peek();
  constexpr std::array<std::string_view, 6> kUsualWords = {"when", "if", "once", "while", "until", "whenever"};
  const bool has_word = word.kind == TokenKind::kName && begins_operand(cursor_.peek(1)) &&
                        std::ranges::find(kUsualWords, word.text) != kUsualWords.end();
  const std::size_t begin = has_word ? 1 : 0;
  std::size_t sign = 0, end = begin;
  bool is_joined = false;
  for (int depth = 0; depth > 0 || !ends(cursor_.peek(end)); ++end) {
    const Token& token = cursor_.peek(end);
    if (token.kind == TokenKind::kEnd) return;
    depth += is_opening(token) ? 1 : is_closing(token) ? -1 : 0;
    if (depth > 0) continue;
    if (sign == 0 && token.is_symbol("=") && has_word) {
      while (cursor_.peek(end).kind != TokenKind::kEnd && !cursor_.peek(end).is_symbol("{")) ++end;
      const bool is_block = cursor_.peek(end).is_symbol("{");
      return cursor_.fail_expected(
          "an expression",
          fmt::format("leave `{}` out: `{}{}`", word.text, cursor_.text_ahead(begin, end), is_block ? " { … }" : ""));
    }
    if (sign == 0 && (token.is_symbol("=") || token.is_name("if"))) return;
    if (sign == 0 && is_inequality(token)) sign = end;
    is_joined = is_joined || token.is_name("and") || token.is_name("or") || token.is_name("not");
  }
  if (sign == 0) return;
  const Token &found = cursor_.peek(sign), &next = cursor_.peek(end);
  const std::string action = next.is_symbol("{")      ? "{ … }"
                             : next.is_name("set")    ? "set …"
                             : next.is_name("record") ? "record"
                                                      : "stop";
  cursor_.fail(Kind::kUnexpectedToken, found.range, fmt::format("expected `=`, found `{}`", found.text),
               is_joined ? "an event happens where one expression passes a value: `x = 1 [m] rising`; a condition can "
                           "end a run: `terminate when CONDITION`"
                         : fmt::format("an event happens where an expression passes a value: `{} = {} {} {}`",
                                       cursor_.text_ahead(begin, sign), cursor_.text_ahead(sign + 1, end),
                                       found.text.starts_with('>') ? "rising" : "falling", action));
}

// Detects `param m [kg] = 1`.
void SyntaxReader::expect_unit_last(std::string_view keyword) {
  const Token &name = cursor_.peek(), &open = cursor_.peek(1);
  if (name.kind != TokenKind::kName || !open.is_symbol("[")) return;
  std::size_t close = 2;
  while (cursor_.peek(close).kind != TokenKind::kEnd && !cursor_.peek(close).is_symbol("]")) ++close;
  const Token& unit = cursor_.peek(2);
  const bool is_unit = unit.kind == TokenKind::kName && find_unit(unit.text) && open.has_space_before;
  if (!is_unit || !cursor_.peek(close + 1).is_symbol("=")) return;
  const std::string written = cursor_.text_ahead(1, close + 1),
                    value = cursor_.peek(close + 2).kind == TokenKind::kNumber
                                ? cursor_.text_ahead(close + 2, close + 3)
                                : std::string("…");
  cursor_.fail(Kind::kUnexpectedToken, {open.range.begin, cursor_.peek(close).range.end}, "a unit is not allowed here",
               fmt::format("the unit comes last: `{} {} = {} {}`", keyword, name.text, value, written));
}

// Detects `rotated (a, b, c)`, `rotated [a, b, c]`, `rotated a, b, c`, `rotated about z q`.
void SyntaxReader::expect_one_angle(const Name& parent) {
  int depth = 0;
  const bool is_bracketed = is_opening(cursor_.peek());
  bool begins_with_about = false;  // an angle may have the name `about`
  for (std::size_t at = 0; cursor_.peek(at).kind != TokenKind::kEnd; ++at) {
    const Token& token = cursor_.peek(at);
    if (token.is_name("about") && depth == 0 && at > 0) return;
    begins_with_about = begins_with_about || (at == 0 && token.is_name("about"));
    if (token.is_symbol(",") && depth == (is_bracketed ? 1 : 0)) {
      return cursor_.fail(Kind::kUnexpectedToken, token.range, "`rotated` takes one angle",
                          fmt::format("three turns, each about an axis of the frame reached so far, are `{} body123(a, "
                                      "b, c)`; one turn is `{} rotated a about z`",
                                      parent.text, parent.text));
    }
    depth += is_opening(token) ? 1 : is_closing(token) ? -1 : 0;
    if (is_bracketed && depth == 0) return;
  }
  if (!begins_with_about) return;
  const std::string axis = cursor_.peek(1).kind == TokenKind::kName ? std::string(cursor_.peek(1).text) : "z";
  cursor_.fail_expected("an angle", fmt::format("the angle comes first: `rotated q about {}`", axis));
}

// Detects `spring from P to Q`.
void SyntaxReader::expect_no_preposition(std::string_view form) {
  const auto is_word = [](const Token& token) {
    return token.is_name("between") || token.is_name("from") || token.is_name("on") || token.is_name("to") ||
           token.is_name("and");
  };
  // A point may have any of these names. So the word counts as a preposition only if another name follows.
  const auto is_name = [&](std::size_t ahead) { return cursor_.peek(ahead).kind == TokenKind::kName; };
  const auto is_option = [&](std::size_t ahead) {
    const Token& token = cursor_.peek(ahead);
    return token.is_name("stiffness") || token.is_name("length") || token.is_name("damping");
  };
  if (is_word(cursor_.peek()) && is_name(1) && (is_name(2) ? !is_option(2) : true))
    return cursor_.fail_expected(kPointOrParticle, std::string(form));
  if (is_name(0) && is_word(cursor_.peek(1)) && is_name(2) && !is_option(2)) {
    cursor_.take();
    cursor_.fail_expected("a second point or particle", std::string(form));
  }
}

void SyntaxReader::expect_option_of_joint() {
  const Token& found = cursor_.peek();
  if (found.kind != TokenKind::kName) return;
  struct Row {
    std::string_view word, hint;
  };
  constexpr std::string_view kLimits = "limits of a joint are `limits a .. b`, with `restitution e` for their impacts";
  constexpr std::string_view kTorque = "a force in a joint is a load: `torque on B = -c*omega(B) from A`";
  constexpr auto kRows = std::to_array<Row>({{"limit", kLimits},
                                             {"range", kLimits},
                                             {"stops", kLimits},
                                             {"damping", kTorque},
                                             {"damper", kTorque},
                                             {"stiffness", kTorque},
                                             {"spring", kTorque},
                                             {"motor", kTorque},
                                             {"torque", kTorque}});
  const auto* row = std::ranges::find(kRows, found.text, &Row::word);
  if (row != kRows.end()) cursor_.fail_expected("an option or a clause of a joint", std::string(row->hint));
}

// Detects `run for 10 [s]`, `run t = 10`, `run from 0 to 10`.
void SyntaxReader::expect_length_of_run() {
  constexpr std::array<std::string_view, 8> kWords = {"for", "until", "to", "from", "over", "t", "time", "duration"};
  const Token &word = cursor_.peek(), &next = cursor_.peek(1);
  if (word.kind != TokenKind::kName || std::ranges::find(kWords, word.text) == kWords.end()) return;
  if (next.kind != TokenKind::kNumber && !next.is_symbol("=")) return;
  cursor_.fail_expected("how long to run", "write `run 10 [s] …`");
}

void expect_one_rotation(Cursor& cursor, const FrameStatement& frame) {
  const bool turns =
      std::holds_alternative<FrameRotated>(frame.definition) || std::holds_alternative<FrameSequence>(frame.definition);
  const bool is_next =
      cursor.is_at_word("rotated") || cursor.is_at_word("about") || cursor.is_at_word("then") || cursor.is_at(",");
  if (!turns || !is_next) return;
  const std::string& name = frame.name.text;
  cursor.fail_expected("the end of the statement",
                       fmt::format("a frame states one rotation: turn another frame from this one, `frame {}2 = {} "
                                   "rotated q about x`; three turns at once are `body312(a, b, c)`",
                                   name, name));
}

void expect_no_place_of_fixed_point(Cursor& cursor, const Name& name) {
  if (!cursor.is_at("=")) return;
  std::size_t end = 1;
  while (cursor.peek(end).kind != TokenKind::kEnd) ++end;
  cursor.fail_expected("the end of the statement",
                       fmt::format("write `point {} = {}`: it is fixed in the frame if it is set off from a point of "
                                   "that frame by constant vectors of it",
                                   name.text, end > 1 ? cursor.text_ahead(1, end) : "O + VEC"));
}

void expect_place_after_force(Cursor& cursor, const Name& body) {
  if (!cursor.is_at_word("at")) return;
  cursor.fail_expected("`=`", fmt::format("the place follows the force: `force on {} = VEC at P`", body.text));
}

void expect_no_place_of_torque(Cursor& cursor) {
  if (!cursor.is_at_word("at")) return;
  cursor.fail_expected("`from` or the end of the statement",
                       "a torque acts on the whole body, wherever it is applied: leave `at` out");
}

void expect_one_of_mass_and_density(Cursor& cursor) {
  if (!cursor.is_at_word("mass") && !cursor.is_at_word("density")) return;
  cursor.fail_expected("`inertia`",
                       "a body states its mass or its density, not both: the density of a solid gives its "
                       "mass");
}

void expect_no_name_of_gravity(Cursor& cursor) {
  if (!cursor.is_at("=")) return;
  cursor.fail_expected("the end of the statement",
                       "gravity is a vector without a name: `gravity -9.81 [m/s^2]*N.y`, or with `param g = 9.81 "
                       "[m/s^2]` above it `gravity -g*N.y`");
}

void expect_no_stiffness_of_damper(Cursor& cursor) {
  if (cursor.is_at_word("damping"))
    cursor.fail(Kind::kUnexpectedToken, cursor.peek().range, "`damping` is given twice",
                "two dampers are two statements, or one with the sum");
  if (!cursor.is_at_word("stiffness") && !cursor.is_at_word("length")) return;
  cursor.fail_expected("the end of the statement",
                       "a spring with a damper is one statement: `spring P Q stiffness k length l damping c`");
}

bool begins_arguments_of_let(Cursor& cursor, const Name& name) {
  if (!cursor.is_at("(")) return false;
  if (cursor.peek(1).is_symbol(")"))
    cursor.fail(Kind::kWrongArgumentCount, {cursor.peek().range.begin, cursor.peek(1).range.end},
                "a function has one argument or more",
                fmt::format("without arguments it is a name for an expression: `let {} = …`", name.text));
  for (std::size_t at = 1; cursor.peek(at).kind == TokenKind::kName || cursor.peek(at).is_symbol(","); ++at) {
    if (cursor.peek(at).kind == TokenKind::kName && cursor.peek(at + 1).is_symbol("["))
      cursor.fail(Kind::kUnexpectedToken, cursor.peek(at + 1).range, "an argument of a function has no unit",
                  fmt::format("units are checked where the function is used: `let {}({}) = …`", name.text,
                              cursor.peek(at).text));
  }
  return true;
}

bool is_at_solid(Cursor& cursor, bool has_density) {
  const Token &word = cursor.peek(), &next = cursor.peek(1);
  const bool is_solid = word.kind == TokenKind::kName && word.text != "plane" && next.is_symbol("(");
  if (!is_solid && has_density)
    cursor.fail_expected(
        "a solid",
        "a density needs a volume: `inertia box(a, b, c)`, `cylinder(r, h)` or `sphere(r)`; a body whose "
        "moments of inertia are given has a `mass`");
  return is_solid;
}

void expect_inertia_about_center(Cursor& cursor) {
  if (!cursor.is_at_word("about")) return;
  cursor.fail_expected("`at` or the end of the statement",
                       "the inertia of a solid is about its mass centre, which `at` places: leave `about` out");
}

void expect_friction_of_coordinate(Cursor& cursor) {
  const std::optional<std::size_t> mu = coefficient_ahead(cursor);
  if (!mu || *mu == 1) return;  // in `friction on mu = 3 [N]`, mu is a coordinate
  cursor.fail(Kind::kMisplacedStatement, cursor.last_taken().range,
              "friction with a coefficient is a clause, and here it has no constraint",
              "indent it below the `constraint` or the `joint` whose reaction it uses");
}

void expect_bound_of_friction(Cursor& cursor) {
  // `friction mu 0.3`, and `friction 0.3 on P`
  if (cursor.is_at_word("mu") && begins_operand(cursor.peek(1)) && !cursor.peek(1).is_first_on_line) {
    cursor.take();
    return cursor.fail_expected("`=`", fmt::format("a coefficient of friction is `friction on P mu = {}`, in a joint "
                                                   "`contact` `friction mu = {}`",
                                                   cursor.text_ahead(0, 1), cursor.text_ahead(0, 1)));
  }
  if (cursor.peek().kind == TokenKind::kNumber && cursor.peek(1).is_name("on"))
    return cursor.fail_expected("`on`", fmt::format("the point comes first: `friction on {} mu = {}`",
                                                    cursor.text_ahead(2, 3), cursor.text_ahead(0, 1)));
  const std::optional<std::size_t> mu = coefficient_ahead(cursor);
  if (!mu) return;
  cursor.fail_expected("`on`", fmt::format("friction with a coefficient names its point: `friction on {} mu = …`",
                                           *mu == 0 ? "P" : cursor.text_ahead(0, *mu)));
}

void expect_coefficient_of_restitution(Cursor& cursor) {
  const Token &word = cursor.peek(), &next = cursor.peek(1);
  if (word.kind != TokenKind::kName || next.is_first_on_line) return;
  if (next.is_symbol("=")) {
    const std::string value = cursor.peek(2).kind == TokenKind::kEnd ? std::string("e") : cursor.text_ahead(2, 3);
    return cursor.fail(Kind::kUnexpectedToken, {word.range.begin, next.range.end},
                       "a restitution has no name and no `=`", fmt::format("write `restitution {}`", value));
  }
  if (is_restitution_law(word.text) && begins_operand(next) && find_clause(next.text) == nullptr)
    cursor.fail_expected("a coefficient of restitution",
                         fmt::format("the law follows it: `restitution {} {}`", cursor.text_ahead(1, 2), word.text));
}

void expect_law_of_restitution(Cursor& cursor) {
  const Token& word = cursor.peek();
  if (word.kind != TokenKind::kName || word.is_first_on_line || find_clause(word.text) != nullptr) return;
  if (is_connective(word.text) || is_restitution_law(word.text) || word.text == "sequential") return;
  cursor.fail_expected(
      "`energetic`, `newton`, `poisson`, `moreau`, `sequential` or the end of the clause",
      "these words name laws of impacts: `restitution 0.3 newton`; without one the law is `energetic`");
}

void expect_no_friction_of_limits(Cursor& cursor) {
  if (!cursor.is_at_word("friction") || cursor.peek().is_first_on_line) return;
  cursor.fail_expected(
      "`restitution` or the end of the statement",
      "stops have no friction; friction along a coordinate is the statement `friction on q = BOUND`, in "
      "a joint the clause `friction BOUND` on a line of its own");
}

void expect_clause(Cursor& cursor) {
  const Token& found = cursor.peek();
  if (found.kind != TokenKind::kName) return;
  struct Row {
    std::string_view word, hint;
  };
  constexpr std::string_view kRestitution = "a coefficient of restitution e is `restitution e`";
  constexpr std::string_view kFriction =
      "a coefficient of friction is `friction on P mu = EXPR`, in a joint `contact` `friction mu = EXPR`";
  constexpr std::string_view kYields =
      "a contact that gives way is a load: `force on P = (k*d if d > 0 else 0)*N.z`, with the depth d";
  constexpr auto kRows = std::to_array<Row>({{"bounce", kRestitution},
                                             {"bounciness", kRestitution},
                                             {"elasticity", kRestitution},
                                             {"coefficient", kRestitution},
                                             {"cor", kRestitution},
                                             {"e", kRestitution},
                                             {"mu", kFriction},
                                             {"static", kFriction},
                                             {"coulomb", kFriction},
                                             {"rough", kFriction},
                                             {"stiffness", kYields},
                                             {"damping", kYields}});
  const auto* row = std::ranges::find(kRows, found.text, &Row::word);
  if (row != kRows.end()) cursor.fail_expected("a clause or the end of the statement", std::string(row->hint));
}

}  // namespace vinculum::lang
