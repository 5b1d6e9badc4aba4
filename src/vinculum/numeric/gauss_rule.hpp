#pragma once

#include <array>

/// Gauss–Legendre rule on [0, 1] with five nodes, exact for polynomials up to degree 9: ∫ f = Σ w_i f(x_i).
namespace vinculum::numeric {

inline constexpr std::array<double, 5> kGaussNodes = {0.04691007703066802, 0.23076534494715845, 0.5, 0.7692346550528415,
                                                      0.9530899229693320};
inline constexpr std::array<double, 5> kGaussWeights = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                                        0.23931433524968324, 0.11846344252809454};

}  // namespace vinculum::numeric
