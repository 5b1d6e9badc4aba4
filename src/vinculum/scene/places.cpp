#include "vinculum/scene/places.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/compiled/structure.hpp"
#include "vinculum/equations/derive.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/traversal.hpp"
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
    add_links();
    for (std::size_t r = 0; r < model_.reveals.size(); ++r) add_reveal(model::RevealId(r));
    for (const model::Load& load : model_.loads) {
      if (const auto* force = std::get_if<model::ForceOn>(&load.what))
        places_.forces.push_back({force->point, add(force->force)});
      if (const auto* gravity = std::get_if<model::Gravity>(&load.what))
        places_.gravities.push_back(add(gravity->acceleration));
    }
    if (model_.view != nullptr) add_view(*model_.view);
    places_.kernel = compiled(".places", std::move(values_));
    return std::move(places_);
  }

 private:
  enum class Turning { kNot, kYes, kAndSlides };

  [[nodiscard]] sim::BoundKernel compiled(const char* name, std::vector<expr::Expr> values) const {
    const codegen::KernelSpec spec{model_.name + name, sim::report_symbols(system_), system_.parameters,
                                   std::move(values)};
    codegen::CompileOptions on_tape;
    on_tape.backend = codegen::Backend::kTape;
    sim::BoundKernel kernel;
    kernel.kernel = codegen::compile({&spec, 1}, on_tape)[0];
    kernel.constants = kernel.kernel->prepare(bound_.parameters);
    return kernel;
  }

  void add_body(model::BodyId id) {
    const model::Body& body = model_.body(id);
    Places::Body drawn{id, places_.points[body.center.index()].place, 0, 0};
    drawn.axes = add(model_.terms->basis_vector(body.frame, 0));
    for (int axis = 1; axis < 3; ++axis) add(model_.terms->basis_vector(body.frame, axis));
    drawn.inertia = add(body.mass);
    const model::Inertia& I = body.inertia;
    for (const model::Term& term : {I.xx, I.yy, I.zz, I.xy, I.yz, I.zx}) add(term);
    drawn.points = points_of(id);
    places_.bodies.push_back(std::move(drawn));
  }

  [[nodiscard]] bool is_fixed_in(model::PointId point, model::BodyId id) {
    const model::Body& body = model_.body(id);
    return tree_.of_separation(point, body.center, body.frame).is_none();
  }

  [[nodiscard]] std::vector<model::PointId> points_of(model::BodyId id) {
    const model::PointId center = model_.body(id).center;
    std::vector<model::PointId> found;
    const auto take = [&](model::PointId point) {
      if (point != center && std::ranges::find(found, point) == found.end()) found.push_back(point);
    };
    for (const Places::Point& one : places_.points) {
      const bool is_attached = model_.point(one.point).particle && is_fixed_in(one.point, id);
      if (one.carrier == id || is_attached) take(one.point);
    }
    for (model::PointId pin = model_.point(center).base; pin.is_valid() && is_fixed_in(pin, id);
         pin = model_.point(pin).base)
      take(pin);
    return found;
  }

  /// Whether one body contains both points.
  [[nodiscard]] bool are_in_one_body(model::PointId a, model::PointId b) const {
    return std::ranges::any_of(places_.bodies, [&](const Places::Body& body) {
      const auto holds = [&](model::PointId point) {
        return point == model_.body(body.body).center || std::ranges::find(body.points, point) != body.points.end();
      };
      return holds(a) && holds(b);
    });
  }

  // --- links ---

  /// A point whose offset may be drawn as links. The offset is split into vectors that each use the basis of one frame,
  /// in the order of the text.
  struct Candidate {
    model::PointId point;
    std::vector<model::Term> parts;
    std::size_t first = 0;  ///< index of the first vector of this offset among the vectors of all offsets
  };

  /// Returns the frame whose basis vectors a vector consists of; nothing if there are several frames, or if the vector
  /// contains a position.
  static std::optional<std::uint32_t> frame_of_vectors(model::Term vector) {
    std::optional<std::uint32_t> frame;
    for (const model::Term leaf : model::leaves_as_read(vector)) {
      if (leaf.kind() == model::TermKind::kPosition) return std::nullopt;
      if (leaf.kind() != model::TermKind::kBasisVector) continue;
      if (frame && *frame != leaf.index()) return std::nullopt;
      frame = leaf.index();
    }
    return frame;
  }

  struct Part {
    std::optional<std::uint32_t> frame;
    model::Term vector;
  };

  static void split(model::Term vector, bool is_negated, std::vector<Part>& parts) {
    using model::TermKind;
    switch (vector.kind()) {
      case TermKind::kVectorAdd:
      case TermKind::kVectorSubtract:
        split(vector.operand(0), is_negated, parts);
        split(vector.operand(1), is_negated != (vector.kind() == TermKind::kVectorSubtract), parts);
        return;
      case TermKind::kVectorNegate: split(vector.operand(0), !is_negated, parts); return;
      default: break;
    }
    const std::optional<std::uint32_t> frame = frame_of_vectors(vector);
    const model::Term part = is_negated ? -vector : vector;
    const auto same = std::ranges::find(parts, frame, &Part::frame);
    if (frame && same != parts.end()) {
      same->vector = same->vector + part;
    } else {
      parts.push_back({frame, part});
    }
  }

  /// Points that carry a mass or a point on which a constraint acts, directly or through points offset from them.
  [[nodiscard]] std::vector<char> bearing_points() const {
    std::vector<char> bears(model_.points.size(), 0);
    for (std::size_t c = 0; c < model_.constraints.size(); ++c) {
      for (const model::PointId point : model::points_of(model_, model::ConstraintId(c))) {
        const model::PointId base = model_.point(point).base;
        // a point that is offset from a mass center is a point of contact
        if (base.is_valid() && !model_.point(base).center_of) bears[point.index()] = 1;
      }
    }
    for (std::size_t p = model_.points.size(); p-- > 0;) {  // bases come first
      const model::Point& point = model_.points[p];
      if (point.particle || point.center_of) bears[p] = 1;
      if (bears[p] != 0 && point.base.is_valid()) bears[point.base.index()] = 1;
    }
    return bears;
  }

  void add_links() {
    const std::vector<char> bears = bearing_points();
    std::vector<Candidate> candidates;
    std::vector<expr::Expr> offsets;
    for (std::size_t p = 0; p < model_.points.size(); ++p) {
      const model::Point& point = model_.points[p];
      const model::PointId id(p);
      if (bears[p] == 0 || !point.base.is_valid() || point.offset.is_zero() || point.on.is_valid()) continue;
      if (are_in_one_body(id, point.base)) continue;
      std::vector<Part> parts;
      split(point.offset, false, parts);
      Candidate candidate{id, {}, offsets.size() / 3};
      for (const Part& part : parts) {
        candidate.parts.push_back(part.vector);
        for (const expr::Expr value : equations::lower_known(system_, part.vector)) offsets.push_back(value);
      }
      candidates.push_back(std::move(candidate));
    }
    if (offsets.empty()) return;
    const sim::BoundKernel kernel = compiled(".offsets", std::move(offsets));
    const std::vector<Turning> turning = turning_parts(kernel);
    for (const Candidate& candidate : candidates) add_link(candidate, turning);
  }

  void add_link(const Candidate& candidate, const std::vector<Turning>& turning) {
    const model::PointId base = model_.point(candidate.point).base;
    model::Term place = model_.terms->position(base, tree_.origin_of(base));
    Places::End from{base, -1};
    for (std::size_t k = 0; k < candidate.parts.size(); ++k) {
      const auto turns = [&](std::size_t part) {
        return part < candidate.parts.size() && turning[candidate.first + part] != Turning::kNot;
      };
      place = place + candidate.parts[k];
      const bool is_last = k + 1 == candidate.parts.size();
      Places::End to{candidate.point, -1};
      if (!is_last && (turns(k) || turns(k + 1))) {
        to = {std::nullopt, static_cast<int>(places_.elbows.size())};
        places_.elbows.push_back(add(place));
      }
      if (turns(k)) places_.links.push_back({from, to, turning[candidate.first + k] == Turning::kAndSlides});
      from = to;
    }
  }

  /// A vector is drawn as a link if each coordinate, and time, either turns it or stretches it, and at least one turns
  /// it: L*B.x and L*(cos(a)*N.x + sin(a)*N.y), but not x*N.x + y*N.y.
  [[nodiscard]] std::vector<Turning> turning_parts(const sim::BoundKernel& kernel) const {
    const std::size_t count = kernel.kernel->output_count() / 3;
    std::vector<Turning> found(count, Turning::kNot);
    std::vector<double> input(sim::report_symbols(system_).size(), 0.0), workspace(kernel.kernel->workspace_size());
    const auto evaluate = [&] {
      std::vector<double> output(3 * count);
      kernel.evaluate(input.data(), output.data(), workspace.data());
      return output;
    };
    // Central differences with this step have an error of about 1e-10, far below the bound kSmall on angles.
    constexpr double kStep = tolerance::kRoot, kSmall = tolerance::kRoot, kGolden = 0.6180339887498949;
    // A generic position: no two coordinates are equal, and no angle is a right angle.
    input[0] = 0.37;
    const std::size_t nq = model_.coordinates.size();
    for (std::size_t i = 0; i < nq; ++i)
      input[1 + i] = 0.35 + 0.5 * std::fmod(kGolden * static_cast<double>(i + 1), 1.0);
    const std::vector<double> here = evaluate();
    std::vector<char> is_mixed(count, 0), slides(count, 0), turns(count, 0);
    for (std::size_t i = 0; i <= nq; ++i) {  // time, then coordinates
      const double value = input[i];
      input[i] = value + kStep;
      const std::vector<double> after = evaluate();
      input[i] = value - kStep;
      const std::vector<double> before = evaluate();
      input[i] = value;
      for (std::size_t k = 0; k < count; ++k) {
        const auto at = [&](const std::vector<double>& all) { return Eigen::Map<const Eigen::Vector3d>(&all[3 * k]); };
        const Eigen::Vector3d vector = at(here), rate = (at(after) - at(before)) / (2.0 * kStep);
        const double along = std::abs(rate.dot(vector)), across = rate.cross(vector).norm();
        const double size = rate.norm() * vector.norm();
        if (!(size > kSmall * vector.squaredNorm())) {
          if (!std::isfinite(size)) is_mixed[k] = 1;
          continue;
        }
        if (along <= kSmall * size) {
          turns[k] = 1;
        } else if (across <= kSmall * size) {
          slides[k] |= static_cast<char>(i > 0);
        } else {
          is_mixed[k] = 1;
        }
      }
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (turns[k] != 0 && is_mixed[k] == 0) found[k] = slides[k] != 0 ? Turning::kAndSlides : Turning::kYes;
    }
    return found;
  }

  // --- reveals ---

  void add_reveal(model::RevealId id) {
    const model::Reveal& reveal = model_.reveal(id);
    Places::Reveal drawn{id, reveal.point, reveal.along.size(), static_cast<int>(values_.size()), 0, {}};
    if (reveal.body.is_valid()) drawn.at = model_.body(*model_.frame(reveal.body).body).center;
    for (std::size_t k = 0; k < reveal.along.size(); ++k) add(model::revealed(model_, id, static_cast<int>(k)));
    drawn.rows = rows_in(drawn.value);
    drawn.along = static_cast<int>(values_.size());
    for (const model::Term direction : reveal.along) add(direction);
    places_.reveals.push_back(std::move(drawn));
  }

  /// Returns the rows whose multipliers occur in the values from this column on.
  [[nodiscard]] std::vector<int> rows_in(int first) const {
    std::vector<int> rows;
    for (std::size_t row = 0; row < system_.lambda.size(); ++row) {
      const std::array<expr::Expr, 2> both = {system_.lambda[row], system_.lambda_ideal[row]};
      const auto holds = [&](expr::Expr value) { return expr::depends_on(value, both); };
      if (std::ranges::any_of(std::span(values_).subspan(static_cast<std::size_t>(first)), holds))
        rows.push_back(static_cast<int>(row));
    }
    return rows;
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
      drawn.rows = rows_in(drawn.value);
      places_.vectors.push_back(std::move(drawn));
    }
    for (const model::View::Link& link : view.links)
      places_.radii.push_back(link.radius.is_valid() ? add(link.radius) : -1);
    for (const model::View::Mesh& mesh : view.meshes) {
      add_frame(mesh.frame);
      places_.scales.push_back(mesh.scale.is_valid() ? add(mesh.scale) : -1);
    }
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

Eigen::Vector3d Places::Reveal::vector(std::span<const double> numbers) const {
  const auto n = static_cast<Eigen::Index>(count);
  const Eigen::Map<const Eigen::VectorXd> components(&numbers[static_cast<std::size_t>(value)], n);
  // the columns of `directions` become unit vectors e; the number along e is the component e·F of the force F
  Eigen::Matrix3Xd directions = Eigen::Map<const Eigen::Matrix3Xd>(&numbers[static_cast<std::size_t>(along)], 3, n);
  directions.colwise().normalize();
  return directions.transpose().completeOrthogonalDecomposition().solve(components);
}

bool Places::is_unique(std::span<const int> rows, const sim::Sample& sample) {
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
