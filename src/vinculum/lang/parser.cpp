#include "vinculum/lang/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "vinculum/lang/clause_comments.hpp"
#include "vinculum/lang/cursor.hpp"
#include "vinculum/lang/expression_parser.hpp"
#include "vinculum/lang/keywords.hpp"
#include "vinculum/lang/layout.hpp"
#include "vinculum/lang/lexer.hpp"
#include "vinculum/lang/restored.hpp"
#include "vinculum/lang/statement_parser.hpp"

namespace vinculum::lang {
namespace {

// Passes on a limited number of errors, and then one that says that there are more: random bytes must not produce a
// message per byte.
class LimitedSink final : public diag::Sink {
 public:
  explicit LimitedSink(diag::Sink& sink) : sink_(sink) {}

  void report(diag::Diagnostic diagnostic) override {
    if (++count_ <= kMaxSyntaxErrors) return sink_.report(std::move(diagnostic));
    if (count_ > kMaxSyntaxErrors + 1) return;
    sink_.report(diag::error(diag::Kind::kTooManyErrors, diagnostic.range, "too many errors, reading stops here"));
  }

  bool is_full() const { return count_ > kMaxSyntaxErrors; }

 private:
  diag::Sink& sink_;
  int count_ = 0;
};

SourceRange range_of(std::span<const Token> tokens) { return {tokens.front().range.begin, tokens.back().range.end}; }

class FileReader {
 public:
  FileReader(const LexedText& text, LawForms laws, LimitedSink& sink)
      : text_(text), laws_(laws), braces_(text.tokens), sink_(sink) {}

  ModelFile run() {
    Block all = read(text_.tokens, text_.comments);
    file_.statements = std::move(all.statements);
    file_.comments_at_end = std::move(all.comments_at_end);
    return std::move(file_);
  }

 private:
  struct Block {
    std::vector<Statement> statements;
    std::vector<std::string> comments_at_end;
  };

  // The unread tokens and the comments of a statement that contains other statements.
  struct Rest {
    std::span<const Token> tokens;
    std::vector<Comment>& comments;

    bool is_at(std::string_view word) const { return !tokens.empty() && tokens.front().is_name(word); }
    void skip_all() { tokens = {}; }
  };

  Block read(std::span<const Token> tokens, std::span<const Comment> comments, int opened_on = 0) {
    Block result;
    Layout layout = lay_out(tokens, comments, braces_, opened_on);
    for (StatementTokens& one : layout.statements) {
      const Token& head = one.tokens.front();
      if (sink_.is_full()) {
        if (!file_.names_lost_from) file_.names_lost_from = head.range.begin;
        break;
      }
      std::optional<StatementNode> node = begins_block(head) && may_stand_here(head)
                                              ? whole_block(one)
                                              : parse_statement(one.tokens, laws_, sink_, inside_);
      if (!node) {
        file_.has_faults = true;
        const bool is_first = &head == text_.tokens.data();
        if (is_first && (head.kind != TokenKind::kName || find_statement(head.text) == nullptr))
          file_.begins_with_no_statement = true;
        if (inside_ == Inside::kModel) note_names_at_fault(one.tokens, file_);
        continue;
      }
      Statement& statement =
          result.statements.emplace_back(std::move(*node), range_of(one.tokens), one.blank_line_before,
                                         std::move(one.comments_before), std::move(one.comment_behind));
      place_comments(one.comments_inside, statement);
    }
    result.comments_at_end = std::move(layout.comments_at_end);
    return result;
  }

  // Whether a block that begins with `head` is allowed here; a view may contain only loops and choices.
  [[nodiscard]] bool may_stand_here(const Token& head) const {
    return inside_ == Inside::kModel || head.is_name("for") || head.is_name("if");
  }

  std::optional<StatementNode> whole_block(StatementTokens& statement) {
    Rest rest{statement.tokens, statement.comments_inside};
    std::optional<StatementNode> result = block(rest);
    if (!result || rest.tokens.empty()) return result;
    Cursor cursor(rest.tokens, sink_);
    if (find_statement(rest.tokens.front().text) != nullptr) {
      cursor.fail_expected("the end of the statement", "one statement a line");
    } else if (statement.tokens.front().is_name("if")) {
      cursor.expect_end({"else"});
    } else {
      cursor.expect_end();
    }
    return std::nullopt;
  }

  // Reads a block. The statements between its braces are read even if its head is faulty. If the head has several
  // lines, the comments on them belong to the block.
  std::optional<StatementNode> block(Rest& rest) {
    const Restored deeper(depth_, depth_ + 1);
    const Token& head = rest.tokens.front();
    if (depth_ > kMaxBlocks) {
      rest.skip_all();
      sink_.report(diag::error(diag::Kind::kNestingTooDeep, head.range,
                               fmt::format("blocks are nested deeper than {} levels here", kMaxBlocks),
                               "move parts of the block into a `component`"));
      return std::nullopt;
    }
    const auto open = std::ranges::find_if(rest.tokens, [](const Token& token) { return token.is_symbol("{"); });
    const auto head_size = static_cast<std::size_t>(open - rest.tokens.begin());
    const bool is_open = open != rest.tokens.end();
    std::optional<StatementNode> node =
        parse_statement(rest.tokens.first(head_size + (is_open ? 1 : 0)), laws_, sink_, inside_);
    rest.tokens = rest.tokens.subspan(head_size);
    const Restored within(inside_, head.is_name("view") ? Inside::kView : inside_);
    std::optional<Block> body;
    if (is_open) body = between_braces(rest);
    if (!body) {
      rest.skip_all();
      return std::nullopt;
    }
    if (node) hold(*node, std::move(*body));
    if (!head.is_name("if") || !rest.is_at("else")) return node;
    std::optional<Block> otherwise = else_block(rest);
    if (!node || !otherwise) return std::nullopt;
    auto& choice = std::get<IfStatement>(*node);
    choice.has_else = true;
    choice.otherwise = std::move(otherwise->statements);
    choice.comments_at_end_of_else = std::move(otherwise->comments_at_end);
    return node;
  }

  // \pre at an `else`
  std::optional<Block> else_block(Rest& rest) {
    rest.tokens = rest.tokens.subspan(1);
    if (!rest.is_at("if")) {
      if (!rest.tokens.empty() && rest.tokens.front().is_symbol("{")) return between_braces(rest);
      Cursor(rest.tokens, sink_).fail_expected("`{` or `if`", "`else` is followed by `{ … }` or by another `if`");
      rest.skip_all();
      return std::nullopt;
    }
    const Token& head = rest.tokens.front();
    std::string comment_behind;
    const auto behind = std::ranges::find_if(
        rest.comments, [&](const Comment& one) { return one.line == head.line && one.begin > head.range.begin; });
    if (behind != rest.comments.end()) {
      comment_behind = behind->text;
      rest.comments.erase(behind);
    }
    std::optional<StatementNode> node = block(rest);
    if (!node) return std::nullopt;
    Block result;
    const SourceRange range{head.range.begin, rest.tokens.data()[-1].range.end};
    result.statements.emplace_back(std::move(*node), range, false, std::vector<std::string>(),
                                   std::move(comment_behind));
    return result;
  }

  // \pre at a `{`
  std::optional<Block> between_braces(Rest& rest) {
    const Token& open = rest.tokens.front();
    const Token* closing = braces_.closing(open);
    if (closing == nullptr) {
      rest.skip_all();
      sink_.report(diag::error(diag::Kind::kUnclosedBracket, open.range, "`{` is not closed",
                               "the block ends with a `}` on a separate line"));
      return std::nullopt;
    }
    const auto size = static_cast<std::size_t>(closing - &open);
    const std::span<const Token> inside = rest.tokens.subspan(1, size - 1);
    rest.tokens = rest.tokens.subspan(size + 1);
    const auto end =
        std::ranges::find_if(rest.comments, [&](const Comment& one) { return one.begin > closing->range.begin; });
    const std::vector<Comment> comments(rest.comments.begin(), end);
    rest.comments.erase(rest.comments.begin(), end);
    return read(inside, comments, open.line);
  }

  static void hold(StatementNode& node, Block body) {
    if (auto* loop = std::get_if<ForStatement>(&node)) {
      loop->body = std::move(body.statements);
      loop->comments_at_end = std::move(body.comments_at_end);
    } else if (auto* choice = std::get_if<IfStatement>(&node)) {
      choice->then = std::move(body.statements);
      choice->comments_at_end_of_then = std::move(body.comments_at_end);
    } else if (auto* view = std::get_if<ViewStatement>(&node)) {
      view->body = std::move(body.statements);
      view->comments_at_end = std::move(body.comments_at_end);
    } else {
      auto& component = std::get<ComponentStatement>(node);
      component.body = std::move(body.statements);
      component.comments_at_end = std::move(body.comments_at_end);
    }
  }

  const LexedText& text_;
  LawForms laws_;
  Braces braces_;
  LimitedSink& sink_;
  ModelFile file_;
  int depth_ = 0;
  Inside inside_ = Inside::kModel;
};

}  // namespace

ModelFile parse(const diag::SourceText& source, LawForms laws, diag::Sink& sink) {
  return parse(source, {0, static_cast<std::uint32_t>(source.text().size())}, laws, sink);
}

ModelFile parse(const diag::SourceText& source, SourceRange part, LawForms laws, diag::Sink& sink) {
  LimitedSink limited(sink);
  const LexedText text = lex(source, part, limited);
  return FileReader(text, laws, limited).run();
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
