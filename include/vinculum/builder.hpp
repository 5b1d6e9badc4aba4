#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/vinculum.hpp"

namespace vinculum {

/// A scalar or vector expression of a model that is being built. Arithmetic of scalars and vectors; scalar * vector and
/// vector / scalar scale. Valid as long as its builder, or the model built from it.
class Term {
 public:
  Term() = default;  ///< nothing: where an argument may be left out
  struct Inner;      ///< for the library
  explicit Term(const Inner& inner);
  [[nodiscard]] bool is_valid() const { return pool_ != nullptr; }
  [[nodiscard]] Inner inner() const;

 private:
  void* pool_ = nullptr;
  std::uint32_t id_ = 0;
};
[[nodiscard]] Term operator+(Term a, Term b);
[[nodiscard]] Term operator-(Term a, Term b);
[[nodiscard]] Term operator-(Term a);
[[nodiscard]] Term operator*(Term a, Term b);
[[nodiscard]] Term operator/(Term a, Term b);
[[nodiscard]] Term operator*(double a, Term b);
[[nodiscard]] Term operator+(Term a, double b);
[[nodiscard]] Term operator-(Term a, double b);
[[nodiscard]] Term dot(Term a, Term b);
[[nodiscard]] Term cross(Term a, Term b);
[[nodiscard]] Term norm(Term a);
[[nodiscard]] Term unit(Term a);
[[nodiscard]] Term sin(Term x);
[[nodiscard]] Term cos(Term x);
[[nodiscard]] Term tan(Term x);
[[nodiscard]] Term asin(Term x);
[[nodiscard]] Term acos(Term x);
[[nodiscard]] Term atan(Term x);
[[nodiscard]] Term sinh(Term x);
[[nodiscard]] Term cosh(Term x);
[[nodiscard]] Term tanh(Term x);
[[nodiscard]] Term abs(Term x);
[[nodiscard]] Term sign(Term x);
[[nodiscard]] Term floor(Term x);
[[nodiscard]] Term sqrt(Term x);
[[nodiscard]] Term exp(Term x);
[[nodiscard]] Term log(Term x);
[[nodiscard]] Term pow(Term x, Term y);
[[nodiscard]] Term atan2(Term y, Term x);
[[nodiscard]] Term min(Term x, Term y);
[[nodiscard]] Term max(Term x, Term y);

class View;

/// Builds a model one statement at a time, as a text states it (docs/language.md): what is named is there before it is
/// used, names are unique over all kinds, and ids are of this builder. What breaks this throws std::logic_error.
/// Numbers are SI; a unit, where one is stated ("kg*m/s^2"), is what results are labelled with.
class Builder {
 public:
  struct Frame {
    std::uint32_t id;
  };
  struct Point {
    std::uint32_t id;
  };
  struct Constraint {
    std::uint32_t id;
  };
  struct Body {
    Frame frame;
    Point center;
  };
  /// Measure numbers in the body's frame about its mass centre, products with their sign: xy = −∫xy dm. [kg m²]
  struct Inertia {
    Term xx, yy, zz, xy = {}, yz = {}, zx = {};
  };

  explicit Builder(std::string name);  ///< with the newtonian frame `N`
  ~Builder();
  Builder(Builder&&) noexcept;
  Builder& operator=(Builder&&) noexcept;

  [[nodiscard]] Frame newtonian() const { return {0}; }
  [[nodiscard]] Term number(double value);
  [[nodiscard]] Term time();
  Term parameter(std::string name, double value, const std::string& unit = "");
  Term coordinate(std::string name, const std::string& unit = "");
  [[nodiscard]] Term rate(Term coordinate);  ///< q'
  /// \param definition  scalar of velocity level. Coordinates that no speed covers keep q'. One that is not affine in
  /// the q' is kept beside them: it has start values and an output of its name, and the motion is found in the q' in
  /// whose places it stands.
  Term speed(std::string name, Term definition, const std::string& unit = "");
  Term state(std::string name, Term rate, Term start = {}, const std::string& unit = "");

  /// Turned by an angle [rad] about axis 0, 1, 2 of the parent, or about a direction fixed in it.
  Frame frame(std::string name, Frame parent, Term angle, int axis);
  Frame frame(std::string name, Frame parent, Term angle, Term direction);
  /// By four coordinates, whose norm does not matter.
  Frame frame(std::string name, Frame parent, const std::array<Term, 4>& quaternion);
  [[nodiscard]] Term axis(Frame frame, int axis);
  Point fixed_point(std::string name, Frame frame);
  Point point(std::string name, Point base, Term offset);
  Point particle(std::string name, Term mass, Point base, Term offset);
  Body body(std::string name, Frame frame, Term mass, const Inertia& inertia, Point base, Term offset);
  [[nodiscard]] Term pos(Point to, Point from);
  [[nodiscard]] Term vel(Point point, Frame seen_in = {0});
  [[nodiscard]] Term acc(Point point, Frame seen_in = {0});
  [[nodiscard]] Term omega(Frame frame, Frame seen_in = {0});

  void force(Point point, Term force, std::optional<Point> from = {});
  void torque(Frame body, Term torque, std::optional<Frame> from = {});
  void gravity(Term acceleration);
  void spring(Point first, Point second, Term stiffness, Term length, Term damping = {});
  void potential(Term energy);
  void generalized_force(Term coordinate, Term force);
  /// A system given by its equations, M(q, t) q'' = Q(q, q', t) without constraints; adds to what else there is. What
  /// has no bodies is read as L = ½ q'ᵀMq' with generalized forces that make the equations these: `energy` is then ½
  /// q'ᵀMq'.
  /// \param M  lower triangle of the symmetric matrix, row by row: [n][i + 1], functions of coordinates and time.
  /// \param Q  [n] also of their rates.
  void equations(const std::vector<Term>& coordinates, const std::vector<std::vector<Term>>& M,
                 const std::vector<Term>& Q);

  /// relation = 0: scalar, or a vector with a row for each direction of `along` (N.x, N.y, N.z where there is none).
  /// Ideal, as long as no law or `nonideal` says otherwise.
  Constraint constraint(std::string name, Term relation, const std::vector<Term>& along = {},
                        const std::string& unit = "");
  void nonideal(Constraint constraint, Point point, Term force, std::optional<Point> from = {});
  /// The same on a coordinate: an entry of C, vᵀC the virtual work of the constraint.
  void nonideal(Constraint constraint, Term coordinate, Term force);
  /// Hamilton–Lusternik, or with c [1/s] the family between; starts of μ one a row, 0 where not stated.
  void variational(Constraint constraint, const std::vector<Term>& starts = {}, Term c = {});
  [[nodiscard]] Term multiplier(Constraint constraint, int row = 0);
  [[nodiscard]] Term force_of(Constraint constraint, Point point);  ///< `force(c, P)`, for outputs
  /// Entries of `Q_ideal`, `Q_constraint`, `free_acceleration` for outputs, by `Model::speeds`: affine speeds stated
  /// come first, then the rates that they leave open.
  [[nodiscard]] Term Q_ideal(int speed);
  [[nodiscard]] Term Q_constraint(int speed);
  [[nodiscard]] Term free_acceleration(int speed);

  void output(std::string name, Term value, const std::string& unit = "", std::optional<Frame> frame = {});
  /// `start`: of a coordinate, of its rate or of a speed; `=` holds it, `~` is a guess.
  void start(Term what, double value);
  void guess(Term what, double value);
  [[nodiscard]] View view();  ///< what drawings show; valid as long as the builder stands where it is

  struct Own;
  [[nodiscard]] Own& own() { return *own_; }  ///< for the library

 private:
  std::unique_ptr<Own> own_;
};

/// What drawings show, an item a call, as `view` of a text states it (docs/language.md): no motion depends on it.
/// Sizes, radii and lengths [m] are made of parameters and positive. Colours are those of the language; "" leaves the
/// choice. What cannot be drawn throws std::invalid_argument.
class View {
 public:
  struct Shape {
    std::string kind;         ///< "cylinder": docs/reference
    std::vector<Term> sizes;  ///< of that kind, as many as it has
    Term axis = {};           ///< fixed in the frame; its z where there is none
    std::string colour = {};
    bool is_surface = false;  ///< seen through
  };
  /// In place of what the body's inertia says, turning with it, its middle at the mass centre unless stated.
  void shape(Builder::Body on, const Shape& shape, std::optional<Builder::Point> at = {});
  void shape(Builder::Frame on, const Shape& shape, Builder::Point at);
  void shape(Builder::Point on, const Shape& shape);  ///< with the axes of the newtonian frame
  void rod(Builder::Point first, Builder::Point second, Term radius = {}, const std::string& colour = "");
  void coil(Builder::Point first, Builder::Point second, Term radius = {}, const std::string& colour = "");
  void axes(Builder::Frame frame, Builder::Point at, Term length = {});
  void trace(Builder::Point point, const std::string& colour = "");  ///< those stated, and no others
  /// A vector under this name, of what an output may be made of up to accelerations and reactions.
  void arrow(const std::string& name, Term vector, Builder::Point at, const std::string& unit = "",
             const std::string& colour = "");
  /// What a constraint exerts: where such are stated all others are off at first.
  void force(Builder::Constraint constraint, Builder::Point on);
  void torque(Builder::Constraint constraint, Builder::Frame body);
  void colour(Builder::Body of, const std::string& colour);
  void colour(Builder::Point of, const std::string& colour);
  void colour(Builder::Constraint of, const std::string& colour);
  void hide(Builder::Body body);
  void hide(Builder::Point point);
  void hide(Builder::Constraint constraint);  ///< off at first
  void without(const std::string& what);      ///< "ground", "rods", "traces"

 private:
  friend class Builder;
  explicit View(Builder::Own& own) : own_(&own) {}
  Builder::Own* own_;
};

}  // namespace vinculum
