#include "vinculum/evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "vinculum/api/evaluated.hpp"
#include "vinculum/api/handles.hpp"
#include "vinculum/api/inverse_dynamics.hpp"
#include "vinculum/api/shared.hpp"
#include "vinculum/hybrid/friction_state.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/vinculum.hpp"

namespace vinculum {

struct Evaluator::Own {
  Own(std::shared_ptr<const Model::Shared> of, const Model::Shared::SharedBinding& bound)
      : model(std::move(of)),
        dynamics(bound),
        begin(sim::mode_at_start(*bound)),
        has_friction(!bound->compiled->system->slides.empty()),
        is_memoryless(!has_friction && !bound->compiled->is_implicit()) {}

  /// Sets `mode` to the mode of a motion that begins in this state.
  [[nodiscard]] Outcome<void> settle(double t, std::span<const double> y) {
    mode = begin;
    if (!has_friction) return {};
    settled.assign(y.begin(), y.end());
    return sim::settle_friction(dynamics, mode, t, settled.data());
  }
  /// Reads the terms of the equations. They exist even if friction has no solution at the state.
  [[nodiscard]] Outcome<void> read_matrices(double t, std::span<const double> y) {
    (void)settle(t, y);
    return dynamics.matrices(mode, t, y.data(), matrices);
  }
  /// Reactions and accelerations into `sample`.
  [[nodiscard]] Outcome<void> react(double t, std::span<const double> y) {
    if (auto done = settle(t, y); !done) return done;
    return sim::EquationsOf(dynamics).react(mode, t, y.data(), sample);
  }
  [[nodiscard]] Unexpected<Error> failed(const Failure& failure) const {
    return Unexpected<Error>{motion_error(*dynamics.binding()->model, dynamics.binding()->system.get(), failure)};
  }

  std::shared_ptr<const Model::Shared> model;
  sim::Dynamics dynamics;
  sim::Mode begin, mode;
  bool has_friction;
  bool is_memoryless;  ///< evaluations do not change `begin`, except for its counters
  double t_start = 0.0;
  std::vector<double> y_start, settled;
  sim::Matrices matrices;
  sim::Sample sample;
  std::unique_ptr<Evaluated> terms;
};

Evaluator::Evaluator(std::unique_ptr<Own> own) : own_(std::move(own)) {}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;

Result<Evaluator> Model::evaluator() const {
  const auto bound = shared_->compiled();
  if (!bound) return Unexpected<Error>{bound.error()};
  auto start = assemble();
  if (!start) return Unexpected<Error>{start.error()};
  auto own = std::make_unique<Evaluator::Own>(shared_, *bound);
  auto y = packed(own->dynamics.binding(), *start);
  if (!y) return Unexpected<Error>{y.error()};
  learn_scales(own->dynamics, start->t, *y);
  own->begin = own->dynamics.mode();
  own->begin.reaction = {};
  own->begin.branch = {};
  own->t_start = start->t;
  own->y_start = *std::move(y);
  return Evaluator(std::move(own));
}

int Evaluator::coordinate_count() const { return own_->dynamics.binding()->nq(); }
int Evaluator::speed_count() const { return own_->dynamics.binding()->nu(); }
int Evaluator::state_count() const { return own_->dynamics.binding()->nz(); }
int Evaluator::size() const { return coordinate_count() + speed_count() + state_count(); }
int Evaluator::row_count() const { return own_->dynamics.binding()->nc(); }
std::span<const double> Evaluator::start() const { return own_->y_start; }
double Evaluator::start_time() const { return own_->t_start; }

namespace {

/// An argument of a call, with its length and the required length.
struct Sized {
  const char* name;
  std::size_t is;
  int must_be;
};

[[nodiscard]] Result<void> check(std::initializer_list<Sized> arguments) {
  for (const Sized& one : arguments) {
    if (one.is != static_cast<std::size_t>(one.must_be))
      return wrong_call(fmt::format("`{}` has {} numbers and must have {}", one.name, one.is, one.must_be));
  }
  return {};
}

void copy(const Vector& from, std::span<double> to) { std::ranges::copy(from, to.begin()); }
/// Copies row by row.
void copy(const Matrix& from, std::span<double> to) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<Rows>(to.data(), from.rows(), from.cols()) = from;
}

}  // namespace

Result<void> Evaluator::derivative(double t, std::span<const double> y, std::span<double> y_dot) {
  auto& own = *own_;
  if (y.size() != own.y_start.size() || y_dot.size() != own.y_start.size()) [[unlikely]]
    return check({{"y", y.size(), size()}, {"y_dot", y_dot.size(), size()}});
  if (own.is_memoryless) {
    if (auto done = own.dynamics.derivative(own.begin, t, y.data(), y_dot.data()); !done)
      return own.failed(done.error());
    return {};
  }
  auto done = own.settle(t, y);
  if (done) done = own.dynamics.derivative(own.mode, t, y.data(), y_dot.data());
  if (!done) return own.failed(done.error());
  return {};
}

Result<void> Evaluator::project(double t, std::span<double> y) {
  if (auto fits = check({{"y", y.size(), size()}}); !fits) return fits;
  own_->mode = own_->begin;
  if (auto done = own_->dynamics.project(own_->mode, t, y.data()); !done) return own_->failed(done.error());
  return {};
}

Result<void> Evaluator::mass_matrix(double t, std::span<const double> y, std::span<double> M) {
  const int nu = speed_count();
  if (auto fits = check({{"y", y.size(), size()}, {"M", M.size(), nu * nu}}); !fits) return fits;
  auto& own = *own_;
  if (auto done = own.read_matrices(t, y); !done) return own.failed(done.error());
  copy(own.matrices.M, M);
  return {};
}

Result<void> Evaluator::bias(double t, std::span<const double> y, std::span<double> bias) {
  if (auto fits = check({{"y", y.size(), size()}, {"bias", bias.size(), speed_count()}}); !fits) return fits;
  auto& own = *own_;
  if (auto done = own.read_matrices(t, y); !done) return own.failed(done.error());
  for (std::size_t i = 0; i < bias.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    bias[i] = own.matrices.f[at] + own.matrices.C[at];
  }
  return {};
}

Result<void> Evaluator::rows(double t, std::span<const double> y, std::span<double> A, std::span<double> b) {
  const int nc = row_count();
  if (auto fits = check({{"y", y.size(), size()}, {"A", A.size(), nc * speed_count()}, {"b", b.size(), nc}}); !fits)
    return fits;
  auto& own = *own_;
  if (auto done = own.read_matrices(t, y); !done) return own.failed(done.error());
  copy(own.matrices.A, A);
  copy(own.matrices.b, b);
  return {};
}

Result<void> Evaluator::misses(double t, std::span<const double> y, std::span<double> position,
                               std::span<double> velocity) {
  const int nc = row_count();
  if (auto fits =
          check({{"y", y.size(), size()}, {"position", position.size(), nc}, {"velocity", velocity.size(), nc}});
      !fits)
    return fits;
  auto& own = *own_;
  if (auto done = own.read_matrices(t, y); !done) return own.failed(done.error());
  copy(own.matrices.phi, position);
  copy(own.matrices.psi, velocity);
  return {};
}

Result<void> Evaluator::multipliers(double t, std::span<const double> y, std::span<double> lambda) {
  if (auto fits = check({{"y", y.size(), size()}, {"lambda", lambda.size(), row_count()}}); !fits) return fits;
  if (auto done = own_->react(t, y); !done) return own_->failed(done.error());
  copy(own_->sample.reaction.lambda(), lambda);
  return {};
}

Result<void> Evaluator::inverse_dynamics(double t, std::span<const double> y, std::span<const double> u_dot,
                                         std::span<double> forces) {
  const int nu = speed_count();
  if (auto fits = check({{"y", y.size(), size()}, {"u_dot", u_dot.size(), nu}, {"forces", forces.size(), nu}}); !fits)
    return fits;
  auto& own = *own_;
  if (auto able = can_invert(own.dynamics.binding()); !able) return able;
  if (auto done = own.react(t, y); !done) return own.failed(done.error());
  if (auto done = own.read_matrices(t, y); !done) return own.failed(done.error());
  return invert(own.dynamics.binding(), own.matrices, own.sample.reaction.u_dot(), u_dot, forces);
}

namespace {

[[nodiscard]] Result<Evaluated*> terms_of(Evaluator::Own& own) {
  if (own.terms) return own.terms.get();
  auto made = Evaluated::make(own.model, own.dynamics.shared_binding());
  if (!made) return Unexpected<Error>{made.error()};
  own.terms = *std::move(made);
  return own.terms.get();
}

}  // namespace

Result<Evaluator::Energies> Evaluator::energies(double t, std::span<const double> y) {
  if (auto fits = check({{"y", y.size(), size()}}); !fits) return Unexpected<Error>{fits.error()};
  const auto terms = terms_of(*own_);
  if (!terms) return Unexpected<Error>{terms.error()};
  const std::span<const double> values = (*terms)->energies(t, y);
  return Energies{values[0], values[1], values[2]};
}

namespace {

/// Finds the index of a point or frame in the list of compiled ones. Compiles it at its first use.
[[nodiscard]] Result<int> index_of(Evaluator::Own& own, Evaluator::Place place) {
  const model::Model& model = *own.model->model;
  auto fits = place.is_frame ? check_handle(*own.model, place, "frame", model.frames.size())
                             : check_handle(*own.model, place, "point", model.points.size());
  if (!fits) return Unexpected<Error>{fits.error()};
  const auto terms = terms_of(own);
  if (!terms) return Unexpected<Error>{terms.error()};
  return place.is_frame ? (*terms)->frame(place.index) : (*terms)->point(place.index);
}

template <class AnyHandle>
[[nodiscard]] Result<Evaluator::Place> place_of(Evaluator::Own& own, const Result<AnyHandle>& handle) {
  if (!handle) return Unexpected<Error>{handle.error()};
  if (const auto index = index_of(own, *handle); !index) return Unexpected<Error>{index.error()};
  return Evaluator::Place(*handle);
}

}  // namespace

Result<Evaluator::Place> Evaluator::point(std::string_view name) {
  return place_of(*own_, Model(own_->model).point(name));
}
Result<Evaluator::Place> Evaluator::frame(std::string_view name) {
  return place_of(*own_, Model(own_->model).frame(name));
}

Result<void> Evaluator::position(Place place, double t, std::span<const double> y, std::span<double> position) {
  const auto index = index_of(*own_, place);
  if (!index) return Unexpected<Error>{index.error()};
  const int length = place.is_frame ? 9 : 3;
  if (auto fits = check({{"y", y.size(), size()}, {"position", position.size(), length}}); !fits) return fits;
  own_->terms->position(*index, t, y, position);
  return {};
}

Result<void> Evaluator::velocity(Place place, double t, std::span<const double> y, std::span<double> velocity) {
  const auto index = index_of(*own_, place);
  if (!index) return Unexpected<Error>{index.error()};
  if (auto fits = check({{"y", y.size(), size()}, {"velocity", velocity.size(), 3}}); !fits) return fits;
  own_->terms->velocity(*index, t, y, velocity);
  return {};
}

Result<void> Evaluator::jacobian(Place place, double t, std::span<const double> y, std::span<double> J) {
  const auto index = index_of(*own_, place);
  if (!index) return Unexpected<Error>{index.error()};
  if (auto fits = check({{"y", y.size(), size()}, {"J", J.size(), 3 * speed_count()}}); !fits) return fits;
  own_->terms->jacobian(*index, t, y, J);
  return {};
}

}  // namespace vinculum
