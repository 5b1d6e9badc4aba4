#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/lang/ast.hpp"
#include "vinculum/model/joint.hpp"

namespace vinculum::elaborate {

/// A wrong use of a joint, as texts and programs (`Builder::joint`) report it.
struct JointProblem {
  diag::Kind kind;
  std::string message, hint;
  std::uint16_t part = 0;  ///< the JointPart that the joint does not take; 0 for other problems
};

/// Problems with the stated parts: each part that the joint does not take, in the order of `stated`, and then the parts
/// that are missing.
[[nodiscard]] std::vector<JointProblem> joint_part_problems(const model::JointInfo& info,
                                                            const std::vector<model::JointPart>& stated);
/// Whether a joint may connect a side: some joints use directions, which a particle does not have, or act at points of
/// matter, which a frame without a body does not have.
/// \param particle    kFirstParticle or kSecondParticle
/// \param has_matter  false for a frame without a body
/// \param name        of the side
[[nodiscard]] std::optional<JointProblem> joint_side_problem(const model::JointInfo& info, model::JointSides particle,
                                                             bool is_particle, bool has_matter,
                                                             const std::string& name);
/// Whether a joint can have this surface.
/// \param word     name of the surface as stated
/// \param lengths  number of stated lengths
[[nodiscard]] std::optional<JointProblem> joint_surface_problem(model::JointKind kind, const std::string& word,
                                                                std::size_t lengths, bool has_radius);
/// Hint for a length of a surface that is not positive.
[[nodiscard]] std::string_view hint_for_length(model::JointKind kind);
/// Whether a joint `contact` can have these two surfaces.
[[nodiscard]] std::optional<JointProblem> surface_pair_problem(model::SurfaceKind first, model::SurfaceKind second);
/// Names of the constraints of a joint `contact`: the name of the joint if its surfaces can touch at one place, else
/// those of a family, `NAME[1]`, `NAME[2]`, …. One name if the surfaces have an error.
[[nodiscard]] std::vector<std::string> contact_names(const lang::JointStatement& statement);
/// \param name     of the joint
/// \param lengths  numbers of lengths of the two surfaces
[[nodiscard]] std::vector<std::string> contact_names(const std::string& name, model::SurfaceKind first,
                                                     model::SurfaceKind second, std::array<std::size_t, 2> lengths);
/// Whether a surface has a height in which `x`, `y`, `z` are the place on it, also if they are declared for something
/// else.
[[nodiscard]] bool has_height(const lang::JointSurface& surface);
[[nodiscard]] bool is_contact(const lang::JointStatement& statement);
[[nodiscard]] inline bool has_several_contacts(const lang::JointStatement& statement) {
  return is_contact(statement) && contact_names(statement).size() > 1;
}
/// Hint for an unknown kind of joint: the joint that a word of another language means, or the nearest name.
[[nodiscard]] std::string hint_for_joint(const std::string& word);
/// End of the message about a number that this part cannot be, such as " must be positive"; empty if it can.
[[nodiscard]] std::string_view problem_of_joint_number(model::JointPart part, double x);
/// Requires that later values of parameters keep the number of a part possible.
void require_joint_number(model::Model& model, model::JointPart part, model::Term number, std::string_view what);

}  // namespace vinculum::elaborate
