#include "vinculum/api/scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/api/compared.hpp"
#include "vinculum/api/motion.hpp"
#include "vinculum/api/scene_meshes.hpp"
#include "vinculum/api/scene_motion.hpp"
#include "vinculum/api/scene_view.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/lang/keywords.hpp"
#include "vinculum/model/unit_texts.hpp"
#include "vinculum/scene/shape.hpp"

namespace vinculum {
namespace {

// Largest number of speeds of a model whose equations are on the page. For a spatial chain of 40 bodies they are
// 800 kB of LaTeX, which a browser takes long to set and a reader does not read.
constexpr int kMostSpeedsInEquations = 40;

using report::Node;

/// Bounding box of the motion in the newtonian frame.
struct Extent {
  std::array<double, 3> least{INFINITY, INFINITY, INFINITY}, greatest{-INFINITY, -INFINITY, -INFINITY};
  void take(const std::array<double, 3>& place) {
    for (std::size_t k = 0; k < 3; ++k) {
      least[k] = std::min(least[k], place[k]);
      greatest[k] = std::max(greatest[k], place[k]);
    }
  }
  [[nodiscard]] bool is_empty() const { return !(greatest[0] >= least[0]); }
  [[nodiscard]] double side(std::size_t axis) const { return greatest[axis] - least[axis]; }
  [[nodiscard]] double largest() const { return std::max({side(0), side(1), side(2)}); }
};

Node list_of(const std::array<double, 3>& vector) {
  return Node(std::vector<double>{report::shown(vector[0]), report::shown(vector[1]), report::shown(vector[2])});
}

/// Interpolation error between the kept instants: at first 1/kParts of the size of a quantity …
constexpr double kParts = 2000.0;
/// … then twice this error, and so on, until the columns have at most this many bytes, so that a page opens quickly.
constexpr std::size_t kMostBytes = 440'000;
constexpr double kFewestParts = 100.0;

/// Writes the model and its motions.
class SceneWriter {
 public:
  SceneWriter(const std::vector<SceneMotion>& motions, const report::Places& places,
              const std::vector<report::Mesh>& meshes)
      : motions_(motions), model_(*motions.front().bound->compiled->model), places_(places), meshes_(meshes) {}

  [[nodiscard]] Node write(const std::vector<report::Places>& of_each, SceneSamples samples) {
    std::vector<SceneTracks> tracks;
    for (std::size_t m = 0; m < motions_.size(); ++m) {
      const SceneTracks& one = tracks.emplace_back(motions_[m], of_each[m]);
      for (const auto& point : one.points()) {
        for (const auto& place : point) extent_.take(place);
      }
      for (std::size_t axis = 0; axis < 3; ++axis) turns_about_[axis] &= one.turns_about(static_cast<int>(axis));
    }
    first_ = tracks.front().first();
    Node motions, view;
    double parts = samples == SceneSamples::kAll ? SceneTracks::kAllInstants : kParts;
    for (;; parts /= 2.0) {
      motions = Node::list();
      columns_ = {};
      view = scene_view(model_, places_, first_, meshes_, columns_);
      for (const SceneTracks& one : tracks) motions.add(one.write(columns_, parts));
      if (samples == SceneSamples::kAll || columns_.bytes().size() <= kMostBytes || parts / 2.0 < kFewestParts) break;
    }
    Node scene = Node::object({{"format", "vinculum-scene/1"}, {"version", version()}});
    scene.add("bytes", columns_.bytes().size());
    scene.add("parts", parts);
    scene.add("model", Node::object({{"name", model_.name},
                                     {"title", model_.title},
                                     {"sources", Node(model_.sources)},
                                     {"text", model_.source_text.text()}}));
    scene.add("space", space());
    scene.add("motions", std::move(motions));
    write_things(scene);
    write_forces(scene);
    scene.add("view", std::move(view));
    scene.add("words", words());
    Node& constraints = scene.add("constraints", Node::list());
    for (const model::Constraint& one : model_.constraints)
      constraints.add(Node::object({{"name", one.name}, {"text", one.text}, {"joint", one.joint}}));
    scene.add("columns", columns_.node());
    return scene;
  }
  [[nodiscard]] std::string buffer() const { return report::base64(columns_.bytes()); }

 private:
  [[nodiscard]] const double* first_at(int column) const { return &first_[static_cast<std::size_t>(column)]; }

  /// Index of the axis of N normal to the plane of a plane motion; −1 if the motion is spatial.
  [[nodiscard]] int normal() const {
    if (extent_.is_empty()) return -1;
    for (const int axis : {2, 1, 0}) {
      const auto k = static_cast<std::size_t>(axis);
      if (extent_.side(k) <= tolerance::kGeneric * extent_.largest() && turns_about_[k]) return axis;
    }
    return -1;
  }

  /// The words of the language that the page highlights in the text of the model.
  [[nodiscard]] static Node words() {
    const auto listed = [](std::span<const lang::KeywordInfo> table) {
      std::vector<std::string> words;
      for (const lang::KeywordInfo& row : table) words.emplace_back(row.word);
      return Node(words);
    };
    return Node::object({{"statements", listed(lang::statement_table())},
                         {"clauses", listed(lang::clause_table())},
                         {"items", listed(lang::view_table())}});
  }

  [[nodiscard]] Node space() const {
    Node node = Node::object({{"normal", normal()}, {"unit", report::stated(length_unit())}});
    std::array<double, 3> up{};
    for (const int gravity : places_.gravities) {
      for (std::size_t k = 0; k < 3; ++k) up[k] -= first_at(gravity)[k];
    }
    node.add("gravity", list_of({-up[0], -up[1], -up[2]}));
    if (extent_.is_empty()) {
      node.add("box", Node());
    } else {
      node.add("box", Node::list());
      node.parts.back().add(list_of(extent_.least));
      node.parts.back().add(list_of(extent_.greatest));
    }
    return node;
  }

  [[nodiscard]] std::string length_unit() const { return model::unit_of(model_, make_dimension(0, 1, 0)).si; }

  void write_things(Node& scene) const {
    Node& bodies = scene.add("bodies", Node::list());
    for (const report::Places::Body& body : places_.bodies) {
      const double* I = first_at(body.inertia);
      Eigen::Matrix3d inertia;
      inertia << I[1], I[4], I[6], I[4], I[2], I[5], I[6], I[5], I[3];
      Node one = Node::object(
          {{"name", model_.body(body.body).name}, {"mass", I[0]}, {"shape", report::shape_of(I[0], inertia)}});
      Node& held = one.add("points", Node::list());
      for (const model::PointId point : body.points) held.add(model_.point(point).name);
      bodies.add(std::move(one));
    }
    Node& particles = scene.add("particles", Node::list());
    for (const model::Particle& particle : model_.particles) particles.add(particle.name);
    Node& points = scene.add("points", Node::list());
    for (const report::Places::Point& one : places_.points) {
      Node point = Node::object({{"name", model_.point(one.point).name}, {"fixed", one.is_fixed}});
      point.add("on", one.carrier ? Node(model_.body(*one.carrier).name) : Node());
      points.add(std::move(point));
    }
    Node& links = scene.add("links", Node::list());
    for (const report::Places::Link& link : places_.links)
      links.add(Node::object(
          {{"from", track_of(model_, link.from)}, {"to", track_of(model_, link.to)}, {"slides", link.slides}}));
    Node& springs = scene.add("springs", Node::list());
    for (const model::Load& load : model_.loads) {
      if (const auto* spring = std::get_if<model::SpringBetween>(&load.what))
        springs.add(
            Node::object({{"from", model_.point(spring->first).name}, {"to", model_.point(spring->second).name}}));
    }
    Node& loads = scene.add("loads", Node::list());
    for (std::size_t k = 0; k < places_.forces.size(); ++k)
      loads.add(Node::object(
          {{"at", model_.point(places_.forces[k].on).name + ".p"}, {"value", "load" + std::to_string(k) + ".F"}}));
  }

  void write_forces(Node& scene) const {
    Node forces = Node::list(), torques = Node::list();
    const ForceTable& table = *motions_.front().forces;
    for (const ForceTable::Entry& entry : table.entries) {
      const bool is_force = entry.kind == ForceTable::Kind::kForce;
      if (!is_force && entry.kind != ForceTable::Kind::kCouple) continue;
      const std::string name = track_of(table, entry);
      Node one = Node::object({{"constraint", model_.constraints[entry.constraint].name},
                               {"on", entry.on},
                               {"at", entry.on + ".p"},
                               {"value", name},
                               {"unit", report::stated(model::unit_of_force(model_, !is_force).si)}});
      Node& unique = one.add("unique", Node::list());
      for (int k = 0; k < 3; ++k)
        unique.add(std::ranges::all_of(motions_.front().run->samples,
                                       [&](const sim::Sample& sample) { return table.is_unique(entry, sample, k); }));
      (is_force ? forces : torques).add(std::move(one));
    }
    scene.add("forces", std::move(forces));
    scene.add("torques", std::move(torques));
    Node& reveals = scene.add("reveals", Node::list());
    for (const report::Places::Reveal& one : places_.reveals) {
      const bool is_torque = model_.reveal(one.reveal).body.is_valid();
      const std::string& on = model_.point(one.at).name;
      reveals.add(Node::object({{"name", model_.reveal(one.reveal).name},
                                {"on", on},
                                {"torque", is_torque},
                                {"at", on + ".p"},
                                {"value", reveal_track(model_, one.reveal)},
                                {"unit", report::stated(model::unit_of_force(model_, is_torque).si)}}));
    }
  }

  const std::vector<SceneMotion>& motions_;
  const model::Model& model_;
  const report::Places& places_;
  const std::vector<report::Mesh>& meshes_;
  report::SceneColumns columns_;
  Extent extent_;
  std::array<bool, 3> turns_about_{true, true, true};
  std::vector<double> first_;
};

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

}  // namespace

Result<Scene> make_scene(const std::vector<SceneMotion>& motions, const SceneFacts& facts, SceneSamples samples) {
  std::vector<report::Places> places;
  for (const SceneMotion& motion : motions) {
    auto made = report::places_of(*motion.bound);
    if (!made) return Unexpected<Error>{motion_error(*motion.bound->compiled->model, nullptr, made.error())};
    places.push_back(*std::move(made));
  }
  const auto meshes = read_meshes(*motions.front().bound->compiled->model);
  if (!meshes) return Unexpected<Error>{meshes.error()};
  SceneWriter writer(motions, places.front(), *meshes);
  Node scene = writer.write(places, samples);
  scene.add("latex", facts.latex.empty() ? Node() : Node(facts.latex));
  std::string json = report::to_json(scene);
  const auto or_null = [](const std::string& text) { return text.empty() ? std::string_view("null") : text; };
  json.erase(json.find_last_of('}'));  // reports that already are JSON are inserted unchanged
  json += fmt::format(",\n\"explained\": {},\n\"audited\": {},\n\"compared\": {}\n}}\n", or_null(facts.explained),
                      or_null(facts.audited), or_null(facts.compared));
  return Scene{std::move(json), writer.buffer()};
}

Result<std::string> Scene::page(std::string_view blank) const {
  static constexpr std::string_view kScene = "@vinculum-scene@", kColumns = "@vinculum-columns@";
  const std::size_t scene = blank.find(kScene), numbers = blank.find(kColumns);
  if (scene == blank.npos || numbers == blank.npos || numbers < scene)
    return wrong_call(fmt::format("the page has no places for the scene: `{}`, then `{}`", kScene, kColumns));
  std::string page(blank.substr(0, scene));
  page += replaced(replaced(json, "</", "<\\/"), "<!--", "<\\u0021--");
  page += blank.substr(scene + kScene.size(), numbers - scene - kScene.size());
  page += columns;
  page += blank.substr(numbers + kColumns.size());
  return page;
}

Result<Scene> Trajectory::scene(SceneSamples samples, bool is_audited) const {
  if (shared_->run.samples.empty()) return wrong_call("the motion has no complete start: there is nothing to show");
  const auto table = shared_->model->force_table();
  if (!table) return Unexpected<Error>{table.error()};
  SceneMotion motion{"", shared_->bound.get(), &shared_->run, *table};
  if (auto energy = this->energy()) motion.energy = *std::move(energy);
  const Model model(shared_->model);
  SceneFacts facts;
  if (is_audited) facts.audited = audit().json();
  if (const auto explained = model.explain()) facts.explained = explained->json();
  if (shared_->bound->compiled->nu() <= kMostSpeedsInEquations) {
    if (const auto derived = model.derive()) facts.latex = derived->latex();
  }
  const auto lock = shared_->model->growing();
  return make_scene({motion}, facts, samples);
}

Result<Scene> Comparison::scene() const {
  const report::CompareReport& report = shared_->report;
  std::vector<SceneMotion> motions;
  const auto lock = shared_->model->growing();
  for (std::size_t v = 0; v < report.variants.size(); ++v) {
    const compare::Compared& compared = report.comparison.variants[v];
    if (!compared.has_motion()) continue;
    const sim::Binding& bound = *report.variants[v].bound;
    auto table = make_force_table(bound);
    if (!table) return Unexpected<Error>{motion_error(*bound->model, nullptr, table.error())};
    motions.push_back({compared.name, &bound, &compared.trajectory, *std::move(table)});
  }
  if (motions.empty()) return wrong_call("no variant has a motion: there is nothing to show");
  SceneFacts facts;
  facts.compared = json();
  return make_scene(motions, facts);
}

}  // namespace vinculum
