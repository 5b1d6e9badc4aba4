#include "vinculum/api/scene_view.hpp"

#include "vinculum/api/scene_motion.hpp"
#include "vinculum/model/unit_texts.hpp"
#include "vinculum/model/view.hpp"
#include "vinculum/scene/shape.hpp"

namespace vinculum {
namespace {

using model::View;
using report::Node;

Node colour_of(const std::string& hex) { return hex.empty() ? Node() : Node(hex); }

class ViewWriter {
 public:
  ViewWriter(const model::Model& model, const report::Places& places, std::span<const double> numbers)
      : model_(model), view_(*model.view), places_(places), numbers_(numbers) {}

  [[nodiscard]] Node write(const std::vector<report::Mesh>& meshes, report::SceneColumns& columns) const {
    Node node = Node::object();
    Node& drawn = node.add("shapes", shapes());
    for (std::size_t k = 0; k < meshes.size(); ++k) drawn.add(mesh(k, meshes[k], columns));
    node.add("links", links());
    node.add("axes", axes());
    node.add("traces", traces());
    node.add("reactions", reactions());
    node.add("vectors", vectors());
    Node& colours = node.add("colours", Node::object());
    for (const View::Colour& one : view_.colours) colours.add(one.owner, Node(one.hex));
    node.add("hidden", Node(view_.hidden));
    node.add("without", Node(view_.without));
    node.add("labels", labels());
    node.add("followed", view_.followed.is_valid() ? Node(model_.point(view_.followed).name) : Node());
    return node;
  }

 private:
  [[nodiscard]] double number(int column) const { return numbers_[static_cast<std::size_t>(column)]; }
  [[nodiscard]] Node number_or_null(int column) const {
    return column < 0 ? Node() : Node(report::shown(number(column)));
  }
  [[nodiscard]] std::string place_of(model::PointId point) const { return model_.point(point).name + ".p"; }
  [[nodiscard]] Node turned_with(model::FrameId frame) const {
    if (frame == model::kNewtonian) return {};
    const auto body = model_.frame(frame).body;  // a body is drawn in its frame
    return Node((body ? model_.body(*body).name : model_.frame(frame).name) + ".q");
  }

  [[nodiscard]] Node shapes() const {
    Node list = Node::list();
    for (std::size_t k = 0; k < view_.shapes.size(); ++k) {
      const View::Shape& shape = view_.shapes[k];
      const double* axis = &numbers_[static_cast<std::size_t>(places_.shapes[k].axis)];
      const auto sizes = numbers_.subspan(static_cast<std::size_t>(places_.shapes[k].sizes), shape.sizes.size());
      list.add(Node::object({{"on", shape.owner},
                             {"at", place_of(shape.at)},
                             {"turned", turned_with(shape.frame)},
                             {"surface", shape.is_surface},
                             {"colour", colour_of(shape.colour)},
                             {"shape", report::stated_shape(shape.kind, sizes, {axis[0], axis[1], axis[2]})}}));
    }
    return list;
  }

  [[nodiscard]] Node mesh(std::size_t place, const report::Mesh& read, report::SceneColumns& columns) const {
    const View::Mesh& stated = view_.meshes[place];
    const double scale = places_.scales[place] < 0 ? 1.0 : number(places_.scales[place]);
    Node places = Node::list();
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<double> components;
      for (const auto& one : read.places) components.push_back(scale * static_cast<double>(one[k]));
      places.add(columns.add(components));
    }
    const std::vector<double> corners(read.corners.begin(), read.corners.end());
    return Node::object(
        {{"on", stated.owner},
         {"at", place_of(stated.at)},
         {"turned", turned_with(stated.frame)},
         {"surface", false},
         {"colour", colour_of(stated.colour)},
         {"shape",
          Node::object({{"kind", "mesh"}, {"places", std::move(places)}, {"corners", columns.add(corners)}})}});
  }

  [[nodiscard]] Node labels() const {
    Node list = Node::list();
    for (const View::Label& one : view_.labels)
      list.add(Node::object({{"at", place_of(one.at)}, {"text", one.text}, {"colour", colour_of(one.colour)}}));
    return list;
  }

  [[nodiscard]] Node links() const {
    Node list = Node::list();
    for (std::size_t k = 0; k < view_.links.size(); ++k) {
      const View::Link& link = view_.links[k];
      list.add(Node::object({{"from", model_.point(link.first).name},
                             {"to", model_.point(link.second).name},
                             {"coil", link.kind == View::Link::Kind::kCoil},
                             {"capsule", link.kind == View::Link::Kind::kCapsule},
                             {"radius", number_or_null(places_.radii[k])},
                             {"colour", colour_of(link.colour)}}));
    }
    return list;
  }

  [[nodiscard]] Node axes() const {
    Node list = Node::list();
    for (std::size_t k = 0; k < view_.axes.size(); ++k) {
      const View::Axes& one = view_.axes[k];
      list.add(Node::object({{"frame", model_.frame(one.frame).name},
                             {"at", place_of(one.at)},
                             {"turned", turned_with(one.frame)},
                             {"length", number_or_null(places_.lengths[k])}}));
    }
    return list;
  }

  [[nodiscard]] Node traces() const {
    Node list = Node::list();
    for (const View::Trace& one : view_.traces)
      list.add(Node::object({{"point", model_.point(one.point).name}, {"colour", colour_of(one.colour)}}));
    return list;
  }

  [[nodiscard]] Node reactions() const {
    Node list = Node::list();
    for (const View::Reaction& one : view_.reactions)
      list.add(Node::object(
          {{"constraint", model_.constraint(one.constraint).name}, {"on", one.on}, {"torque", one.is_torque}}));
    return list;
  }

  /// A vector with the dimension of an energy is a moment.
  [[nodiscard]] UnitText unit_of_vector(const Dimension& dimension) const {
    return dimension == make_dimension(1, 2, -2) ? model::unit_of_force(model_, true)
                                                 : model::unit_of(model_, dimension);
  }

  [[nodiscard]] Node vectors() const {
    Node list = Node::list();
    for (std::size_t k = 0; k < view_.vectors.size(); ++k) {
      const View::Vector& one = view_.vectors[k];
      list.add(Node::object({{"text", one.text},
                             {"at", place_of(one.at)},
                             {"value", vector_track(k)},
                             {"unit", report::stated(unit_of_vector(one.dimension).si)},
                             {"colour", colour_of(one.colour)}}));
    }
    return list;
  }

  const model::Model& model_;
  const View& view_;
  const report::Places& places_;
  std::span<const double> numbers_;
};

}  // namespace

report::Node scene_view(const model::Model& model, const report::Places& places, std::span<const double> numbers,
                        const std::vector<report::Mesh>& meshes, report::SceneColumns& columns) {
  return model.view == nullptr ? Node() : ViewWriter(model, places, numbers).write(meshes, columns);
}

}  // namespace vinculum
