#include "vinculum/scene/stl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

namespace vinculum::report {
namespace {

using Place = std::array<float, 3>;

// A binary file has a header and a count, then 50 bytes per triangle: normal vector, three corners, an attribute.
constexpr std::size_t kHeader = 80, kBeforeTriangles = 84, kTriangle = 50, kNormal = 12;

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t k = 0; k < 4; ++k)
    word |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + k])) << (8 * k);
  return word;
}

/// Collects triangles and merges equal corners.
class MeshMaker {
 public:
  void add(const std::array<Place, 3>& corners) {
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) return;
    std::array<std::uint32_t, 3> indices{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [at, is_new] = known_.try_emplace(corners[k], static_cast<std::uint32_t>(mesh_.places.size()));
      if (is_new) mesh_.places.push_back(corners[k]);
      indices[k] = at->second;
    }
    mesh_.corners.insert(mesh_.corners.end(), indices.begin(), indices.end());
  }
  [[nodiscard]] ReadMesh take() {
    if (mesh_.corners.empty()) return {{}, "it has no triangles"};
    return {std::move(mesh_), ""};
  }

 private:
  Mesh mesh_;
  std::map<Place, std::uint32_t> known_;
};

bool is_finite(const Place& place) {
  return std::isfinite(place[0]) && std::isfinite(place[1]) && std::isfinite(place[2]);
}

ReadMesh read_binary(std::string_view content) {
  MeshMaker maker;
  const std::size_t count = word_at(content, kHeader);
  for (std::size_t triangle = 0; triangle < count; ++triangle) {
    std::array<Place, 3> corners{};
    std::size_t at = kBeforeTriangles + triangle * kTriangle + kNormal;
    for (Place& corner : corners) {
      for (float& number : corner) {
        number = std::bit_cast<float>(word_at(content, at));
        at += 4;
      }
      if (!is_finite(corner)) return {{}, fmt::format("triangle {} has a corner that is not finite", triangle + 1)};
    }
    maker.add(corners);
  }
  return maker.take();
}

/// The words of a text, with the numbers of their lines.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}
  std::string_view next() {
    constexpr std::string_view kBlanks = " \t\r\n\v\f";
    while (at_ < text_.size() && kBlanks.find(text_[at_]) != kBlanks.npos) line_ += text_[at_++] == '\n' ? 1 : 0;
    const std::size_t end = std::min(text_.find_first_of(kBlanks, at_), text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    at_ = end;
    return word;
  }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  [[nodiscard]] std::string fault(std::string_view wanted, std::string_view found) const {
    return found.empty() ? fmt::format("it ends in line {}, where {} is expected", line_, wanted)
                         : fmt::format("line {}: {} is expected, found `{}`", line_, wanted, found.substr(0, 40));
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

std::optional<float> number_of(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const auto number = static_cast<float>(value);
  // A number too small for a double is 0.
  if (error == std::errc::result_out_of_range && word.find_first_of("eE") + 1 == word.find('-', 1)) return 0.0F;
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

/// Reads three numbers. \returns the message of a fault; empty without one
std::string read_place(Words& words, Place& place) {
  for (float& number : place) {
    const std::string_view word = words.next();
    const auto read = number_of(word);
    if (!read) return words.fault("a finite number", word);
    number = *read;
  }
  return {};
}

std::string read_words(Words& words, std::initializer_list<std::string_view> wanted) {
  for (const std::string_view one : wanted) {
    if (const std::string_view word = words.next(); word != one) return words.fault(fmt::format("`{}`", one), word);
  }
  return {};
}

/// Reads a triangle after its `facet`. \returns the message of a fault; empty without one
std::string read_facet(Words& words, std::array<Place, 3>& corners) {
  Place normal{};
  std::string fault = read_words(words, {"normal"});
  if (fault.empty()) fault = read_place(words, normal);
  if (fault.empty()) fault = read_words(words, {"outer", "loop"});
  for (Place& corner : corners) {
    if (fault.empty()) fault = read_words(words, {"vertex"});
    if (fault.empty()) fault = read_place(words, corner);
  }
  return fault.empty() ? read_words(words, {"endloop", "endfacet"}) : fault;
}

ReadMesh read_text(std::string_view content) {
  MeshMaker maker;
  Words words(content);
  for (std::string_view solid = words.next(); solid == "solid"; solid = words.next()) {
    words.skip_line();  // the name of the solid
    std::string_view word = words.next();
    for (; word == "facet"; word = words.next()) {
      std::array<Place, 3> corners{};
      if (std::string fault = read_facet(words, corners); !fault.empty()) return {{}, std::move(fault)};
      maker.add(corners);
    }
    if (word != "endsolid") return {{}, words.fault("`facet` or `endsolid`", word)};
    words.skip_line();
  }
  return maker.take();
}

}  // namespace

ReadMesh read_stl(std::string_view content) {
  // the header of a binary file may begin with `solid` as well, so the size decides first
  if (content.size() >= kBeforeTriangles &&
      content.size() == kBeforeTriangles + kTriangle * std::size_t{word_at(content, kHeader)})
    return read_binary(content);
  if (Words(content).next() == "solid") return read_text(content);
  return {{}, "it is not an STL file: it does not begin with `solid`, and its size does not fit a count of triangles"};
}

}  // namespace vinculum::report
