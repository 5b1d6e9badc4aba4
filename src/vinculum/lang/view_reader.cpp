// Reads the elements of which the items of a `view` consist.
#include "vinculum/lang/view_reader.hpp"

#include "vinculum/lang/syntax_reader.hpp"

namespace vinculum::lang {

SyntaxReader& SyntaxReader::sizes(std::vector<ExpressionPtr>& all, ExpressionPtr& axis) {
  // A parameter may have the name `axis`. Then an operator, a comma or the closing bracket follows it.
  const auto is_at_axis = [&] {
    const Token& next = cursor_.peek(1);
    const bool begins_vector =
        next.kind == TokenKind::kName || next.kind == TokenKind::kNumber || next.is_symbol("(") || next.is_symbol("-");
    return cursor_.is_at_word("axis") && begins_vector;
  };
  open_bracket("a shape has its sizes in brackets: `cylinder(r, h, axis VEC)`");
  do {
    if (is_at_axis()) {
      cursor_.take();
      expression(axis);
      break;
    }
    expression(all.emplace_back());
  } while (cursor_.take_if(","));
  cursor_.expect_closing(open_, ")");
  return *this;
}

bool SyntaxReader::take(const Option<std::optional<ColourName>>& one) {
  const bool is_given = one.value.has_value();
  if (!may_take_option(one.word, is_given) && !may_take_option("colour", is_given)) return false;
  Name& name = one.value.emplace().name;
  if (!take_colour_code(cursor_, name)) word(name, "a color");
  return true;
}

bool take_colour_code(Cursor& cursor, Name& name) {
  if (cursor.peek().kind != TokenKind::kString) return false;
  const Token token = cursor.take();
  name = {.text = '"' + std::string(token.text) + '"', .range = token.range};
  return true;
}

}  // namespace vinculum::lang
