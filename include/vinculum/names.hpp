#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "vinculum/error.hpp"

/// The named things of a model, and handles of them.
namespace vinculum {

/// A named thing of a model.
struct Entity {
  std::string name;
  std::string unit;   ///< SI: "m/s", "rad"; "1" if it has none. For a constraint: the unit of its relation
  std::string place;  ///< "crank.vin:8:10"; empty if it does not come from a text
};
struct Parameter : Entity {
  double value = 0.0;  ///< SI
};

/// A thing of a model that is found by its name once and then used without a search. It is valid for its model, for the
/// models that `Model::with` makes from it, and for their simulations, evaluators and motions; everything else returns
/// an Error for it. A handle by default is of no model.
template <class Of>
struct Handle {
  std::size_t index = 0;    ///< position in the model's list of such things
  std::uint64_t model = 0;  ///< number that this process has given to the model
  friend bool operator==(const Handle&, const Handle&) = default;
};
using CoordinateHandle = Handle<struct CoordinateOf>;  ///< index in `Model::coordinates` and `State::q`
using SpeedHandle = Handle<struct SpeedOf>;            ///< index in `Model::speeds` and `State::u`
using StateHandle = Handle<struct StateOf>;            ///< index in `Model::states` and `State::z`
using ParameterHandle = Handle<struct ParameterOf>;    ///< index in `Model::parameters`
using InputHandle = Handle<struct InputOf>;            ///< index in `Model::inputs`
using ConstraintHandle = Handle<struct ConstraintOf>;  ///< index in `Model::constraints`
using PointHandle = Handle<struct PointOf>;            ///< a point, a particle or the mass center of a body
using FrameHandle = Handle<struct FrameOf>;            ///< a frame, also that of a body
using BodyHandle = Handle<struct BodyOf>;              ///< a rigid body

/// A reported quantity, as `Trajectory::column` finds it by name.
struct ColumnHandle {
  std::size_t index = 0;    ///< of the quantity among those that are reported
  int component = -1;       ///< of a vector; -1: the whole quantity
  std::uint64_t model = 0;  ///< as in `Handle`
  friend bool operator==(const ColumnHandle&, const ColumnHandle&) = default;
};

/// A quantity that is reported at all samples.
using QuantityHandle = std::variant<ColumnHandle, CoordinateHandle, SpeedHandle, StateHandle>;

/// Lists of the things of a model that have names, and a function for each kind that finds one of them.
/// \returns each function that finds a thing: an Error with the nearest name, or all names, if the model has no such
/// thing.
class ModelNames {
 public:
  [[nodiscard]] std::span<const Parameter> parameters() const;
  [[nodiscard]] std::span<const Entity> coordinates() const;
  [[nodiscard]] std::span<const Entity> speeds() const;
  [[nodiscard]] std::span<const Entity> states() const;  ///< states of the text and of reaction laws
  [[nodiscard]] std::span<const Entity> inputs() const;
  [[nodiscard]] std::span<const Entity> constraints() const;
  [[nodiscard]] std::span<const Entity> outputs() const;

  [[nodiscard]] Result<ParameterHandle> parameter(std::string_view name) const;
  [[nodiscard]] Result<CoordinateHandle> coordinate(std::string_view name) const;
  [[nodiscard]] Result<SpeedHandle> speed(std::string_view name) const;
  [[nodiscard]] Result<StateHandle> state(std::string_view name) const;
  [[nodiscard]] Result<InputHandle> input(std::string_view name) const;
  [[nodiscard]] Result<ConstraintHandle> constraint(std::string_view name) const;
  [[nodiscard]] Result<PointHandle> point(std::string_view name) const;
  [[nodiscard]] Result<FrameHandle> frame(std::string_view name) const;
  [[nodiscard]] Result<BodyHandle> body(std::string_view name) const;
  /// A coordinate, speed, state, output or residual, as in `Trajectory::names`, or "C1" for all components of a vector.
  /// Derives and compiles the equations if that has not been done.
  /// \returns also the Error of that.
  [[nodiscard]] Result<ColumnHandle> column(std::string_view name) const;

  struct Shared;

 protected:
  explicit ModelNames(std::shared_ptr<const Shared> shared) : shared_(std::move(shared)) {}
  std::shared_ptr<const Shared> shared_;
};

}  // namespace vinculum
