#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/imports/model_text.hpp"
#include "vinculum/imports/names.hpp"

namespace vinculum::imports {

/// Names of the coordinates of the joints, and the statements about them.
class JointText {
 public:
  /// \param damped  by joint: whether its damping is stated with the links.
  JointText(const Robot& robot, const Tree& tree, const std::vector<bool>& damped, Names& names, ModelText& written);

  /// Declares coordinates, parameters of joints that move no mass, and functions of joints that mimic others.
  [[nodiscard]] std::string declarations();
  /// Friction, and damping that is not stated with the links. Those of a joint that mimics another one act on the
  /// coordinate of that one.
  [[nodiscard]] std::string losses() const;
  [[nodiscard]] std::string limits(Limits kind);

  /// The joint's own name; for a joint with one coordinate, that of the coordinate.
  [[nodiscard]] const std::string& name(int joint) const { return names_[static_cast<std::size_t>(joint)]; }
  /// Names of the coordinates of a planar joint (x, y, angle) or a floating one (x, y, z, four of a quaternion); empty
  /// if it moves no mass.
  [[nodiscard]] const std::vector<std::string>& coordinates(int joint) const {
    return coordinates_[static_cast<std::size_t>(joint)];
  }

 private:
  /// What acts on the coordinate of one joint, in its own unit.
  struct Loads {
    double damping = 0.0, friction = 0.0;
    std::optional<double> lower, upper;
  };
  /// The joint whose coordinate moves a joint, with the factor and the summand of the function.
  struct Source {
    int joint = 0;
    double factor = 1.0, summand = 0.0;
  };

  [[nodiscard]] const Joint& joint(int number) const { return robot_.joints[static_cast<std::size_t>(number)]; }
  [[nodiscard]] bool has_own_coordinate(int number) const;
  [[nodiscard]] std::string declaration(int number);
  [[nodiscard]] std::string function(int number) const;
  [[nodiscard]] std::vector<std::string> several(int number, std::initializer_list<const char*> suffixes);
  [[nodiscard]] Source source_of(int number) const;
  void gather(int number);
  [[nodiscard]] std::string contact(int number, const Loads& loads) const;

  const Robot& robot_;
  const Tree& tree_;
  const std::vector<bool>& damped_;
  Names& own_names_;
  ModelText& written_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> coordinates_;
  std::vector<Loads> loads_;
};

}  // namespace vinculum::imports
