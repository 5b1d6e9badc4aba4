// Draws the open plots as one SVG picture for papers and slides: the visible time range, in colors of the light theme.
import {bracketed, roundBelow, shown} from './numbers.js';
import {seriesColour} from './theme.js';

const kWidth = 900,
  kLeft = 84,
  kRight = 24,
  kPanel = 190,
  kTop = 52,
  kGap = 56;
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Returns about `count` round numbers between two values. */
function marks(from, to, count) {
  const step = roundBelow(((to - from) / count) * 1.5),
    all = [];
  for (let k = Math.ceil(from / step - 1e-9); k <= to / step + 1e-9; ++k)
    all.push(Math.abs(k * step) < step / 2 ? 0 : k * step);
  return all;
}

/** Returns the points of the line that shows a value with steps: two points per step. */
function corners(steps, end) {
  const points = steps.flatMap(([t, v], k) => (k > 0 ? [[t, steps[k - 1][1]]] : []).concat([[t, v]]));
  return [...points, [end, steps.at(-1)[1]]];
}

function panel({group, lines}, [from, to], top, areas) {
  const x = (t) => kLeft + ((t - from) / (to - from)) * (kWidth - kLeft - kRight);
  const inside = lines.map(({motion, values, steps}) => {
    const points = steps ? corners(steps, motion.end) : [...motion.t].map((t, i) => [t, values[i]]);
    return points
      .filter((_, i) => (points[i + 1] ?? points[i])[0] >= from && (points[i - 1] ?? points[i])[0] <= to)
      .map(([t, v]) => [t, group.isLog ? Math.log10(v) : v]);
  });
  const seen = inside.flat().map(([, v]) => v);
  const [low, high] = extent(seen);
  const y = (v) => top + kPanel * (1 - (v - low) / (high - low));
  const stroke = (path) => `<path d="${path}" stroke="#d9dee5"/>`;
  const mark = (left, below, anchor, text) =>
    `<text x="${left}" y="${below.toFixed(2)}" text-anchor="${anchor}">${text}</text>`;
  const levels = marks(low, high, 5).map(
    (v) =>
      stroke(`M${kLeft} ${y(v).toFixed(2)}H${kWidth - kRight}`) +
      mark(kLeft - 8, y(v) + 4.5, 'end', shown(group.isLog ? 10 ** v : v, 3)),
  );
  const times = marks(from, to, 8).map(
    (t) =>
      stroke(`M${x(t).toFixed(2)} ${top}v${kPanel}`) +
      mark(x(t).toFixed(2), top + kPanel + 18, 'middle', Number(t.toPrecision(6))),
  );
  const shades = areas.flatMap(({colour, times: spans}) =>
    spans
      .filter(([a, b]) => b >= from && a <= to)
      .map(([a, b]) => {
        const begin = x(Math.max(a, from)),
          wide = Math.max(1, x(Math.min(b, to)) - begin);
        const place = `x="${begin.toFixed(2)}" y="${top}" width="${wide.toFixed(2)}" height="${kPanel}"`;
        return `<rect ${place} fill="${colour}" opacity="0.1"/>`;
      }),
  );
  const grid = [...shades, ...levels, ...times];
  let at = kLeft;
  const legend = [
    `<text x="${at}" y="${top - 10}" font-weight="600">${escaped(`${group.title} ${bracketed(group.unit)}`)}</text>`,
  ];
  at += 7.2 * (group.title.length + bracketed(group.unit).length) + 30;
  const drawn = lines.map((line, k) => {
    const dashes = line.dash.length ? ` stroke-dasharray="${line.dash.join(' ')}"` : '';
    const look = `stroke="${line.colour()}"${dashes} fill="none" stroke-width="1.6"`;
    legend.push(
      `<path d="M${at} ${top - 14}h22" ${look}/><text x="${at + 28}" y="${top - 10}">${escaped(line.name)}</text>`,
    );
    at += 7.2 * line.name.length + 48;
    let isOn = false;
    const path = inside[k].map(([t, v]) => {
      const step = Number.isFinite(v) ? `${isOn ? 'L' : 'M'}${x(t).toFixed(2)} ${y(v).toFixed(2)}` : '';
      isOn = step !== '';
      return step;
    });
    return `<path d="${path.join('')}" ${look} stroke-linejoin="round" clip-path="url(#panel)"/>`;
  });
  return [
    ...grid,
    ...drawn,
    `<path d="M${kLeft} ${top}v${kPanel}H${kWidth - kRight}" fill="none" stroke="#1c2733"/>`,
    ...legend,
  ].join('\n');
}

/** Returns the least and the greatest finite value, apart from each other. */
function extent(values) {
  const seen = values.filter(Number.isFinite);
  let low = Math.min(...seen),
    high = Math.max(...seen);
  if (!(high >= low)) return [0, 1];
  if (high === low) {
    low -= Math.abs(low) / 2 || 0.5;
    high += Math.abs(high) / 2 || 0.5;
  }
  return [low, high];
}

/** Draws one quantity against another. */
function crossedPanel({x, y, curves}, top) {
  const [[left, right], [low, high]] = ['xs', 'ys'].map((part) => extent(curves.flatMap((curve) => curve[part])));
  const across = (v) => (kLeft + ((v - left) / (right - left)) * (kWidth - kLeft - kRight)).toFixed(2),
    up = (v) => (top + kPanel * (1 - (v - low) / (high - low))).toFixed(2);
  const grid = [
    ...marks(left, right, 8).map(
      (v) =>
        `<path d="M${across(v)} ${top}v${kPanel}" stroke="#d9dee5"/>` +
        `<text x="${across(v)}" y="${top + kPanel + 18}" text-anchor="middle">${shown(v, 3)}</text>`,
    ),
    ...marks(low, high, 5).map(
      (v) =>
        `<path d="M${kLeft} ${up(v)}H${kWidth - kRight}" stroke="#d9dee5"/>` +
        `<text x="${kLeft - 8}" y="${Number(up(v)) + 4.5}" text-anchor="end">${shown(v, 3)}</text>`,
    ),
  ];
  const drawn = curves.map(({xs, ys, dash}, k) => {
    const steps = xs.map((v, i) => (Number.isFinite(v) && Number.isFinite(ys[i]) ? `${across(v)} ${up(ys[i])}` : ''));
    const path = steps.map((step, i) => (step ? `${steps[i - 1] ? 'L' : 'M'}${step}` : '')).join('');
    const dashes = dash.length ? ` stroke-dasharray="${dash.join(' ')}"` : '';
    return `<path d="${path}" stroke="${seriesColour(k)}"${dashes} fill="none" stroke-width="1.6"/>`;
  });
  const name = (quantity) => escaped(`${quantity.name} ${bracketed(quantity.unit)}`.trim());
  return [
    ...grid,
    ...drawn,
    `<path d="M${kLeft} ${top}v${kPanel}H${kWidth - kRight}" fill="none" stroke="#1c2733"/>`,
    `<text x="${kLeft}" y="${top - 10}" font-weight="600">${name(y)} over ${name(x)}</text>`,
  ].join('\n');
}

/**
 * \param plots    the open plots
 * \param crossed  x–y plots: [{x, y: {name, unit}, curves: [{xs, ys, dash}]}]
 * \param range    [from, to] s
 * \param areas    shaded intervals: [{name, colour, times}]
 */
export function picture(title, plots, crossed, range, areas) {
  const height = kTop + (plots.length + crossed.length) * (kPanel + kGap) + 10;
  const top = (k) => kTop + 22 + k * (kPanel + kGap);
  let at = kLeft;
  const legend = areas.map(({name, colour}) => {
    const place = at;
    at += 7.2 * name.length + 100;
    return (
      `<rect x="${place}" y="${height - 17}" width="22" height="12" fill="${colour}" opacity="0.25"/>` +
      `<text x="${place + 28}" y="${height - 6}">${escaped(name)} acts</text>`
    );
  });
  const size = `width="${kWidth}" height="${height}" viewBox="0 0 ${kWidth} ${height}"`;
  const font = 'font-family="sans-serif" font-size="13" fill="#1c2733"';
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${font}>
<title>${escaped(title)}</title>
<clipPath id="panel"><rect x="${kLeft}" y="0" width="${kWidth - kLeft - kRight}" height="${height}"/></clipPath>
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="${kLeft}" y="24" font-size="16" font-weight="600">${escaped(title)}</text>
${plots.map((plot, k) => panel(plot, range, top(k), areas)).join('\n')}
${crossed.map((plot, k) => crossedPanel(plot, top(plots.length + k))).join('\n')}
${legend.join('\n')}
<text x="${kWidth - kRight}" y="${height - 6}" text-anchor="end">t [s]</text>
</svg>
`;
}
