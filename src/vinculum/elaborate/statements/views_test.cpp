// Items of a `view`: their names and units, and errors in them.
#include <gtest/gtest.h>

#include "support/elaborate/elaborated.hpp"
#include "vinculum/model/view.hpp"

namespace vinculum::elaborate {
namespace {

using testing::elaborated;
using testing::Elaborated;
using testing::with_plate;

const std::string kPin = "point A on plate = center(plate) + r*D.x\nconstraint pin: pos(A, O) = 0 along N.x, N.y\n";

/// The model with a plate, a pin and these view items.
Elaborated viewed(const std::string& items) { return with_plate(kPin + "view {\n" + items + "}\n"); }

void expect_refused(const std::string& items, const std::string& message) {
  const Elaborated result = viewed(items);
  EXPECT_EQ(result.model, nullptr) << items;
  ASSERT_EQ(result.diagnostics.size(), 1U) << result.messages;
  EXPECT_EQ(result.diagnostics[0].message, message);
}

TEST(View, KeepsWhatItsItemsName) {
  const Elaborated result = viewed(
      "shape plate = disk(r, axis z) colour orange\nshape D = box(10 [cm], 0.2, r) at A\n"
      "surface N = plane(4, 3 [m], axis N.y) at O\nrod O A radius 2 [mm]\ncoil A plate\naxes D at O length r\n"
      "trace A, plate colour blue\narrow force(pin, A)\narrow torque(pin, plate)\narrow 2*vel(A) at A\n"
      "colour plate = red, pin = blue\nhide O\nno ground\n");
  ASSERT_TRUE(result.model) << result.messages;
  const model::View& view = *result.model->view;
  ASSERT_EQ(view.shapes.size(), 3U);
  EXPECT_EQ(view.shapes[0].owner, "plate");
  EXPECT_EQ(view.shapes[0].kind, model::ShapeKind::kDisk);
  EXPECT_EQ(view.shapes[0].colour, "#e08a3c");
  EXPECT_EQ(result.model->point(view.shapes[1].at).name, "A");
  EXPECT_EQ(model::TermValues(*result.model, {}).scalar(view.shapes[1].sizes[0]).value, 0.1);
  EXPECT_TRUE(view.shapes[2].is_surface);
  EXPECT_EQ(view.shapes[2].frame, model::kNewtonian);
  EXPECT_EQ(model::TermValues(*result.model, {}).scalar(view.links[0].radius).value, 0.002);
  EXPECT_EQ(view.links[1].kind, model::View::Link::Kind::kCoil);
  EXPECT_EQ(view.traces.size(), 2U);
  ASSERT_EQ(view.reactions.size(), 2U);
  EXPECT_EQ(view.reactions[0].on, "A");
  EXPECT_EQ(view.reactions[1].on, "plate");
  EXPECT_EQ(view.vectors[0].text, "2*vel(A)");
  EXPECT_EQ(view.vectors[0].dimension, make_dimension(0, 1, -1));
  EXPECT_EQ(view.colours[1].owner, "pin");
  EXPECT_EQ(view.hidden, std::vector<std::string>{"O"});
  EXPECT_EQ(view.without, std::vector<std::string>{"ground"});
}

TEST(View, IsNotThereWhereNothingStatesIt) {
  EXPECT_EQ(with_plate("").model->view, nullptr);
  EXPECT_EQ(viewed("").model->view, nullptr);
}

TEST(View, IsWrittenOutWithLoopsChoicesAndComponents) {
  const Elaborated result = elaborated(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord q[1..2]\n"
      "component bob(x, r) {\n  particle P mass 1 at O + x*N.x\n  view {\n    shape P = sphere(r)\n  }\n}\n");
  // as for all names in components
  EXPECT_NE(result.messages.find("unknown name `O` in component"), std::string::npos);
  const Elaborated good = elaborated(
      "model m\nframe N newtonian\npoint O fixed in N\nparam n = 2\ncoord q[1..2]\n"
      "component bob(A, F, x, r) {\n  particle P mass 1 at A + x*F.x\n  view {\n    shape P = sphere(r)\n  }\n}\n"
      "for i in 1..n { use bob(O, N, q[i], i) as b[i] }\n"
      "view {\n  for i in 1..n {\n    if i == 2 {\n      colour b[i].P = red\n    }\n  }\n}\n");
  ASSERT_TRUE(good.model) << good.messages;
  ASSERT_EQ(good.model->view->shapes.size(), 2U);
  EXPECT_EQ(good.model->view->shapes[1].owner, "b[2].P");
  ASSERT_EQ(good.model->view->colours.size(), 1U);
  EXPECT_EQ(good.model->view->colours[0].owner, "b[2].P");
}

TEST(View, ChecksNamesSizesAndUnits) {
  expect_refused("hide plat\n", "unknown name `plat`");
  expect_refused("hide D\n", "a body, a point, a particle or a constraint is needed here, `D` is a frame");
  expect_refused("shape plate = cylindr(1, 2)\n", "unknown shape `cylindr`");
  expect_refused("shape plate = cylinder(1)\n", "`cylinder` has 2 sizes, 1 given");
  expect_refused("shape plate = sphere(1, axis z)\n", "`sphere` has no axis");
  expect_refused("shape plate = sphere(-r)\n", "the size of a shape must be positive");
  expect_refused("shape plate = sphere(0)\n", "the size of a shape must be positive");
  EXPECT_NE(viewed("shape plate = sphere(2 [kg])\n").messages.find("[dimension-mismatch]"), std::string::npos);
  EXPECT_NE(viewed("shape plate = sphere(x)\n").messages.find("[not-allowed-here]"), std::string::npos);
  expect_refused("shape D = sphere(r)\n", "`D` is a frame, which turns and has no place");
  expect_refused("shape plate = disk(r, axis N.x)\n", "the axis of a shape is `x`, `y`, `z` or a vector fixed in `D`");
  expect_refused("colour plate = bleu\n", "unknown color `bleu`");
  expect_refused("colour plate = red, plate = blue\n", "`plate` has a color already");
  expect_refused("rod A A\n", "it is drawn between two different points");
  expect_refused("axes N\n", "no body is fixed in `N`");
  expect_refused("no grund\n", "no item that is drawn by default is called `grund`");
}

TEST(View, KeepsLabelsMeshesCapsulesAndTheCamera) {
  // no file has these names: only a writer of pages opens them
  const Elaborated result = viewed(
      "capsule O A radius 2 [cm]\nshape plate = capsule(r, 2*r, axis x)\nmesh \"m.stl\" on plate scale 1 [mm]\n"
      "mesh \"n.stl\" on D at A color \"#A0b1C2\"\nlabel A \"a pin\"\nlabel plate \"P\" color red\n"
      "camera follow plate\ncolor plate = \"#ff8800\"\n");
  ASSERT_TRUE(result.model) << result.messages;
  const model::View& view = *result.model->view;
  EXPECT_EQ(view.links[0].kind, model::View::Link::Kind::kCapsule);
  EXPECT_EQ(view.shapes[0].kind, model::ShapeKind::kCapsule);
  ASSERT_EQ(view.meshes.size(), 2U);
  EXPECT_EQ(view.meshes[0].file, "m.stl");
  EXPECT_EQ(view.meshes[0].owner, "plate");
  EXPECT_EQ(model::TermValues(*result.model, {}).scalar(view.meshes[0].scale).value, 0.001);
  EXPECT_EQ(result.model->point(view.meshes[1].at).name, "A");
  EXPECT_FALSE(view.meshes[1].scale.is_valid());
  EXPECT_EQ(view.meshes[1].colour, "#A0b1C2");
  ASSERT_EQ(view.labels.size(), 2U);
  EXPECT_EQ(view.labels[0].text, "a pin");
  EXPECT_EQ(result.model->point(view.labels[1].at).name, "plate");
  EXPECT_EQ(result.model->point(view.followed).name, "plate");
  EXPECT_EQ(view.colours[0].hex, "#ff8800");
}

TEST(View, ChecksLabelsMeshesColorsAndTheCamera) {
  for (const char* code : {"#ff880", "#ff88000", "ff8800", "#gg8800", "", "red", "#ff 800"})
    expect_refused("color plate = \"" + std::string(code) + "\"\n", "`" + std::string(code) + "` is not a color code");
  expect_refused("rod O A color \"#f80\"\n", "`#f80` is not a color code");
  expect_refused("camera follow plat\n", "unknown name `plat`");
  expect_refused("camera follow plate\ncamera follow A\n", "the camera follows `plate` already");
  expect_refused("mesh \"m.stl\" on D\n", "`D` is a frame, which turns and has no place");
  expect_refused("mesh \"m.stl\" on plate scale 0 [m]\n", "the scale of a mesh must be positive");
  EXPECT_NE(viewed("mesh \"m.stl\" on plate scale 2 [kg]\n").messages.find("[dimension-mismatch]"), std::string::npos);
  EXPECT_NE(viewed("label D \"x\"\n").messages.find("[wrong-kind]"), std::string::npos);
  EXPECT_NE(viewed("camera follow D\n").messages.find("[wrong-kind]"), std::string::npos);
  expect_refused("capsule A A\n", "it is drawn between two different points");
}

TEST(View, ChecksArrows) {
  expect_refused("arrow vel(A)\n", "an arrow has a place");
  expect_refused("arrow force(pin[1], A)\n", "`force` needs a whole constraint, found one of its rows");
  expect_refused("arrow force(pin, A) at O\n",
                 "the arrow of a constraint is drawn where it acts, in the color of the constraint");
  expect_refused("arrow force(pin, O)\n", "`pin` has no arrow here");
  expect_refused("arrow force(pin, plate)\n", "`pin` has no arrow here");
  EXPECT_EQ(viewed("arrow 2*force(pin, A) + acc(A)*1 [kg] at A\n").messages, "");
  EXPECT_NE(viewed("arrow dt(acc(A)) at A\n").messages.find("[derivative-order]"), std::string::npos);
  EXPECT_NE(viewed("arrow r at A\n").messages.find("[wrong-kind]"), std::string::npos);
}

TEST(View, SaysNothingMoreOfWhatIsAtFaultElsewhere) {
  const Elaborated result = elaborated(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y [m], phi [rad]\nframe D = N rotated phi about z\n"
      "body plate frame D mas 2 [kg] inertia (1, 1, 1) [kg*m^2] at O + x*N.x + y*N.y\n"
      "point A = center(plate) + 1 [m]*D.x\nconstraint pin: pos(A, O) = 0 along N.x, N.y\n"
      "view {\n  shape plate = disk(1, axis D.z)\n  arrow force(pin, A)\n  trace plate\n}\n");
  EXPECT_EQ(result.diagnostics.size(), 1U) << result.messages;
}

TEST(View, KeepsSizesPositiveForOtherValuesToo) {
  const Elaborated result = viewed("shape plate = box(r - 0.1 [m], 1, 1)\n");
  ASSERT_TRUE(result.model) << result.messages;
  ASSERT_FALSE(result.model->requirements.empty());
  EXPECT_EQ(result.model->requirements.back().text, "the size of a shape must be positive");
  EXPECT_EQ(result.model->parameters[1].fixed_by, "");  // it can still be set
}

}  // namespace
}  // namespace vinculum::elaborate
