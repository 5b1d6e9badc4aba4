#pragma once

#include <string>
#include <string_view>

#include "vinculum/imports/robot.hpp"

/// Parts of statements.
namespace vinculum::imports {

/// The shortest decimal that reads back as this number.
[[nodiscard]] std::string number_text(double value);
/// An angle in rad; multiples of a right angle by `pi`.
[[nodiscard]] std::string angle_text(double angle);
/// " + 0.1 [m]*F.x - 0.2 [m]*F.z"; empty for a vector that is zero. \param unit  such as "[m]"; empty for none
[[nodiscard]] std::string added_vector(const Vector3& vector, std::string_view unit, std::string_view frame);
/// A vector without a sum before it, "0.6*F.x + 0.8*F.z".
[[nodiscard]] std::string vector_text(const Vector3& vector, std::string_view frame);
/// The definition of a frame at this attitude: "F rotated 0 about z", "F space123(r, p, y)".
[[nodiscard]] std::string attitude_text(const Vector3& rpy, std::string_view frame);
/// The number of the axis that the vector has or is opposite to, or −1.
[[nodiscard]] int main_axis(const Vector3& axis);

}  // namespace vinculum::imports
