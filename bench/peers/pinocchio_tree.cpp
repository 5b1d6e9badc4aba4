// Accelerations of a tree by Pinocchio: `aba` in the cheaper of its two conventions. If the last body is latched,
// `constraintDynamics` with one rigid constraint of six rows.

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/config.hpp>
#include <pinocchio/multibody.hpp>

#include "times.hpp"
#include "tree.hpp"

namespace {

using vinculum::bench::Tree;
namespace pin = pinocchio;

Eigen::Vector3d vec(const vinculum::bench::Triple& v) { return {v[0], v[1], v[2]}; }

pin::JointIndex add_hinge(pin::Model& model, const vinculum::bench::Body& body, const std::string& name) {
  const auto parent = static_cast<pin::JointIndex>(body.parent + 1);
  const pin::SE3 place(Eigen::Matrix3d::Identity(), vec(body.joint));
  const Eigen::Vector3d axis = vec(body.axis);
  if (axis == Eigen::Vector3d::UnitX()) return model.addJoint(parent, pin::JointModelRX(), place, name);
  if (axis == Eigen::Vector3d::UnitY()) return model.addJoint(parent, pin::JointModelRY(), place, name);
  if (axis == Eigen::Vector3d::UnitZ()) return model.addJoint(parent, pin::JointModelRZ(), place, name);
  return model.addJoint(parent, pin::JointModelRevoluteUnaligned(axis), place, name);
}

pin::Model model_of(const Tree& tree) {
  pin::Model model;
  model.gravity.linear() = vec(tree.gravity);
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const auto& body = tree.bodies[i];
    const auto joint = add_hinge(model, body, "joint" + std::to_string(i));
    model.appendBodyToJoint(joint, pin::Inertia(body.mass, vec(body.center), vec(body.inertia).asDiagonal()),
                            pin::SE3::Identity());
  }
  return model;
}

struct Answer {
  vinculum::bench::Times times;
  double ready;
  Eigen::VectorXd accelerations;
};

Answer run_free(const Tree& tree, const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
  const auto begin = vinculum::bench::Clock::now();
  const pin::Model model = model_of(tree);
  pin::Data data(model);
  const Eigen::VectorXd tau = Eigen::VectorXd::Zero(model.nv);
  pin::aba(model, data, q, u, tau, pin::Convention::LOCAL);
  const double ready = vinculum::bench::seconds_since(begin);
  const auto local = vinculum::bench::times_of([&] { pin::aba(model, data, q, u, tau, pin::Convention::LOCAL); });
  const auto world = vinculum::bench::times_of([&] { pin::aba(model, data, q, u, tau, pin::Convention::WORLD); });
  return {local.median < world.median ? local : world, ready, data.ddq};
}

Answer run_latched(const Tree& tree, const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
  const auto begin = vinculum::bench::Clock::now();
  const pin::Model model = model_of(tree);
  pin::Data data(model);
  const Eigen::VectorXd tau = Eigen::VectorXd::Zero(model.nv);
  pin::forwardKinematics(model, data, q);
  const auto last = static_cast<pin::JointIndex>(model.njoints - 1);
  std::vector<pin::RigidConstraintModel> rows;
  rows.emplace_back(pin::CONTACT_6D, model, last, pin::SE3::Identity(), 0, data.oMi[last], pin::LOCAL);
  std::vector<pin::RigidConstraintData> scratch;
  for (const auto& row : rows) scratch.push_back(row.createData());
  pin::initConstraintDynamics(model, data, rows, scratch);
  pin::ProximalSettings settings(1e-14, 0.0, 1);
  const auto accelerate = [&] { pin::constraintDynamics(model, data, q, u, tau, rows, scratch, settings); };
  accelerate();
  const double ready = vinculum::bench::seconds_since(begin);
  return {vinculum::bench::times_of(accelerate), ready, data.ddq};
}

}  // namespace

int main() {
  const Tree tree = vinculum::bench::read_tree(std::cin);
  const Eigen::VectorXd q = Eigen::Map<const Eigen::VectorXd>(tree.q.data(), static_cast<int>(tree.q.size()));
  const Eigen::VectorXd u = Eigen::Map<const Eigen::VectorXd>(tree.u.data(), static_cast<int>(tree.u.size()));
  const Answer answer = tree.is_latched ? run_latched(tree, q, u) : run_free(tree, q, u);
  vinculum::bench::print_answer(
      std::string("Pinocchio ") + PINOCCHIO_VERSION, answer.times, answer.ready,
      {answer.accelerations.data(), answer.accelerations.data() + answer.accelerations.size()});
}
