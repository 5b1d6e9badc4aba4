#include "support/numeric/random_system.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace vinculum::numeric {

Matrix random_matrix(RandomEngine& engine, int rows, int columns) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Matrix result(rows, columns);
  for (double& entry : result.reshaped()) entry = uniform(engine);
  return result;
}

Vector random_vector(RandomEngine& engine, int size) { return random_matrix(engine, size, 1); }

RandomSystem random_system(RandomEngine& engine, int nu, int nc) {
  RandomSystem system;
  const Matrix root = random_matrix(engine, nu, nu);
  system.M = root * root.transpose() + 0.1 * Matrix::Identity(nu, nu);
  system.A = random_matrix(engine, nc, nu);
  system.f = random_vector(engine, nu);
  system.C = random_vector(engine, nu);
  system.b = system.A * random_vector(engine, nu);
  return system;
}

RandomSystem random_system_with_singular_values(RandomEngine& engine, int nu, int nc, double smallest) {
  RandomSystem system = random_system(engine, nu, nc);
  const Matrix V = Matrix(random_matrix(engine, nu, nu).householderQr().householderQ()).leftCols(nc);
  const Matrix U = random_matrix(engine, nc, nc).householderQr().householderQ();
  Vector sigma(nc);
  for (int k = 0; k < nc; ++k) sigma[k] = nc > 1 ? std::pow(smallest, static_cast<double>(k) / (nc - 1)) : 1.0;
  const Matrix L = system.M.llt().matrixL();
  system.A = U * sigma.asDiagonal() * V.transpose() * L.transpose();
  system.b = system.A * random_vector(engine, nu);
  return system;
}

RandomSystem with_repeated_rows(RandomEngine& engine, const RandomSystem& system, int copies,
                                std::vector<int>* origin) {
  const int nc = static_cast<int>(system.A.rows());
  std::uniform_real_distribution<double> exponent(-1.0, 1.0);
  std::vector<int> order(static_cast<std::size_t>(nc * copies));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i) % std::max(nc, 1);
  std::shuffle(order.begin(), order.end(), engine);
  RandomSystem result = system;
  result.A.resize(nc * copies, system.A.cols());
  result.b.resize(nc * copies);
  for (int i = 0; i < nc * copies; ++i) {
    const int source = order[static_cast<std::size_t>(i)];
    const double factor = std::pow(10.0, exponent(engine)) * ((engine() & 1U) != 0 ? 1.0 : -1.0);
    result.A.row(i) = factor * system.A.row(source);
    result.b[i] = factor * system.b[source];
  }
  if (origin != nullptr) *origin = order;
  return result;
}

}  // namespace vinculum::numeric
