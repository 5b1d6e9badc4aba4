#include <fmt/format.h>

#include <algorithm>

#include "vinculum/hybrid/sources/single_event.hpp"

namespace vinculum::sim {
namespace {

/// Velocities whose direction appears in forces that are not linear in it.
class SlidingVelocities {
 public:
  explicit SlidingVelocities(const BoundKernel& bound)
      : bound_(bound),
        input_(bound.kernel->input_count()),
        output_(bound.kernel->output_count()),
        workspace_(bound.kernel->workspace_size()) {}
  [[nodiscard]] Eigen::Map<const Vector> read(double t, const Vector& y, const CompiledModel::Sliding& sliding) {
    input_[0] = t;
    std::copy_n(y.data(), input_.size() - 1, input_.data() + 1);
    bound_.kernel->evaluate(input_.data(), bound_.constants.data(), output_.data(), workspace_.data());
    return {output_.data() + sliding.first, sliding.count};
  }

 private:
  const BoundKernel& bound_;
  std::vector<double> input_, output_, workspace_;
};

/// Event: such a velocity passes through zero, so that it points against its direction at the begin of the step. A
/// friction law that is not linear in the direction says nothing about rest: neither that the contact sticks nor that
/// it reverses. An integrator would jump across zero again and again.
integrate::Event end_of_sliding(const Binding& bound, const CompiledModel::Sliding& sliding) {
  struct Memory {
    SlidingVelocities velocities;
    Vector at_begin;
  };
  const auto memory = std::make_shared<Memory>(Memory{SlidingVelocities(bound.sliding_velocity), Vector()});
  const std::string& name = bound->model->constraint(sliding.constraint).name;
  integrate::Event event{"end of sliding at " + name};
  event.direction = integrate::Direction::kFalling;
  event.begin = [memory, sliding](double t, const Vector& y) {
    memory->at_begin = memory->velocities.read(t, y, sliding);
    return memory->at_begin.squaredNorm();
  };
  event.guard = [memory, sliding](double t, const Vector& y) {
    return memory->at_begin.dot(memory->velocities.read(t, y, sliding));
  };
  event.reason.kind = FailureKind::kFrictionNoSolution;
  for (int row = 0; row < bound->nc(); ++row) {
    if (bound->system->rows[static_cast<std::size_t>(row)].constraint == sliding.constraint)
      event.reason.rows.push_back(row);
  }
  event.reason.message = fmt::format(
      "sliding at constraint `{}` comes to rest: friction stated along the direction of sliding states no force there",
      name);
  return event;
}

class SlidingSource final : public EventSource {
 public:
  explicit SlidingSource(const Binding& bound) {
    for (const CompiledModel::Sliding& sliding : bound->sliding) all_.emplace_back(end_of_sliding(bound, sliding));
  }
  Outcome<void> check(const integrate::Step& step, std::vector<Found>& found) override {
    for (SingleEvent& one : all_) {
      if (auto done = one.check(step, found); !done) return done;
    }
    return {};
  }

 private:
  std::vector<SingleEvent> all_;
};

}  // namespace

std::unique_ptr<EventSource> make_sliding_source(const Watched& run) {
  const Binding& bound = run.dynamics.binding();
  return bound->sliding.empty() ? nullptr : std::make_unique<SlidingSource>(bound);
}

}  // namespace vinculum::sim
