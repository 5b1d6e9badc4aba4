#pragma once

#include "vinculum/api/scene.hpp"
#include "vinculum/scene/columns.hpp"
#include "vinculum/scene/places.hpp"

namespace vinculum {

/// Collects the data of one motion for a drawing: positions, attitudes, forces and all reported quantities, at the
/// instants that the drawing needs.
class SceneTracks {
 public:
  SceneTracks(const SceneMotion& motion, const report::Places& places);

  static constexpr double kAllInstants = 0.0;  ///< value of `parts` in `write`: every sample is an instant
  /// Writes the motion; its numbers are added to `columns`.
  /// \param parts  The interpolation error between instants is at most 1/parts of the size of each quantity.
  /// \returns {"name", "t", "tracks": {name: columns}, "series": […], "acts": […], "clocks": […], "events": […],
  /// "impulses": […]}
  [[nodiscard]] report::Node write(report::SceneColumns& columns, double parts) const;
  /// [points][samples] Positions of all points.
  [[nodiscard]] const std::vector<std::vector<std::array<double, 3>>>& points() const { return points_; }
  /// Values of `Places` at the first sample.
  [[nodiscard]] const std::vector<double>& first() const { return first_; }
  /// True if every body turns only about this axis (0: x, 1: y, 2: z) of the newtonian frame.
  [[nodiscard]] bool turns_about(int axis) const { return turns_about_[static_cast<std::size_t>(axis)] != 0; }

 private:
  enum class Size {
    kPlace,
    kUnit,
    kForce,
    kOwn
  };  ///< which magnitude the interpolation error of a track is relative to
  struct Track {
    std::string name;
    std::vector<std::vector<double>> values;  ///< one vector per component
    Size size = Size::kPlace;
  };
  struct Series {
    std::string name, unit, group;
    std::string constraint = {};
    std::vector<double> values;
    std::vector<char> is_unique = {};
    bool is_noise = false;   ///< the values are only rounding errors; of them only the extremes are kept as instants
    bool has_steps = false;  ///< the value is constant except for jumps at events or samples
  };

  void add_places(const report::Places& places);
  void add_forces();
  void add_series();
  void write_timeline(report::Node& node) const;
  void write_impulses(report::Node& node) const;
  [[nodiscard]] std::vector<std::size_t> instants(double parts) const;
  [[nodiscard]] std::vector<double> chosen(const std::vector<double>& values,
                                           const std::vector<std::size_t>& instants) const;

  const SceneMotion& motion_;
  const std::vector<sim::Sample>& samples_;
  std::vector<double> t_;
  std::vector<Track> tracks_;
  std::vector<Series> series_;
  std::vector<std::vector<std::array<double, 3>>> points_;  ///< [points][samples]
  std::vector<double> first_;
  std::array<char, 3> turns_about_{1, 1, 1};
};

/// Name of the track of an arrow in the model's `view`, for example "vector0".
[[nodiscard]] std::string vector_track(std::size_t vector);
/// Name of the track of a revealed force ("reveal0.F") or torque ("reveal0.M").
[[nodiscard]] std::string reveal_track(const model::Model& model, model::RevealId reveal);
/// Name of the track of an end of a drawn link, for example "P.p" or "elbow0.p".
[[nodiscard]] std::string track_of(const model::Model& model, const report::Places::End& end);
/// Name of the track of a constraint's force on a point ("roll@contact.F") or couple on a body (ending in ".M").
[[nodiscard]] std::string track_of(const ForceTable& table, const ForceTable::Entry& entry);

}  // namespace vinculum
