// The company's logo: its wire format, the address of its picture, and its size in a box.
import { z } from 'zod';

export const Logo = z.object({
  /** The SHA-256 of the picture in base64url, so each picture has its own id. */
  id: z.string(),
  /** In pixels. */
  width: z.number().int(),
  height: z.number().int(),
});
export type Logo = z.infer<typeof Logo>;

export function logoAddress({ id }: Pick<Logo, 'id'>): string {
  return `/files/logos/${id}`;
}

/** Returns the size of a logo that fills a box of these dimensions without distortion, rounded to a hundredth. */
export function logoSize(logo: Logo, box: { width: number; height: number }): { width: number; height: number } {
  const scale = Math.min(box.width / logo.width, box.height / logo.height);
  const rounded = (length: number) => Math.round(length * scale * 100) / 100;
  return { width: rounded(logo.width), height: rounded(logo.height) };
}
