// Tests of `view { … }` as text: its items, their layout, and items in wrong places.
#include <gtest/gtest.h>

#include "support/lang/parsed.hpp"
#include "vinculum/lang/format.hpp"

namespace vinculum::lang {
namespace {

/// \pre the text has no mistakes
std::string formatted(const std::string& text) {
  const Parsed parsed = parse_text(text);
  EXPECT_EQ(parsed.errors, "");
  return format(parsed.file);
}

TEST(View, HoldsItsItemsAndLoopsAndChoices) {
  const auto view = only<ViewStatement>(
      "view {\n  shape D = cylinder(r, h, axis D.y) at P colour red\n  for i in 1..2 {\n    hide B[i]\n  }\n"
      "  if r > 1 { no ground }\n}\n");
  ASSERT_EQ(view.body.size(), 3U);
  const auto& shape = std::get<ShapeStatement>(view.body[0].node);
  EXPECT_EQ(shape.target.text, "D");
  EXPECT_EQ(shape.kind.text, "cylinder");
  EXPECT_EQ(shape.sizes.size(), 2U);
  EXPECT_EQ(format(*shape.axis), "D.y");
  EXPECT_EQ(shape.at->text, "P");
  EXPECT_EQ(shape.colour->name.text, "red");
  EXPECT_EQ(std::get<ForStatement>(view.body[1].node).body.size(), 1U);
}

TEST(View, IsLaidOutLikeOtherBlocks) {
  EXPECT_EQ(formatted("view   # what is seen\n{\nshape  B=box( 1,2 ,3)colour  grey # a crate\n\n"
                      "  # the floor\nsurface N = plane(4, 4,axis  N.z)at O\ntrace P,Q colour blue\n"
                      "arrow force( c,P )\ncolour c=red , B = blue\n# end\n}\n"),
            "view {  # what is seen\n    shape B = box(1, 2, 3) color grey  # a crate\n\n    # the floor\n"
            "    surface N = plane(4, 4, axis N.z) at O\n    trace P, Q color blue\n    arrow force(c, P)\n"
            "    color c = red, B = blue\n    # end\n}\n");
}

TEST(View, TakesOptionsInAnyOrderEachOnce) {
  EXPECT_EQ(formatted("view {\n  shape B = sphere(r) color red at P\n  rod P Q colour grey radius 2\n}\n"),
            "view {\n    shape B = sphere(r) at P color red\n    rod P Q radius 2 color grey\n}\n");
  EXPECT_NE(parse_text("view {\n  hide P\n  rod P Q radius 1 radius 2\n}\n").errors.find("`radius` is given twice"),
            std::string::npos);
}

TEST(View, ReadsLabelsMeshesCapsulesAndTheCamera) {
  const std::string text =
      "view {\n    capsule P Q radius r color \"#ff8800\"\n    mesh \"a b.stl\" on B at P scale 1 [mm] color red\n"
      "    label q[1].P \"load: 2 kg\" color \"#012345\"\n    label P \"\"\n    camera follow B\n"
      "    color B = \"#FF8800\", P = red\n}\n";
  EXPECT_EQ(formatted(text), text);
  EXPECT_EQ(formatted("view {\nmesh \"m.stl\" on B colour red scale 2 at P\ncolour  B=\"#ff8800\"\n}\n"),
            "view {\n    mesh \"m.stl\" on B at P scale 2 color red\n    color B = \"#ff8800\"\n}\n");
  const auto view = only<ViewStatement>(text);
  const auto& mesh = std::get<MeshStatement>(view.body[1].node);
  EXPECT_EQ(mesh.file, "a b.stl");
  EXPECT_EQ(mesh.target.text, "B");
  EXPECT_EQ(std::get<LabelStatement>(view.body[2].node).text, "load: 2 kg");
  EXPECT_EQ(std::get<CameraStatement>(view.body[4].node).target.text, "B");
  EXPECT_EQ(std::get<CapsuleStatement>(view.body[0].node).kind, DrawnLink::Kind::kCapsule);
}

TEST(View, ReportsTheFormOfAnItem) {
  const auto errors = [](const std::string& item) { return parse_text("view {\n  " + item + "\n}\n").errors; };
  EXPECT_NE(errors("camera B").find("write `camera follow B`"), std::string::npos) << errors("camera B");
  EXPECT_NE(errors("mesh part on B").find("write `mesh \"part.stl\" on B`"), std::string::npos);
  EXPECT_NE(errors("mesh \"part.stl\" B").find("write `mesh \"part.stl\" on B`"), std::string::npos);
  EXPECT_NE(errors("label P here").find("write `label P \"text\"`"), std::string::npos);
  EXPECT_NE(errors("rod P Q color red colour blue").find("is given twice"), std::string::npos);
}

TEST(View, LeavesItsWordsFreeAsNames) {
  EXPECT_EQ(parse_text("param shape = 1, axis = 2, hide = shape + axis\nlet trace = hide\n").errors, "");
  EXPECT_EQ(parse_text("param color = 1, camera = 2\nlet label = color + camera\nlet mesh = label\n").errors, "");
  const auto view = only<ViewStatement>("view {\n  shape B = cylinder(axis, axis + 1, axis -N.x)\n}\n");
  const auto& shape = std::get<ShapeStatement>(view.body[0].node);
  ASSERT_EQ(shape.sizes.size(), 2U);
  EXPECT_EQ(format(*shape.axis), "-N.x");
  const auto oblique = only<ViewStatement>("view {\n  shape B = cylinder(1, 2, axis 0.6*N.x + 0.8*N.y)\n}\n");
  EXPECT_EQ(format(*std::get<ShapeStatement>(oblique.body[0].node).axis), "0.6*N.x + 0.8*N.y");
  const std::string text = "view {\n    shape B = cylinder((axis), (axis + 1), axis -N.x)\n}\n";
  EXPECT_EQ(formatted(text), text);
}

TEST(View, GoesOnBehindAnItemAtFault) {
  const Parsed parsed = parse_text("view {\n  shape B sphere(1)\n  hide P\n  parm x = 1\n}\nlet c = 1\n");
  EXPECT_EQ(parsed.count, 2U);
  ASSERT_EQ(parsed.file.statements.size(), 2U);
  EXPECT_EQ(std::get<ViewStatement>(parsed.file.statements[0].node).body.size(), 1U);
}

TEST(View, HoldsNoOtherBlocks) {
  const Parsed parsed = parse_text("view {\n  component a() {\n    hide P\n  }\n}\nlet c = 1\n");
  EXPECT_NE(parsed.errors.find("`component` is not an item of a `view`"), std::string::npos) << parsed.errors;
  EXPECT_EQ(parsed.file.statements.size(), 2U);
}

}  // namespace
}  // namespace vinculum::lang
