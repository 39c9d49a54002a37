// Pictures for tests: two vertical bands of color, in any size and format.
import sharp, { type Sharp } from 'sharp';

export function aPicture(width: number, height: number, color = '#0f7486'): Sharp {
  const half = Math.ceil(width / 2);
  const band = { width: half, height, channels: 4, background: '#e8a33d' } as const;
  return sharp({ create: { width, height, channels: 4, background: color } }).composite([
    { input: { create: band }, left: width - half, top: 0 },
  ]);
}

/** A PNG. */
export function aLogo(width = 600, height = 200, color?: string): Promise<Buffer> {
  return aPicture(width, height, color).png().toBuffer();
}
