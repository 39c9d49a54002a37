// A plot as a PNG picture with its title and legend, on white.
import type { Plot } from './plot.ts';
import { plotSvg } from './svg-text.ts';

const WIDTH = 960;
/** Pixels for each unit of the drawing, so that the picture stays sharp in slides. */
const DENSITY = 2;

export async function plotPng(plot: Plot): Promise<Blob> {
  const { text, width, height } = plotSvg(plot, WIDTH);
  const url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width * DENSITY, height * DENSITY];
    const context = canvas.getContext('2d');
    if (!context) throw new Error('This browser does not draw on a canvas.');
    context.scale(DENSITY, DENSITY);
    context.drawImage(image, 0, 0, width, height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large.'))), 'image/png'),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}
