// Chooses one color per constraint and `reveal` statement, the same in drawing, label, plot and card. Each theme has
// eight hues that are distinguishable on its background.
const kHues = {
  light: ['#c8324b', '#0b7285', '#c07000', '#6741b8', '#3b873e', '#b0308f', '#1f5fa8', '#8a5a2b'],
  dark: ['#ff6b7f', '#3bc9db', '#f2ad33', '#a78bfa', '#69c96e', '#f080d0', '#74b0ff', '#d6a071'],
};
const kSeries = {
  light: ['#1f5fa8', '#c2500a', '#2b8a57', '#8a3fa0', '#b3243f', '#557000', '#0b7285', '#7a4b20'],
  dark: ['#74b0ff', '#ff9a52', '#5fd394', '#d08ce6', '#ff7d8f', '#bcd35f', '#3bc9db', '#d6a071'],
};
const kScene = {
  light: {
    body: '#8ea6bd',
    other: '#c9d4df',
    rod: '#b9c2d0',
    link: '#5d6b7c',
    hole: '#ffffff',
    dot: '#1c2733',
    trace: '#2b3a4d',
    path: '#c3cbd6',
    grid: '#9aa5b3',
    load: '#6f7885',
    shadow: '#5a5a5a',
    halo: '#ffffff',
  },
  dark: {
    body: '#6d87a3',
    other: '#a8bacd',
    rod: '#55647a',
    link: '#97a5b5',
    hole: '#1c2733',
    dot: '#e7edf4',
    trace: '#d5dfeb',
    path: '#3c4858',
    grid: '#5b6675',
    load: '#9aa3af',
    shadow: '#000000',
    halo: '#10161d',
  },
};

/** Muted hues of bodies, so that adjacent bodies are distinguishable: [body, its second tone]. */
const kBodies = {
  light: [
    ['#8ea6bd', '#c9d4df'],
    ['#b8a68a', '#ddd3c2'],
    ['#93b09b', '#cadbcf'],
    ['#ab9cba', '#d8cfe0'],
    ['#bd9a95', '#e0cdca'],
    ['#8db1b5', '#c8dcde'],
  ],
  dark: [
    ['#6d87a3', '#a8bacd'],
    ['#94815f', '#bfae90'],
    ['#648a70', '#9dbba7'],
    ['#837296', '#b5a7c4'],
    ['#97716b', '#c2a29d'],
    ['#5f898e', '#99b9bc'],
  ],
};

export const isDark = () => document.documentElement.dataset.theme === 'dark';
const theme = () => (isDark() ? 'dark' : 'light');
export const constraintColour = (scene, name) => {
  const stated = scene.view?.colours[name];
  if (stated) return stated;
  const names = [...scene.constraints, ...scene.reveals].map((one) => one.name),
    place = Math.max(0, names.indexOf(name));
  return kHues[theme()][place % 8];
};
export const seriesColour = (k) => kSeries[theme()][k % 8];
export const bodyTones = (k) => {
  const [body, other] = kBodies[theme()][k % 6];
  return {body, other};
};
export const sceneColours = () => kScene[theme()];
export const kDashes = [[], [7, 4], [2, 3], [10, 3, 2, 3], [4, 4]];
