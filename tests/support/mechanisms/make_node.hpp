#pragma once

#include "support/mechanisms/mechanism.hpp"

/// Shorthands for nodes of relations.
namespace vinculum::mechanisms::node {

inline NodePtr make(Node n) { return std::make_shared<const Node>(std::move(n)); }
inline NodePtr number(double x) { return make({.kind = NodeKind::kNumber, .number = x}); }
inline NodePtr coordinate(int i, int order) { return make({.kind = NodeKind::kCoordinate, .i = i, .j = order}); }
inline NodePtr time() { return make({.kind = NodeKind::kTime}); }
inline NodePtr of(NodeKind kind, std::vector<NodePtr> arguments) {
  return make({.kind = kind, .arguments = std::move(arguments)});
}
inline NodePtr linear(LinearVector v) { return make({.kind = NodeKind::kLinear, .vector = std::move(v)}); }
inline NodePtr position(int P, int Q) { return make({.kind = NodeKind::kPosition, .i = P, .j = Q}); }
inline NodePtr velocity(int P) { return make({.kind = NodeKind::kVelocity, .i = P}); }
inline NodePtr velocity_in(int P, int body) {
  return make({.kind = NodeKind::kVelocityIn, .i = P, .j = body, .names_body = true});
}
inline NodePtr acceleration(int P) { return make({.kind = NodeKind::kAcceleration, .i = P}); }
inline NodePtr omega(int body) { return make({.kind = NodeKind::kOmega, .i = body, .names_body = true}); }
inline NodePtr omega_of_frame(int frame) { return make({.kind = NodeKind::kOmega, .i = frame}); }
inline NodePtr omega_in(int B, int A) { return make({.kind = NodeKind::kOmegaIn, .i = B, .j = A, .names_body = true}); }
inline NodePtr alpha(int body) { return make({.kind = NodeKind::kAlpha, .i = body, .names_body = true}); }
inline NodePtr dot(NodePtr a, NodePtr b) { return of(NodeKind::kDot, {std::move(a), std::move(b)}); }
inline NodePtr cross(NodePtr a, NodePtr b) { return of(NodeKind::kCross, {std::move(a), std::move(b)}); }
inline NodePtr norm(NodePtr a) { return of(NodeKind::kNorm, {std::move(a)}); }
inline NodePtr add(NodePtr a, NodePtr b) { return of(NodeKind::kAdd, {std::move(a), std::move(b)}); }
inline NodePtr subtract(NodePtr a, NodePtr b) { return of(NodeKind::kSubtract, {std::move(a), std::move(b)}); }
inline NodePtr multiply(NodePtr a, NodePtr b) { return of(NodeKind::kMultiply, {std::move(a), std::move(b)}); }
inline NodePtr minus(NodePtr a, NodePtr b) { return of(NodeKind::kVectorSubtract, {std::move(a), std::move(b)}); }
inline NodePtr plus(NodePtr a, NodePtr b) { return of(NodeKind::kVectorAdd, {std::move(a), std::move(b)}); }
inline NodePtr scale(NodePtr s, NodePtr v) { return of(NodeKind::kScale, {std::move(s), std::move(v)}); }
inline NodePtr sine(NodePtr a) { return of(NodeKind::kSine, {std::move(a)}); }

}  // namespace vinculum::mechanisms::node
