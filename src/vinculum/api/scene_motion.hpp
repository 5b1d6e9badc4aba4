#pragma once

#include "vinculum/api/scene.hpp"
#include "vinculum/scene/columns.hpp"
#include "vinculum/scene/places.hpp"

namespace vinculum {

/// One motion in numbers: where everything is, and all quantities, at the instants that a drawing needs.
class SceneTracks {
 public:
  SceneTracks(const SceneMotion& motion, const report::Places& places);

  /// {"name", "t", "tracks": {name: columns}, "series": […], "events": […]}; the numbers go into `columns`.
  static constexpr double kAllInstants = 0.0;  ///< for `parts`: every sample
  /// \param parts  lines between instants pass by the motion within one of so many parts of its size
  [[nodiscard]] report::Node write(report::SceneColumns& columns, double parts) const;
  /// Places of all points over the samples.
  [[nodiscard]] const std::vector<std::vector<std::array<double, 3>>>& points() const { return points_; }
  /// Numbers of `Places` at the first sample.
  [[nodiscard]] const std::vector<double>& first() const { return first_; }
  /// Whether every body turns about this axis of the newtonian frame alone.
  [[nodiscard]] bool turns_about(int axis) const { return turns_about_[static_cast<std::size_t>(axis)] != 0; }

 private:
  enum class Size { kPlace, kUnit, kForce, kOwn };  ///< what the error of a line between samples is held against
  struct Track {
    std::string name;
    std::vector<std::vector<double>> values;  ///< one a component
    Size size = Size::kPlace;
  };
  struct Series {
    std::string name, unit, group;
    std::string constraint = {};
    std::vector<double> values;
    std::vector<char> is_unique = {};
    bool is_noise = false;  ///< of rounding: no instant is kept for its sake but the worst
  };

  void add_places(const report::Places& places);
  void add_forces();
  void add_series();
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

/// "vector0": the track of a vector that the model's view shows.
[[nodiscard]] std::string vector_track(std::size_t vector);
/// "reveal0.F", or "reveal0.M" of a torque: the track of a `reveal`.
[[nodiscard]] std::string reveal_track(const model::Model& model, model::RevealId reveal);
/// "P.p", or "elbow0.p": the track of an end of a link.
[[nodiscard]] std::string track_of(const model::Model& model, const report::Places::End& end);
/// "roll@contact.F": the track of what a constraint exerts on a point (F) or a body (M).
[[nodiscard]] std::string track_of(const ForceTable& table, const ForceTable::Entry& entry);

}  // namespace vinculum
