#include "vinculum/lang/line_format.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vinculum/lang/expression_format.hpp"
#include "vinculum/lang/syntax.hpp"

namespace vinculum::lang {
namespace {

// Words that begin a clause. An expression that begins with one of them is bracketed where a clause may follow instead.
std::vector<std::string_view> words_of_clauses() {
  std::vector<std::string_view> words;
  for (const KeywordInfo& clause : clause_table()) words.push_back(clause.word);
  return words;
}

// The elements of the grammar, for printing a line. Each prints the gap before its own text.
class Writer {
 public:
  static constexpr bool kReads = false;
  explicit Writer(std::string_view head) : out_(head) {}

  std::string take() { return std::move(out_); }

  Writer& key(std::string_view word, auto&&...) { return put(word); }
  // Prints a word before which the line may be broken.
  Writer& part(std::string_view word) { return gap(kBlank).put(word); }
  Writer& word(const Name& name, auto&&...) { return put(name.text); }
  Writer& declared(const Name& name, auto&&...) { return put(format_with_breaks(name)); }
  Writer& before_unit(const Name& name, auto&&...) { return declared(name); }
  Writer& family(const Name& name, auto&&...) { return declared(name); }
  Writer& reference(const Name& name, auto&&...) { return declared(name); }
  Writer& again(const Name& name) { return declared(name); }
  Writer& parent(const Name& name) { return put("=").declared(name); }
  Writer& sequence(const Name& name) { return word(name); }
  Writer& kind_of_stop(const Name& name) { return word(name); }
  Writer& title(const std::optional<std::string>& title) { return title ? gap("  ").text(*title) : *this; }
  Writer& text(const std::string& text, auto&&...) { return put('"' + text + '"'); }
  Writer& load(bool is_torque, auto&&...) { return put(is_torque ? "torque" : "force"); }
  Writer& prime(const Name&) { return gap("").put("'"); }

  Writer& colon(auto&&...) { return gap("").put(":"); }
  Writer& comma() { return gap("").put(",").gap(kBlankOrBreak); }
  Writer& sets(StartKind kind = StartKind::kHeld) { return put(kind == StartKind::kHeld ? "=" : "~"); }
  Writer& equals(auto&&...) { return put("=").gap(kBlankOrBreak); }
  Writer& given(std::string_view letter, auto&&...) { return put(letter).equals(); }
  Writer& plus_minus() { return put("±"); }
  Writer& unit(const std::optional<Unit>& unit) { return unit ? put(format_unit(*unit)) : *this; }
  Writer& value(const ExpressionPtr& value, const std::optional<Unit>& unit) { return put(format_item(*value, unit)); }

  Writer& expression(const ExpressionPtr& expression, auto&&...) { return put(format_with_breaks(*expression)); }
  Writer& variable(const ExpressionPtr& variable) { return expression(variable); }
  Writer& axis(const ExpressionPtr& axis) { return expression(axis); }
  Writer& unless_word(const ExpressionPtr& value, std::initializer_list<std::string_view> words, auto&&...) {
    return put(format_unless_word(*value, std::vector(words)));
  }
  Writer& range(const ExpressionPtr& from, const ExpressionPtr& to, auto&&...) {
    return put(format_range_with_breaks(*from, *to));
  }
  Writer& expressions(const std::vector<ExpressionPtr>& all) {
    return list(all, kBlankOrBreak, [](Writer& each, const ExpressionPtr& one) { each.expression(one); });
  }
  Writer& items(const auto& all, const auto& each) { return list(all, kBlank, each); }
  Writer& ranged(const auto&, const auto& item) { return item(), *this; }

  // Prints `name(a, b)`. After the keyword `inertia`, which is not a name, a blank precedes the bracket.
  Writer& arguments(const auto& all, auto&&...) {
    gap("").put("(").gap("");
    list(all, kBlankOrBreak, [](Writer& each, const auto& one) { each.one(one); });
    return gap("").put(")");
  }
  Writer& parameters(const std::vector<Name>& all, auto&&...) { return arguments(all); }
  Writer& sizes(const std::vector<ExpressionPtr>& all, const ExpressionPtr& axis) {
    gap("").put("(").gap("");
    list(all, kBlankOrBreak, [](Writer& each, const ExpressionPtr& one) { each.unless_word(one, {"axis"}); });
    if (axis != nullptr) gap("").put(",").gap(kBlankOrBreak).put("axis").expression(axis);
    return gap("").put(")");
  }
  Writer& only(const std::vector<ExpressionPtr>& all) { return expression(all.front()); }
  bool flag(std::string_view word, bool is_there) { return begins(word, is_there); }
  Writer& letter(const Name& axis, auto&&...) { return word(axis); }
  Writer& joined(const JointPoint& point) {
    return point.is_center ? put("center(").gap("").declared(point.name).gap("").put(")") : declared(point.name);
  }
  Writer& inertia(const std::vector<ExpressionPtr>& all) {
    out_ += ' ';
    return arguments(all);
  }

  Writer& groups(const std::vector<CoordGroup>& groups) {
    return list(groups, kBlank, [](Writer& each, const CoordGroup& group) {
      each.list(group.names, kBlank, [](Writer& its, const Name& name) { its.declared(name); }).unit(group.unit);
      each.option("scale", group.scale);
    });
  }

  bool begins(std::string_view word, bool is_there) {
    if (is_there) put(word);
    return is_there;
  }
  bool turns(bool does) { return begins("rotated", does); }
  Writer& option(std::string_view word, const auto& value, auto&&...) {
    if (begins(word, static_cast<bool>(value))) one(value);
    return *this;
  }
  Writer& options(const auto&... all) { return (option(all.word, all.value), ...); }
  Writer& parts(const auto&... all) { return ((all.value ? gap(kBlank).option(all.word, all.value) : *this), ...); }

  Writer& when(const ExpectValue& expected) {
    switch (expected.when) {
      case ExpectWhen::kAlways: return put("always");
      case ExpectWhen::kStart: return put("at start");
      case ExpectWhen::kEnd: return put("at end");
      case ExpectWhen::kAt: break;
    }
    return put("at").unless_word(expected.time, {"start", "end"});
  }
  bool claims_equality(const ExpectValue& expected) {
    if (expected.right != nullptr) equals();
    return expected.right != nullptr;
  }
  Writer& relation(const ConstraintStatement& its) {
    using Sign = ConstraintStatement::Sign;
    if (its.sign == Sign::kEqual) return expression(its.left).equals().expression(its.right);
    put(format_side(*its.left)).put(its.sign == Sign::kAtLeast ? ">=" : "<=").gap(kBlankOrBreak);
    return put(format_side(*its.right));
  }
  bool is_named(const std::optional<Name>& name) { return name.has_value(); }
  Writer& bounds(const ExpressionPtr& lower, const ExpressionPtr& upper) {
    if (lower != nullptr) expression(lower);
    put("..");
    return upper == nullptr ? *this : put(format_unless_word(*upper, words_of_clauses()));
  }
  Writer& one_of(const std::optional<Name>& word, std::initializer_list<std::string_view>) {
    return word ? put(word->text) : *this;
  }
  Writer& law(const LawClause& clause) {
    bool has_start = false;
    for (const LawArgument& argument : clause.arguments) {
      if (argument.is_start) std::exchange(has_start, true) ? gap("").put(",") : put("start");
      put(argument.word + std::string(static_cast<std::size_t>(argument.order), '\'') +
          (argument.of ? "(" + argument.of->text + ")" : ""));
      if (argument.has_equals) equals();
      expressions(argument.values);
    }
    return *this;
  }

  Writer& clauses(const auto&) { return *this; }  // clauses are printed on lines of their own
  Writer& branches(const ClauseChoice&) { return put("{"); }
  bool is_sampled(const StateStatement& state) { return state.period != nullptr; }
  bool has_value(const InputStatement& input) {
    if (input.value != nullptr) equals();
    return input.value != nullptr;
  }
  EventStatement::Trigger trigger(const EventStatement& event) {
    using Trigger = EventStatement::Trigger;
    if (event.trigger != Trigger::kCrossing) put(event.trigger == Trigger::kAt ? "at" : "every");
    return event.trigger;
  }
  Writer& actions(const EventStatement& event) {
    return part(has_block(event) ? "{" : clause_line(event.clauses.front()));
  }
  Writer& counts(auto&&...) { return *this; }
  Writer& opens(auto&&...) { return put("{"); }
  Writer& end(std::initializer_list<std::string_view> = {}, auto&&...) { return *this; }

 private:
  static constexpr std::string_view kBlankOrBreak{&kBreakOrBlank, 1}, kBlank{&kBreakBetweenParts, 1};

  Writer& gap(std::string_view gap) {
    gap_ = gap;
    return *this;
  }
  Writer& put(std::string_view text) {
    out_ += gap_;
    out_ += text;
    return gap(" ");
  }
  Writer& one(const ExpressionPtr& value) { return expression(value); }
  Writer& one(const Name& value) { return declared(value); }
  Writer& one(const std::optional<Name>& value) { return declared(*value); }
  Writer& one(const std::optional<ColourName>& value) { return word(value->name); }
  Writer& one(const std::optional<JointSurface>& value) {
    put(value->kind.text);
    return value->arguments.empty() ? *this : arguments(value->arguments);
  }
  Writer& list(const auto& all, std::string_view between, const auto& each) {
    bool is_first = true;
    for (const auto& item : all) {
      if (!std::exchange(is_first, false)) gap("").put(",").gap(between);
      each(*this, item);
    }
    return *this;
  }

  std::string out_;
  std::string_view gap_ = " ";
};

struct ClauseHead {
  std::string operator()(const NonidealClause&) const { return "nonideal"; }
  std::string operator()(const FrictionClause&) const { return "friction"; }
  std::string operator()(const GivenFrictionClause&) const { return "friction"; }
  std::string operator()(const ViaClause&) const { return "via"; }
  std::string operator()(const BranchClause&) const { return "branch"; }
  std::string operator()(const WhenClause&) const { return "when"; }
  std::string operator()(const RestitutionClause&) const { return "restitution"; }
  std::string operator()(const ComplianceClause&) const { return "compliance"; }
  std::string operator()(const LimitsClause&) const { return "limits"; }
  std::string operator()(const StopAction&) const { return "stop"; }
  std::string operator()(const RecordAction&) const { return "record"; }
  std::string operator()(const SetAction&) const { return "set"; }
  std::string operator()(const ClauseChoice&) const { return "if"; }
  std::string operator()(const LawClause& clause) const { return "law " + clause.law.text; }
};

std::string line(std::string_view head, const auto& node) {
  Writer writer(head);
  std::visit([&](const auto& its) { syntax(writer, its); }, node);
  return writer.take();
}

}  // namespace

std::string head_line(const StatementNode& statement) { return line(kKeywordOfNode[statement.index()], statement); }

bool has_block(const EventStatement& event) {
  return event.clauses.size() != 1 || !event.clauses.front().comments_before.empty() ||
         !event.clauses.front().comment_behind.empty();
}

std::string clause_line(const Clause& clause) { return line(std::visit(ClauseHead{}, clause.what), clause.what); }

}  // namespace vinculum::lang
