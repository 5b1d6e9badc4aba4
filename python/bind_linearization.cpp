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
                  std::vector<std::string> moving, std::optional<State> near, bool steady) {
  return taken([&] {
    return model.equilibrium({std::move(near), std::move(unknowns), std::move(hold), std::move(moving), steady});
  });
}

PeriodicMotion periodic_motion(const Model& model, double period, std::optional<State> state, bool search,
                               std::optional<double> tolerance) {
  return taken([&] { return model.periodic_motion({period, std::move(state), search, tolerance}); });
}

RootLocus root_locus(const Model& model, std::string parameter, std::vector<double> values, bool equilibrium,
                     std::vector<std::string> unknowns, std::vector<std::string> hold, std::vector<std::string> moving,
                     std::optional<State> near, bool steady) {
  return taken([&] {
    return model.root_locus({std::move(parameter),
                             std::move(values),
                             equilibrium,
                             {std::move(near), std::move(unknowns), std::move(hold), std::move(moving), steady}});
  });
}

void bind_root_locus(nb::module_& m) {
  nb::class_<RootLocus> bound(m, "RootLocus", "Eigenvalues along the values of a parameter.");
  nb::class_<RootLocus::Change>(bound, "Change", "A value of the parameter where stability changes.")
      .def_ro("value", &RootLocus::Change::value, "[SI] of the parameter")
      .def_ro("becomes_unstable", &RootLocus::Change::becomes_unstable, "for increasing values of the parameter")
      .def_ro("eigenvalue", &RootLocus::Change::eigenvalue, "the one with the largest real part, there");
  bound.def_ro("parameter", &RootLocus::parameter)
      .def_ro("unit", &RootLocus::unit)
      .def_ro("model", &RootLocus::model, "The name of the model.")
      .def_prop_ro("values", numbers(&RootLocus::values), "[values] SI")
      .def_ro("stability", &RootLocus::stability, "[values] as Linearization.stability")
      .def_ro("modes", &RootLocus::modes, "Number of modes.")
      .def_prop_ro(
          "eigenvalues",
          [](nb::handle self) {
            const auto& of = nb::cast<const RootLocus&>(self);
            return complex_view(of.eigenvalues, {of.values.size(), of.modes}, self);
          },
          nb::sig("def eigenvalues(self) -> numpy.typing.NDArray[numpy.complex128]"),
          "[values, modes] that are not 0; a column is one mode, and NaN where it does not exist [1/s]")
      .def_ro("changes", &RootLocus::changes, "Values where stability changes.")
      .def_prop_ro("text", &RootLocus::text)
      .def_prop_ro("json", &RootLocus::json)
      .def(
          "write",
          [](const RootLocus& of, const std::filesystem::path& folder) {
            return taken([&] { return of.write(folder); });
          },
          "folder"_a, "Writes eigenvalues.csv and root_locus.json into a folder. Returns the names of the files.")
      .def("__repr__", [](const RootLocus& of) {
        return "<vinculum.RootLocus of " + of.parameter + ", " + std::to_string(of.values.size()) + " values>";
      });
}

void bind_periodic(nb::module_& m) {
  nb::class_<PeriodicMotion>(
      m, "PeriodicMotion",
      "How small deviations from a periodic motion change over one period: xi(t + period) = M xi(t), with xi the\n"
      "deviations of `variables` in SI units.")
      .def_ro("state", &PeriodicMotion::state, "The state at the begin of the period.")
      .def_ro("period", &PeriodicMotion::period, "[s]")
      .def_ro("stability", &PeriodicMotion::stability, "unstable, stable, stable apart from ones, or undecided")
      .def_ro("variables", &PeriodicMotion::variables, "[n] Entities: names and units of the rows of M")
      .def_ro("components", &PeriodicMotion::components, "[ny] Entities: coordinates, speeds, states")
      .def_ro("advanced", &PeriodicMotion::advanced,
              "Entities that have other values after the period, without an effect on the others.")
      .def_prop_ro("M", numbers(&PeriodicMotion::M), "[n, n] monodromy matrix")
      .def_prop_ro(
          "multipliers",
          [](nb::handle self) {
            const auto& of = nb::cast<const PeriodicMotion&>(self);
            return complex_view(of.multipliers, {of.multipliers.size()}, self);
          },
          nb::sig("def multipliers(self) -> numpy.typing.NDArray[numpy.complex128]"),
          "[modes] eigenvalues of M that are not 1, by decreasing magnitude")
      .def_prop_ro(
          "exponents",
          [](nb::handle self) {
            const auto& of = nb::cast<const PeriodicMotion&>(self);
            return complex_view(of.exponents, {of.exponents.size()}, self);
          },
          nb::sig("def exponents(self) -> numpy.typing.NDArray[numpy.complex128]"),
          "[modes] ln(multiplier)/period [1/s]")
      .def_prop_ro(
          "vectors",
          [](nb::handle self) {
            const auto& of = nb::cast<const PeriodicMotion&>(self);
            return complex_view(of.vectors, {of.variables.size(), of.multipliers.size()}, self);
          },
          nb::sig("def vectors(self) -> numpy.typing.NDArray[numpy.complex128]"), "[n, modes] M v = mu v")
      .def_prop_ro("uncertainty", numbers(&PeriodicMotion::uncertainty), "[modes] estimated error of each multiplier")
      .def_ro("has_trivial", &PeriodicMotion::has_trivial,
              "Whether the deviation along the motion itself is one more multiplier 1, which is not among `ones`.")
      .def_ro("ones", &PeriodicMotion::ones, "Further multipliers 1, each with its cause.")
      .def_ro("distance", &PeriodicMotion::distance,
              "Largest difference of the state after the period, relative to the typical sizes.")
      .def_prop_ro("text", &PeriodicMotion::text)
      .def_prop_ro("json", &PeriodicMotion::json)
      .def(
          "write",
          [](const PeriodicMotion& of, const std::filesystem::path& folder) {
            return taken([&] { return of.write(folder); });
          },
          "folder"_a, "Writes M.csv, multipliers.csv and periodic.json into a folder. Returns the names of the files.")
      .def("__repr__", [](const PeriodicMotion& of) {
        return "<vinculum.PeriodicMotion with a period of " + std::to_string(of.period) + " s, " + of.stability + ">";
      });
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
          "S", numbers(&Linearization::S),
          "[ny, ny] of a motion along a symmetry: deviations are those in a frame that moves with the system; no\n"
          "rows for other motions")
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

  bind_periodic(m);
  bind_root_locus(m);

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
           "steady"_a = false,
           "An equilibrium or a steady motion near a state (default: `assemble()`), as a State.\n\n"
           "`unknowns`: coordinates, speeds and states that the search may change (default: all). `hold`: those that\n"
           "keep their values. `moving`: speeds that are constant instead of 0, and coordinates that may move.\n"
           "`steady`: search a motion along a symmetry of the equations, such as a rotation of the whole system.\n"
           "Raises MotionError of kind \"no-equilibrium\" if the search finds none.")
      .def("root_locus", &root_locus, "parameter"_a, "values"_a, nb::kw_only(), "equilibrium"_a = false,
           "unknowns"_a = std::vector<std::string>(), "hold"_a = std::vector<std::string>(),
           "moving"_a = std::vector<std::string>(), "near"_a = nb::none(), "steady"_a = false,
           "The eigenvalues at several values [SI] of a parameter, ascending, as a RootLocus.\n\n"
           "`equilibrium`: linearize the equilibrium near the one before, instead of the start; the other arguments "
           "are\n"
           "those of `equilibrium`. Values where stability changes are found by bisection.")
      .def("periodic_motion", &periodic_motion, "period"_a, "state"_a = nb::none(), nb::kw_only(), "search"_a = false,
           "tolerance"_a = nb::none(),
           "The Floquet multipliers of the motion that begins in a state (default: `assemble()`), as a "
           "PeriodicMotion.\n\n"
           "`search`: first search a periodic motion near the state; without explicit time also its period.\n"
           "`tolerance`: of the integration (default 1e-12).\n"
           "Raises MotionError of kind \"not-periodic\" if the state after the period is another one. Source:\n"
           "docs/theory.md, section 11.")
      .def(
          "describe_state", [](const Model& one, const State& state) { return one.describe_state(state).text(); },
          "state"_a, "The values of a state with their names and units, as a str.");
}

}  // namespace vinculum_python
