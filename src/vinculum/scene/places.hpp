#pragma once

#include <optional>
#include <vector>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/run/trajectory.hpp"

namespace vinculum::report {

/// Positions and orientations of all drawn objects as functions of the report symbols of a sample. Vectors are given by
/// their measure numbers in the newtonian frame, positions relative to its origin. An int below is the first of the
/// columns of `at`.
struct Places {
  struct Point {
    model::PointId point;
    int place = 0;                              ///< first of three columns: position
    std::optional<model::BodyId> carrier = {};  ///< the body that it is fixed in
    bool is_fixed = false;                      ///< whether it is fixed in the newtonian frame
  };
  struct Body {
    model::BodyId body;
    int center = 0;   ///< first of three columns: position of the mass center
    int axes = 0;     ///< first of nine columns: x, y, z of the body frame, one after another
    int inertia = 0;  ///< first of seven columns: mass, xx, yy, zz, xy, yz, zx
  };
  struct Force {
    model::PointId on;
    int value = 0;  ///< first of three columns [N]
  };
  struct Frame {
    model::FrameId frame;
    int axes = 0;  ///< first of nine columns: x, y, z of the frame
  };
  /// A shape that the model states: its sizes, then the measure numbers of its axis in its frame.
  struct Shape {
    int sizes = 0;
    int axis = 0;  ///< first of three columns
  };
  /// An arrow that the model states.
  struct Vector {
    int value = 0;          ///< first of three columns
    std::vector<int> rows;  ///< constraint rows whose multipliers occur in the value
    /// Whether the multipliers of these rows are unique in the sample.
    [[nodiscard]] bool is_unique(const sim::Sample& sample) const;
  };
  std::vector<Point> points;    ///< all points of the model, including mass centers and particles
  std::vector<Body> bodies;     ///< [bodies] of the model
  std::vector<Force> forces;    ///< of `force on` loads, in their order
  std::vector<int> gravities;   ///< first of three columns each: accelerations of gravity [m/s²]
  std::vector<Frame> frames;    ///< frames of the view, except body frames and the newtonian frame
  std::vector<Shape> shapes;    ///< [shapes] of the view
  std::vector<Vector> vectors;  ///< [vectors] of the view
  std::vector<int> radii;       ///< [links] column of the radius; −1: not stated
  std::vector<int> lengths;     ///< [axes] column of the length; −1: not stated
  sim::BoundKernel kernel;      ///< report symbols → all columns

  [[nodiscard]] std::vector<double> at(const sim::Sample& sample) const;
};

/// The places of a model. Derives equations of motion of its own, because lowering extends their expression graph.
/// \returns the reason if they cannot be derived.
[[nodiscard]] Outcome<Places> places_of(const sim::Binding& bound);

}  // namespace vinculum::report
