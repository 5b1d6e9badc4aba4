// Reports the geometry of constrained motion at the start ([UK] Fig. 1): M, A, B, T, N, the lengths of the scaled
// vectors, and the right angles between them.
#include <fmt/format.h>

#include <cmath>

#include "vinculum/report/explained.hpp"
#include "vinculum/report/failure_report.hpp"

namespace vinculum::report {
namespace {

// Largest number of columns of a matrix in the text; larger matrices are only in the JSON.
constexpr Eigen::Index kWidestShown = 12;

Node rows_of(const Matrix& matrix) {
  Node rows = Node::list();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) rows.add(Node(Vector(matrix.row(i).transpose())));
  return rows;
}

/// Writes an entry; "0" if the entry is rounding relative to the largest entry of the matrix.
std::string entry_text(double value, double largest) {
  return fmt::format("{:.6g}", std::abs(value) <= tolerance::kRounded * largest ? 0.0 : value);
}

std::string matrix_text(const char* name, const char* meaning, const Matrix& matrix) {
  std::string text = fmt::format("  {}{}\n", name, meaning);
  if (matrix.cols() > kWidestShown || matrix.rows() > kWidestShown)
    return text + fmt::format("    {} by {}: in --json\n", matrix.rows(), matrix.cols());
  const double largest = matrix.size() > 0 ? matrix.cwiseAbs().maxCoeff() : 0.0;
  std::vector<std::vector<std::string>> cells;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    std::vector<std::string>& row = cells.emplace_back(1, "");
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.push_back(entry_text(matrix(i, j), largest));
  }
  return text + aligned(cells, "  ");
}

/// Collects the scaled vectors with their components in range Bᵀ and in ker B.
class Scaled {
 public:
  explicit Scaled(const sim::MotionGeometry& geometry) : g_(geometry), vectors_(Node::list()) {
    cells_.push_back({"vector", "length", "in range B'", "in ker B"});
    if (g_.N.rows() <= kWidestShown) cells_.back().push_back("entries");
  }
  void add(const char* name, const Vector& vector) {
    const double length = vector.norm(), in_range = (g_.T * vector).norm(), in_kernel = (g_.N * vector).norm();
    vectors_.add(Node::object({{"name", name},
                               {"value", Node(vector)},
                               {"length", length},
                               {"in_range", in_range},
                               {"in_kernel", in_kernel}}));
    cells_.push_back({name, entry_text(length, length), entry_text(in_range, length), entry_text(in_kernel, length)});
    if (g_.N.rows() > kWidestShown) return;
    std::string entries;
    const double largest = vector.size() > 0 ? vector.cwiseAbs().maxCoeff() : 0.0;
    for (const double entry : vector) entries += (entries.empty() ? "(" : ", ") + entry_text(entry, largest);
    cells_.back().push_back(entries + ")");
  }
  [[nodiscard]] Node node() {
    vectors_.said = aligned(cells_, "  ");
    return std::move(vectors_);
  }

 private:
  const sim::MotionGeometry& g_;
  Node vectors_;
  std::vector<std::vector<std::string>> cells_;
};

/// Adds the cosine of the angle between two vectors; 0 if one of the vectors is zero.
Node right_angle(const char* first, const Vector& a, const char* second, const Vector& b, double size) {
  const double lengths = a.norm() * b.norm();
  const bool is_there = a.norm() > tolerance::kRounded * size && b.norm() > tolerance::kRounded * size;
  const double cosine = is_there ? a.dot(b) / lengths : 0.0;
  Node node = Node::object({{"between", std::vector<std::string>{first, second}}, {"cosine", cosine}});
  node.said = is_there ? fmt::format("  {} and {} are at right angles: cosine {:.1e}\n", first, second, cosine)
                       : fmt::format("  {} and {}: one of them is zero\n", first, second);
  return node;
}

void add_matrices(const sim::MotionGeometry& g, Node& node) {
  const auto add = [&](const char* name, const char* meaning, const Matrix& matrix) {
    node.add(name, rows_of(matrix)).said = matrix_text(name, meaning, matrix);
  };
  add("M", g.free.is_mass_singular ? ", not positive definite: H = M + A'WA takes its place below" : "", g.M);
  add("A", "", g.A);
  node.add("rank", g.rank).said = fmt::format("  rank {}\n", g.rank);
  add("L", ", the root", g.L);
  add("B", " = A L'^-1", g.B);
  add("T", " = B^+ B, the projector on range B'", g.T);
  add("N", " = 1 - T, the projector on ker B: the virtual displacements", g.N);
  for (const auto& [name, vector] : {std::pair<const char*, Vector>{"f", g.f},
                                     {"b", g.b},
                                     {"u_dot", g.u_dot},
                                     {"a", g.free.a},
                                     {"e", g.e},
                                     {"C", g.C},
                                     {"Q_ideal", g.Q_ideal},
                                     {"Q_nonideal", g.Q_nonideal()},
                                     {"Q_constraint", g.Q_constraint}})
    node.add(name, Node(vector));
}

}  // namespace

Node geometry_of(const Explained& explained) {
  if (!explained.geometry) {
    Node node;
    node.said = "\ngeometry: " +
                (explained.no_geometry ? explained.no_geometry->message
                 : explained.no_start  ? "there is no start, as " + explained.no_start->message
                                       : "there are no equations") +
                "\n";
    return node;
  }
  const sim::MotionGeometry& g = *explained.geometry;
  Node node = Node::object({{"at", "start"}, {"root", "cholesky"}, {"mass_singular", g.free.is_mass_singular}});
  node.said =
      "\ngeometry at the start, scaled by the root L of Cholesky, M = L L': x_s = L' x of accelerations, L^-1 C of "
      "forces\n"
      "  (the symmetric root differs by one rotation of all scaled vectors: lengths and angles are the same)\n";
  add_matrices(g, node);
  const Vector c_s = g.scaled_force(g.C), u_s = g.scaled_acceleration(g.u_dot), deviation = u_s - g.a_s;
  const Vector in_kernel = g.N * (g.a_s + c_s), of_C = g.N * c_s;
  Scaled scaled(g);
  scaled.add("a_s", g.a_s);
  scaled.add("c_s", c_s);
  scaled.add("u'_s", u_s);
  scaled.add("u'_s - a_s", deviation);
  scaled.add("B^+ b", g.B_b);
  scaled.add("B^+ e", g.B_e);
  scaled.add("N (a_s + c_s)", in_kernel);
  scaled.add("N c_s", of_C);
  node.add("vectors", scaled.node());
  const double size = u_s.norm() + g.a_s.norm() + c_s.norm();
  Node& angles = node.add("right_angles", Node::list());
  angles.add(right_angle("B^+ b", g.B_b, "N (a_s + c_s)", in_kernel, size));
  angles.add(right_angle("B^+ e", g.B_e, "N c_s", of_C, size));
  node.add("gauss", g.gauss()).said =
      fmt::format("  Gauss' function |u'_s - a_s|^2 = {:.6g} = |B^+ e|^2 + |N c_s|^2 = {:.6g} + {:.6g}\n", g.gauss(),
                  g.B_e.squaredNorm(), of_C.squaredNorm());
  return node;
}

}  // namespace vinculum::report
