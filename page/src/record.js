// Records the motion as a video, with the encoder of the browser (MediaRecorder): WebM or MP4, as the browser offers.

const kFormats = [
  ['video/webm;codecs=vp9', 'webm'],
  ['video/webm;codecs=vp8', 'webm'],
  ['video/webm', 'webm'],
  ['video/mp4', 'mp4'],
];
const kFramesPerSecond = 30;
const kBitsPerPixel = 0.15; // per frame: thin lines stay sharp

/** Returns the format that this browser can record: [MIME type, end of the file name]; undefined if there is none. */
export function videoFormat() {
  if (typeof MediaRecorder === 'undefined' || !HTMLCanvasElement.prototype.captureStream) return undefined;
  return kFormats.find(([type]) => MediaRecorder.isTypeSupported(type));
}

/**
 * Records frames of a sheet in real time.
 * \param sheet   canvas on which `draw` draws
 * \param length  length of the video in s
 * \param draw    draws the frame of a time in s, from 0 to `length`
 * \param signal  AbortSignal that ends the recording
 * \returns the video as a Blob; null if the recording was aborted
 */
export async function record(sheet, length, draw, signal) {
  const [mimeType] = videoFormat();
  draw(0);
  const stream = sheet.captureStream(kFramesPerSecond),
    parts = [];
  const recorder = new MediaRecorder(stream, {
    mimeType,
    videoBitsPerSecond: Math.round(kBitsPerPixel * kFramesPerSecond * sheet.width * sheet.height),
  });
  recorder.addEventListener('dataavailable', ({data}) => parts.push(data));
  const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve, {once: true}));
  recorder.start();
  const start = performance.now();
  const drawn = new Promise((resolve, reject) => {
    const frame = (now) => {
      const time = Math.min(length, (now - start) / 1000);
      try {
        draw(Math.max(0, time));
      } catch (error) {
        reject(error);
        return;
      }
      if (signal.aborted || time >= length) setTimeout(resolve, 2000 / kFramesPerSecond);
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  try {
    await drawn;
  } finally {
    recorder.stop();
    await stopped;
    for (const track of stream.getTracks()) track.stop();
  }
  return signal.aborted ? null : new Blob(parts, {type: mimeType.split(';')[0]});
}
