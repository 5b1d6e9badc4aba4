// Handles of the named things of a model (include/vinculum/names.hpp) for Python.
#include "bindings.hpp"

namespace vinculum_python {
namespace {

template <class Handle>
void bind_handle(nb::module_& m, const char* name, const char* about) {
  nb::class_<Handle>(m, name, about)
      .def_ro("index", &Handle::index, "Position in the list of the model.")
      .def("__index__", [](const Handle& one) { return one.index; })
      .def(
          "__eq__", [](const Handle& one, const Handle& other) { return one == other; }, nb::is_operator())
      .def("__hash__", [](const Handle& one) { return std::hash<std::uint64_t>()(one.model * 1000003U + one.index); })
      .def("__repr__", [name = std::string(name)](const Handle& one) {
        return "<vinculum." + name + " " + std::to_string(one.index) + ">";
      });
}

}  // namespace

void bind_names(nb::module_& m) {
  bind_handle<CoordinateHandle>(m, "CoordinateHandle",
                                "Handle of a coordinate, from `Model.coordinate`. As an index it is its place in q: "
                                "`run.q[:, handle]`, `state.q[handle]` (SI units).");
  bind_handle<SpeedHandle>(m, "SpeedHandle",
                           "Handle of a generalized speed, from `Model.speed`. As an index it is its place in u.");
  bind_handle<StateHandle>(m, "StateHandle",
                           "Handle of an extra state, from `Model.state`. As an index it is its place in z.");
  bind_handle<ParameterHandle>(m, "ParameterHandle",
                               "Handle of a parameter, from `Model.parameter`, for `with_values` and `set`.");
  bind_handle<InputHandle>(m, "InputHandle", "Handle of an input, from `Model.input`, for `set_input`.");
  bind_handle<ConstraintHandle>(
      m, "ConstraintHandle", "Handle of a constraint, from `Model.constraint`, for `force`, `torque`, `multiplier`.");
  bind_handle<PointHandle>(m, "PointHandle",
                           "Handle of a point, a particle or the mass center of a body, from `Model.point`, for "
                           "`Trajectory.force` and the kinematics of an Evaluator.");
  bind_handle<FrameHandle>(m, "FrameHandle",
                           "Handle of a frame or the frame of a body, from `Model.frame`, for an Evaluator.");
  bind_handle<BodyHandle>(m, "BodyHandle",
                          "Handle of a rigid body, from `Model.body`, for `Trajectory.force` and `torque`.");
  nb::class_<ColumnHandle>(m, "ColumnHandle", "Handle of a reported quantity, from `Model.column`, for `Trajectory`.")
      .def_ro("index", &ColumnHandle::index, "Position of the quantity among those that are reported.")
      .def_ro("component", &ColumnHandle::component, "Component of a vector; -1 for the whole quantity.")
      .def(
          "__eq__", [](const ColumnHandle& one, const ColumnHandle& other) { return one == other; }, nb::is_operator())
      .def("__repr__", [](const ColumnHandle& one) {
        return "<vinculum.ColumnHandle " + std::to_string(one.index) + ", component " + std::to_string(one.component) +
               ">";
      });
}

}  // namespace vinculum_python
