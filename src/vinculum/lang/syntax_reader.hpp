#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/lang/statement_reader.hpp"
#include "vinculum/lang/syntax.hpp"

namespace vinculum::lang {

/// The elements of the grammar, for reading a statement. Each function reads the element that it is named after. If the
/// element is missing, the function reports an error and abandons the statement; later calls then report nothing
/// (cursor.hpp).
class SyntaxReader : private StatementReader {
 public:
  static constexpr bool kReads = true;
  explicit SyntaxReader(Cursor& cursor) : StatementReader(cursor) {}

  Cursor& cursor() { return cursor_; }

  SyntaxReader& key(std::string_view word, std::string_view hint = {});
  SyntaxReader& part(std::string_view word) { return key(word); }
  SyntaxReader& word(Name& name, std::string_view what) { return name = StatementReader::word(what), *this; }
  SyntaxReader& declared(Name& name, std::string_view what) { return name = StatementReader::declared(what), *this; }
  /// A declared name that a unit may follow: `[` after a space begins a unit, and `[` without space an index.
  SyntaxReader& before_unit(Name& name, std::string_view what);
  SyntaxReader& family(Name& name, std::string_view what) { return name = StatementReader::family(what), *this; }
  SyntaxReader& reference(Name& target, std::string_view what) { return target = name(what), *this; }
  SyntaxReader& title(std::optional<std::string>& title);
  SyntaxReader& text(std::string& text, std::string_view what, std::string hint, SourceRange* range = nullptr);
  SyntaxReader& prime(const Name& state);
  SyntaxReader& again(const Name& state);
  SyntaxReader& comma() { return cursor_.expect(","), *this; }
  SyntaxReader& colon(std::string hint = {}) { return cursor_.expect(":", std::move(hint)), *this; }
  SyntaxReader& equals() { return cursor_.expect("="), *this; }
  /// Takes the `=` after `left`. If the author wrote `==`, `left` has consumed it as a comparison; that is reported.
  SyntaxReader& equals(const ExpressionPtr& left) { return expect_equals(*left), *this; }
  SyntaxReader& sets() { return equals(); }
  SyntaxReader& sets(StartKind& kind);
  /// Takes the name of a required argument and its `=`.
  SyntaxReader& given(std::string_view letter, std::string_view form);
  SyntaxReader& load(bool& is_torque, std::string hint = {});
  SyntaxReader& end(std::initializer_list<std::string_view> words = {}, std::string hint_at_comma = {});

  SyntaxReader& expression(ExpressionPtr& place, ExpressionEnd end = ExpressionEnd::kPlain);
  SyntaxReader& expressions(std::vector<ExpressionPtr>& all) { return all = StatementReader::expressions(), *this; }
  SyntaxReader& variable(ExpressionPtr& place) { return place = parse_variable_at(cursor_), *this; }
  SyntaxReader& axis(ExpressionPtr& place) { return expression(place); }
  SyntaxReader& value(ExpressionPtr& place, std::optional<Unit>& closing);
  SyntaxReader& unit(std::optional<Unit>& unit) { return unit = parse_unit_at(cursor_), *this; }
  SyntaxReader& unless_word(ExpressionPtr& place, std::initializer_list<std::string_view> words, std::string_view what,
                            std::string hint);
  SyntaxReader& range(ExpressionPtr& from, ExpressionPtr& to, std::string_view hint);
  SyntaxReader& items(auto& all, const auto& each) {
    do {
      each(*this, all.emplace_back());
    } while (cursor_.take_if(","));
    return *this;
  }
  SyntaxReader& ranged(ViaItem& item, const auto& read) {
    const Token head = cursor_.peek();
    read();
    item.range = cursor_.range_from(head);
    return *this;
  }
  SyntaxReader& groups(std::vector<CoordGroup>& groups);

  SyntaxReader& option(std::string_view word, ExpressionPtr& value, std::string_view = {});
  SyntaxReader& option(std::string_view word, std::optional<Name>& value, std::string_view what);
  /// Takes the options in any order, each at most once.
  SyntaxReader& options(const auto&... all) {
    while ((take(all) || ...)) {
    }
    return *this;
  }
  SyntaxReader& parts(const auto&... all) { return options(all...); }
  bool begins(std::string_view word, bool) { return cursor_.take_if_word(word); }
  /// Takes the word `rotated` if the cursor is at `rotated a about VEC`; false if not, or if `rotated` is a name there.
  bool turns(bool);

  /// Takes a list in brackets. \param hint  shown if the bracket is missing. Without a hint the list must not be empty.
  SyntaxReader& arguments(std::vector<ExpressionPtr>& all, std::string hint = {});
  SyntaxReader& arguments(std::vector<Name>& all);
  SyntaxReader& parameters(std::vector<Name>& all, std::string hint);
  SyntaxReader& inertia(std::vector<ExpressionPtr>& all);
  SyntaxReader& only(std::vector<ExpressionPtr>& all) { return expression(all.emplace_back()); }
  /// Takes the dimensions of a shape in brackets, with an optional axis at the end.
  SyntaxReader& sizes(std::vector<ExpressionPtr>& all, ExpressionPtr& axis);
  /// Takes a word if it follows, and stores in `is_there` whether it did.
  bool flag(std::string_view word, bool& is_there) { return is_there = cursor_.take_if_word(word); }
  /// Reports an error if the number of arguments is not `wanted`.
  SyntaxReader& counts(std::size_t given, std::size_t wanted, std::string_view what);

  decltype(FrameStatement::definition) definition_of_frame();
  SyntaxReader& parent(const Name&) { return *this; }  // definition_of_frame has already consumed it
  SyntaxReader& sequence(Name& name);
  /// Takes the name of an axis, x, y or z, other than the one in `taken`.
  SyntaxReader& letter(Name& axis, const Name* taken = nullptr);
  SyntaxReader& joined(JointPoint& point);
  /// Reports an error if the second end of a spring is missing. The word `length` may be the name of a point: then the
  /// word occurs twice, or another option follows it.
  void expect_second_end(std::string_view form);
  void expect_no_unit_of_output();
  void expect_unit_behind_as(bool has_unit);
  /// \name Checks for common mistakes. Each reports what to write instead; see usual_mistakes.cpp.
  /// @{
  void expect_unit_last(std::string_view keyword);
  void expect_one_angle(const Name& parent);
  void expect_no_preposition(std::string_view form);
  ConstraintStatement::Sign sign_of_relation();
  void expect_crossing();
  void expect_option_of_joint();
  void expect_length_of_run();
  /// @}

  SyntaxReader& kind_of_stop(Name& kind);
  SyntaxReader& when(ExpectValue& expected);
  bool claims_equality(ExpectValue& expected);
  SyntaxReader& plus_minus();

  /// Takes `LHS = RHS`, `LHS >= RHS` or `LHS <= RHS`.
  SyntaxReader& relation(ConstraintStatement& constraint);
  /// Whether the statement `limits` states a name before its `of`.
  bool is_named(std::optional<Name>& name);
  /// Takes `a .. b`, of which one may be missing.
  SyntaxReader& bounds(ExpressionPtr& lower, ExpressionPtr& upper);
  /// Takes a word if it is one of these.
  SyntaxReader& one_of(std::optional<Name>& word, std::initializer_list<std::string_view> words);
  /// Takes the name of a law in the table, and the arguments that the law's form requires.
  SyntaxReader& law(LawClause& law);
  SyntaxReader& clauses(auto& statement) {
    read_clauses(statement.clauses);
    return *this;
  }
  SyntaxReader& branches(ClauseChoice& choice);
  /// Whether a state is sampled (`every`) rather than continuous: no prime follows its name.
  bool is_sampled(const StateStatement&) { return cursor_.is_at("[") || cursor_.is_at_word("every"); }
  /// Takes the `=` of an input, if there is one.
  bool has_value(const InputStatement&) { return cursor_.take_if("="); }
  EventStatement::Trigger trigger(EventStatement& event);
  /// One action, or several in braces.
  SyntaxReader& actions(EventStatement& event);
  SyntaxReader& opens(std::string_view keyword);

 private:
  bool take(const Option<ExpressionPtr>& one) { return take_option(one.word, one.value); }
  bool take(const Option<std::optional<Name>>& one) { return take_option(one.word, one.value, one.what); }
  bool take(const Option<std::optional<JointSurface>>& one);
  bool take(const Option<std::optional<ColourName>>& one);
  void open_bracket(std::string hint = {});
  bool is_at_start(std::string_view word, std::size_t ahead = 0) const;
  void starts(const LawArgumentForm& form, LawClause& law);
  void read_clauses(std::vector<Clause>& clauses);
  Clause read_choice();
  bool read_action(std::vector<Clause>& actions, std::vector<std::string> words, std::string hint);

  Token open_, before_open_;  // the opening bracket that was taken last, and the token before it
};

}  // namespace vinculum::lang
