// Reads the clauses of a constraint or a joint, and choices among them.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "vinculum/lang/syntax_reader.hpp"

namespace vinculum::lang {

using diag::Kind;

namespace {

// Hint for an action that sets a variable without the word `set`, as in `y' = 0`; empty for other actions.
std::string hint_of_setting(const Cursor& cursor) {
  if (cursor.peek().kind != TokenKind::kName) return {};
  for (std::size_t at = 0;; ++at) {
    const Token& token = cursor.peek(at);
    if (token.is_symbol("=") && at > 0)
      return fmt::format("a variable is set by `set {} = …`", cursor.text_ahead(0, at));
    if (token.kind == TokenKind::kEnd || token.is_symbol("}") || (at > 0 && token.is_first_on_line)) return {};
  }
}

/// Whether the friction of a joint `contact` is ahead: `mu = EXPR`.
bool is_at_coefficient(const Cursor& cursor) { return cursor.is_at_word("mu") && cursor.peek(1).is_symbol("="); }

}  // namespace

// { clause }      clause = law | nonideal | friction | given-friction | via | branch | when
//                     | restitution | compliance | limits-of-joint | clause-choice
void SyntaxReader::read_clauses(std::vector<Clause>& clauses) {
  const auto is_at_clause = [&] {
    return cursor_.peek().kind == TokenKind::kName && find_clause(cursor_.peek().text) != nullptr;
  };
  while (is_at_clause() || cursor_.is_at_choice()) {
    if (cursor_.is_at_choice()) {
      clauses.push_back(read_choice());
      continue;
    }
    const Token head = cursor_.take();
    const KeywordInfo& info = *find_clause(head.text);
    cursor_.set_form(head.text == "law" ? std::string_view() : info.syntax);  // a law has its own form
    Clause clause;
    const auto is_law = [](const Clause& one) { return std::holds_alternative<LawClause>(one.what); };
    if (head.text == "law" && std::ranges::any_of(clauses, is_law))
      cursor_.fail(Kind::kUnexpectedToken, head.range, "a constraint has one `law`");
    if (head.text == "law")
      clause.what = LawClause{};
    else if (head.text == "via")
      clause.what = ViaClause{};
    else if (head.text == "friction" && (cursor_.is_at_word("on") || is_at_coefficient(cursor_)))
      clause.what = FrictionClause{};
    else if (head.text == "friction")
      clause.what = GivenFrictionClause{};
    else if (head.text == "branch")
      clause.what = BranchClause{};
    else if (head.text == "when")
      clause.what = WhenClause{};
    else if (head.text == "restitution")
      clause.what = RestitutionClause{};
    else if (head.text == "compliance")
      clause.what = ComplianceClause{};
    else if (head.text == "limits")
      clause.what = LimitsClause{};
    else
      clause.what = NonidealClause{};
    std::visit([&](auto& what) { syntax(*this, what); }, clause.what);
    clause.range = cursor_.range_from(head);
    clauses.push_back(std::move(clause));
  }
}

EventStatement::Trigger SyntaxReader::trigger(EventStatement& event) {
  using Trigger = EventStatement::Trigger;
  event.trigger = cursor_.take_if_word("at")      ? Trigger::kAt
                  : cursor_.take_if_word("every") ? Trigger::kEvery
                                                  : Trigger::kCrossing;
  return event.trigger;
}

/// \param words  words that the event also allows here; the message lists them
/// \param hint   shown if no action begins here and nothing more specific is known
bool SyntaxReader::read_action(std::vector<Clause>& actions, std::vector<std::string> words, std::string hint) {
  const Token head = cursor_.peek();
  Clause action;
  if (cursor_.take_if_word("stop")) {
    action.what = StopAction{};
  } else if (cursor_.take_if_word("record")) {
    action.what = RecordAction{};
  } else if (cursor_.take_if_word("set")) {
    action.what = SetAction{};
  } else {
    words.insert(words.end(), {"stop", "record", "set"});
    std::string specific = hint_of_setting(cursor_);
    if (specific.empty() && head.kind == TokenKind::kName) specific = hint_nearest(head.text, words);
    cursor_.fail_expected("`stop`, `record` or `set u = EXPR`", specific.empty() ? std::move(hint) : specific);
    return false;
  }
  std::visit([&](auto& what) { syntax(*this, what); }, action.what);
  action.range = cursor_.range_from(head);
  actions.push_back(std::move(action));
  return true;
}

SyntaxReader& SyntaxReader::actions(EventStatement& event) {
  using Trigger = EventStatement::Trigger;
  if (!cursor_.is_at("{")) {
    const bool may_have_direction = event.trigger == Trigger::kCrossing && !event.is_rising && !event.is_falling;
    const bool is_passage = event.trigger != Trigger::kCrossing && cursor_.is_at("=");
    (void)read_action(
        event.clauses, may_have_direction ? std::vector<std::string>{"rising", "falling"} : std::vector<std::string>(),
        is_passage ? "`at` and `every` take a time; where an expression passes a value, write `event e: x = 1 [m] stop`"
                   : "an event has one action, or several in braces");
    return *this;
  }
  const Token open = cursor_.take();
  do {
    if (!read_action(event.clauses, {}, "the actions in braces are `stop`, `record` and `set u = EXPR`, one a line"))
      return *this;
  } while (!cursor_.is_at("}") && !cursor_.is_at_end());
  cursor_.expect_closing(open, "}");
  return *this;
}

Clause SyntaxReader::read_choice() {
  Clause clause;
  clause.what = ClauseChoice{};
  const Token head = cursor_.take();
  syntax(*this, std::get<ClauseChoice>(clause.what));
  clause.range = cursor_.range_from(head);
  return clause;
}

SyntaxReader& SyntaxReader::branches(ClauseChoice& choice) {
  const auto between_braces = [&](std::vector<Clause>& clauses) {
    const Token open = cursor_.peek();
    cursor_.expect("{", "clauses chosen by an `if` are written in braces");
    read_clauses(clauses);
    if (!cursor_.is_at("}") && !cursor_.is_at_end()) {
      cursor_.fail_expected("a clause or `}`",
                            "an `if` under a constraint chooses among its clauses: `law`, `nonideal` …");
    }
    cursor_.expect_closing(open, "}");
    return open;
  };
  const Token open = between_braces(choice.then);
  choice.then_range = cursor_.range_from(open);
  choice.first_line = open.line;
  if (cursor_.take_if_word("else")) {
    choice.has_else = true;
    if (cursor_.is_at_word("if"))
      choice.otherwise.push_back(read_choice());
    else
      between_braces(choice.otherwise);
  }
  return *this;
}

}  // namespace vinculum::lang
