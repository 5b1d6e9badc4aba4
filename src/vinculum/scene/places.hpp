#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/run/trajectory.hpp"

namespace vinculum::report {

/// Computes positions and orientations of all drawn objects as functions of the report symbols of a sample. Vectors are
/// given by their components in the newtonian frame, positions relative to its origin. `at` returns all numbers as one
/// list of columns. Members of type int are indices into this list; for an object with several columns, the index of
/// the first.
struct Places {
  struct Point {
    model::PointId point;
    int place = 0;                              ///< first of three columns: position
    std::optional<model::BodyId> carrier = {};  ///< the body in which the point is fixed
    bool is_fixed = false;                      ///< whether the point is fixed in the newtonian frame
  };
  struct Body {
    model::BodyId body;
    int center = 0;   ///< first of three columns: position of the mass center
    int axes = 0;     ///< first of nine columns: unit vectors x, y, z of its frame, one after the other
    int inertia = 0;  ///< first of seven columns: mass, then the moments xx, yy, zz, xy, yz, zx
    /// Points that keep their position in the body, except for its mass center: its own points, the pins at which it is
    /// attached to another body or to the ground, and particles attached to it.
    std::vector<model::PointId> points = {};
  };
  /// One end of a link: a point, or an elbow (a corner that the model does not name).
  struct End {
    std::optional<model::PointId> point;
    int elbow = -1;  ///< index into `elbows`, if the end is not a point
  };
  /// A drawn connection for a joint that the coordinates contain implicitly. It is the part of a point's offset from
  /// its base that turns relative to the base, such as `L*B.x` in `at Q + L*B.x`. Two points of the same body are not
  /// connected by a link.
  struct Link {
    End from, to;
    bool slides = false;  ///< whether the length of the link changes with a coordinate
  };
  /// The force or torque that a `reveal` statement requests.
  struct Reveal {
    model::RevealId reveal;
    model::PointId at;      ///< the point, or the mass center of the body, at which the vector is drawn
    std::size_t count = 0;  ///< number of directions
    int value = 0;          ///< first of `count` columns: components along the directions
    int along = 0;          ///< first of 3 `count` columns: the directions, which need not have unit length
    std::vector<int> rows;  ///< constraint rows whose multipliers it contains
    /// Returns the vector in the span of the directions that has these components along them.
    /// \param numbers  result of `Places::at`
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
  /// A shape that the model states, with its dimensions and the components of its axis in its frame.
  struct Shape {
    int sizes = 0;
    int axis = 0;  ///< first of three columns
  };
  /// An arrow that the model states.
  struct Vector {
    int value = 0;          ///< first of three columns: components of the vector
    std::vector<int> rows;  ///< constraint rows whose multipliers the vector contains
  };
  std::vector<Point> points;  ///< all points of the model, including mass centers and particles
  std::vector<Body> bodies;   ///< [bodies of the model]
  std::vector<int> elbows;    ///< [elbows] first of three columns each: position
  std::vector<Link> links;
  std::vector<Reveal> reveals;  ///< [`reveal` statements of the model]
  std::vector<Force> forces;    ///< forces of the `force on` loads
  std::vector<int> gravities;   ///< [gravity loads] first of three columns each: acceleration [m/s²]
  std::vector<Frame> frames;    ///< frames that the view shows in addition to those of bodies and the newtonian frame
  std::vector<Shape> shapes;    ///< [shapes of the view]
  std::vector<Vector> vectors;  ///< [arrows of the view]
  std::vector<int> radii;       ///< [links of the view] column of the radius; −1: not stated
  std::vector<int> lengths;     ///< [axes of the view] column of the length; −1: not stated
  std::vector<int> scales;      ///< [meshes of the view] column of the length of one unit of the file; −1: not stated
  sim::BoundKernel kernel;      ///< report symbols → all columns

  [[nodiscard]] std::vector<double> at(const sim::Sample& sample) const;
  /// Whether the multipliers of these rows are unique at the sample.
  [[nodiscard]] static bool is_unique(std::span<const int> rows, const sim::Sample& sample);
};

/// Computes the positions and orientations of a model as expressions. Derives equations of motion for this purpose
/// only, because the computation adds nodes to their expression graph.
/// \returns the reason if they cannot be derived.
[[nodiscard]] Outcome<Places> places_of(const sim::Binding& bound);

}  // namespace vinculum::report
