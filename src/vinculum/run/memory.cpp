#include "vinculum/run/memory.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace vinculum::sim {
namespace packing {

static_assert(std::endian::native == std::endian::little);

/// Writes values by appending them to a string of bytes.
class Writer {
 public:
  void number(const auto& value) {
    static_assert(sizeof value <= sizeof(std::uint64_t));
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    bytes_.append(reinterpret_cast<const char*>(&bits), sizeof bits);
  }
  std::size_t size(std::size_t size) { return number(size), size; }
  [[nodiscard]] static bool has(std::size_t) { return true; }
  std::string bytes_;
};

/// Reads values from bytes. After the end of the bytes it returns zeros, and `is_right` is false.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  template <class T>
  void number(T& value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof value <= sizeof(std::uint64_t));
    std::uint64_t bits = 0;
    is_right_ = is_right_ && left_.size() >= sizeof bits;
    if (is_right_) {
      std::memcpy(&bits, left_.data(), sizeof bits);
      left_.remove_prefix(sizeof bits);
    }
    std::memcpy(&value, &bits, sizeof value);
  }
  /// Reads a number of elements. It is rejected if the remaining bytes are too few for elements of 8 bytes each.
  std::size_t size(std::size_t) {
    std::size_t size = 0;
    number(size);
    is_right_ = is_right_ && size <= left_.size() / sizeof(std::uint64_t);
    return is_right_ ? size : 0;
  }
  /// Whether at least this many numbers follow.
  [[nodiscard]] bool has(std::size_t numbers) {
    is_right_ = is_right_ && numbers <= left_.size() / sizeof(std::uint64_t);
    return is_right_;
  }
  [[nodiscard]] bool is_right() const { return is_right_; }
  [[nodiscard]] bool is_at_end() const { return left_.empty(); }

 private:
  std::string_view left_;
  bool is_right_ = true;
};

// One function per type serves both directions: `io` is a Writer with const values, or a Reader.

template <class T>
concept Number = std::is_arithmetic_v<std::remove_const_t<T>>;

void pass(auto& io, Number auto& value) { io.number(value); }

void pass_all(auto& io, auto& values) {
  const std::size_t size = io.size(static_cast<std::size_t>(values.size()));
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(values)>>) {
    using Size = decltype(values.size());
    values.resize(static_cast<Size>(size));
  }
  for (auto& value : values) pass(io, value);
}

template <class T>
concept IsVector = std::same_as<std::remove_const_t<T>, Vector>;
void pass(auto& io, IsVector auto& values) { pass_all(io, values); }

template <class T>
concept IsMatrix = std::same_as<std::remove_const_t<T>, Matrix>;
void pass(auto& io, IsMatrix auto& values) {
  const std::size_t rows = io.size(static_cast<std::size_t>(values.rows()));
  const std::size_t columns = io.size(static_cast<std::size_t>(values.cols()));
  if (!io.has(rows * columns)) return;
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(values)>>)
    values.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  for (Eigen::Index i = 0; i < values.size(); ++i) pass(io, values.data()[i]);
}

template <class T, class Wanted>
concept Is = std::same_as<std::remove_const_t<T>, Wanted>;

void pass(auto& io, Is<solve::AccelerationBranch::Answer> auto& answer) {
  pass(io, answer.t);
  pass(io, answer.u_dot);
  pass(io, answer.lambda);
  pass(io, answer.A);
}
void pass(auto& io, Is<solve::IndependentSpeeds> auto& speeds) {
  pass_all(io, speeds.rows);
  pass_all(io, speeds.dependent);
  pass_all(io, speeds.independent);
  pass(io, speeds.growth);
  pass(io, speeds.orientation);
}
void pass(auto& io, Is<Mode::Levels> auto& levels) {
  pass(io, levels.start);
  pass(io, levels.largest);
  pass_all(io, levels.is_kept);
  pass(io, levels.rate);
}

/// Passes an optional value: whether it exists, followed by the value if it does.
void pass_if_any(auto& io, auto& value) {
  bool is_there = value.has_value();
  pass(io, is_there);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(value)>>) {
    value.reset();
    if (is_there) value.emplace();
  }
  if (is_there) pass(io, *value);
}

void pass(auto& io, Is<Mode> auto& mode) {
  pass_all(io, mode.sides);
  pass_all(io, mode.along);
  pass_all(io, mode.friction.sticks);
  pass(io, mode.friction.direction);
  pass(io, mode.friction.held_until);
  pass_if_any(io, mode.levels);
  pass(io, mode.has_short_rows);
  pass(io, mode.calls_on_constraints);
  pass(io, mode.position_size);
  pass(io, mode.velocity_size);
  pass(io, mode.knows_sizes);
  pass(io, mode.reaction.last);
  pass(io, mode.reaction.has_last);
  pass_all(io, mode.branch.answers);
  pass(io, mode.branch.followed);
  pass(io, mode.branch.size);
  pass(io, mode.branch.sign);
  pass_if_any(io, mode.speeds);
  pass_if_any(io, mode.accelerations);
  pass(io, mode.counts.static_solves);
  pass(io, mode.counts.fallbacks);
  pass(io, mode.counts.lowest_rank);
  pass(io, mode.counts.choices);
}

void pass(auto& io, Is<Sizes> auto& sizes) {
  pass(io, sizes.scale);
  pass(io, sizes.inverse_scale);
  pass(io, sizes.tolerance);
  pass(io, sizes.displacement);
  pass(io, sizes.usual_row);
  pass(io, sizes.usual_gradient);
  pass(io, sizes.slide_reach);
}

void pass(auto& io, Is<RunMemory> auto& memory) {
  pass(io, memory.t);
  pass(io, memory.y);
  pass(io, memory.mode);
  pass(io, memory.next_step);
  pass(io, memory.duration);
  pass(io, memory.reached);
  pass(io, memory.sizes);
  for (auto& time : memory.setting_off) pass(io, time);
}

}  // namespace packing

std::string to_bytes(const RunMemory& memory) {
  packing::Writer writer;
  pass(writer, memory);
  return std::move(writer.bytes_);
}

std::optional<RunMemory> memory_from(std::string_view bytes) {
  packing::Reader reader(bytes);
  RunMemory memory;
  pass(reader, memory);
  const bool is_whole =
      reader.is_right() && reader.is_at_end() && memory.mode.branch.followed <= memory.mode.branch.answers.size();
  return is_whole ? std::optional(std::move(memory)) : std::nullopt;
}

}  // namespace vinculum::sim
