#pragma once

#include <optional>
#include <vector>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/run/trajectory.hpp"

namespace vinculum::report {

/// Where everything is: what a model draws, as functions of what a sample holds. Vectors by their measure numbers in
/// the newtonian frame, places from its origin.
struct Places {
  struct Point {
    model::PointId point;
    int place = 0;                              ///< of three columns
    std::optional<model::BodyId> carrier = {};  ///< the body that it is fixed in
    bool is_fixed = false;                      ///< in the newtonian frame
  };
  struct Body {
    model::BodyId body;
    int center = 0;   ///< of three columns
    int axes = 0;     ///< of nine: x, y, z of its frame one after the other
    int inertia = 0;  ///< of seven: mass, xx, yy, zz, xy, yz, zx
  };
  struct Force {
    model::PointId on;
    int value = 0;  ///< of three columns [N]
  };
  struct Frame {
    model::FrameId frame;
    int axes = 0;  ///< of nine
  };
  /// Of a shape that the model states: its sizes, then the measure numbers of its axis in its frame.
  struct Shape {
    int sizes = 0;
    int axis = 0;  ///< of three columns
  };
  /// Of an arrow that the model states.
  struct Vector {
    int value = 0;          ///< of three columns
    std::vector<int> rows;  ///< whose multipliers it holds
    /// Whether these multipliers are unique there.
    [[nodiscard]] bool is_unique(const sim::Sample& sample) const;
  };
  std::vector<Point> points;    ///< all of the model, mass centres and particles among them
  std::vector<Body> bodies;     ///< [bodies] of the model
  std::vector<Force> forces;    ///< of `force on` loads
  std::vector<int> gravities;   ///< of three columns each: accelerations [m/s²]
  std::vector<Frame> frames;    ///< that the view shows beside those of bodies and the newtonian one
  std::vector<Shape> shapes;    ///< [shapes] of the view
  std::vector<Vector> vectors;  ///< [vectors] of the view
  std::vector<int> radii;       ///< [links] of the view, −1: not stated
  std::vector<int> lengths;     ///< [axes] of the view, −1: not stated
  sim::BoundKernel kernel;      ///< report symbols → all columns

  [[nodiscard]] std::vector<double> at(const sim::Sample& sample) const;
};

/// Derives equations of its own: lowering grows their graph. A model without points has no places.
[[nodiscard]] Outcome<Places> places_of(const sim::Binding& bound);

}  // namespace vinculum::report
