// The bar between the drawing and the plots: dragged with the pointer, or moved with the keys ← → Home End. The page
// remembers its place if the browser lets it store something.
import {h} from './dom.js';

const kKey = 'vinculum.split';
const kUsual = 58.7; // width of the drawing in percent, at first and after a double click
const kLeast = 25,
  kMost = 80;
const kStep = 2; // percent per key

const stored = () => {
  try {
    return Number(localStorage.getItem(kKey)) || kUsual;
  } catch {
    return kUsual; // the browser stores nothing for this page
  }
};
const store = (percent) => {
  try {
    localStorage.setItem(kKey, String(percent));
  } catch {
    /* the place is used until the page is closed */
  }
};

/**
 * Creates the bar.
 * \param page   element that the bar divides; its property --split is the width of the drawing
 * \param moved  function that is called after the bar has moved
 */
export function splitBar(page, moved) {
  const bar = h('div', {
    'class': 'split',
    'role': 'separator',
    'tabindex': '0',
    'aria-orientation': 'vertical',
    'aria-label': 'width of the drawing',
    'aria-valuemin': kLeast,
    'aria-valuemax': kMost,
    'title': 'drag, or ← →; double click for the usual width',
  });
  let width = kUsual;
  const set = (percent) => {
    width = Math.min(kMost, Math.max(kLeast, percent));
    page.style.setProperty('--split', `${width}%`);
    bar.setAttribute('aria-valuenow', width.toFixed(0));
  };
  const place = (percent) => {
    set(percent);
    store(width);
    moved();
  };
  set(stored());
  bar.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    bar.setPointerCapture(event.pointerId);
    bar.classList.add('dragged');
    event.preventDefault();
    bar.focus();
  });
  bar.addEventListener('pointermove', (event) => {
    if (!bar.hasPointerCapture(event.pointerId)) return;
    const box = page.getBoundingClientRect();
    set((100 * (event.clientX - box.left)) / box.width);
  });
  bar.addEventListener('lostpointercapture', () => {
    bar.classList.remove('dragged');
    place(width);
  });
  bar.addEventListener('dblclick', () => place(kUsual));
  bar.addEventListener('keydown', (event) => {
    const next = {ArrowLeft: width - kStep, ArrowRight: width + kStep, Home: kLeast, End: kMost}[event.key];
    if (next === undefined) return;
    place(next);
    event.preventDefault();
    event.stopPropagation();
  });
  return bar;
}
