// Formats numbers for people.

const minus = (text) => text.replace('-', '−');
const raised = (power) =>
  String(power)
    .replace('-', '⁻')
    .replace(/\d/g, (d) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[d]);

/**
 * Formats a number with four digits, or with all digits before the point if there are more: 11.50, 0.07300, 12345,
 * 1.2·10⁻¹⁵. Returns "–" for a number that is not finite.
 */
export function shown(value, digits = 4) {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 10 ** digits && size < 1e6) return minus(value.toFixed(0));
  if (size >= 1e-3 && size < 1e6)
    return minus(
      value.toPrecision(digits).replace(/^(-?)(\d)\.?(\d*)e\+\d+$/, (_, sign, one, rest) => `${sign}${one}${rest}0`),
    );
  const [mantissa, power] = value.toExponential(digits - 2).split('e');
  return `${minus(mantissa)}·10${raised(Number(power))}`;
}

const kPrefixes = [
  ['p', 1e-12],
  ['n', 1e-9],
  ['µ', 1e-6],
  ['m', 1e-3],
  ['', 1],
  ['k', 1e3],
  ['M', 1e6],
  ['G', 1e9],
];

/** Formats a number with its unit and a prefix, "500 mm", "2 kN"; without a unit only the number. */
export function withPrefix(value, unit) {
  if (!unit || unit === '1') return shown(value, 3);
  const [prefix, factor] = kPrefixes.findLast(([, f]) => Math.abs(value) >= f * 0.999) ?? kPrefixes[0];
  const small = value / factor;
  if (Math.abs(small) >= 1e4) return `${shown(value, 3)} ${unit}`;
  return `${minus(String(Number(small.toPrecision(3))))} ${prefix}${unit}`;
}

/** Returns the largest number of the form 1, 2 or 5 × 10ⁿ that is ≤ the value. */
export function roundBelow(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}

/** Writes the unit in brackets, "[N]"; empty without a unit. */
export const bracketed = (unit) => (unit && unit !== '1' ? `[${unit.replaceAll('*', '·')}]` : '');
export const plainUnit = (unit) => (unit && unit !== '1' ? ` ${unit.replaceAll('*', '·')}` : '');
export const superscript = raised;
