#include <fmt/format.h>

#include <utility>

#include "vinculum/lang/statement_reader.hpp"

namespace vinculum::lang {
namespace {

class JointParser : private StatementReader {
 public:
  explicit JointParser(Cursor& cursor) : StatementReader(cursor) {}

  // joint = "joint" declared ":" NAME "between" reference "of" reference "and" reference "of" reference { option }
  //         { clause }
  StatementNode joint() {
    JointStatement result;
    result.name = declared("the name of the joint");
    cursor_.expect(":", "a joint has a name and a kind: `joint j: revolute between P of A and Q of B axis A.z`");
    result.kind = word("the kind of the joint");
    expect_word("between");
    result.first_point = name("a point");
    expect_word("of");
    result.first_body = name("a body or a frame");
    cursor_.expect_word("and");
    result.second_point = name("a point");
    expect_word("of");
    result.second_body = name("a body or a frame");
    while (option(result)) {
    }
    result.lacks_clauses = parse_clauses(cursor_, result.clauses);
    cursor_.expect_end({"axis", "axis2", "ratio", "pitch", "length", "radius", "surface", "prescribed", "law",
                        "nonideal", "friction", "via"});
    return result;
  }

  // reveal = "reveal" declared ":" ( "force" | "torque" ) "on" reference "along" expression { "," expression }
  StatementNode reveal() {
    RevealStatement result{declared("the name of the revealed forces"), false, {}, {}};
    cursor_.expect(":", "what is revealed has a name: `reveal R: force on P along N.x`");
    result.is_torque = cursor_.is_at_word("torque");
    if (!cursor_.take_if_word("force") && !cursor_.take_if_word("torque")) cursor_.fail_expected("`force` or `torque`");
    cursor_.expect_word("on");
    result.target = name(result.is_torque ? "a body" : "a point or a particle");
    if (cursor_.is_at("("))
      cursor_.fail_expected("`along`", "a name stands here; the name of a body stands for its mass centre");
    cursor_.expect_word("along");
    result.along = expressions();
    cursor_.expect_end();
    return result;
  }

 private:
  void expect_word(std::string_view word) {
    if (cursor_.take_if_word(word)) return;
    cursor_.fail_expected(fmt::format("`{}`", word),
                          "a joint holds a point of one body to a point of another: `between P of A and Q of B`");
  }

  // option = ( "axis" | "axis2" | "ratio" | "pitch" | "length" | "radius" | "prescribed" ) expression | surface
  bool option(JointStatement& joint) {
    return take_option("axis", joint.axis) || take_option("axis2", joint.axis2) || take_option("ratio", joint.ratio) ||
           take_option("pitch", joint.pitch) || take_option("length", joint.length) ||
           take_option("radius", joint.radius) || take_option("prescribed", joint.prescribed) || surface(joint);
  }

  // surface = "surface" NAME [ "(" expression { "," expression } ")" ]
  bool surface(JointStatement& joint) {
    if (!may_take_option("surface", joint.surface.has_value())) return false;
    JointSurface result{word("the kind of the surface"), {}};
    const Token open = cursor_.peek();
    if (cursor_.take_if("(")) {
      result.arguments = expressions();
      cursor_.expect_closing(open, ")");
    }
    joint.surface = std::move(result);
    return true;
  }
};

}  // namespace

StatementNode parse_joint(Cursor& cursor) { return JointParser(cursor).joint(); }
StatementNode parse_reveal(Cursor& cursor) { return JointParser(cursor).reveal(); }

}  // namespace vinculum::lang
