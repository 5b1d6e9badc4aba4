#pragma once

#include "vinculum/api/scene.hpp"
#include "vinculum/scene/columns.hpp"
#include "vinculum/scene/places.hpp"

namespace vinculum {

/// Data of one motion for a drawing: positions, attitudes, forces and all reported quantities, at the instants that a
/// drawing needs.
class SceneTracks {
 public:
  SceneTracks(const SceneMotion& motion, const report::Places& places);

  /// \returns {"name", "t", "tracks": {name: columns}, "series": […], "acts": […], "clocks": […], "events": […]}; the
  /// numbers are added to `columns`.
  static constexpr double kAllInstants = 0.0;  ///< for `parts`: every sample
  /// \param parts  largest interpolation error between instants, as 1/parts of the size of each quantity
  [[nodiscard]] report::Node write(report::SceneColumns& columns, double parts) const;
  /// Positions of all points at the samples.
  [[nodiscard]] const std::vector<std::vector<std::array<double, 3>>>& points() const { return points_; }
  /// Values of `Places` at the first sample.
  [[nodiscard]] const std::vector<double>& first() const { return first_; }
  /// Whether every body turns only about this axis of the newtonian frame.
  [[nodiscard]] bool turns_about(int axis) const { return turns_about_[static_cast<std::size_t>(axis)] != 0; }

 private:
  enum class Size { kPlace, kUnit, kForce, kOwn };  ///< the size that interpolation errors are relative to
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
    bool is_noise = false;   ///< pure rounding: requests no instants except its extremes
    bool has_steps = false;  ///< constant between the instants at which events or samples change it
  };

  void add_places(const report::Places& places);
  void add_forces();
  void add_series();
  void write_timeline(report::Node& node) const;
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

/// "vector0": name of the track of an arrow in the model's view.
[[nodiscard]] std::string vector_track(std::size_t vector);
/// "reveal0.F", or "reveal0.M" of a torque: the track of a `reveal`.
[[nodiscard]] std::string reveal_track(const model::Model& model, model::RevealId reveal);
/// "P.p", or "elbow0.p": the track of an end of a link.
[[nodiscard]] std::string track_of(const model::Model& model, const report::Places::End& end);
/// "roll@contact.F": name of the track of a constraint's force on a point (F) or couple on a body (M).
[[nodiscard]] std::string track_of(const ForceTable& table, const ForceTable::Entry& entry);

}  // namespace vinculum
