#include "vinculum/imports/terms.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace vinculum::imports {
namespace {

constexpr std::string_view kAxes = "xyz";

}  // namespace

std::string number_text(double value) { return fmt::format("{}", value + 0.0); }  // + 0.0: no negative zero

std::string angle_text(double angle) {
  const std::string_view sign = angle < 0.0 ? "-" : "";
  if (std::fabs(angle) == std::numbers::pi) return fmt::format("{}pi", sign);
  if (std::fabs(angle) == std::numbers::pi / 2.0) return fmt::format("{}pi/2", sign);
  return number_text(angle);
}

std::string added_vector(const Vector3& vector, std::string_view unit, std::string_view frame) {
  std::string sum;
  for (int i = 0; i < 3; ++i) {
    if (vector[i] == 0.0) continue;
    const std::string number = number_text(std::fabs(vector[i])) + (unit.empty() ? "" : " ") + std::string(unit) + "*";
    const bool is_unit = unit.empty() && std::fabs(vector[i]) == 1.0;
    sum += fmt::format(" {} {}{}.{}", vector[i] < 0.0 ? '-' : '+', is_unit ? "" : number, frame,
                       kAxes[static_cast<std::size_t>(i)]);
  }
  return sum;
}

std::string vector_text(const Vector3& vector, std::string_view frame) {
  const std::string sum = added_vector(vector, "", frame);
  return (sum.starts_with(" - ") ? "-" : "") + sum.substr(3);
}

std::string attitude_text(const Vector3& rpy, std::string_view frame) {
  const int axis = main_axis(rpy);
  if (axis >= 0)
    return fmt::format("{} rotated {} about {}", frame, angle_text(rpy[axis]), kAxes[static_cast<std::size_t>(axis)]);
  if (rpy.isZero(0.0)) return fmt::format("{} rotated 0 about z", frame);
  return fmt::format("{} space123({}, {}, {})", frame, angle_text(rpy[0]), angle_text(rpy[1]), angle_text(rpy[2]));
}

int main_axis(const Vector3& axis) {
  int found = -1;
  for (int i = 0; i < 3; ++i) {
    if (axis[i] == 0.0) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

}  // namespace vinculum::imports
