#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vinculum/vinculum.hpp>

namespace nb = nanobind;
using namespace nb::literals;
using namespace vinculum;

/// Functions shared by all binding files: they convert values between Python and the library, and raise Errors.
namespace vinculum_python {

using Written = std::map<std::string, std::variant<double, std::string>>;
using Numbers = std::vector<double>;

/// Raises ModelError, MotionError or CallError of the package, with the Error as its `error`.
[[noreturn]] inline void raise(const Error& error) {
  const char* const name = error.about == Error::About::kModel    ? "ModelError"
                           : error.about == Error::About::kMotion ? "MotionError"
                                                                  : "CallError";
  const nb::object type = nb::module_::import_("vinculum._errors").attr(name);
  const nb::object raised = type(nb::cast(error));
  PyErr_SetObject(type.ptr(), raised.ptr());
  throw nb::python_error();
}

/// Returns the value of a long library call, or raises its Error. The interpreter's lock is released during the call,
/// so other Python threads run.
template <class Call>
auto taken(Call call) {
  auto result = [&] {
    const nb::gil_scoped_release others_may_run;
    return call();
  }();
  if (!result) raise(result.error());
  if constexpr (requires { *result; }) return *std::move(result);
}

/// Function that the library calls after every step. It checks for Ctrl-C every 50 ms.
class Interruption {
 public:
  bool operator()() {
    const auto now = std::chrono::steady_clock::now();
    if (is_found_ || now - last_ < std::chrono::milliseconds(50)) return is_found_;
    last_ = now;
    const nb::gil_scoped_acquire held;
    return is_found_ = PyErr_CheckSignals() != 0;
  }
  /// If a signal such as Ctrl-C was found, raises the exception of Python's signal handler.
  void raise_what_was_found() const {
    if (is_found_) throw nb::python_error();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  bool is_found_ = false;
};

/// A Python function that is called for events, `f(event, before, after)`. It returns True to end the run; other values
/// than True, False and None raise TypeError. An exception that it raises passes through the library
/// (`OnEvent`) to the caller of the run.
class PythonOnEvent {
 public:
  explicit PythonOnEvent(nb::object function)
      : function_(new nb::object(std::move(function)), [](nb::object* one) {
          const nb::gil_scoped_acquire held;
          delete one;
        }) {}
  bool operator()(const Event& event, const State& before, const State& after) const {
    const nb::gil_scoped_acquire held;
    const nb::object answer = (*function_)(event, before, after);
    if (answer.is_none()) return false;
    if (PyBool_Check(answer.ptr())) return answer.ptr() == Py_True;
    throw nb::type_error("on_event returns True to end the run, or False, or None");
  }
  [[nodiscard]] nb::handle function() const { return *function_; }

 private:
  std::shared_ptr<nb::object> function_;  ///< may be copied and destroyed without the interpreter's lock
};

/// Converts a Python callable to `OnEvent`; None becomes an empty function. Other objects raise TypeError.
inline OnEvent on_event_of(const nb::object& function) {
  if (function.is_none()) return {};
  if (PyCallable_Check(function.ptr()) == 0) throw nb::type_error("on_event is a function of (event, before, after)");
  return PythonOnEvent(function);
}

inline Values values_of(const Written& written) {
  Values values;
  for (const auto& [name, value] : written)
    values.emplace_back(name, std::visit([](const auto& one) { return Value(one); }, value));
  return values;
}

template <class Enumeration>
Enumeration known(std::optional<Enumeration> found, const std::string& word, const char* words) {
  if (!found) throw nb::value_error(("`" + word + "` is not one of " + words).c_str());
  return *found;
}

inline Backend backend_of(const std::string& word) {
  for (const Backend one : {Backend::kInterpreter, Backend::kTape, Backend::kNative}) {
    if (to_string(one) == word) return one;
  }
  throw nb::value_error(("`" + word + "` is not one of native, tape, interpreter").c_str());
}

inline Formulation formulation_of(const std::string& word) {
  return known(find_formulation(word), word, "explicit, augmented, minimal");
}

inline Settings settings_of(const Written& set, const std::string& backend, const std::optional<std::string>& cache) {
  return {.set = values_of(set), .backend = backend_of(backend), .cache = cache};
}

/// A read-only array without a copy; `owner` keeps the memory alive.
using View = nb::ndarray<nb::numpy, const double>;
inline View view(const double* data, std::initializer_list<std::size_t> shape, nb::handle owner) {
  return {data, shape.size(), shape.begin(), owner};
}
inline View view(const Numbers& numbers, nb::handle owner) { return view(numbers.data(), {numbers.size()}, owner); }
inline View view(const Array& array, nb::handle owner) {
  return view(array.values.data(), {static_cast<std::size_t>(array.rows), static_cast<std::size_t>(array.columns)},
              owner);
}
/// An array that owns its numbers.
inline View owned(Numbers numbers) {
  auto* held = new Numbers(std::move(numbers));
  return view(*held, nb::capsule(held, [](void* p) noexcept { delete static_cast<Numbers*>(p); }));
}
/// Makes the Python getter of an array member of a struct. The returned array refers to the memory of the struct.
template <class Of, class Member>
auto numbers(Member Of::* member) {
  return [member](nb::handle self) { return view(nb::cast<const Of&>(self).*member, self); };
}

inline nb::object column_array(nb::handle self) {
  const Column& column = nb::cast<const Column&>(self);
  const auto components = static_cast<std::size_t>(column.components);
  if (components == 1) return nb::cast(view(column.values, self));
  return nb::cast(view(column.values.data(), {column.size(), components}, self));
}

template <class Of>
std::vector<typename Of::value_type> listed(const Of& span) {
  return {span.begin(), span.end()};
}

/// Bindings used by python/vinculum/_builder.py.
void bind_builder(nb::module_& m);
void bind_evaluator(nb::module_& m);
void bind_import(nb::module_& m);
/// `Model.from_urdf`
[[nodiscard]] Model robot_model(const std::filesystem::path& path, const std::string& base, const std::string& limits,
                                bool fix_inertia, Settings settings);
void bind_linearization(nb::module_& m);
void bind_editing(nb::module_& m);
void bind_names(nb::module_& m);

}  // namespace vinculum_python
