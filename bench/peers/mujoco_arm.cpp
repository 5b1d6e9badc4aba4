#include <mujoco/mujoco.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "peers/arm.hpp"
#include "peers/median_time.hpp"

namespace vinculum::bench {
namespace {

std::string triple(const std::array<double, 3>& v) {
  std::ostringstream text;
  text.precision(17);
  text << '"' << v[0] << ' ' << v[1] << ' ' << v[2] << '"';
  return text.str();
}

std::string description(ArmTip tip) {
  std::ostringstream text;
  text.precision(17);
  text << "<mujoco><compiler angle=\"radian\"/><option gravity=\"0 0 0\"><flag contact=\"disable\" "
          "sensor=\"disable\"/></option><worldbody>";
  for (std::size_t i = 0; i < kArm.size(); ++i) {
    const Link& link = kArm[i];
    text << "<body name=\"link" << i + 1 << "\" pos=" << triple(link.joint)
         << "><joint type=\"hinge\" axis=" << triple(link.axis) << "/><inertial mass=\"" << link.mass
         << "\" pos=" << triple(link.center) << " diaginertia=" << triple(link.inertia) << "/>";
  }
  for (std::size_t i = 0; i < kArm.size(); ++i) text << "</body>";
  text << "</worldbody>";
  if (tip == ArmTip::kLatched) text << "<equality><weld body1=\"link7\"/></equality>";
  text << "</mujoco>";
  return text.str();
}

}  // namespace

ArmResult run_mujoco_arm(ArmTip tip, const ArmState& at, int repeats) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "vinculum_bench_arm.xml";
  std::ofstream(file) << description(tip);
  char error[1000] = "";
  mjModel* model = mj_loadXML(file.c_str(), nullptr, error, sizeof(error));
  std::filesystem::remove(file);
  if (model == nullptr) throw std::runtime_error(error);
  mjData* data = mj_makeData(model);
  const auto set = [&] {
    for (int i = 0; i < 7; ++i) {
      data->qpos[i] = at.q[static_cast<std::size_t>(i)];
      data->qvel[i] = at.u[static_cast<std::size_t>(i)];
    }
  };
  if (tip == ArmTip::kLatched) {  // hold the last link where it is at this state, relative to the world
    set();
    mj_kinematics(model, data);
    const mjtNum* position = data->xpos + 3 * (model->nbody - 1);
    const mjtNum* attitude = data->xquat + 4 * (model->nbody - 1);
    mjtNum* relative = model->eq_data + 3;  // anchor, then pose of body2 (the world) in body1
    mjtNum inverse[4];
    mju_negQuat(inverse, attitude);
    mju_rotVecQuat(relative, position, inverse);
    mju_scl3(relative, relative, -1);
    mju_copy4(relative + 3, inverse);
  }
  ArmResult result;
  result.nanoseconds = median_nanoseconds(repeats, [&] {
    set();
    mj_forward(model, data);
  });
  for (int i = 0; i < 7; ++i) result.u_dot[static_cast<std::size_t>(i)] = data->qacc[i];
  mj_deleteData(data);
  mj_deleteModel(model);
  return result;
}

}  // namespace vinculum::bench
