#pragma once

#include <array>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

/// A tree of bodies on hinges and one state of it, as `bench/board/trees.py` writes it for the other programs.
namespace vinculum::bench {

using Triple = std::array<double, 3>;

struct Body {
  int parent;      ///< index of an earlier body; -1: the ground
  Triple joint;    ///< [m] from the parent's joint, in the parent's axes
  Triple axis;     ///< in the axes of both bodies
  double mass;     ///< [kg]
  Triple center;   ///< [m] from the joint, in the body's axes
  Triple inertia;  ///< [kg m²] about the mass centre
};

struct Tree {
  Triple gravity{};  ///< [m/s²]
  std::vector<Body> bodies;
  bool is_latched = false;   ///< the last body is welded to the ground in the pose of the state
  std::vector<double> q, u;  ///< [rad], [rad/s]
};

inline std::istream& operator>>(std::istream& in, Triple& v) { return in >> v[0] >> v[1] >> v[2]; }

/// `gravity g`, `body parent joint axis mass center inertia`, `latched`, `state q u` (one line per body), in any order.
inline Tree read_tree(std::istream& in) {
  Tree tree;
  for (std::string word; in >> word;) {
    if (word == "gravity") {
      in >> tree.gravity;
    } else if (word == "latched") {
      tree.is_latched = true;
    } else if (word == "body") {
      Body body{};
      in >> body.parent >> body.joint >> body.axis >> body.mass >> body.center >> body.inertia;
      tree.bodies.push_back(body);
    } else if (word == "state") {
      double q = 0.0, u = 0.0;
      in >> q >> u;
      tree.q.push_back(q);
      tree.u.push_back(u);
    } else {
      throw std::runtime_error("no such word in a tree: " + word);
    }
    if (!in) throw std::runtime_error("a tree ends within " + word);
  }
  if (tree.q.size() != tree.bodies.size()) throw std::runtime_error("a tree without a state of every body");
  return tree;
}

}  // namespace vinculum::bench
