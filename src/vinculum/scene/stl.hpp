#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vinculum::report {

/// Triangles that share their corners.
struct Mesh {
  std::vector<std::array<float, 3>> places;  ///< different positions, in units of the file
  std::vector<std::uint32_t> corners;  ///< three indices into `places` per triangle, counterclockwise from outside
  [[nodiscard]] std::size_t triangles() const { return corners.size() / 3; }
};

/// A mesh, or the reason why a file contains no usable mesh.
struct ReadMesh {
  Mesh mesh;
  std::string problem;  ///< empty if the mesh may be used
};

/// Reads an STL file, binary or text. Normal vectors and attributes are ignored, triangles without area are left out.
/// Equal corners become one position.
[[nodiscard]] ReadMesh read_stl(std::string_view content);

}  // namespace vinculum::report
