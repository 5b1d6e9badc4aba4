// The evaluator (include/vinculum/evaluator.hpp) for Python: arrays in, arrays out.
#include "bindings.hpp"

namespace vinculum_python {
namespace {

/// Array argument of a call. Arrays of other types or layouts are converted, which copies them.
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Writable = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const double> numbers_of(const Vector& array) { return {array.data(), array.size()}; }
std::size_t count(int of) { return static_cast<std::size_t>(of); }

using Owned = nb::ndarray<nb::numpy, double>;

/// A new array for a result, and the pointer to its memory, which a library call fills.
struct Made {
  explicit Made(std::initializer_list<std::size_t> shape) {
    std::size_t size = 1;
    for (const std::size_t length : shape) size *= length;
    auto* held = new Numbers(size);
    numbers = {held->data(), size};
    array = Owned(held->data(), shape.size(), shape.begin(),
                  nb::capsule(held, [](void* p) noexcept { delete static_cast<Numbers*>(p); }));
  }
  std::span<double> numbers;
  Owned array;
};

/// Raises the Error of a call. The calls are short, so the interpreter's lock is not released.
void expect(const Result<void>& done) {
  if (!done) raise(done.error());
}

/// A point or a frame, as a place, a handle or a name.
using AnyPlace = std::variant<Evaluator::Place, PointHandle, FrameHandle, std::string>;
Evaluator::Place place_of(Evaluator& of, const AnyPlace& place) {
  if (const auto* found = std::get_if<Evaluator::Place>(&place)) return *found;
  if (const auto* point = std::get_if<PointHandle>(&place)) return *point;
  if (const auto* frame = std::get_if<FrameHandle>(&place)) return *frame;
  const auto& name = std::get<std::string>(place);
  if (const auto point = of.point(name)) return *point;
  auto frame = of.frame(name);
  if (!frame) {
    const auto point = of.point(name);
    raise(point.error());
  }
  return *frame;
}

Owned derivative(Evaluator& of, double t, const Vector& y) {
  Made y_dot{count(of.size())};
  expect(of.derivative(t, numbers_of(y), y_dot.numbers));
  return std::move(y_dot.array);
}

}  // namespace

void bind_evaluator(nb::module_& m) {
  nb::class_<Evaluator::Place>(m, "Place",
                               "Handle of a point or a frame, from `Evaluator.point` or `Evaluator.frame`.");
  nb::class_<Evaluator>(
      m, "Evaluator",
      "The equations of a model at arbitrary states: M u' = f + C + Aᵀλ, A u' = b.\n\n"
      "A state is t [s] and y = [q, u, z] (coordinates, speeds, extra states) in SI units, in the order of the "
      "model's\n"
      "lists. Results are new arrays. An evaluator serves one thread. Every function raises CallError if an array has\n"
      "the wrong length, and MotionError if the equations have no solution at the state. `evaluator(t, y)` equals\n"
      "`derivative(t, y)`, the form that scipy.integrate.solve_ivp calls.")
      .def_prop_ro("coordinate_count", &Evaluator::coordinate_count, "nq")
      .def_prop_ro("speed_count", &Evaluator::speed_count, "nu")
      .def_prop_ro("state_count", &Evaluator::state_count, "nz")
      .def_prop_ro("row_count", &Evaluator::row_count, "nc, number of rows of A")
      .def_prop_ro("size", &Evaluator::size, "length of y: nq + nu + nz")
      .def_prop_ro(
          "start", [](const Evaluator& of) { return nb::cast(owned(listed(of.start()))); },
          nb::sig("def start(self) -> numpy.typing.NDArray[numpy.float64]"),
          "y at the start of the model [nq + nu + nz]")
      .def_prop_ro("start_time", &Evaluator::start_time, "t at the start of the model [s]")
      .def("__call__", &derivative, "t"_a, "y"_a, "y' = [q', u', z'] [nq + nu + nz], as `derivative`.")
      .def(
          "derivative",
          [](Evaluator& of, double t, const Vector& y, std::optional<Writable> out) -> nb::object {
            if (!out) return nb::cast(derivative(of, t, y));
            expect(of.derivative(t, numbers_of(y), {out->data(), out->size()}));
            return nb::cast(*out);
          },
          "t"_a, "y"_a, nb::kw_only(), "out"_a.none() = nb::none(),
          "y' = [q', u', z'] [nq + nu + nz]; written into `out` (an array of that length) if it is given.")
      .def(
          "project",
          [](Evaluator& of, double t, const Vector& y) {
            Made nearest{y.size()};
            std::copy(y.data(), y.data() + y.size(), nearest.numbers.begin());
            expect(of.project(t, nearest.numbers));
            return std::move(nearest.array);
          },
          "t"_a, "y"_a,
          "The state [nq + nu + nz] nearest to y that satisfies the constraints, in the metric of M; z is unchanged.")
      .def(
          "mass_matrix",
          [](Evaluator& of, double t, const Vector& y) {
            Made M{count(of.speed_count()), count(of.speed_count())};
            expect(of.mass_matrix(t, numbers_of(y), M.numbers));
            return std::move(M.array);
          },
          "t"_a, "y"_a, "Mass matrix M [nu, nu].")
      .def(
          "bias",
          [](Evaluator& of, double t, const Vector& y) {
            Made bias{count(of.speed_count())};
            expect(of.bias(t, numbers_of(y), bias.numbers));
            return std::move(bias.array);
          },
          "t"_a, "y"_a, "f + C [nu]: given forces minus the inertia bias, plus the forces of `nonideal` clauses.")
      .def(
          "rows",
          [](Evaluator& of, double t, const Vector& y) {
            Made A{count(of.row_count()), count(of.speed_count())}, b{count(of.row_count())};
            expect(of.rows(t, numbers_of(y), A.numbers, b.numbers));
            return std::pair(std::move(A.array), std::move(b.array));
          },
          "t"_a, "y"_a, "(A [nc, nu], b [nc]) of A u' = b.")
      .def(
          "misses",
          [](Evaluator& of, double t, const Vector& y) {
            Made position{count(of.row_count())}, velocity{count(of.row_count())};
            expect(of.misses(t, numbers_of(y), position.numbers, velocity.numbers));
            return std::pair(std::move(position.array), std::move(velocity.array));
          },
          "t"_a, "y"_a,
          "Residuals of the rows: (at position level [nc], at velocity level [nc]); 0 if a row has no such level.")
      .def(
          "multipliers",
          [](Evaluator& of, double t, const Vector& y) {
            Made lambda{count(of.row_count())};
            expect(of.multipliers(t, numbers_of(y), lambda.numbers));
            return std::move(lambda.array);
          },
          "t"_a, "y"_a, "Multipliers λ [nc]; those of least norm if they are not unique.")
      .def(
          "inverse_dynamics",
          [](Evaluator& of, double t, const Vector& y, const Vector& u_dot) {
            Made forces{count(of.speed_count())};
            expect(of.inverse_dynamics(t, numbers_of(y), numbers_of(u_dot), forces.numbers));
            return std::move(forces.array);
          },
          "t"_a, "y"_a, "u_dot"_a,
          "Generalized forces [nu] which, added to those of the model, produce the accelerations u_dot [nu]; without "
          "constraints M u_dot - f - C. CallError if a constraint does not admit u_dot, or if other forces would "
          "change.")
      .def(
          "energies",
          [](Evaluator& of, double t, const Vector& y) {
            const auto all = of.energies(t, numbers_of(y));
            if (!all) raise(all.error());
            return std::tuple(all->kinetic, all->potential, all->total);
          },
          "t"_a, "y"_a,
          "(kinetic, potential, total) [J]; kinetic and potential are NaN if the model states a Lagrangian.")
      .def(
          "point",
          [](Evaluator& of, const std::string& name) {
            const auto place = of.point(name);
            if (!place) raise(place.error());
            return *place;
          },
          "name"_a,
          "Finds a point, a particle or the mass center of a body. CallError lists the points if there is no such "
          "name.")
      .def(
          "frame",
          [](Evaluator& of, const std::string& name) {
            const auto place = of.frame(name);
            if (!place) raise(place.error());
            return *place;
          },
          "name"_a, "Finds a frame, or the frame of a body. CallError lists the frames if there is no such name.")
      .def(
          "position",
          [](Evaluator& of, const AnyPlace& at, double t, const Vector& y) {
            const Evaluator::Place place = place_of(of, at);
            const bool is_frame = place.is_frame;
            Made position = is_frame ? Made{3, 3} : Made{3};
            expect(of.position(place, t, numbers_of(y), position.numbers));
            return std::move(position.array);
          },
          "place"_a, "t"_a, "y"_a,
          "For a point: its position relative to the newtonian origin [3] in m, in the newtonian frame. For a frame: "
          "its unit vectors, row by row [3, 3]. `place` may be a handle of the model or a name; if both exist, the "
          "point is meant.")
      .def(
          "velocity",
          [](Evaluator& of, const AnyPlace& at, double t, const Vector& y) {
            const Evaluator::Place place = place_of(of, at);
            Made velocity{3};
            expect(of.velocity(place, t, numbers_of(y), velocity.numbers));
            return std::move(velocity.array);
          },
          "place"_a, "t"_a, "y"_a,
          "Velocity of a point [3] in m/s, or angular velocity of a frame in rad/s, in the newtonian frame.")
      .def(
          "jacobian",
          [](Evaluator& of, const AnyPlace& at, double t, const Vector& y) {
            const Evaluator::Place place = place_of(of, at);
            Made J{3, count(of.speed_count())};
            expect(of.jacobian(place, t, numbers_of(y), J.numbers));
            return std::move(J.array);
          },
          "place"_a, "t"_a, "y"_a, "Derivatives of `velocity` with respect to the speeds [3, nu].")
      .def("__repr__", [](const Evaluator& of) {
        return "<vinculum.Evaluator of " + std::to_string(of.speed_count()) + " speeds, " +
               std::to_string(of.row_count()) + " rows>";
      });
}

}  // namespace vinculum_python
