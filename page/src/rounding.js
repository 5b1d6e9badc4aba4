// Decides which values are rounding errors: they are not drawn, and are listed as zero.

const kRounding = 1e-12; // a value below this fraction of its reference is a rounding error
// Values of these units are compared with the largest one of all, because they add up in the same equations.
const kCompared = ['N', 'N*m', 'J', 'W'];

/** Returns the weight of all bodies, in the scene's units: a reference for forces of a motion in which all are zero. */
function weight(scene) {
  return Math.hypot(...scene.space.gravity) * scene.bodies.reduce((sum, {mass}) => sum + mass, 0);
}

/** Returns the size in m of the box around the motion; 1 if there is none. */
function extent(scene) {
  const [low, high] = scene.space.box ?? [
    [0, 0, 0],
    [0, 0, 0],
  ];
  return Math.max(...high.map((x, k) => x - low[k])) || 1;
}

const known = new WeakMap();

/** Returns the largest magnitude of each compared unit among all forces, torques and series, without residuals. */
function largestOf(scene) {
  if (known.has(scene)) return known.get(scene);
  const largest = new Map();
  const take = (unit, values) => {
    if (!kCompared.includes(unit)) return;
    for (const value of values) if (Math.abs(value) > (largest.get(unit) ?? 0)) largest.set(unit, Math.abs(value));
  };
  for (const motion of scene.motions) {
    for (const {value, unit} of [...scene.forces, ...scene.torques, ...scene.reveals].filter((one) =>
      motion.has(one.value),
    ))
      for (const part of motion.parts(value)) take(unit, part);
    for (const {group, unit, values} of motion.series)
      if (group !== 'residuals' && group !== 'balance') take(unit, values);
  }
  known.set(scene, largest);
  return largest;
}

/**
 * Returns the magnitude below which a value of this unit is a rounding error. A force is also compared with the weight
 * of the bodies, a torque with the torque of the largest force, a length with the extent of the motion, and an angle
 * with 1 rad. Without a reference the magnitude is 0.
 * \param least  a magnitude of the same unit that is known to occur
 */
export function nothingBelow(scene, unit, least = 0) {
  const largest = largestOf(scene),
    duration = scene.end - scene.start || 1;
  const references = {
    'N': weight(scene),
    'N*m': extent(scene) * Math.max(weight(scene), largest.get('N') ?? 0),
    'm': extent(scene),
    'm/s': extent(scene) / duration,
    'rad': 1,
    'rad/s': 1 / duration,
  };
  return kRounding * Math.max(least, largest.get(unit) ?? 0, references[unit] ?? 0);
}
