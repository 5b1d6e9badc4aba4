#include "vinculum/mechanics/jet.hpp"

#include <cmath>

#include "vinculum/base/contract.hpp"

namespace vinculum::mechanics {
namespace {

using expr::Op;

/// f(x) from f, f′, f″ at x.
Jet chain(Jet x, double f, double f1, double f2) { return {f, f1 * x.rate, f2 * x.rate * x.rate + f1 * x.second}; }

Jet constant(double value) { return {value, 0.0, 0.0}; }

Jet power(Jet x, Jet y) {
  if (y.rate == 0.0 && y.second == 0.0) {
    const double n = y.value;
    const auto raised = [&](double exponent) { return expr::evaluate_operation(Op::kPower, x.value, exponent); };
    const double f1 = n == 0.0 ? 0.0 : n * raised(n - 1.0);
    const double f2 = n == 0.0 || n == 1.0 ? 0.0 : n * (n - 1.0) * raised(n - 2.0);
    return chain(x, raised(n), f1, f2);
  }
  const Jet exponent = y * evaluate_jet(Op::kLogarithm, x);
  return evaluate_jet(Op::kExponential, exponent);
}

}  // namespace

Jet operator+(Jet a, Jet b) { return {a.value + b.value, a.rate + b.rate, a.second + b.second}; }
Jet operator-(Jet a, Jet b) { return {a.value - b.value, a.rate - b.rate, a.second - b.second}; }
Jet operator-(Jet a) { return {-a.value, -a.rate, -a.second}; }
Jet operator*(Jet a, Jet b) {
  return {a.value * b.value, a.rate * b.value + a.value * b.rate,
          a.second * b.value + 2.0 * a.rate * b.rate + a.value * b.second};
}
Jet operator/(Jet a, Jet b) {
  const double inverse = 1.0 / b.value;
  const Jet reciprocal = chain(b, inverse, -inverse * inverse, 2.0 * inverse * inverse * inverse);
  Jet quotient = a * reciprocal;
  quotient.value = a.value / b.value;
  return quotient;
}

Jet rate_of(Jet x) { return {x.rate, x.second, std::nan("")}; }

Jet square_root(Jet x) {
  const double root = std::sqrt(x.value);
  return chain(x, root, 0.5 / root, -0.25 / (root * x.value));
}

Jet evaluate_jet(const expr::Spline& spline, int derivative_order, Jet x) {
  return chain(x, spline.evaluate(x.value, derivative_order), spline.evaluate(x.value, derivative_order + 1),
               spline.evaluate(x.value, derivative_order + 2));
}

Jet evaluate_jet(Op op, Jet a, Jet b, Jet c) {
  const double x = a.value;
  switch (op) {
    case Op::kAdd: return a + b;
    case Op::kSubtract: return a - b;
    case Op::kMultiply: return a * b;
    case Op::kDivide: return a / b;
    case Op::kNegate: return -a;
    case Op::kPower: return power(a, b);
    case Op::kSquareRoot: return square_root(a);
    case Op::kExponential: return chain(a, std::exp(x), std::exp(x), std::exp(x));
    case Op::kLogarithm: return chain(a, std::log(x), 1.0 / x, -1.0 / (x * x));
    case Op::kSine: return chain(a, std::sin(x), std::cos(x), -std::sin(x));
    case Op::kCosine: return chain(a, std::cos(x), -std::sin(x), -std::cos(x));
    case Op::kTangent: return evaluate_jet(Op::kSine, a) / evaluate_jet(Op::kCosine, a);
    case Op::kArcSine: {
      const double w = 1.0 - x * x, root = std::sqrt(w);
      return chain(a, std::asin(x), 1.0 / root, x / (w * root));
    }
    case Op::kArcCosine: {
      const double w = 1.0 - x * x, root = std::sqrt(w);
      return chain(a, std::acos(x), -1.0 / root, -x / (w * root));
    }
    case Op::kArcTangent: {
      const double w = 1.0 + x * x;
      return chain(a, std::atan(x), 1.0 / w, -2.0 * x / (w * w));
    }
    case Op::kArcTangent2: {
      // θ' = (x y' − y x')/r² with y the first operand; differentiated once more.
      const double r2 = a.value * a.value + b.value * b.value;
      const double numerator = b.value * a.rate - a.value * b.rate;
      const double r2_rate = 2.0 * (a.value * a.rate + b.value * b.rate);
      const double numerator_rate = b.value * a.second - a.value * b.second;
      return {std::atan2(a.value, b.value), numerator / r2, numerator_rate / r2 - numerator * r2_rate / (r2 * r2)};
    }
    case Op::kHyperbolicSine: return chain(a, std::sinh(x), std::cosh(x), std::sinh(x));
    case Op::kHyperbolicCosine: return chain(a, std::cosh(x), std::sinh(x), std::cosh(x));
    case Op::kHyperbolicTangent: return evaluate_jet(Op::kHyperbolicSine, a) / evaluate_jet(Op::kHyperbolicCosine, a);
    case Op::kAbsolute: return x < 0.0 ? -a : x > 0.0 ? a : chain(a, 0.0, 0.0, 0.0);
    case Op::kMinimum: return a.value <= b.value ? a : b;
    case Op::kMaximum: return a.value >= b.value ? a : b;
    case Op::kSelect: return a.value != 0.0 ? b : c;
    case Op::kSign:
    case Op::kFloor:
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kAnd:
    case Op::kOr:
    case Op::kNot: return constant(expr::evaluate_operation(op, a.value, b.value, c.value));
    case Op::kConstant:
    case Op::kSymbol:
    case Op::kTable: break;
  }
  contract_broken("an operation on jets", __FILE__, __LINE__);
}

Jet dot(const JetVector& a, const JetVector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
JetVector cross(const JetVector& a, const JetVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
JetVector scale(Jet factor, const JetVector& v) { return {factor * v[0], factor * v[1], factor * v[2]}; }
JetVector add(const JetVector& a, const JetVector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
JetVector rate_of(const JetVector& v) { return {rate_of(v[0]), rate_of(v[1]), rate_of(v[2])}; }
JetVector rotate(const JetRotation& R, const JetVector& v) { return {dot(R[0], v), dot(R[1], v), dot(R[2], v)}; }
JetRotation transpose(const JetRotation& R) {
  JetRotation result;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) result[i][k] = R[k][i];
  }
  return result;
}
JetRotation multiply(const JetRotation& A, const JetRotation& B) {
  const JetRotation columns = transpose(B);
  JetRotation result;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) result[i][k] = dot(A[i], columns[k]);
  }
  return result;
}
JetRotation identity_rotation() {
  JetRotation result;
  for (std::size_t i = 0; i < 3; ++i) result[i][i].value = 1.0;
  return result;
}
JetRotation rotation_about(const JetVector& axis, Jet angle) {
  const Jet s = evaluate_jet(Op::kSine, angle), c = evaluate_jet(Op::kCosine, angle);
  JetRotation R;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      R[i][k] = (constant(1.0) - c) * axis[i] * axis[k];
      if (i == k) R[i][k] = R[i][k] + c;
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    R[j][i] = R[j][i] + s * axis[k];
    R[i][j] = R[i][j] - s * axis[k];
  }
  return R;
}

JetRotation rotation_by(const std::array<Jet, 4>& e) {
  const Jet norm2 = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
  const JetVector v{e[1], e[2], e[3]};
  // Column k is the image of the k-th unit vector w: w + 2 (e0 v × w + v × (v × w))/|e|².
  JetRotation columns = identity_rotation();
  for (JetVector& w : columns) {
    const JetVector vw = cross(v, w);
    w = add(w, scale(constant(2.0) / norm2, add(scale(e[0], vw), cross(v, vw))));
  }
  return transpose(columns);
}

}  // namespace vinculum::mechanics
