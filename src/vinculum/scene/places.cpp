#include "vinculum/scene/places.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/compiled/structure.hpp"
#include "vinculum/equations/derive.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/view.hpp"
#include "vinculum/motion/report_numbers.hpp"

namespace vinculum::report {
namespace {

class PlacesMaker {
 public:
  PlacesMaker(const sim::Binding& bound, equations::System& system)
      : bound_(bound), model_(*bound->model), system_(system), tree_(model_) {}

  Places make() {
    for (std::size_t p = 0; p < model_.points.size(); ++p) {
      const model::PointId point(p);
      places_.points.push_back({point, add(model_.terms->position(point, tree_.origin_of(point))),
                                tree_.carrier_of(point), tree_.is_fixed_in(point, model::kNewtonian)});
    }
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) add_body(model::BodyId(b));
    for (const model::Load& load : model_.loads) {
      if (const auto* force = std::get_if<model::ForceOn>(&load.what))
        places_.forces.push_back({force->point, add(force->force)});
      if (const auto* gravity = std::get_if<model::Gravity>(&load.what))
        places_.gravities.push_back(add(gravity->acceleration));
    }
    if (model_.view != nullptr) add_view(*model_.view);
    const codegen::KernelSpec spec{model_.name + ".places", sim::report_symbols(system_), system_.parameters,
                                   std::move(values_)};
    codegen::CompileOptions on_tape;
    on_tape.backend = codegen::Backend::kTape;
    places_.kernel.kernel = codegen::compile({&spec, 1}, on_tape)[0];
    places_.kernel.constants = places_.kernel.kernel->prepare(bound_.parameters);
    return std::move(places_);
  }

 private:
  void add_body(model::BodyId id) {
    const model::Body& body = model_.body(id);
    Places::Body drawn{id, places_.points[body.center.index()].place, 0, 0};
    drawn.axes = add(model_.terms->basis_vector(body.frame, 0));
    for (int axis = 1; axis < 3; ++axis) add(model_.terms->basis_vector(body.frame, axis));
    drawn.inertia = add(body.mass);
    const model::Inertia& I = body.inertia;
    for (const model::Term& term : {I.xx, I.yy, I.zz, I.xy, I.yz, I.zx}) add(term);
    places_.bodies.push_back(drawn);
  }

  void add_view(const model::View& view) {
    for (const model::View::Shape& shape : view.shapes) {
      add_frame(shape.frame);
      Places::Shape drawn{static_cast<int>(values_.size()), 0};
      for (const model::Term size : shape.sizes) add(size);
      drawn.axis = static_cast<int>(values_.size());
      const model::Term letter = model_.terms->basis_vector(shape.frame, shape.letter);
      const model::Term axis = shape.axis.is_valid() ? shape.axis : letter;
      for (int k = 0; k < 3; ++k) add(model_.terms->dot(axis, model_.terms->basis_vector(shape.frame, k)));
      places_.shapes.push_back(drawn);
    }
    for (const model::View::Vector& vector : view.vectors) {
      Places::Vector drawn{add(vector.value), {}};
      for (std::size_t row = 0; row < system_.lambda.size(); ++row) {
        const std::array<expr::Expr, 2> both = {system_.lambda[row], system_.lambda_ideal[row]};
        const auto holds = [&](expr::Expr value) { return expr::depends_on(value, both); };
        if (std::ranges::any_of(std::span(values_).subspan(static_cast<std::size_t>(drawn.value)), holds))
          drawn.rows.push_back(static_cast<int>(row));
      }
      places_.vectors.push_back(std::move(drawn));
    }
    for (const model::View::Link& link : view.links)
      places_.radii.push_back(link.radius.is_valid() ? add(link.radius) : -1);
    for (const model::View::Axes& axes : view.axes) {
      add_frame(axes.frame);
      places_.lengths.push_back(axes.length.is_valid() ? add(axes.length) : -1);
    }
  }

  void add_frame(model::FrameId frame) {
    const auto is_same = [&](const Places::Frame& other) { return other.frame == frame; };
    if (frame == model::kNewtonian || model_.frame(frame).body || std::ranges::any_of(places_.frames, is_same)) return;
    Places::Frame drawn{frame, add(model_.terms->basis_vector(frame, 0))};
    for (int axis = 1; axis < 3; ++axis) add(model_.terms->basis_vector(frame, axis));
    places_.frames.push_back(drawn);
  }

  /// Adds the measure numbers of a term as columns. \returns the first column.
  int add(model::Term term) {
    const auto first = static_cast<int>(values_.size());
    for (const expr::Expr value : equations::lower_known(system_, term)) values_.push_back(value);
    return first;
  }

  const sim::Binding& bound_;
  const model::Model& model_;
  equations::System& system_;
  model::KinematicTree tree_;
  Places places_;
  std::vector<expr::Expr> values_;
};

}  // namespace

bool Places::Vector::is_unique(const sim::Sample& sample) const {
  return std::ranges::all_of(rows, [&](int row) { return sample.row_unique[static_cast<std::size_t>(row)] != 0; });
}

std::vector<double> Places::at(const sim::Sample& sample) const {
  std::vector<double> input, output(kernel.kernel->output_count()), workspace(kernel.kernel->workspace_size());
  sim::read_report_numbers(sample, input);
  kernel.evaluate(input.data(), output.data(), workspace.data());
  return output;
}

Outcome<Places> places_of(const sim::Binding& bound) {
  const auto system = sim::derive_all(bound->model);
  if (!system) return fail(system.error());
  return PlacesMaker(bound, **system).make();
}

}  // namespace vinculum::report
