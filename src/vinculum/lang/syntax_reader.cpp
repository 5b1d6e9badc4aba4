#include "vinculum/lang/syntax_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "vinculum/base/unit.hpp"
#include "vinculum/lang/expression_format.hpp"

namespace vinculum::lang {

using diag::Kind;

namespace {

// Suggests the nearest of `words` if the token is a name.
std::string hint_for(const Token& found, const std::vector<std::string>& words) {
  return found.kind == TokenKind::kName ? hint_nearest(found.text, words) : std::string();
}

constexpr std::string_view kFormOfBounds = "limits are `a .. b`; one of the two may be left out: `0 ..`";

bool compares(const Expression& expression) {
  if (const auto* binary = std::get_if<Binary>(&expression.node)) {
    return BinaryOperator::kLess <= binary->op && binary->op <= BinaryOperator::kOr;
  }
  const auto* unary = std::get_if<Unary>(&expression.node);
  return unary != nullptr && unary->op == UnaryOperator::kNot;
}

}  // namespace

SyntaxReader& SyntaxReader::key(std::string_view word, std::string_view hint) {
  if (hint.empty())
    cursor_.expect_word(word);
  else if (!cursor_.take_if_word(word))
    cursor_.fail_expected(fmt::format("`{}`", word), std::string(hint));
  return *this;
}

SyntaxReader& SyntaxReader::title(std::optional<std::string>& title) {
  if (cursor_.peek().kind == TokenKind::kString) title = std::string(cursor_.take().text);
  if (cursor_.peek().kind == TokenKind::kName) cursor_.fail_expected("the title in quotes");
  return *this;
}

SyntaxReader& SyntaxReader::text(std::string& text, std::string_view what, std::string hint, SourceRange* range) {
  if (cursor_.peek().kind != TokenKind::kString) cursor_.fail_expected(what, std::move(hint));
  const Token token = cursor_.take();
  text = token.text;
  if (range != nullptr) *range = token.range;
  return *this;
}

SyntaxReader& SyntaxReader::prime(const Name& state) {
  if (cursor_.peek().kind != TokenKind::kPrimes) {
    cursor_.fail_expected(
        "a prime after the name of the state",
        fmt::format("write `state {0}' = …`, its rate, or `state {0} every T = …`, its samples", state.text));
  }
  if (cursor_.peek().text.size() > 1) {
    cursor_.fail(Kind::kUnexpectedToken, cursor_.peek().range, "a state is given by its first derivative",
                 "for a second derivative take two states: `state z' = w`, `state w' = …`");
  }
  cursor_.take();
  return *this;
}

SyntaxReader& SyntaxReader::again(const Name& state) {
  const Name started = StatementReader::declared("the name of the state");
  if (!cursor_.is_faulty() && format_with_breaks(started) != format_with_breaks(state)) {
    cursor_.fail(Kind::kUnexpectedToken, started.range,
                 fmt::format("expected `{}`, the state of this line", state.text),
                 "the start of another variable is a separate statement");
  }
  return *this;
}

SyntaxReader& SyntaxReader::sets(StartKind& kind) {
  kind = cursor_.take_if("~") ? StartKind::kGuess : StartKind::kHeld;
  if (kind == StartKind::kHeld && !cursor_.take_if("="))
    cursor_.fail_expected("`=` or `~`", cursor_.is_at("==")  ? "`=` fixes a value, `~` guesses one"
                                        : cursor_.is_at(":") ? "write `=` here"
                                                             : "");
  return *this;
}

SyntaxReader& SyntaxReader::given(std::string_view letter, std::string_view form) {
  if (!cursor_.is_at_word(letter)) cursor_.fail_expected(fmt::format("`{}`", letter), fmt::format("write `{}`", form));
  cursor_.take();
  if (!cursor_.is_at("=")) cursor_.fail_expected("`=`", fmt::format("write `{}`", form));
  return equals();
}

SyntaxReader& SyntaxReader::load(bool& is_torque, std::string hint) {
  is_torque = cursor_.is_at_word("torque");
  if (!cursor_.take_if_word("force") && !cursor_.take_if_word("torque"))
    cursor_.fail_expected("`force` or `torque`", std::move(hint));
  return *this;
}

SyntaxReader& SyntaxReader::end(std::initializer_list<std::string_view> words, std::string hint_at_comma) {
  if (!hint_at_comma.empty() && cursor_.is_at(","))
    cursor_.fail_expected("the end of the statement", std::move(hint_at_comma));
  cursor_.expect_end(words);
  return *this;
}

SyntaxReader& SyntaxReader::expression(ExpressionPtr& place, ExpressionEnd end) {
  place = StatementReader::expression(end);
  return *this;
}

SyntaxReader& SyntaxReader::relation(ConstraintStatement& constraint) {
  using Sign = ConstraintStatement::Sign;
  constraint.sign = sign_of_relation();
  if (constraint.sign == Sign::kEqual)
    return expression(constraint.left).equals(constraint.left).expression(constraint.right);
  expression(constraint.left, ExpressionEnd::kRelation);
  cursor_.expect(constraint.sign == Sign::kAtLeast ? ">=" : "<=");
  return expression(constraint.right, ExpressionEnd::kRelation);
}

bool SyntaxReader::is_named(std::optional<Name>& name) {
  const bool is_of_a_name = cursor_.peek(1).is_name("of") && cursor_.peek(2).kind == TokenKind::kName;
  if (cursor_.is_at_word("of") && !is_of_a_name) return false;  // a name may be `of`: `limits of of q = 0 .. 1`
  name.emplace();
  return true;
}

SyntaxReader& SyntaxReader::bounds(ExpressionPtr& lower, ExpressionPtr& upper) {
  const Token first = cursor_.peek();
  const auto is_at_end_of_bounds = [&] {
    const Token& next = cursor_.peek();
    const bool is_clause = next.kind == TokenKind::kName && find_clause(next.text) != nullptr;
    return cursor_.is_at_end() || is_clause || cursor_.is_at_choice() || cursor_.is_at("}");
  };
  if (!cursor_.is_at("..") && is_at_end_of_bounds())
    cursor_.fail_expected("a lower limit or `..`", std::string(kFormOfBounds));
  if (!cursor_.is_at("..")) expression(lower);
  cursor_.expect("..", std::string(kFormOfBounds));
  if (!is_at_end_of_bounds()) expression(upper);
  if (lower == nullptr && upper == nullptr && !cursor_.is_faulty())
    cursor_.fail(Kind::kUnexpectedToken, first.range, "neither side of `..` has a limit", std::string(kFormOfBounds));
  return *this;
}

SyntaxReader& SyntaxReader::one_of(std::optional<Name>& word, std::initializer_list<std::string_view> words) {
  if (std::ranges::any_of(words, [&](std::string_view one) { return cursor_.is_at_word(one); })) {
    word = StatementReader::word("a word");
  } else if (const Token& next = cursor_.peek(); next.kind == TokenKind::kName && !next.is_first_on_line) {
    const std::string nearest = hint_nearest(next.text, std::vector<std::string>(words.begin(), words.end()));
    std::string all;
    for (const std::string_view one : words) all += fmt::format("{}`{}`", all.empty() ? "" : ", ", one);
    if (!nearest.empty()) cursor_.fail_expected("one of " + all, nearest);
  }
  return *this;
}

SyntaxReader& SyntaxReader::value(ExpressionPtr& place, std::optional<Unit>& closing) {
  return expression(place, ExpressionEnd::kUnit).unit(closing);
}

SyntaxReader& SyntaxReader::unless_word(ExpressionPtr& place, std::initializer_list<std::string_view> words,
                                        std::string_view what, std::string hint) {
  for (const std::string_view word : words) {
    if (cursor_.is_at_words(word)) cursor_.fail_expected(what, hint);
  }
  return expression(place);
}

SyntaxReader& SyntaxReader::range(ExpressionPtr& from, ExpressionPtr& to, std::string_view hint) {
  expression(from);
  cursor_.expect("..", std::string(hint));
  return expression(to);
}

SyntaxReader& SyntaxReader::before_unit(Name& name, std::string_view what) {
  const Token& next = cursor_.peek(1);
  name = next.is_symbol("[") && next.has_space_before ? StatementReader::word(what) : StatementReader::declared(what);
  return *this;
}

SyntaxReader& SyntaxReader::groups(std::vector<CoordGroup>& groups) {
  constexpr std::string_view kWhat = "the name of a coordinate";
  CoordGroup group;
  do {
    const bool has_indices = cursor_.peek(1).is_symbol("[") && is_at_declared_indices(cursor_, 1);
    group.names.push_back(has_indices ? StatementReader::family(kWhat) : StatementReader::word(kWhat));
    unit(group.unit);
    option("scale", group.scale);
    if (group.unit || group.scale) groups.push_back(std::exchange(group, {}));
  } while (cursor_.take_if(","));
  if (!group.names.empty()) groups.push_back(std::move(group));
  const std::string last = groups.empty() ? std::string() : groups.back().names.back().text;
  if (cursor_.is_at("="))
    cursor_.fail_expected("the end of the statement", fmt::format("a start value is `start {} = …`", last));
  if (cursor_.is_at("("))
    cursor_.fail_expected(
        "a unit or the end of the statement",
        cursor_.peek(1).text != "t" && find_unit(cursor_.peek(1).text)  // `z(t)` is a function of the time
            ? fmt::format("a unit is written in square brackets: `coord {} [{}]`", last, cursor_.peek(1).text)
            : fmt::format("a coordinate is a function of the time by itself: `coord {} [m]`", last));
  if (cursor_.peek().kind == TokenKind::kName)
    cursor_.fail_expected("`,`, a unit, `scale` or the end of the statement", "coordinates are separated by commas");
  return *this;
}

SyntaxReader& SyntaxReader::option(std::string_view word, ExpressionPtr& value, std::string_view) {
  take_option(word, value);
  return *this;
}

SyntaxReader& SyntaxReader::option(std::string_view word, std::optional<Name>& value, std::string_view what) {
  take_option(word, value, what);
  return *this;
}

// surface = ( "surface" | "surface2" ) NAME [ "(" expression { "," expression } ")" ]
bool SyntaxReader::take(const Option<std::optional<JointSurface>>& one) {
  if (!may_take_option(one.word, one.value.has_value())) return false;
  JointSurface& surface = one.value.emplace();
  word(surface.kind, "the kind of the surface");
  if (cursor_.is_at("(")) arguments(surface.arguments);
  return true;
}

void SyntaxReader::open_bracket(std::string hint) {
  before_open_ = cursor_.last_taken();
  open_ = cursor_.peek();
  cursor_.expect("(", std::move(hint));
}

SyntaxReader& SyntaxReader::arguments(std::vector<ExpressionPtr>& all, std::string hint) {
  const bool may_be_empty = !hint.empty();
  open_bracket(std::move(hint));
  if (!may_be_empty || !cursor_.is_at(")")) expressions(all);
  cursor_.expect_closing(open_, ")");
  return *this;
}

SyntaxReader& SyntaxReader::arguments(std::vector<Name>& all) {
  open_bracket();
  items(all, [](SyntaxReader& each, Name& one) { each.reference(one, "a coordinate"); });
  cursor_.expect_closing(open_, ")");
  return *this;
}

SyntaxReader& SyntaxReader::parameters(std::vector<Name>& all, std::string hint) {
  open_bracket(std::move(hint));
  if (!cursor_.is_at(")")) items(all, [](SyntaxReader& each, Name& one) { each.word(one, "the name of an argument"); });
  cursor_.expect_closing(open_, ")");
  return *this;
}

SyntaxReader& SyntaxReader::inertia(std::vector<ExpressionPtr>& all) {
  open_bracket(
      "three moments and perhaps three products, `inertia (Ixx, Iyy, Izz, Ixy, Iyz, Izx)`; in plane motion one, "
      "`inertia plane Izz`; a solid has its sizes in brackets, `inertia box(a, b, c)`");
  expressions(all);
  cursor_.expect_closing(open_, ")");
  if (!cursor_.is_faulty() && all.size() != 3 && all.size() != 6) {
    cursor_.fail(Kind::kWrongArgumentCount, cursor_.range_from(open_),
                 fmt::format("`inertia` takes 3 or 6 values, {} given", all.size()),
                 "Ixx, Iyy, Izz and, where they are not 0, Ixy, Iyz, Izx");
  }
  return *this;
}

SyntaxReader& SyntaxReader::counts(std::size_t given, std::size_t wanted, std::string_view what) {
  if (cursor_.is_faulty() || given == wanted) return *this;
  cursor_.fail(Kind::kWrongArgumentCount, cursor_.range_from(open_),
               fmt::format("`{}` takes {} {}, {} given", before_open_.text, wanted, what, given),
               wanted == 3 ? "fewer turns are `rotated` frames one upon the other" : "");
  return *this;
}

// joined = reference | "center" "(" reference ")"
SyntaxReader& SyntaxReader::joined(JointPoint& point) {
  point.is_center = cursor_.is_at_word("center") && cursor_.peek(1).is_symbol("(");
  if (!point.is_center) return reference(point.name, "a point");
  cursor_.take();
  open_bracket();
  reference(point.name, "a body");
  cursor_.expect_closing(open_, ")");
  return *this;
}

void SyntaxReader::expect_second_end(std::string_view form) {
  const auto is_option = [&](std::size_t ahead) {
    const Token& token = cursor_.peek(ahead);
    return token.is_name("stiffness") || token.is_name("length") || token.is_name("damping");
  };
  if (is_option(0) && !is_option(1)) {
    cursor_.fail_expected("a second point or particle", std::string(form));
  }
}

void SyntaxReader::expect_no_unit_of_output() {
  const Token& bracket = cursor_.peek(1);
  if (!bracket.is_symbol("[") || !bracket.has_space_before || cursor_.peek(2).kind != TokenKind::kName ||
      !cursor_.peek(3).is_symbol("]")) {
    return;
  }
  const std::string unit = cursor_.text_ahead(1, 4);
  cursor_.take();
  cursor_.fail_expected("`=`", fmt::format("the unit in which an output is shown comes last: `output {} = EXPR as {}`",
                                           cursor_.last_taken().text, unit));
}

// Reports a unit without brackets after `as`: `output T = x as mm`
void SyntaxReader::expect_unit_behind_as(bool has_unit) {
  if (has_unit || cursor_.is_faulty()) return;
  const Token& before = cursor_.last_taken();
  std::size_t end = 0;
  while (cursor_.peek(end).kind != TokenKind::kEnd) ++end;
  if (before.is_name("as") && !cursor_.is_at_end())
    cursor_.fail_expected("a unit",
                          fmt::format("a unit is written in square brackets: `as [{}]`", cursor_.text_ahead(0, end)));
  if (before.is_name("as")) cursor_.fail_expected("a unit", "a unit is written in square brackets: `as [N*m]`");
}

bool SyntaxReader::turns(bool) {
  if (!cursor_.is_at_word("rotated")) return false;
  const Token& next = cursor_.peek(1);
  const bool is_angle = next.kind == TokenKind::kNumber || (next.kind == TokenKind::kName && !is_connective(next.text));
  if (is_angle) return cursor_.take_if_word("rotated");  // two names are never adjacent in an expression
  int depth = 0;
  for (std::size_t ahead = 1; cursor_.peek(ahead).kind != TokenKind::kEnd; ++ahead) {
    const Token& token = cursor_.peek(ahead);
    if (token.is_symbol("(") || token.is_symbol("[")) ++depth;
    if (token.is_symbol(")") || token.is_symbol("]")) --depth;
    if (depth == 0 && token.is_symbol(",")) return false;
    if (depth == 0 && ahead > 1 && token.is_name("about")) return cursor_.take_if_word("rotated");
  }
  return false;
}

SyntaxReader& SyntaxReader::kind_of_stop(Name& kind) {
  const Token first = cursor_.peek();
  if (first.kind != TokenKind::kName)
    cursor_.fail_expected("the kind of stop", "as in `expect stop: not-unique at 1.5 ± 1e-6`");
  kind.text = std::string(cursor_.take().text);
  while (cursor_.is_at("-") && cursor_.peek(1).kind == TokenKind::kName) {
    cursor_.take();
    kind.text += '-';
    kind.text += cursor_.take().text;
  }
  kind.range = cursor_.range_from(first);
  return *this;
}

SyntaxReader& SyntaxReader::when(ExpectValue& expected) {
  expected.when = ExpectWhen::kAlways;
  if (cursor_.take_if_word("always")) return *this;
  if (!cursor_.take_if_word("at")) {
    const Token& found = cursor_.peek();
    std::string hint = hint_for(found, {"at", "always", "stop"});
    if (found.is_name("start") || found.is_name("end")) hint = fmt::format("write `expect at {}: …`", found.text);
    if (hint.empty()) hint = "say when: `expect at end: x = 1 ± 1e-6`, `at start`, `at 2 [s]` or `always`";
    cursor_.fail_expected("`at`, `always` or `stop`", std::move(hint));
  }
  expected.when = ExpectWhen::kAt;
  if (cursor_.is_at_word("start") && cursor_.peek(1).is_symbol(":")) expected.when = ExpectWhen::kStart;
  if (cursor_.is_at_word("end") && cursor_.peek(1).is_symbol(":")) expected.when = ExpectWhen::kEnd;
  if (expected.when == ExpectWhen::kAt) return expression(expected.time);
  cursor_.take();
  return *this;
}

bool SyntaxReader::claims_equality(ExpectValue& expected) {
  if (cursor_.take_if("=")) return true;
  const Expression& left = *expected.left;
  if (cursor_.is_at("±") && !cursor_.is_faulty()) {
    const auto* comparison = std::get_if<Binary>(&left.node);
    if (comparison != nullptr && comparison->op == BinaryOperator::kEqual) {
      expect_equals(left);
      return false;
    }
  }
  if (!compares(left)) cursor_.expect("=", "an expectation is `EXPR = VALUE ± TOL` or a comparison");
  return false;
}

// plus-minus = "±" | "+-"
SyntaxReader& SyntaxReader::plus_minus() {
  if (cursor_.take_if("±")) return *this;
  if (!cursor_.is_at("+") || !cursor_.peek(1).is_symbol("-"))
    cursor_.fail_expected("`±`", "write the tolerance after the value: `= 1.5 ± 1e-9`, or `+- 1e-9`");
  cursor_.take();
  cursor_.take();
  return *this;
}

SyntaxReader& SyntaxReader::opens(std::string_view keyword) {
  if (!cursor_.take_if("{")) {
    cursor_.fail_expected("`{`", fmt::format("the content of the `{}` is written in braces", keyword));
  }
  return end();
}

// Whether the start value of a multiplier or of its derivative begins here, such as `mu' =`, rather than a parameter of
// the name `mu`.
bool SyntaxReader::is_at_start(std::string_view word, std::size_t ahead) const {
  if (!cursor_.peek(ahead).is_name(word)) return false;
  // `mu(z) =`; it is not a product, because nothing else has the name `mu`
  if (cursor_.peek(ahead + 1).is_symbol("(")) {
    std::size_t behind = ahead + 2;
    while (!cursor_.peek(behind).is_symbol(")") && !cursor_.peek(behind).is_symbol("=") &&
           cursor_.peek(behind).kind != TokenKind::kEnd)
      ++behind;
    return cursor_.peek(behind).is_symbol(")") && cursor_.peek(behind + 1).is_symbol("=");
  }
  return cursor_.peek(ahead + 1).kind == TokenKind::kPrimes || cursor_.peek(ahead + 1).is_symbol("=");
}

void SyntaxReader::starts(const LawArgumentForm& form, LawClause& law) {
  const std::string word(form.word);
  const std::string rates = (form.has_rates ? fmt::format(", {}' = EXPR, ...", word) : "") +
                            (form.has_states ? fmt::format(", {}(STATE) = EXPR", word) : "");
  int before = -1;
  do {
    const Token head = cursor_.peek();
    if (!cursor_.is_at_word(word) || (form.has_rates && !is_at_start(word)))
      cursor_.fail_expected(fmt::format("`{}`", word), fmt::format("write `start {} = EXPR, ...{}`", word, rates));
    cursor_.take();
    LawArgument& start = law.arguments.emplace_back(LawArgument{word, 0, true, true, {}});
    if (form.has_rates && cursor_.peek().kind == TokenKind::kPrimes)
      start.order = static_cast<int>(cursor_.take().text.size());
    if (form.has_states && cursor_.is_at("(")) {
      const Token open = cursor_.take();
      reference(start.of.emplace(), "a state");
      cursor_.expect_closing(open, ")");
    } else if (start.order <= before) {
      cursor_.fail(Kind::kUnexpectedToken, cursor_.range_from(head),
                   fmt::format("`{}` and its derivatives are given in ascending order, each once", word));
    }
    if (!start.of) before = start.order;
    equals();
    do {
      expression(start.values.emplace_back());
    } while (!(form.has_rates && cursor_.is_at(",") && is_at_start(word, 1)) && cursor_.take_if(","));
  } while (cursor_.take_if(","));
}

SyntaxReader& SyntaxReader::law(LawClause& law) {
  const Token name = cursor_.peek();
  const LawForm* form = name.kind == TokenKind::kName ? find_law(cursor_.laws(), name.text) : nullptr;
  if (form == nullptr) {
    std::vector<std::string> words;
    for (const LawForm& one : cursor_.laws()) words.emplace_back(one.word);
    cursor_.fail_expected("the name of a law",
                          is_restitution_law(name.text)
                              ? fmt::format("laws of impacts follow the coefficient: `restitution e {}`", name.text)
                              : hint_for(name, words));
    return *this;
  }
  cursor_.take();
  law.law = {std::string(name.text), name.range};
  for (const LawArgumentForm& argument : form->arguments) {
    if (argument.is_start) {
      if (cursor_.take_if_word("start")) starts(argument, law);
      continue;
    }
    if (argument.has_equals)
      given(argument.word, clause_syntax(*form));
    else
      key(argument.word);
    auto& values =
        law.arguments.emplace_back(LawArgument{std::string(argument.word), 0, false, argument.has_equals, {}}).values;
    if (argument.is_list)
      expressions(values);
    else
      expression(values.emplace_back());
  }
  return *this;
}

}  // namespace vinculum::lang
