#include <utility>

#include "vinculum/lang/statement_reader.hpp"

namespace vinculum::lang {
namespace {

class ConstraintParser : private StatementReader {
 public:
  explicit ConstraintParser(Cursor& cursor) : StatementReader(cursor) {}

  // constraint = "constraint" declared ":" expression "=" expression [ "along" expression { "," expression } ] { clause
  // }
  StatementNode run() {
    ConstraintStatement result;
    result.name = declared("the name of the constraint");
    cursor_.expect(":", "a constraint has a name: `constraint c: … = …`");
    result.left = expression();
    expect_equals(*result.left);
    result.right = expression();
    if (cursor_.take_if_word("along")) result.along = expressions();
    result.lacks_clauses = parse_clauses(cursor_, result.clauses);
    cursor_.expect_end({"along", "law", "nonideal", "friction", "via"});
    return result;
  }
};

}  // namespace

StatementNode parse_constraint(Cursor& cursor) { return ConstraintParser(cursor).run(); }

}  // namespace vinculum::lang
