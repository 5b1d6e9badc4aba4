#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "vinculum/lang/statement_reader.hpp"

namespace vinculum::lang {
namespace {

using diag::Kind;

// body or space, then three of the digits 1 to 3 of which no neighbours are equal: 24 sequences.
bool is_sequence(std::string_view name) {
  const std::size_t letters = name.starts_with("body") ? 4 : name.starts_with("space") ? 5 : 0;
  if (letters == 0 || name.size() != letters + 3) return false;
  const std::string_view axes = name.substr(letters);
  return std::ranges::all_of(axes, [](char c) { return '1' <= c && c <= '3'; }) && axes[0] != axes[1] &&
         axes[1] != axes[2];
}

// body12, space3.
bool names_fewer_axes(std::string_view name) {
  const std::string_view axes = name.substr(name.starts_with("body") ? 4 : 5);
  return (axes.size() == 1 || axes.size() == 2) &&
         std::ranges::all_of(axes, [](char c) { return '1' <= c && c <= '3'; });
}

class FrameParser : private StatementReader {
 public:
  explicit FrameParser(Cursor& cursor) : StatementReader(cursor) {}

  // frame = "frame" declared ( "newtonian" | "=" reference ( "rotated" expression "about" expression
  //                                                        | SEQUENCE "(" expression "," expression "," expression ")"
  //                                                        | "quaternion" "(" reference { "," reference } ")" ) )
  StatementNode run() {
    FrameStatement result{declared("the name of a frame"), FrameNewtonian{}};
    if (cursor_.take_if_word("newtonian")) {
      cursor_.expect_end();
      return result;
    }
    if (!cursor_.take_if("=")) {
      const std::string words[] = {"newtonian"};
      cursor_.fail_expected("`newtonian` or `=`",
                            cursor_.peek().kind == TokenKind::kName ? hint_nearest(cursor_.peek().text, words) : "");
    }
    Name parent = name("the frame to rotate from");
    if (cursor_.take_if_word("rotated")) {
      FrameRotated rotated{std::move(parent), expression(), nullptr};
      cursor_.expect_word("about");
      rotated.axis = expression();
      result.definition = std::move(rotated);
    } else if (cursor_.is_at_word("quaternion")) {
      result.definition = quaternion(std::move(parent));
    } else {
      result.definition = sequence(std::move(parent));
    }
    cursor_.expect_end();
    return result;
  }

 private:
  FrameSequence sequence(Name parent) {
    const Token token = cursor_.peek();
    FrameSequence result{std::move(parent), {std::string(token.text), token.range}, {}};
    if (token.kind != TokenKind::kName || !is_sequence(token.text)) {
      const bool is_near = token.text.starts_with("body") || token.text.starts_with("space");
      const std::string words[] = {"rotated", "quaternion"};
      std::string hint = "a sequence names three axes, neighbours different: body123, space312, body313 …";
      if (is_near && names_fewer_axes(token.text)) hint += "; fewer turns are `rotated` frames one upon the other";
      if (token.kind == TokenKind::kName && !is_near) hint = hint_nearest(token.text, words);
      cursor_.fail_expected("`rotated`, a sequence of rotations or `quaternion`", hint);
    }
    cursor_.take();
    const Token open = cursor_.peek();
    cursor_.expect("(");
    result.angles = expressions();
    close(open, token, result.angles.size(), 3, "angles");
    return result;
  }

  FrameQuaternion quaternion(Name parent) {
    const Token head = cursor_.take();
    FrameQuaternion result{std::move(parent), {}};
    const Token open = cursor_.peek();
    cursor_.expect("(");
    result.coordinates = names("a coordinate");
    close(open, head, result.coordinates.size(), 4, "coordinates, the first that of the angle");
    return result;
  }

  void close(const Token& open, const Token& head, std::size_t given, std::size_t wanted, std::string_view what) {
    cursor_.expect_closing(open, ")");
    if (cursor_.is_faulty() || given == wanted) return;
    cursor_.fail(Kind::kWrongArgumentCount, cursor_.range_from(open),
                 fmt::format("`{}` takes {} {}, {} given", head.text, wanted, what, given));
  }
};

}  // namespace

StatementNode parse_frame(Cursor& cursor) { return FrameParser(cursor).run(); }

}  // namespace vinculum::lang
