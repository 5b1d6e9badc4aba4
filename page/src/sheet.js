// Draws the scene with its labels, scale bars, title and time on one canvas, for pictures and videos.
import {h} from './dom.js';

const kFont = '12px system-ui, sans-serif';

/** Creates the canvas for a view; its size in pixels is even, because video encoders need that. */
export function sheetFor(view) {
  const even = (pixels) => pixels - (pixels % 2);
  return h('canvas', {width: even(view.canvas.width), height: even(view.canvas.height)});
}

function drawLabel(pen, write, label, box) {
  const place = label.getBoundingClientRect();
  if (place.width === 0) return;
  const left = place.left - box.left,
    top = place.top - box.top;
  pen.fillStyle = getComputedStyle(label).backgroundColor;
  pen.fillRect(left, top, place.width, place.height);
  pen.fillStyle = label.querySelector('i').style.getPropertyValue('--c');
  pen.fillRect(left + 5, top + 4, 4, place.height - 8);
  const text = [...label.querySelectorAll('b, span')].map((one) => one.textContent).filter(Boolean);
  write(text.join(' '), left + 14, top + place.height / 2);
}

function drawLeaders(pen, leaders) {
  for (const line of leaders.querySelectorAll('path[stroke]')) {
    pen.strokeStyle = line.getAttribute('stroke');
    pen.lineWidth = 1.2;
    pen.stroke(new Path2D(line.getAttribute('d')));
  }
}

/**
 * Draws a frame.
 * \param stage  element with the drawing, the labels and the scale bars
 * \param title  text in the corner
 */
export function drawSheet(sheet, view, stage, title) {
  view.draw();
  const pen = sheet.getContext('2d'),
    style = getComputedStyle(document.documentElement),
    box = stage.getBoundingClientRect(),
    ratio = view.canvas.width / view.width;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.fillStyle = style.getPropertyValue('--stage');
  pen.fillRect(0, 0, sheet.width, sheet.height);
  pen.drawImage(view.canvas, 0, 0);
  pen.scale(ratio, ratio);
  pen.textBaseline = 'middle';
  const write = (text, x, y, font = kFont) => {
    pen.font = font;
    pen.fillStyle = style.getPropertyValue('--ink');
    pen.fillText(text, x, y);
  };
  drawLeaders(pen, stage.querySelector('.leaders'));
  for (const label of view.layer.children) drawLabel(pen, write, label, box);
  for (const bar of stage.querySelectorAll('.bar:not([hidden])')) {
    const line = bar.querySelector('svg').getBoundingClientRect(),
      y = line.top - box.top + 6;
    pen.strokeStyle = style.getPropertyValue('--ink');
    pen.strokeRect(line.left - box.left, y, line.width - 2, 0.1);
    write(bar.textContent, line.left - box.left, y + 14);
  }
  write(title, 14, 22, '600 14px system-ui, sans-serif');
}
