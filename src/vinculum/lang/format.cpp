#include "vinculum/lang/format.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vinculum/diag/utf8.hpp"
#include "vinculum/lang/expression_format.hpp"
#include "vinculum/lang/keywords.hpp"
#include "vinculum/lang/line_format.hpp"

namespace vinculum::lang {
namespace {

constexpr int kWidestLine = 120;
constexpr std::string_view kClauseIndent = "    ";
constexpr std::string_view kWrapIndent = "        ";

// Whether the formatter may begin a new line of `text` with `rest`. It may not if `rest` begins with the keyword of a
// statement, because that line would begin a new statement.
bool may_begin_line(std::string_view text, std::string_view rest) {
  std::size_t end = 0;
  while (end < rest.size() && (std::isalnum(static_cast<unsigned char>(rest[end])) != 0 || rest[end] == '_')) ++end;
  const std::string_view word = rest.substr(0, end);
  if (find_statement(word) == nullptr) return true;
  if (word != "force" && word != "torque") return false;
  return (end < rest.size() && rest[end] == '(') || text.starts_with("via ");
}

// Removes marks for possible line breaks (expression_format.hpp) before words that must not begin a line.
std::string with_usable_marks(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_mark = text[at] == kBreakOrBlank || text[at] == kBreak || text[at] == kBreakBetweenParts;
    if (!is_mark || may_begin_line(text, text.substr(at + 1)))
      result += text[at];
    else if (text[at] != kBreak)
      result += ' ';
  }
  return result;
}

// Width of the text [columns] if it is not broken at any mark.
int width_of(std::string_view text) {
  return diag::count_characters(text) - static_cast<int>(std::ranges::count(text, kBreak));
}

// Replaces marks by blanks or line ends so that, if possible, no line is wider than kWidestLine.
class Wrapping {
 public:
  explicit Wrapping(std::string_view indent)
      : indent_(indent), result_(indent), column_(static_cast<int>(indent.size())) {}

  std::string run(std::string_view text) {
    each_between(
        text, [](char c) { return c == kBreakBetweenParts; },
        [&](std::string_view part, std::string_view gap) {
          if (!is_line_empty_ && !fits(part, gap)) break_line(gap);
          add(part, gap);
        });
    return std::move(result_);
  }

 private:
  // Calls `visit` with each stretch of text between two marks, and with the gap before it (a blank or nothing).
  template <class IsMark, class Visit>
  static void each_between(std::string_view text, IsMark is_mark, const Visit& visit) {
    std::string_view gap;
    for (std::size_t begin = 0; begin <= text.size();) {
      const auto end = static_cast<std::size_t>(std::ranges::find_if(text.substr(begin), is_mark) - text.begin());
      visit(text.substr(begin, end - begin), gap);
      if (end < text.size()) gap = text[end] == kBreak ? "" : " ";
      begin = end + 1;
    }
  }

  bool fits(std::string_view part, std::string_view gap) const {
    return column_ + static_cast<int>(gap.size()) + width_of(part) <= kWidestLine;
  }

  void break_line(std::string_view& gap) {
    result_ += '\n';
    result_ += indent_;
    result_ += kWrapIndent;
    column_ = static_cast<int>(indent_.size() + kWrapIndent.size());
    gap = {};
  }

  void add(std::string_view part, std::string_view gap_before) {
    each_between(
        part, [](char c) { return c == kBreakOrBlank || c == kBreak; },
        [&](std::string_view piece, std::string_view gap) {
          if (gap_before.size() > gap.size()) gap = gap_before;
          gap_before = {};
          if (!is_line_empty_ && !fits(piece, gap)) break_line(gap);
          result_ += gap;
          result_ += piece;
          column_ += static_cast<int>(gap.size()) + width_of(piece);
          is_line_empty_ = false;
        });
  }

  std::string_view indent_;
  std::string result_;
  int column_;
  bool is_line_empty_ = true;
};

std::string wrap(std::string_view text, std::string_view indent) {
  const std::string usable = with_usable_marks(text);
  return Wrapping(indent).run(usable);
}

void print_comments(const std::vector<std::string>& comments, std::string_view indent, std::string& out) {
  for (const std::string& comment : comments) {
    if (!comment.empty()) out += indent;
    out += comment;
    out += '\n';
  }
}

// Inserts a comment at the end of the first line.
std::string with_comment(std::string lines, const std::string& comment) {
  if (!comment.empty()) lines.insert(std::min(lines.find('\n'), lines.size()), "  " + comment);
  return lines;
}

class StatementPrinter {
 public:
  explicit StatementPrinter(std::string& out) : out_(out) {}

  void print(const std::vector<Statement>& statements, const std::vector<std::string>& comments_at_end) {
    for (const Statement& statement : statements) print(statement);
    print_comments(comments_at_end, indent_, out_);
  }

 private:
  void print(const Statement& statement) {
    if (statement.blank_line_before) out_ += '\n';
    print_comments(statement.comments_before, indent_, out_);
    print_line(head_line(statement.node), statement.comment_behind, indent_);
    if (const auto* constraint = std::get_if<ConstraintStatement>(&statement.node)) {
      print_clauses(constraint->clauses);
    } else if (const auto* joint = std::get_if<JointStatement>(&statement.node)) {
      print_clauses(joint->clauses);
    } else if (const auto* event = std::get_if<EventStatement>(&statement.node);
               event != nullptr && has_block(*event)) {
      print_clauses(event->clauses);
      return close(statement);
    } else if (const auto* loop = std::get_if<ForStatement>(&statement.node)) {
      print_body(loop->body, loop->comments_at_end);
      return close(statement);
    } else if (const auto* view = std::get_if<ViewStatement>(&statement.node)) {
      print_body(view->body, view->comments_at_end);
      return close(statement);
    } else if (const auto* component = std::get_if<ComponentStatement>(&statement.node)) {
      print_body(component->body, component->comments_at_end);
      return close(statement);
    } else if (const auto* choice = std::get_if<IfStatement>(&statement.node)) {
      print_branches(*choice);
      return close(statement);
    }
    print_comments(statement.comments_under, indent_ + std::string(kClauseIndent), out_);
  }

  // Prints a line at the current indent. Its continuation lines are indented relative to it.
  void print_line(const std::string& line, const std::string& comment, const std::string& indent) {
    out_ += with_comment(wrap(line, indent), comment);
    out_ += '\n';
  }

  void print_clauses(const std::vector<Clause>& clauses) {
    const std::string before = std::exchange(indent_, indent_ + std::string(kClauseIndent));
    for (const Clause& clause : clauses) {
      print_comments(clause.comments_before, indent_, out_);
      print_line(clause_line(clause), clause.comment_behind, indent_);
      if (const auto* choice = std::get_if<ClauseChoice>(&clause.what)) print_branches(*choice);
    }
    indent_ = before;
  }

  // Prints the branches of a choice among clauses; the line with `if` has been printed.
  void print_branches(const ClauseChoice& choice) {
    const std::string inner = indent_ + std::string(kClauseIndent);
    print_clauses(choice.then);
    print_comments(choice.comments_at_end_of_then, inner, out_);
    if (!choice.has_else) {
      out_ += indent_ + "}\n";
      return;
    }
    const bool is_else_if = choice.otherwise.size() == 1 && choice.comments_at_end_of_else.empty() &&
                            choice.otherwise[0].comments_before.empty();
    const auto* next = is_else_if ? std::get_if<ClauseChoice>(&choice.otherwise[0].what) : nullptr;
    if (next != nullptr) {
      print_line("} else " + clause_line(choice.otherwise[0]), choice.otherwise[0].comment_behind, indent_);
      return print_branches(*next);
    }
    out_ += indent_ + "} else {\n";
    print_clauses(choice.otherwise);
    print_comments(choice.comments_at_end_of_else, inner, out_);
    out_ += indent_ + "}\n";
  }

  void print_body(const std::vector<Statement>& body, const std::vector<std::string>& comments_at_end) {
    indent_ += kClauseIndent;
    print(body, comments_at_end);
    indent_.resize(indent_.size() - kClauseIndent.size());
  }

  // Prints everything after the first line of an `if`, up to the last `}`.
  void print_branches(const IfStatement& choice) {
    for (const IfStatement* one = &choice;;) {
      print_body(one->then, one->comments_at_end_of_then);
      if (!one->has_else) return;
      const Statement* next = else_if(*one);
      if (next == nullptr) {
        out_ += indent_ + "} else {\n";
        return print_body(one->otherwise, one->comments_at_end_of_else);
      }
      print_line("} else " + head_line(next->node), next->comment_behind, indent_);
      one = &std::get<IfStatement>(next->node);
    }
  }

  // The `if` after an `else`, if it can be printed as `else if`; otherwise null. It can unless it has comments, because
  // an `else if` has no place for them.
  static const Statement* else_if(const IfStatement& choice) {
    if (choice.otherwise.size() != 1 || !choice.comments_at_end_of_else.empty()) return nullptr;
    const Statement& only = choice.otherwise.front();
    const bool is_bare = !only.blank_line_before && only.comments_before.empty() && only.comments_under.empty();
    return is_bare && std::holds_alternative<IfStatement>(only.node) ? &only : nullptr;
  }

  // Prints `}` and, in the same line, the first of the comments below the block.
  void close(const Statement& statement) {
    out_ += indent_ + '}';
    bool is_first = true;
    for (const std::string& comment : statement.comments_under) {
      out_ += is_first ? "  " : indent_ + std::string(kClauseIndent);
      out_ += comment + '\n';
      is_first = false;
    }
    if (is_first) out_ += '\n';
  }

  std::string& out_;
  std::string indent_;
};

}  // namespace

std::string format(const ModelFile& file) {
  std::string result;
  StatementPrinter(result).print(file.statements, file.comments_at_end);
  return result;
}

std::string format(const Expression& expression) {
  std::string result;
  for (const char c : format_with_breaks(expression)) {
    if (c != kBreak) result += c == kBreakOrBlank || c == kBreakBetweenParts ? ' ' : c;
  }
  return result;
}

}  // namespace vinculum::lang
