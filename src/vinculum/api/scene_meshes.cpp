#include "vinculum/api/scene_meshes.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <sstream>

#include "vinculum/api/shared.hpp"
#include "vinculum/elaborate/check/model_folder.hpp"
#include "vinculum/model/view.hpp"

namespace vinculum {
namespace {

// Largest file of a mesh in bytes: 200 000 triangles of a text file, far more than a page may have.
constexpr std::uintmax_t kLargestMeshFile = 50'000'000;
// Largest number of triangles on a page. They take 0.3 MB of it, and a page has at most 2 MB.
constexpr std::size_t kMostTriangles = 12'000;

Unexpected<Error> refused(const model::Model& model, const model::View::Mesh& mesh, diag::Kind kind,
                          std::string message, std::string hint = {}) {
  diag::Diagnostic one;
  one.kind = kind;
  one.range = mesh.range;
  one.message = std::move(message);
  one.hint = std::move(hint);
  return wrong_text(Error::About::kModel, model.source_text, std::span(&one, 1));
}

}  // namespace

Result<std::vector<report::Mesh>> read_meshes(const model::Model& model) {
  std::vector<report::Mesh> meshes;
  if (model.view == nullptr) return meshes;
  std::size_t count = 0;
  for (const model::View::Mesh& mesh : model.view->meshes) {
    const auto located = elaborate::locate_below(mesh.folder, mesh.file, "a mesh", kLargestMeshFile);
    if (!located.problem.empty()) return refused(model, mesh, diag::Kind::kFileNotFound, located.problem);
    std::ifstream stream(located.file, std::ios::binary);
    std::ostringstream content;
    content << stream.rdbuf();
    if (!stream) return refused(model, mesh, diag::Kind::kFileNotFound, "`" + mesh.file + "` cannot be read");
    report::ReadMesh read = report::read_stl(content.view());
    if (!read.problem.empty())
      return refused(model, mesh, diag::Kind::kBadValue, "`" + mesh.file + "`: " + read.problem);
    count += read.mesh.triangles();
    if (count > kMostTriangles)
      return refused(model, mesh, diag::Kind::kBadValue,
                     fmt::format("the meshes of a page have at most {} triangles together, with `{}` they have {}",
                                 kMostTriangles, mesh.file, count),
                     "reduce the mesh in the program that made it");
    meshes.push_back(std::move(read.mesh));
  }
  return meshes;
}

}  // namespace vinculum
