#pragma once

#include <array>

/// Gauss–Kronrod rule on [0, 1] with fifteen nodes, exact for polynomials up to degree 22. Seven of the nodes form a
/// Gauss rule, exact up to degree 13; the difference of both results estimates the error of the Gauss rule.
/// Source: Piessens, de Doncker-Kapenga, Überhuber & Kahaner, QUADPACK (1983), 2.2.
namespace vinculum::numeric {

struct KronrodNode {
  double at;      ///< position in [0, 1]
  double weight;  ///< weight in Kronrod's rule
  double gauss;   ///< weight in Gauss' rule; 0 if the node does not belong to it
};

inline constexpr std::array<KronrodNode, 15> kKronrod = {{
    {0.004272314439593694, 0.011467661005264612, 0.0},
    {0.025446043828620757, 0.03154604631498928, 0.06474248308443485},
    {0.06756778832011545, 0.052395005161125094, 0.0},
    {0.12923440720030277, 0.07032662985776296, 0.13985269574463832},
    {0.20695638226615443, 0.08450236331963396, 0.0},
    {0.2970774243113014, 0.09517528903239271, 0.19091502525255946},
    {0.39610752249605075, 0.10221647003764944, 0.0},
    {0.5, 0.10474107054236391, 0.2089795918367347},
    {0.60389247750394925, 0.10221647003764944, 0.0},
    {0.7029225756886986, 0.09517528903239271, 0.19091502525255946},
    {0.79304361773384557, 0.08450236331963396, 0.0},
    {0.87076559279969723, 0.07032662985776296, 0.13985269574463832},
    {0.93243221167988455, 0.052395005161125094, 0.0},
    {0.974553956171379243, 0.03154604631498928, 0.06474248308443485},
    {0.995727685560406306, 0.011467661005264612, 0.0},
}};

}  // namespace vinculum::numeric
