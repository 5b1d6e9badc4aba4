#pragma once

#include "support/mechanisms/chance.hpp"
#include "support/mechanisms/mechanism.hpp"

namespace vinculum::mechanisms {

/// Generates frames, points, bodies and particles of a random mechanism, and random vectors and points of them.
class BodiesAtRandom {
 public:
  BodiesAtRandom(Mechanism& m, Chance& chance, bool has_turns, bool shares)
      : m_(m), chance_(chance), has_turns_(has_turns), shares_(shares) {}
  void add();

  /// A vector fixed in a rigid class: a basis vector, or a sum over frames of the class.
  LinearVector vector_in(int rigid_class, bool in_plane = false);
  /// A single basis vector.
  LinearVector basis_in(int rigid_class);
  /// The rigid class of a random body or of the ground.
  int any_class();
  std::vector<int> frames_in(int rigid_class) const;
  /// A point fixed in the body, or in the ground (−1): an existing or a new one.
  int point_of(int body);
  int new_point_of(int body);
  int new_ground_point();
  /// Massless points, offset by a coordinate or in frames of other bodies.
  std::vector<int> massless_points;
  std::vector<int> massless_frames;
  /// [bodies] whether the coordinates attach the body to another body, or embed a joint with the ground.
  std::vector<char> is_embedded;

 private:
  int coordinate(const std::string& name, double q, double rate);
  int frame(Frame f);
  int point(Point p);
  void add_turns(int root, int count);
  void add_constant_turn(int parent);
  int new_root(int parent, const std::string& name);
  void add_body(int k);
  void add_particle();
  Affine angle(const std::string& name);

  Mechanism& m_;
  Chance& chance_;
  bool has_turns_, shares_;
  int named_points_ = 0, named_frames_ = 0, named_coordinates_ = 0;
};

}  // namespace vinculum::mechanisms
