#include "vinculum/lang/parser.hpp"

#include <utility>

#include "vinculum/lang/cursor.hpp"
#include "vinculum/lang/expression_parser.hpp"
#include "vinculum/lang/keywords.hpp"
#include "vinculum/lang/layout.hpp"
#include "vinculum/lang/lexer.hpp"
#include "vinculum/lang/statement_parser.hpp"

namespace vinculum::lang {
namespace {

// Passes on the first errors and says when it stops: a file of noise must not cost a message a byte.
class LimitedSink final : public diag::Sink {
 public:
  explicit LimitedSink(diag::Sink& sink) : sink_(sink) {}

  void report(diag::Diagnostic diagnostic) override {
    if (++count_ <= kMaxSyntaxErrors) return sink_.report(std::move(diagnostic));
    if (count_ > kMaxSyntaxErrors + 1) return;
    diag::Diagnostic last;
    last.kind = diag::Kind::kTooManyErrors;
    last.range = diagnostic.range;
    last.message = "too many errors, reading stops here";
    sink_.report(std::move(last));
  }

  bool is_full() const { return count_ > kMaxSyntaxErrors; }

 private:
  diag::Sink& sink_;
  int count_ = 0;
};

// Comments on further lines go to the clause that they stand behind or over.
void place_comments(std::span<const Comment> comments, Statement& statement) {
  std::span<Clause> clauses;
  if (auto* constraint = std::get_if<ConstraintStatement>(&statement.node)) clauses = constraint->clauses;
  if (auto* joint = std::get_if<JointStatement>(&statement.node)) clauses = joint->clauses;
  std::size_t begun = 0;  // clauses that begin before the comment
  for (const Comment& comment : comments) {
    while (begun < clauses.size() && clauses[begun].range.begin < comment.begin) ++begun;
    Clause* behind = begun == 0 ? nullptr : &clauses[begun - 1];
    const bool is_inside = behind != nullptr && comment.begin < behind->range.end;
    if (behind != nullptr && !comment.is_whole_line && behind->comment_behind.empty()) {
      behind->comment_behind = comment.text;
    } else if (is_inside || (behind != nullptr && !comment.is_whole_line)) {
      behind->comments_before.emplace_back(comment.text);
    } else if (begun < clauses.size()) {
      clauses[begun].comments_before.emplace_back(comment.text);
    } else {
      statement.comments_under.emplace_back(comment.text);
    }
  }
}

SourceRange range_of(std::span<const Token> tokens) { return {tokens.front().range.begin, tokens.back().range.end}; }

}  // namespace

ModelFile parse(const diag::SourceText& source, diag::Sink& sink) {
  return parse(source, {0, static_cast<std::uint32_t>(source.text().size())}, sink);
}

ModelFile parse(const diag::SourceText& source, SourceRange part, diag::Sink& sink) {
  LimitedSink limited(sink);
  ModelFile file;
  const LexedText text = lex(source, part, limited);
  Layout layout = lay_out(text);
  for (StatementTokens& one : layout.statements) {
    if (limited.is_full()) {
      if (!file.names_lost_from) file.names_lost_from = one.tokens.front().range.begin;
      break;
    }
    std::optional<StatementNode> node = parse_statement(one.tokens, limited);
    if (!node) {
      const Token& head = one.tokens.front();
      if (&one == &layout.statements.front() && (head.kind != TokenKind::kName || find_statement(head.text) == nullptr)) {
        file.begins_with_no_statement = true;
      }
      note_names_at_fault(one.tokens, file);
      continue;
    }
    Statement& statement =
        file.statements.emplace_back(std::move(*node), range_of(one.tokens), one.blank_line_before,
                                     std::move(one.comments_before), std::move(one.comment_behind));
    place_comments(one.comments_inside, statement);
  }
  file.comments_at_end = std::move(layout.comments_at_end);
  return file;
}

ExpressionPtr parse_expression(const diag::SourceText& source, diag::Sink& sink) {
  LimitedSink limited(sink);
  const LexedText text = lex(source, {0, static_cast<std::uint32_t>(source.text().size())}, limited);
  Cursor cursor(text.tokens, limited);
  ExpressionPtr result = parse_expression_at(cursor);
  cursor.expect_end();
  if (cursor.is_faulty()) return nullptr;
  return result;
}

}  // namespace vinculum::lang
