// Finds rods that no statement declares as bodies: pairs of points at constant distance, and constraints whose force
// acts along the line between two points.

/**
 * Whether two points keep a constant distance in all samples, and the force of a constraint (`item`) acts along the
 * line through them.
 */
function isRod(motion, item, from, to) {
  const [p, q, f] = [`${from}.p`, `${to}.p`, item.value].map((track) => motion.parts(track));
  let least = Infinity,
    greatest = 0,
    across = 0,
    along = 0;
  for (let i = 0; i < motion.t.length; ++i) {
    const d = [0, 1, 2].map((k) => q[k][i] - p[k][i]),
      F = [0, 1, 2].map((k) => f[k][i]);
    const length = Math.hypot(...d),
      dot = d.reduce((sum, x, k) => sum + x * F[k], 0) / length;
    least = Math.min(least, length);
    greatest = Math.max(greatest, length);
    along = Math.max(along, Math.abs(dot));
    across = Math.max(across, Math.sqrt(Math.max(0, Math.hypot(...F) ** 2 - dot ** 2)));
  }
  // the tolerances allow for rounding errors, because columns have single precision
  return greatest > 0 && greatest - least <= 1e-5 * greatest && along > 0 && across <= 1e-3 * along;
}

/** Returns the names of the two points whose distance a relation prescribes; null if it prescribes no distance. */
function stated(text) {
  const match =
    /^(?:norm\(pos\(([^,()]+),\s*([^,()]+)\)\)|dot\(pos\(([^,()]+),\s*([^,()]+)\),\s*pos\(\3,\s*\4\)\))\s*(?:-[^=]*)?=/.exec(
      text.trim(),
    );
  return match ? [match[1] ?? match[3], match[2] ?? match[4]].map((name) => name.trim()) : null;
}

/** Returns all rods as [[point, point]], each pair of points once. */
export function links(scene, motion) {
  const found = new Map();
  const add = (pair) => found.set([...pair].sort().join(' '), pair);
  const fixed = scene.points.filter((point) => point.fixed).map(({name}) => name);
  for (const {name, text} of scene.constraints) {
    const pair = stated(text);
    if (pair && pair.every((point) => motion.has(`${point}.p`))) {
      add(pair);
      continue;
    }
    const items = scene.forces.filter((one) => one.constraint === name && motion.has(one.value));
    const others = items.length === 2 ? [items[1].on] : items.length === 1 ? fixed : [];
    for (const other of others.filter((point) => motion.has(`${point}.p`) && point !== items[0].on))
      if (isRod(motion, items[0], items[0].on, other)) add([items[0].on, other]);
  }
  return [...found.values()];
}
