#include "vinculum/scene/stl.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>

namespace vinculum::report {
namespace {

using Triangle = std::array<std::array<float, 3>, 3>;

const std::vector<Triangle> kTetrahedron = {{{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}},
                                            {{{0, 0, 0}, {1, 0, 0}, {0, 0, 2.5F}}},
                                            {{{0, 0, 0}, {0, 0, 2.5F}, {0, 1, 0}}},
                                            {{{1, 0, 0}, {0, 1, 0}, {0, 0, 2.5F}}}};

void append(std::string& bytes, std::uint32_t word) {
  for (int k = 0; k < 4; ++k) bytes += static_cast<char>(word >> (8 * k) & 255U);
}

std::string binary(const std::vector<Triangle>& triangles, std::string header = "made by a program") {
  header.resize(80, ' ');
  std::string bytes = header;
  append(bytes, static_cast<std::uint32_t>(triangles.size()));
  for (const Triangle& triangle : triangles) {
    bytes.append(12, '\0');
    for (const auto& corner : triangle)
      for (const float number : corner) append(bytes, std::bit_cast<std::uint32_t>(number));
    bytes.append(2, '\0');
  }
  return bytes;
}

std::string text(const std::vector<Triangle>& triangles) {
  std::string all = "solid a name with words\n";
  for (const Triangle& triangle : triangles) {
    all += "  facet normal 0 0 -1\n    outer loop\n";
    for (const auto& corner : triangle) {
      all += "      vertex";
      for (const float number : corner) all += " " + std::to_string(number);
      all += "\n";
    }
    all += "    endloop\n  endfacet\n";
  }
  return all + "endsolid a name with words\n";
}

void expect_tetrahedron(const ReadMesh& read) {
  EXPECT_EQ(read.problem, "");
  EXPECT_EQ(read.mesh.places.size(), 4U);  // twelve corners, of which three and three are equal
  ASSERT_EQ(read.mesh.triangles(), 4U);
  for (std::size_t triangle = 0; triangle < 4; ++triangle)
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_EQ(read.mesh.places[read.mesh.corners[3 * triangle + k]], kTetrahedron[triangle][k]);
}

TEST(Stl, ReadsBinaryFilesEvenIfTheHeaderBeginsLikeAText) {
  expect_tetrahedron(read_stl(binary(kTetrahedron)));
  expect_tetrahedron(read_stl(binary(kTetrahedron, "solid part from a CAD program")));
}

TEST(Stl, ReadsTextFiles) {
  expect_tetrahedron(read_stl(text(kTetrahedron)));
  const std::string odd =
      "solid\r\nfacet normal 0 0 1 outer loop vertex +0 0 0\tvertex 1e0 0 0 vertex 0 -1.5E-1 0 endloop endfacet\r\n"
      "endsolid\nsolid second\nfacet normal 0 0 1 outer loop vertex 0 0 1 vertex 1 0 1 vertex 0 1 1 endloop endfacet\n"
      "endsolid second";
  const ReadMesh read = read_stl(odd);
  EXPECT_EQ(read.problem, "");
  EXPECT_EQ(read.mesh.triangles(), 2U);
  EXPECT_EQ(read.mesh.places[2][1], -0.15F);
}

TEST(Stl, ReadsNumbersTooSmallForADoubleAsZero) {
  for (const char* tiny : {"1e-400", "-1E-999", "0"}) {
    const auto read = read_stl(fmt::format(
        "solid a\nfacet normal 0 0 1\nouter loop\nvertex {} 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
        "endsolid a\n",
        tiny));
    EXPECT_EQ(read.problem, "") << tiny;
  }
}

TEST(Stl, LeavesOutTrianglesWithoutArea) {
  auto triangles = kTetrahedron;
  triangles.push_back({{{0, 0, 0}, {0, 0, 0}, {1, 0, 0}}});
  expect_tetrahedron(read_stl(binary(triangles)));
  triangles.push_back({{{5, 5, 5}, {6, 6, 6}, {5, 5, 5}}});
  EXPECT_EQ(read_stl(binary(triangles)).mesh.places.size(), 4U);  // none of a triangle that is left out
  EXPECT_EQ(read_stl(binary({triangles.back()})).problem, "it has no triangles");
  EXPECT_EQ(read_stl(binary({})).problem, "it has no triangles");
  EXPECT_EQ(read_stl("solid nothing\nendsolid nothing\n").problem, "it has no triangles");
}

TEST(Stl, SaysWhyAFileCannotBeUsed) {
  const std::string no_stl =
      "it is not an STL file: it does not begin with `solid`, and its size does not fit a count of triangles";
  EXPECT_EQ(read_stl("").problem, no_stl);
  EXPECT_EQ(read_stl("o cube\nv 0 0 0\n").problem, no_stl);
  EXPECT_EQ(read_stl(binary(kTetrahedron) + "x").problem, no_stl);
  std::string bytes = binary(kTetrahedron);
  EXPECT_EQ(read_stl(bytes.substr(0, bytes.size() - 1)).problem, no_stl);
  auto triangles = kTetrahedron;
  triangles[2][1][0] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(read_stl(binary(triangles)).problem, "triangle 3 has a corner that is not finite");

  EXPECT_EQ(read_stl("solid a\nfacet normal 0 0\nouter loop").problem,
            "line 3: a finite number is expected, found `outer`");
  EXPECT_EQ(read_stl("solid a\nfacet normal 0 0 nan").problem, "line 2: a finite number is expected, found `nan`");
  EXPECT_EQ(read_stl("solid a\nfacet normal 0 0 1e999").problem, "line 2: a finite number is expected, found `1e999`");
  EXPECT_EQ(read_stl("solid a\nfacets").problem, "line 2: `facet` or `endsolid` is expected, found `facets`");
  EXPECT_EQ(read_stl("solid a\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 endloop").problem,
            "line 2: `vertex` is expected, found `endloop`");
  EXPECT_EQ(read_stl("solid a\nfacet normal 0 0 1\n").problem, "it ends in line 3, where `outer` is expected");
  // A text that is cut off anywhere is refused, and nothing behind its end is read.
  const std::string whole = text(kTetrahedron), end = "endsolid";
  for (std::size_t size = 0; size < whole.rfind(end) + end.size(); ++size)
    EXPECT_NE(read_stl(std::string_view(whole).substr(0, size)).problem, "") << size;
}

}  // namespace
}  // namespace vinculum::report
