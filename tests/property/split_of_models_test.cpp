// The split of the constraint force into ideal and nonideal part, for every model at its start, compared with the
// printed formulas of [UK].
#include <gtest/gtest.h>

#include "literal_udwadia_kalaba.hpp"
#include "support/models.hpp"
#include "vinculum/vinculum.hpp"

namespace vinculum::property {
namespace split_of_models_test {

// Rounding error divided by the smallest admitted reciprocal condition number, 1e-6, with a margin of ten.
constexpr double kAgreement = 1e-9;

Vector vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}
Matrix matrix_of(const Array& values) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(values.values.data(), values.rows, values.columns);
}
double apart(const Vector& x, const Vector& reference, double size) { return (x - reference).norm() / size; }

Result<Model> model_of(const std::filesystem::path& file) {
  return Model::load(file, {.backend = Backend::kTape, .cache = ""});
}

TEST(SplitOfModels, IsThatOfTheLiteralFormulasAtEveryStart) {
  int compared = 0;
  for (const std::filesystem::path& file : test_support::model_files()) {
    const auto model = model_of(file);
    ASSERT_TRUE(model) << file;
    const auto start = model->assemble();
    if (!start) continue;
    const auto pieces = model->matrices(*start);
    if (!pieces || pieces->Q_ideal.empty()) continue;
    SCOPED_TRACE(file.filename().string());
    const Matrix L = matrix_of(pieces->L), M = L * L.transpose(), A = matrix_of(pieces->A);
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(M, Eigen::EigenvaluesOnly);
    if (M.rows() == 0 || eigen.eigenvalues()[0] < 1e-6 * eigen.eigenvalues()[M.rows() - 1]) continue;
    const LiteralUdwadiaKalaba literal(M, A);
    const Vector a = vector_of(pieces->a), b = vector_of(pieces->b), Q_c = vector_of(pieces->Q_constraint);
    const Vector Q_ideal = literal.Q_ideal(a, A, b);
    const double size = 1e-300 + (M * a).norm() + Q_ideal.norm() + Q_c.norm();
    EXPECT_LT(apart(vector_of(pieces->Q_ideal), Q_ideal, size), kAgreement);
    // Qni is the component in ker A of any C with vᵀC = vᵀQc for all virtual displacements v. Qc itself is such a C.
    EXPECT_LT(apart(vector_of(pieces->Q_nonideal), literal.Q_nonideal(Q_c), size), kAgreement);
    const Vector e = b - A * a;
    EXPECT_LT(apart(vector_of(pieces->e), e, 1.0 + b.norm() + (A * a).norm()), kAgreement);
    const Matrix B = matrix_of(pieces->B);
    const LiteralUdwadiaKalaba scaled(Matrix::Identity(M.rows(), M.rows()), B);
    EXPECT_LT((matrix_of(pieces->T) - scaled.B_plus * B).norm(), kAgreement * (1.0 + pieces->rank));
    ++compared;
  }
  EXPECT_GT(compared, 80);
}

TEST(SplitOfModels, UnderIdealLawsHasNoNonidealPart) {
  const auto model = model_of(std::string(VINCULUM_MODELS) + "/pucks_parallel.vin");
  const auto pieces = model->matrices(model->assemble().value()).value();
  for (const double entry : pieces.Q_nonideal) EXPECT_NEAR(entry, 0.0, 1e-15);
  EXPECT_EQ(pieces.rank, 1);
}

TEST(SplitOfModels, ComparesAVakonomicReactionWithTheIdealOne) {
  const auto vakonomic = model_of(std::string(VINCULUM_MODELS) + "/skate_vakonomic_started.vin");
  const auto pieces = vakonomic->matrices(vakonomic->assemble().value()).value();
  const Matrix M = matrix_of(pieces.L) * matrix_of(pieces.L).transpose();
  // M u' = f + Qc must hold with the given M and f, without the terms that the law adds to M and f.
  const Vector u_dot = vector_of(vakonomic->forces(vakonomic->assemble().value()).value().u_dot);
  EXPECT_LT((M * (u_dot - vector_of(pieces.a)) - vector_of(pieces.Q_constraint)).norm(), 1e-12);
  EXPECT_GT(vector_of(pieces.Q_nonideal).norm(), 1e-3);
}

}  // namespace split_of_models_test
}  // namespace vinculum::property
