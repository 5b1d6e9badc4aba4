#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
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
    int center = 0;   ///< of three columns
    int axes = 0;     ///< of nine: x, y, z of its frame one after the other
    int inertia = 0;  ///< of seven: mass, xx, yy, zz, xy, yz, zx
    /// Points that keep their place in the body, without its mass centre: its own points, the pins by which it hangs
    /// from another body or from the ground, particles attached to it.
    std::vector<model::PointId> points = {};
  };
  /// One end of a link: a point, or an elbow (a corner that the model does not name).
  struct End {
    std::optional<model::PointId> point;
    int elbow = -1;  ///< index in `elbows`, if it is not a point
  };
  /// A joint that is embedded in the coordinates: a part of the offset of a point from its base that turns, as in `at Q
  /// + L*B.x`. Nothing that a body already connects is a link.
  struct Link {
    End from, to;
    bool slides = false;  ///< whether its length changes with a coordinate
  };
  /// The force or torque that a `reveal` asks for.
  struct Reveal {
    model::RevealId reveal;
    model::PointId at;      ///< the point, or the mass centre of the body
    std::size_t count = 0;  ///< directions
    int value = 0;          ///< of `count` columns: components along the directions
    int along = 0;          ///< of 3*`count` columns: the directions, of any length
    std::vector<int> rows;  ///< constraint rows whose multipliers it contains
    /// The vector in the span of the directions that has these components along them.
    /// \param numbers  of `Places::at`
    [[nodiscard]] Eigen::Vector3d vector(std::span<const double> numbers) const;
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
    int value = 0;          ///< of three columns
    std::vector<int> rows;  ///< whose multipliers it holds
  };
  std::vector<Point> points;  ///< all of the model, mass centres and particles among them
  std::vector<Body> bodies;   ///< [bodies] of the model
  std::vector<int> elbows;    ///< of three columns each
  std::vector<Link> links;
  std::vector<Reveal> reveals;  ///< [reveals] of the model
  std::vector<Force> forces;    ///< of `force on` loads
  std::vector<int> gravities;   ///< of three columns each: accelerations [m/s²]
  std::vector<Frame> frames;    ///< that the view shows beside those of bodies and the newtonian one
  std::vector<Shape> shapes;    ///< [shapes] of the view
  std::vector<Vector> vectors;  ///< [vectors] of the view
  std::vector<int> radii;       ///< [links] column of the radius; −1: not stated
  std::vector<int> lengths;     ///< [axes] column of the length; −1: not stated
  sim::BoundKernel kernel;      ///< report symbols → all columns

  [[nodiscard]] std::vector<double> at(const sim::Sample& sample) const;
  /// Whether the multipliers of these rows are unique at the sample.
  [[nodiscard]] static bool is_unique(std::span<const int> rows, const sim::Sample& sample);
};

/// The places of a model. Derives equations of motion of its own, because lowering extends their expression graph.
/// \returns the reason if they cannot be derived.
[[nodiscard]] Outcome<Places> places_of(const sim::Binding& bound);

}  // namespace vinculum::report
