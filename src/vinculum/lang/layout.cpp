#include "vinculum/lang/layout.hpp"

#include <algorithm>
#include <string_view>

#include "vinculum/lang/keywords.hpp"

namespace vinculum::lang {
namespace {

bool opens(const Token& token) { return token.is_symbol("(") || token.is_symbol("["); }
bool closes(const Token& token) { return token.is_symbol(")") || token.is_symbol("]"); }

// Whether the keyword begins a block; the `{` of a block may be on the next line.
bool is_block(const Token& head) {
  return head.is_name("for") || head.is_name("if") || head.is_name("view") || head.is_name("component");
}

// Whether a statement continues after a line that ends in this token.
bool continues_behind(const Token& token) {
  constexpr std::string_view kOpen[] = {"+",  "-",  "*",  "/",  "^", ",", ";", "=",  "~", "<", ">",
                                        "<=", ">=", "==", "!=", "±", ":", ".", "..", "(", "["};
  if (token.kind == TokenKind::kSymbol) return std::ranges::find(kOpen, token.text) != std::end(kOpen);
  return token.kind == TokenKind::kName && is_word_operator(token.text);
}

// Whether `keyword`, found where an operand is expected, is an operand; the token `next` after it decides. In `force *
// x` it is a name, in `force on P` it begins a statement. The indent decides ambiguous cases such as `gravity -g`.
bool may_follow_operand(const Token& next, const Token& keyword, bool is_deeper) {
  if (next.is_first_on_line || next.kind == TokenKind::kPrimes) return true;
  if (next.kind == TokenKind::kName) {
    const bool belongs_to_keyword = (next.text == "on" && (keyword.text == "force" || keyword.text == "torque")) ||
                                    (next.text == "at" && keyword.text == "expect");
    return is_connective(next.text) && !belongs_to_keyword;
  }
  if (next.kind != TokenKind::kSymbol) return false;
  constexpr std::string_view kBeginOperands[] = {"+", "-", "(", "[", "|"};
  return is_deeper || std::ranges::find(kBeginOperands, next.text) == std::end(kBeginOperands);
}

class Cutter {
 public:
  Cutter(std::span<const Token> tokens, std::span<const Comment> comments, const Braces& braces, int opened_on)
      : tokens_(tokens), comments_(comments), braces_(braces), opened_on_(opened_on) {}

  Layout run() {
    for (std::size_t begin = 0; begin < tokens_.size();) {
      const std::size_t end = find_end(begin);
      add_statement(begin, end);
      begin = end;
    }
    if (next_comment_ < comments_.size() && is_behind_blank_line(comments_[next_comment_].line)) {
      layout_.comments_at_end.emplace_back();
    }
    take_comments(comments_.size(), layout_.comments_at_end);
    return std::move(layout_);
  }

 private:
  std::size_t find_end(std::size_t head) const {
    int depth = 0;
    for (std::size_t i = head; i < tokens_.size();) {
      if (i > head && tokens_[i].is_first_on_line && begins_statement(head, i, depth)) return i;
      if (const Token* closing = braces_.closing(tokens_[i])) {
        i = static_cast<std::size_t>(closing - tokens_.data()) + 1;
        if (i < tokens_.size() && tokens_[i].is_name("else")) ++i;
        continue;
      }
      if (opens(tokens_[i])) ++depth;
      if (closes(tokens_[i])) depth = std::max(0, depth - 1);
      ++i;
    }
    return tokens_.size();
  }

  bool is_followed_by(std::size_t i, std::string_view symbol) const {
    return i + 1 < tokens_.size() && tokens_[i + 1].is_symbol(symbol);
  }

  bool begins_statement(std::size_t head, std::size_t i, int depth) const {
    const Token& token = tokens_[i];
    // A limit above may be left out: `limits of x = 0 ..`
    const bool may_end_in_range = tokens_[head].is_name("limits") || tokens_[head].is_name("joint");
    const bool is_open =
        depth > 0 || (continues_behind(tokens_[i - 1]) && !(may_end_in_range && tokens_[i - 1].is_symbol("..")));
    const bool is_deeper = token.indent > tokens_[head].indent;
    if (token.kind == TokenKind::kName && find_statement(token.text) != nullptr) {
      const bool is_call = (token.text == "force" || token.text == "torque") && is_followed_by(i, "(");
      // Words that may begin a line inside a statement: the `if` of `(a if c else b)`, `start` of a state or of a
      // multiplier, `friction` of a constraint, `limits` of a joint, the force of a `reveal`, and further actuators
      // after `via`.
      const std::string_view owner = tokens_[head].text;
      const bool has_clauses = owner == "constraint" || owner == "joint";
      const bool is_inner = (token.text == "if" && (is_open || is_deeper)) ||
                            ((token.text == "friction" || token.text == "limits") && is_deeper && has_clauses) ||
                            (token.text == "start" && is_deeper && (owner == "state" || has_clauses)) ||
                            ((token.text == "force" || token.text == "torque") && is_deeper &&
                             (owner == "reveal" || (has_clauses && tokens_[i - 1].is_symbol(",")))) ||
                            (is_open && is_operand(i, is_deeper));
      if (!is_call && !is_inner) return true;
    }
    if (token.is_symbol("{") && is_block(tokens_[head])) return false;
    if (depth > 0 && !is_deeper) return looks_like_misspelt_statement(i);
    return !is_open && !is_deeper;
  }

  bool is_operand(std::size_t keyword, bool is_deeper) const {
    return keyword + 1 >= tokens_.size() || may_follow_operand(tokens_[keyword + 1], tokens_[keyword], is_deeper);
  }

  // Whether two names are adjacent at token i. No expression contains that, so an earlier bracket was not closed, and a
  // statement with a misspelled keyword begins here.
  bool looks_like_misspelt_statement(std::size_t i) const {
    if (i + 1 >= tokens_.size() || tokens_[i + 1].is_first_on_line) return false;
    const auto is_plain_name = [](const Token& token) {
      return token.kind == TokenKind::kName && !is_connective(token.text);
    };
    return is_plain_name(tokens_[i]) && is_plain_name(tokens_[i + 1]);
  }

  bool is_behind_blank_line(int line) const { return last_line_ > 0 && line > last_line_ + 1; }

  // Appends the comments with indices below `end` to `to`; blank lines between them become empty texts.
  void take_comments(std::size_t end, std::vector<std::string>& to) {
    for (; next_comment_ < end; ++next_comment_) {
      const Comment& comment = comments_[next_comment_];
      if (!to.empty() && !to.back().empty() && is_behind_blank_line(comment.line)) to.emplace_back();
      to.emplace_back(comment.text);
      last_line_ = std::max(comment.line, opened_on_);
    }
  }

  void add_statement(std::size_t begin, std::size_t end) {
    StatementTokens statement;
    statement.tokens = tokens_.subspan(begin, end - begin);
    const Token& first = statement.tokens.front();
    const Token& last = statement.tokens.back();

    std::size_t before = next_comment_;
    while (before < comments_.size() && comments_[before].begin < first.range.begin) ++before;
    const int start_line = next_comment_ < before ? comments_[next_comment_].line : first.line;
    statement.blank_line_before = is_behind_blank_line(start_line);
    take_comments(before, statement.comments_before);
    if (!statement.comments_before.empty() && is_behind_blank_line(first.line))
      statement.comments_before.emplace_back();

    // Comments on the following lines belong to the statement while they are indented deeper than it.
    last_line_ = last.line;
    for (; next_comment_ < comments_.size(); ++next_comment_) {
      const Comment& comment = comments_[next_comment_];
      const bool is_inside = comment.begin < last.range.begin || comment.line == last.line;
      const bool is_under = comment.is_whole_line && comment.indent > first.indent && comment.line == last_line_ + 1;
      if (!is_inside && !is_under) break;
      if (is_under) last_line_ = comment.line;
      if (comment.line == first.line) {
        statement.comment_behind = comment.text;
      } else {
        statement.comments_inside.push_back(comment);
      }
    }
    layout_.statements.push_back(std::move(statement));
  }

  std::span<const Token> tokens_;
  std::span<const Comment> comments_;
  const Braces& braces_;
  int opened_on_;
  Layout layout_;
  std::size_t next_comment_ = 0;
  int last_line_ = 0;  // line of the last token or comment read; 0: none yet
};

}  // namespace

Braces::Braces(std::span<const Token> all) : all_(all), closing_(all.size(), nullptr) {
  // largest number of nested open braces that are searched for a brace of equal indent
  constexpr std::size_t kMostForgotten = 100;
  const auto opening_count = std::ranges::count_if(all, [](const Token& one) { return one.is_symbol("{"); });
  const auto closing_count = std::ranges::count_if(all, [](const Token& one) { return one.is_symbol("}"); });
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].is_symbol("{")) open.push_back(i);
    if (!all[i].is_symbol("}") || open.empty()) continue;
    if (opening_count > closing_count && all[i].is_first_on_line) {
      const std::size_t least = open.size() - std::min(open.size(), kMostForgotten);
      std::size_t count = open.size();
      while (count > least && all[open[count - 1]].indent != all[i].indent) --count;
      if (count > least) open.resize(count);
    }
    closing_[open.back()] = &all[i];
    open.pop_back();
  }
}

Layout lay_out(std::span<const Token> tokens, std::span<const Comment> comments, const Braces& braces, int opened_on) {
  return Cutter(tokens, comments, braces, opened_on).run();
}

}  // namespace vinculum::lang
