#include "vinculum/lang/format.hpp"

#include <cctype>
#include <string>
#include <string_view>

#include "vinculum/diag/utf8.hpp"
#include "vinculum/lang/expression_format.hpp"
#include "vinculum/lang/keywords.hpp"

namespace vinculum::lang {
namespace {

constexpr int kWidestLine = 120;
constexpr std::string_view kClauseIndent = "    ";
constexpr std::string_view kWrapIndent = "        ";

// One line of a statement, without its indent, with marks where it may be broken.
std::string join(std::initializer_list<std::string_view> parts) {
  std::string result;
  for (const std::string_view part : parts) result += part;
  return result;
}

std::string join_list(const std::vector<std::string>& parts) {
  std::string result;
  for (const std::string& part : parts) {
    if (!result.empty()) {
      result += ',';
      result += kBreakOrBlank;
    }
    result += part;
  }
  return result;
}

std::string equation(std::string_view left, const std::string& right) {
  return join({left, " =", std::string_view(&kBreakOrBlank, 1), right});
}

std::string quoted(const std::string& text) { return join({"\"", text, "\""}); }

std::string behind(std::string_view word, const ExpressionPtr& expression) {
  return expression == nullptr ? std::string() : join({" ", word, " ", format_with_breaks(*expression)});
}
std::string behind(std::string_view word, const std::optional<Name>& name) {
  return name ? join({" ", word, " ", name->text}) : std::string();
}

struct HeadLine {
  std::string operator()(const ModelStatement& s) const {
    return join({"model ", s.name.text, s.title ? "  " : "", s.title ? quoted(*s.title) : ""});
  }
  std::string operator()(const SourceStatement& s) const { return "source " + quoted(s.text); }
  std::string operator()(const ParamStatement& s) const {
    std::vector<std::string> items;
    for (const ParamItem& item : s.items)
      items.push_back(equation(item.name.text, format_item(*item.value, item.unit)));
    return "param " + join_list(items);
  }
  std::string operator()(const CoordStatement& s) const {
    std::vector<std::string> items;
    for (const CoordGroup& group : s.groups) {
      for (const Name& name : group.names) items.push_back(name.text);
      if (group.unit) items.back() = join({items.back(), " ", format_unit(*group.unit)});
    }
    return "coord " + join_list(items);
  }
  std::string operator()(const SpeedStatement& s) const {
    std::vector<std::string> items;
    for (const SpeedItem& item : s.items) {
      items.push_back(equation(item.name.text, format_item(*item.definition, item.unit)));
    }
    return "speed " + join_list(items);
  }
  std::string operator()(const LetStatement& s) const {
    return "let " + equation(s.name.text, format_with_breaks(*s.value));
  }
  std::string operator()(const FrameStatement& s) const {
    const std::string head = "frame " + s.name.text;
    if (const auto* rotated = std::get_if<FrameRotated>(&s.definition)) {
      return join(
          {head, " = ", rotated->parent.text, behind("rotated", rotated->angle), behind("about", rotated->axis)});
    }
    if (const auto* sequence = std::get_if<FrameSequence>(&s.definition)) {
      std::vector<std::string> angles;
      for (const ExpressionPtr& angle : sequence->angles) angles.push_back(format_with_breaks(*angle));
      return join({head, " = ", sequence->parent.text, " ", sequence->sequence.text, "(", join_list(angles), ")"});
    }
    return head + " newtonian";
  }
  std::string operator()(const PointStatement& s) const {
    const std::string head = "point " + s.name.text;
    if (const auto* fixed = std::get_if<PointFixed>(&s.definition)) return head + " fixed in " + fixed->frame.text;
    const auto& at = std::get<PointAt>(s.definition);
    return equation(head + behind("on", at.on), format_with_breaks(*at.position));
  }
  std::string operator()(const ParticleStatement& s) const {
    return join({"particle ", s.name.text, behind("mass", s.mass), behind("at", s.position)});
  }
  std::string operator()(const ForceStatement& s) const {
    return equation("force on " + s.point.text, format_with_breaks(*s.force)) + behind("from", s.from);
  }
  std::string operator()(const GravityStatement& s) const { return "gravity " + format_with_breaks(*s.acceleration); }
  std::string operator()(const SpringStatement& s) const {
    return join({"spring ", s.first.text, " ", s.second.text, behind("stiffness", s.stiffness),
                 behind("length", s.length), behind("damping", s.damping)});
  }
  std::string operator()(const PotentialStatement& s) const { return "potential " + format_with_breaks(*s.energy); }
  std::string operator()(const GeneralizedForceStatement& s) const {
    return equation("generalized force on " + s.coordinate.text, format_with_breaks(*s.force));
  }
  std::string operator()(const ConstraintStatement& s) const {
    std::vector<std::string> directions;
    for (const ExpressionPtr& direction : s.along) directions.push_back(format_with_breaks(*direction));
    return join({"constraint ", s.name.text, ": ", equation(format_with_breaks(*s.left), format_with_breaks(*s.right)),
                 directions.empty() ? "" : " along ", join_list(directions)});
  }
  std::string operator()(const OutputStatement& s) const {
    return "output " + equation(s.name.text, format_with_breaks(*s.value)) + behind("in", s.frame);
  }
  std::string operator()(const StartStatement& s) const {
    std::vector<std::string> items;
    for (const StartItem& item : s.items) {
      items.push_back(join({format_with_breaks(*item.variable), item.kind == StartKind::kHeld ? " = " : " ~ ",
                            format_item(*item.value, item.unit)}));
    }
    return "start " + join_list(items);
  }
  std::string operator()(const RunStatement& s) const {
    constexpr std::string_view kOptions[] = {"step", "tolerance", "method", "formulation"};
    return join({"run ", format_unless_word(*s.duration, kOptions), behind("step", s.step),
                 behind("tolerance", s.tolerance), behind("method", s.method), behind("formulation", s.formulation)});
  }
  std::string operator()(const ExpectStatement& s) const {
    if (const auto* stop = std::get_if<ExpectStop>(&s.what)) {
      return join({"expect stop: ", stop->kind.text, behind("at", stop->time), behind("±", stop->tolerance)});
    }
    const auto& value = std::get<ExpectValue>(s.what);
    std::string head = "expect ";
    switch (value.when) {
      case ExpectWhen::kAlways:
        head += "always: ";
        break;
      case ExpectWhen::kStart:
        head += "at start: ";
        break;
      case ExpectWhen::kEnd:
        head += "at end: ";
        break;
      case ExpectWhen::kAt: {
        constexpr std::string_view kTimes[] = {"start", "end"};
        head += join({"at ", format_unless_word(*value.time, kTimes), ": "});
        break;
      }
    }
    const std::string left = format_with_breaks(*value.left);
    if (value.right == nullptr) return head + left;
    return head + equation(left, format_with_breaks(*value.right)) + behind("±", value.tolerance);
  }
};

struct ClauseLine {
  std::string operator()(const IdealClause&) const { return "law ideal"; }
  std::string operator()(const NonidealClause& c) const {
    return equation("nonideal on " + c.target.text, format_with_breaks(*c.value)) + behind("from", c.from);
  }
};

// Whether a line may begin with this text: a statement's keyword there would begin a statement.
bool may_begin_line(std::string_view rest) {
  std::size_t end = 0;
  while (end < rest.size() && (std::isalnum(static_cast<unsigned char>(rest[end])) != 0 || rest[end] == '_')) ++end;
  const std::string_view word = rest.substr(0, end);
  if (find_statement(word) == nullptr) return true;
  return (word == "force" || word == "torque") && end < rest.size() && rest[end] == '(';
}

// Sets blanks or line ends for the marks, so that no line is wider than kWidestLine if it can be helped.
std::string wrap(std::string_view text, std::string_view indent) {
  std::string result(indent);
  std::string piece;
  int column = static_cast<int>(indent.size());
  bool is_line_empty = true;
  std::string_view gap;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const bool is_mark = at == text.size() || text[at] == kBreakOrBlank || text[at] == kBreak;
    if (!is_mark) {
      piece += text[at];
      continue;
    }
    // Words that may not begin a line stick to what stands before them.
    if (at < text.size() && !may_begin_line(text.substr(at + 1))) {
      if (text[at] == kBreakOrBlank) piece += ' ';
      continue;
    }
    const int width = diag::count_characters(piece);
    if (!is_line_empty && column + static_cast<int>(gap.size()) + width > kWidestLine) {
      result += '\n';
      result += indent;
      result += kWrapIndent;
      column = static_cast<int>(indent.size() + kWrapIndent.size());
      gap = {};
    }
    result += gap;
    result += piece;
    column += static_cast<int>(gap.size()) + width;
    is_line_empty = false;
    piece.clear();
    gap = at < text.size() && text[at] == kBreakOrBlank ? " " : "";
  }
  return result;
}

void print_comments(const std::vector<std::string>& comments, std::string_view indent, std::string& out) {
  for (const std::string& comment : comments) {
    if (!comment.empty()) out += indent;
    out += comment;
    out += '\n';
  }
}

// A comment goes behind the first line.
std::string with_comment(std::string lines, const std::string& comment) {
  if (!comment.empty()) lines.insert(std::min(lines.find('\n'), lines.size()), "  " + comment);
  return lines;
}

void print_statement(const Statement& statement, std::string& out) {
  if (statement.blank_line_before) out += '\n';
  print_comments(statement.comments_before, "", out);
  out += with_comment(wrap(std::visit(HeadLine{}, statement.node), ""), statement.comment_behind);
  out += '\n';
  if (const auto* constraint = std::get_if<ConstraintStatement>(&statement.node)) {
    for (const Clause& clause : constraint->clauses) {
      print_comments(clause.comments_before, kClauseIndent, out);
      out += with_comment(wrap(std::visit(ClauseLine{}, clause.what), kClauseIndent), clause.comment_behind);
      out += '\n';
    }
  }
  print_comments(statement.comments_under, kClauseIndent, out);
}

}  // namespace

std::string format(const ModelFile& file) {
  std::string result;
  for (const Statement& statement : file.statements) print_statement(statement, result);
  print_comments(file.comments_at_end, "", result);
  return result;
}

std::string format(const Expression& expression) {
  std::string result;
  for (const char c : format_with_breaks(expression)) {
    if (c != kBreak) result += c == kBreakOrBlank ? ' ' : c;
  }
  return result;
}

}  // namespace vinculum::lang
