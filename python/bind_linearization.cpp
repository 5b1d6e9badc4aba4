// Linear systems and equilibria (include/vinculum/linearization.hpp) for Python: the matrices are NumPy arrays.
#include <nanobind/stl/complex.h>

#include <complex>

#include "bindings.hpp"

namespace vinculum_python {
namespace {

using Complex = std::complex<double>;
using ComplexView = nb::ndarray<nb::numpy, const Complex>;

ComplexView complex_view(const std::vector<Complex>& values, std::initializer_list<std::size_t> shape,
                         nb::handle owner) {
  return {values.data(), shape.size(), shape.begin(), owner};
}

/// The direction of a zero eigenvalue as an array.
nb::object direction_of(const Linearization::Zero& zero) { return nb::cast(owned(zero.direction)); }

Linearization linearize(const Model& model, std::optional<State> state, std::vector<std::string> inputs,
                        std::vector<std::string> outputs) {
  return taken([&] { return model.linearize({std::move(state), std::move(inputs), std::move(outputs)}); });
}

State equilibrium(const Model& model, std::vector<std::string> unknowns, std::vector<std::string> hold,
                  std::vector<std::string> moving, std::optional<State> near) {
  return taken(
      [&] { return model.equilibrium({std::move(near), std::move(unknowns), std::move(hold), std::move(moving)}); });
}

}  // namespace

void bind_linearization(nb::module_& m) {
  nb::class_<Linearization> bound(
      m, "Linearization",
      "The linear system near a state: deviations satisfy xi' = A xi + B p, h = C xi + D p, (q, u, z) = T xi, with xi "
      "the\ndeviations of `variables`, p of `inputs`, h of `outputs`, all in SI units. The derivatives are exact.");
  nb::class_<Linearization::Zero>(bound, "Zero", "A zero eigenvalue and its cause.")
      .def_ro("why", &Linearization::Zero::why, "ignorable, constant, family or drift (docs/howto/linearize.md)")
      .def_prop_ro("direction", &direction_of, nb::sig("def direction(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "[n] deviation of the variables");
  bound.def_ro("state", &Linearization::state, "The state that is linearized.")
      .def_ro("rates", &Linearization::rates, "q', u', z' there.")
      .def_ro("reference", &Linearization::reference, "equilibrium, steady motion, or motion")
      .def_ro("stability", &Linearization::stability,
              "unstable, stable, stable apart from zeros, undecided, or unknown (of a motion)")
      .def_ro("variables", &Linearization::variables, "[n] Entities: names and units of the rows of A")
      .def_ro("components", &Linearization::components, "[ny] Entities: coordinates, speeds, states; the rows of T")
      .def_ro("inputs", &Linearization::inputs, "[ni] Entities: the columns of B and D")
      .def_ro("outputs", &Linearization::outputs, "[no] Entities: the rows of C and D")
      .def_prop_ro("output_values", numbers(&Linearization::output_values), "[no] at the state")
      .def_prop_ro("A", numbers(&Linearization::A), "[n, n]")
      .def_prop_ro("B", numbers(&Linearization::B), "[n, ni]")
      .def_prop_ro("C", numbers(&Linearization::C), "[no, n]")
      .def_prop_ro("D", numbers(&Linearization::D), "[no, ni]")
      .def_prop_ro("T", numbers(&Linearization::T), "[ny, n]")
      .def_prop_ro(
          "eigenvalues",
          [](nb::handle self) {
            const auto& of = nb::cast<const Linearization&>(self);
            return complex_view(of.eigenvalues, {of.eigenvalues.size()}, self);
          },
          nb::sig("def eigenvalues(self) -> numpy.typing.NDArray[numpy.complex128]"),
          "[modes] eigenvalues of A that are not 0, by increasing magnitude [1/s]")
      .def_prop_ro(
          "right",
          [](nb::handle self) {
            const auto& of = nb::cast<const Linearization&>(self);
            return complex_view(of.right, {of.variables.size(), of.eigenvalues.size()}, self);
          },
          nb::sig("def right(self) -> numpy.typing.NDArray[numpy.complex128]"), "[n, modes] A v = lambda v")
      .def_prop_ro(
          "left",
          [](nb::handle self) {
            const auto& of = nb::cast<const Linearization&>(self);
            const std::size_t modes = of.left.empty() ? 0 : of.eigenvalues.size();
            return complex_view(of.left, {modes, of.variables.size()}, self);
          },
          nb::sig("def left(self) -> numpy.typing.NDArray[numpy.complex128]"),
          "[modes, n] w A = lambda w, w v = 1; no rows if A has no basis of eigenvectors")
      .def_ro("zeros", &Linearization::zeros, "The zero eigenvalues, each with its cause.")
      .def_prop_ro("text", &Linearization::text)
      .def_prop_ro("json", &Linearization::json)
      .def(
          "write",
          [](const Linearization& of, const std::filesystem::path& folder) {
            return taken([&] { return of.write(folder); });
          },
          "folder"_a,
          "Writes A.csv, B.csv, C.csv, D.csv, modes.csv and linear.json into a folder. Returns the names of the files.")
      .def("__repr__", [](const Linearization& of) {
        return "<vinculum.Linearization of a " + of.reference + ", " + of.stability + ">";
      });

  nb::borrow<nb::class_<Model>>(m.attr("Model"))
      .def("linearize", &linearize, "state"_a = nb::none(), nb::kw_only(), "inputs"_a = std::vector<std::string>(),
           "outputs"_a = std::vector<std::string>(),
           "The linear system near a state (default: `assemble()`), as a Linearization.\n\n"
           "`inputs`: names of inputs, parameters, and states that only samples change; the columns of B [n, ni].\n"
           "`outputs`: names of outputs; the rows of C [no, n]; a vector has three rows. SI units.\n"
           "Raises MotionError of kind \"not-linear\" at a corner or with dry friction, and CallError if a name does\n"
           "not exist or the state violates the constraints. Source: docs/theory.md, section 11.")
      .def("equilibrium", &equilibrium, nb::kw_only(), "unknowns"_a = std::vector<std::string>(),
           "hold"_a = std::vector<std::string>(), "moving"_a = std::vector<std::string>(), "near"_a = nb::none(),
           "An equilibrium or a steady motion near a state (default: `assemble()`), as a State.\n\n"
           "`unknowns`: coordinates, speeds and states that the search may change (default: all). `hold`: those that\n"
           "keep their values. `moving`: speeds that are constant instead of 0, and coordinates that may move.\n"
           "Raises MotionError of kind \"no-equilibrium\" if the search finds none.")
      .def(
          "describe_state", [](const Model& one, const State& state) { return one.describe_state(state).text(); },
          "state"_a, "The values of a state with their names and units, as a str.");
}

}  // namespace vinculum_python
