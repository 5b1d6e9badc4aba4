#include "vinculum/run/spectrum.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/run/energy_account.hpp"

namespace vinculum::sim {
namespace {

constexpr Eigen::Index kMostStates = 400;  // the analysis of more states would take seconds

/// Computes the Jacobian ∂y'/∂y, with y in units of the typical magnitudes; empty if a rate cannot be evaluated.
Matrix jacobian(Dynamics& dynamics, const Mode& in, double t, const Vector& y) {
  const Vector& scale = dynamics.scale();
  Matrix J(y.size(), y.size());
  Vector above(y.size()), below(y.size());
  for (Eigen::Index j = 0; j < y.size(); ++j) {
    const double step = tolerance::kRoot * std::max(std::abs(y[j]), scale[j]);
    Vector moved = y;
    moved[j] = y[j] + step;
    if (!dynamics.derivative(in, t, moved.data(), above.data())) return {};
    moved[j] = y[j] - step;
    if (!dynamics.derivative(in, t, moved.data(), below.data())) return {};
    J.col(j) = (above - below).cwiseQuotient(scale) * (scale[j] / (2.0 * step));
  }
  return J.allFinite() ? J : Matrix();
}

/// Finds the load or constraint whose power changes most, to second order, if the state is displaced along the mode by
/// a thousandth of the typical magnitudes. This load or constraint dissipates the energy of the mode, or exchanges
/// energy with it.
std::string term_of(Dynamics& dynamics, const Mode& in, double t, const Vector& y, const Eigen::VectorXcd& mode) {
  EnergyAccount account(dynamics.binding());
  const auto& columns = account.columns();
  Sample sample;
  const auto powers_at = [&](const Vector& state) -> Vector {
    if (!dynamics.report(in, t, state.data(), sample)) return {};
    account.evaluate(sample);
    return Eigen::Map<const Vector>(account.evaluated().data(), static_cast<Eigen::Index>(columns.size() - 2));
  };
  if (columns.empty()) return "";
  const Vector here = powers_at(y), scale = dynamics.scale();
  if (here.size() == 0) return "";
  Vector change = Vector::Zero(here.size());
  for (const std::complex<double> phase : {std::complex(1.0, 0.0), std::complex(0.0, 1.0), std::complex(1.0, 1.0)}) {
    const Vector by = tolerance::kFloor * (phase * mode).real().cwiseProduct(scale);
    const Vector above = powers_at(y + by), below = powers_at(y - by);
    if (above.size() == 0 || below.size() == 0) return "";
    change = change.cwiseMax((above + below - 2.0 * here).cwiseAbs());
  }
  std::string term;
  double largest = 0.0;
  for (std::size_t k = 0; k + 2 < columns.size(); ++k) {
    constexpr std::string_view kPower = "power(";
    if (!columns[k].starts_with(kPower) || !(nth(change, k) > largest)) continue;
    largest = nth(change, k);
    term = columns[k].substr(kPower.size(), columns[k].size() - kPower.size() - 1);
  }
  return term;
}

}  // namespace

const std::string& component_name(const Binding& bound, int component) {
  const int nq = bound->nq(), nu = bound->nu();
  if (component < nq) return nth(bound->model->coordinates, component).name;
  return component < nq + nu ? bound->speed_name(component - nq) : nth(bound->system->z_names, component - nq - nu);
}

std::optional<FastestMode> fastest_mode(Dynamics& dynamics, const Mode& in, double t, const Vector& y) {
  if (y.size() == 0 || y.size() > kMostStates) return std::nullopt;
  const Matrix J = jacobian(dynamics, in, t, y);
  if (J.size() == 0) return std::nullopt;
  const Eigen::EigenSolver<Matrix> solver(J);
  if (solver.info() != Eigen::Success) return std::nullopt;
  Eigen::Index fastest = 0;
  solver.eigenvalues().cwiseAbs().maxCoeff(&fastest);
  const Eigen::VectorXcd mode = solver.eigenvectors().col(fastest);
  FastestMode found;
  found.rate = solver.eigenvalues()[fastest];
  Eigen::Index largest = 0;
  mode.cwiseAbs().maxCoeff(&largest);
  found.component = static_cast<int>(largest);
  found.term = term_of(dynamics, in, t, y, mode / mode.cwiseAbs().maxCoeff());
  return found;
}

}  // namespace vinculum::sim
