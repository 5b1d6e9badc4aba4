#pragma once

#include <concepts>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace vinculum {

struct Failure;  // failures between modules of the engine; the public API returns an Error (error.hpp)

/// A reason that converts to any Outcome with this reason type.
template <class E>
struct Unexpected {
  E error;
};

/// A value of type T, or the reason of type E why there is none. Reading the absent one of the two is a defect of the
/// calling program and throws std::logic_error.
template <class T, class E = Failure>
class Outcome {
 public:
  using value_type = T;

  Outcome() = default;  ///< has the value T{}
  template <class U = T>
    requires(std::constructible_from<T, U &&> && !std::same_as<std::remove_cvref_t<U>, Outcome>)
  explicit(!std::convertible_to<U&&, T>) Outcome(U&& value)
      : content_(std::in_place_index<0>, std::forward<U>(value)) {}
  template <class G>
  Outcome(Unexpected<G> why) : content_(std::in_place_index<1>, std::move(why.error)) {}

  [[nodiscard]] bool has_value() const { return content_.index() == 0; }
  [[nodiscard]] explicit operator bool() const { return has_value(); }
  [[nodiscard]] T& operator*() & { return read<0>(content_); }
  [[nodiscard]] const T& operator*() const& { return read<0>(content_); }
  [[nodiscard]] T&& operator*() && { return std::move(read<0>(content_)); }
  [[nodiscard]] T* operator->() { return &read<0>(content_); }
  [[nodiscard]] const T* operator->() const { return &read<0>(content_); }
  [[nodiscard]] E& error() { return read<1>(content_); }
  [[nodiscard]] const E& error() const { return read<1>(content_); }

  /// The value, for callers that treat every failure as an exception.
  /// \throws std::runtime_error with the text of the reason.
  [[nodiscard]] const T& value() const&
    requires requires(const E& e) { std::string(e.text()); }
  {
    if (!has_value()) throw std::runtime_error(std::string(error().text()));
    return **this;
  }
  [[nodiscard]] T value() &&
    requires requires(const E& e) { std::string(e.text()); }
  {
    if (!has_value()) throw std::runtime_error(std::string(error().text()));
    return *std::move(*this);
  }

 private:
  template <std::size_t kWhich, class Content>
  static auto& read(Content& content) {
    if (content.index() != kWhich) [[unlikely]]
      throw std::logic_error(kWhich == 0 ? "an Outcome without a value was read" : "an Outcome has no reason to read");
    return *std::get_if<kWhich>(&content);
  }
  std::variant<T, E> content_;
};

/// Success, or the reason why there is none.
template <class E>
class Outcome<void, E> {
 public:
  Outcome() {}  // not defaulted: `return {}` would first set the storage of the reason to zero
  template <class G>
  Outcome(Unexpected<G> why) : error_(std::move(why.error)) {}
  [[nodiscard]] bool has_value() const { return !error_; }
  [[nodiscard]] explicit operator bool() const { return has_value(); }
  [[nodiscard]] E& error() { return error_.value(); }
  [[nodiscard]] const E& error() const { return error_.value(); }

 private:
  std::optional<E> error_;
};

}  // namespace vinculum
