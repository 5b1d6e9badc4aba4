// Accelerations of a tree by MuJoCo: one hinge per body, no contacts, `mj_forward` after the state is set. The weld of
// a latched tree is soft.

#include <mujoco/mujoco.h>

#include "times.hpp"
#include "tree.hpp"

namespace {

using vinculum::bench::Tree;

void copy(const vinculum::bench::Triple& from, double* to) { mju_copy3(to, from.data()); }

mjModel* model_of(const Tree& tree) {
  mjSpec* spec = mj_makeSpec();
  copy(tree.gravity, spec->option.gravity);
  spec->compiler.degree = 0;
  spec->option.disableflags |= mjDSBL_CONTACT | mjDSBL_SENSOR;
  if (!tree.is_latched) spec->option.disableflags |= mjDSBL_CONSTRAINT;
  std::vector<mjsBody*> bodies;
  for (const auto& each : tree.bodies) {
    mjsBody* parent = each.parent < 0 ? mjs_findBody(spec, "world") : bodies[static_cast<std::size_t>(each.parent)];
    mjsBody* body = mjs_addBody(parent, nullptr);
    mjs_setName(body->element, ("body" + std::to_string(bodies.size())).c_str());
    copy(each.joint, body->pos);
    body->mass = each.mass;
    copy(each.center, body->ipos);
    copy(each.inertia, body->inertia);
    body->explicitinertial = 1;
    mjsJoint* joint = mjs_addJoint(body, nullptr);
    joint->type = mjJNT_HINGE;
    copy(each.axis, joint->axis);
    bodies.push_back(body);
  }
  if (tree.is_latched) {
    mjsEquality* weld = mjs_addEquality(spec, nullptr);
    weld->type = mjEQ_WELD;
    weld->objtype = mjOBJ_BODY;
    mjs_setString(weld->name1, ("body" + std::to_string(bodies.size() - 1)).c_str());
    mju_zero(weld->data, mjNEQDATA);  // the default values are those of joints
    weld->data[10] = 1;
  }
  mjModel* model = mj_compile(spec, nullptr);
  if (model == nullptr) throw std::runtime_error(mjs_getError(spec));
  mj_deleteSpec(spec);
  return model;
}

void set(const mjModel* model, mjData* data, const Tree& tree) {
  mju_copy(data->qpos, tree.q.data(), static_cast<int>(model->nq));
  mju_copy(data->qvel, tree.u.data(), static_cast<int>(model->nv));
}

/// Fixes the last body to the world in the pose that it has at this state.
void latch(mjModel* model, mjData* data, const Tree& tree) {
  set(model, data, tree);
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

}  // namespace

int main() {
  const Tree tree = vinculum::bench::read_tree(std::cin);
  const auto begin = vinculum::bench::Clock::now();
  mjModel* model = model_of(tree);
  mjData* data = mj_makeData(model);
  if (tree.is_latched) latch(model, data, tree);
  const auto accelerate = [&] {
    set(model, data, tree);
    mj_forward(model, data);
  };
  accelerate();
  const double ready = vinculum::bench::seconds_since(begin);
  const auto times = vinculum::bench::times_of(accelerate);
  vinculum::bench::print_answer(std::string("MuJoCo ") + mj_versionString(), times, ready,
                                {data->qacc, data->qacc + model->nv});
  mj_deleteData(data);
  mj_deleteModel(model);
}
