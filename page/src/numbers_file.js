// Writes numbers of a page as CSV: one table per motion, with a line of names and a line of units.

const quote = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * Returns the CSV of curves.
 * \param motions  of the scene
 * \param range    [from, to] in s
 * \param columnsOf  function that returns the columns of a motion: [{name, unit, values}], values per sample
 */
export function csvOf(motions, [from, to], columnsOf) {
  const tables = motions.map((motion) => {
    const columns = columnsOf(motion);
    const rows = [...motion.t.keys()]
      .filter((i) => motion.t[i] >= from && motion.t[i] <= to)
      .map((i) => [motion.t[i], ...columns.map(({values}) => (Number.isFinite(values[i]) ? values[i] : ''))].join(','));
    return [
      ...(motion.name ? [`# ${motion.name}`] : []),
      ['t', ...columns.map(({name}) => quote(name))].join(','),
      `# ${['s', ...columns.map(({unit}) => (unit === '1' ? '' : unit))].join(',')}`,
      ...rows,
    ].join('\n');
  });
  return `${tables.join('\n\n')}\n`;
}
