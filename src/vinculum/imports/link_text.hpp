#pragma once

#include <string>
#include <vector>

#include "vinculum/imports/joint_text.hpp"
#include "vinculum/model/real_inertia.hpp"

namespace vinculum::imports {

/// By joint: whether its damping is stated with the links, as a torque or a force between them, and not as a load on a
/// coordinate. Only forces and torques with a place admit a `reveal`.
[[nodiscard]] std::vector<bool> damped_at_links(const Robot& robot, const Tree& tree, Base base);

/// The statements of each link: its frame, the point of its origin, its body, and its shapes.
class LinkText {
 public:
  /// \param damped  see `damped_at_links`
  LinkText(const Robot& robot, const Tree& tree, const TextOptions& options, const std::vector<bool>& damped,
           Names& names, ModelText& written, diag::Sink& sink);

  /// Frame, origin and body of one link. Links must be written in the order of the tree.
  [[nodiscard]] std::string link(int number, const JointText& joints);
  /// Points and frames of shapes, and the `view`; empty without shapes.
  [[nodiscard]] std::string view();

 private:
  struct Written {
    std::string name, frame, origin;
    std::string rest;  ///< place of the origin while a prismatic joint is at 0; empty for other links
  };

  [[nodiscard]] std::string root(int number);
  [[nodiscard]] std::string moved(int number, const Joint& joint, int joint_number, const JointText& joints);
  [[nodiscard]] std::string turned_about(const Joint& joint, const std::string& angle, const Written& own,
                                         const Written& parent);
  [[nodiscard]] std::string body(int number);
  [[nodiscard]] std::string damping(int number, const Joint& joint, const std::string& q);
  [[nodiscard]] std::string body_at(int number) const;
  [[nodiscard]] model::Moments judged(const Link& link, const model::Moments& moments, double& added);
  [[nodiscard]] std::string shape(const Link& link, const Written& own, const Shape& shape, std::string& places);
  [[nodiscard]] const Link& link_of(int number) const { return robot_.links[static_cast<std::size_t>(number)]; }

  const Robot& robot_;
  const Tree& tree_;
  const TextOptions& options_;
  const std::vector<bool>& damped_;
  Names& names_;
  ModelText& written_;
  diag::Sink& sink_;
  std::vector<Written> links_;
};

}  // namespace vinculum::imports
