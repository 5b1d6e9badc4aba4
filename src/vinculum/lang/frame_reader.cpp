// Reads the definition in a `frame` statement: how a frame is rotated relative to another one.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "vinculum/lang/syntax_reader.hpp"

namespace vinculum::lang {

using diag::Kind;

namespace {

// `body` or `space` and three digits from 1 to 3, with adjacent digits different: 24 sequences.
bool is_sequence(std::string_view name) {
  const std::size_t letters = name.starts_with("body") ? 4 : name.starts_with("space") ? 5 : 0;
  if (letters == 0 || name.size() != letters + 3) return false;
  const std::string_view axes = name.substr(letters);
  return std::ranges::all_of(axes, [](char c) { return '1' <= c && c <= '3'; }) && axes[0] != axes[1] &&
         axes[1] != axes[2];
}

// Incomplete sequences: body12, space3.
bool names_fewer_axes(std::string_view name) {
  const std::string_view axes = name.substr(name.starts_with("body") ? 4 : 5);
  return (axes.size() == 1 || axes.size() == 2) &&
         std::ranges::all_of(axes, [](char c) { return '1' <= c && c <= '3'; });
}

std::string nearest_of(const Token& found, const std::vector<std::string>& words) {
  return found.kind == TokenKind::kName ? hint_nearest(found.text, words) : std::string();
}

}  // namespace

decltype(FrameStatement::definition) SyntaxReader::definition_of_frame() {
  if (cursor_.is_at_word("newtonian")) return FrameNewtonian{};
  const bool is_newtonian_behind = cursor_.peek(1).is_name("newtonian") && cursor_.peek(2).kind == TokenKind::kEnd;
  if (is_newtonian_behind || !cursor_.take_if("=")) {
    const std::string nearest = nearest_of(cursor_.peek(), {"newtonian"});
    cursor_.fail_expected(is_newtonian_behind ? "`newtonian`" : "`newtonian` or `=`",
                          nearest.empty() ? "`frame N newtonian` declares the inertial frame, `frame B = N rotated q "
                                            "about z` one that turns"
                                          : nearest);
  }
  Name parent = name("the frame to rotate from");
  if (cursor_.is_at_word("rotated")) return FrameRotated{std::move(parent), nullptr, nullptr};
  if (cursor_.is_at_word("quaternion")) return FrameQuaternion{std::move(parent), {}};
  if (cursor_.is_at_word("axes")) return FrameAxes{std::move(parent), {}, nullptr, {}, nullptr};
  return FrameSequence{std::move(parent), {}, {}};
}

SyntaxReader& SyntaxReader::sequence(Name& name) {
  const Token token = cursor_.peek();
  if (token.kind != TokenKind::kName || !is_sequence(token.text)) {
    const bool is_near = token.text.starts_with("body") || token.text.starts_with("space");
    std::string hint = "a sequence names three axes, neighbours different: body123, space312, body313 …";
    if (is_near && names_fewer_axes(token.text)) hint += "; fewer turns are `rotated` frames one upon the other";
    if (token.kind == TokenKind::kName && !is_near) hint = nearest_of(token, {"rotated", "quaternion", "axes"});
    if (hint.empty() || !is_near) {
      const std::string nearest = std::exchange(hint, {});
      hint =
          nearest.starts_with("did") ? nearest
          : cursor_.peek(1).is_symbol("(")
              ? "three turns, each about an axis of the frame reached so far, are `body123(a, b, c)`; about those of "
                "the first frame, `space123(a, b, c)`"
              : "a frame turns from another one: `frame B = N rotated q about z`";
    }
    cursor_.fail_expected("`rotated`, a sequence of rotations, `quaternion` or `axes`", hint);
  }
  name = {std::string(token.text), token.range};
  cursor_.take();
  return *this;
}

SyntaxReader& SyntaxReader::letter(Name& axis, const Name* taken) {
  constexpr std::string_view kHint = "two axes of the new frame and their directions: `axes x VEC, y VEC`";
  const Token token = cursor_.peek();
  if (!token.is_name("x") && !token.is_name("y") && !token.is_name("z"))
    cursor_.fail_expected("`x`, `y` or `z`", std::string(kHint));
  else if (taken != nullptr && token.text == taken->text)
    cursor_.fail(Kind::kUnexpectedToken, token.range, fmt::format("`{}` is given twice", token.text),
                 std::string(kHint));
  axis = StatementReader::word("an axis");
  return *this;
}

}  // namespace vinculum::lang
