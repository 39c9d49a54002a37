// The process in which sharp makes the renditions of pictures, so that decoding neither blocks nor crashes the server.
import fs from 'node:fs/promises';
import path from 'node:path';
import sharp, { type OutputInfo } from 'sharp';
import { answerJobs } from '#platform/outside/pool-worker.server.ts';
import { MAX_PIXELS } from './picture-limits.server.ts';

/** `turns`: quarter turns to the right, after the picture's own orientation is applied. The renditions go into `folder`. */
export type RenderJob = { file: string; folder: string; turns: number };
/** `refused`: why the picture can never be rendered. */
export type Rendered = { refused: string } | { width: number; height: number; files: Record<Rendition, string> };
export type Rendition = 'thumb' | 'medium' | 'large' | 'print';

const SECONDS = 60;
const DAMAGED = 'The picture is damaged or incomplete. Upload it again.';
const PIXELS = 'The picture has more than 50 million pixels. Make it smaller and upload it again.';

// Each process decodes one picture and caches nothing, so memory stays flat and the number of processes limits the decoding.
sharp.cache(false);
sharp.concurrency(1);

answerJobs(render);

async function render({ file, folder, turns }: RenderJob): Promise<Rendered> {
  // If the file cannot be opened, the machine has a problem, not the picture.
  await (await fs.open(file)).close();
  const head = await sharp(file, { limitInputPixels: false })
    .metadata()
    .catch(() => null);
  if (!head?.width || !head.height) return { refused: DAMAGED };
  if (head.width * head.height > MAX_PIXELS) return { refused: PIXELS };
  const decoded = await decode(file, turns);
  if (!decoded) return { refused: DAMAGED };
  const { data, info } = decoded;
  const { width, height, channels } = info;
  const from = (bytes: Buffer, target: Pick<OutputInfo, 'width' | 'height' | 'channels'>) =>
    sharp(bytes, { raw: { width: target.width, height: target.height, channels: target.channels } });
  const large = () => from(data, { width, height, channels });
  const fit = (size: number) => ({ width: size, height: size, fit: 'inside' as const, withoutEnlargement: true });
  const files: Record<Rendition, string> = {
    large: path.join(folder, 'large.webp'),
    medium: path.join(folder, 'medium.webp'),
    thumb: path.join(folder, 'thumb.webp'),
    print: path.join(folder, 'print.jpg'),
  };
  const webp = { quality: 82, effort: 2 };
  await large().webp(webp).toFile(files.large);
  const medium = await large().resize(fit(640)).raw().toBuffer({ resolveWithObject: true });
  await from(medium.data, medium.info).webp(webp).toFile(files.medium);
  await from(medium.data, medium.info).resize(fit(160)).webp(webp).toFile(files.thumb);
  await large().resize(fit(600)).flatten({ background: '#fff' }).jpeg({ quality: 85 }).toFile(files.print);
  return { width: info.fullWidth, height: info.fullHeight, files };
}

/** The first frame, upright, in sRGB, within 1,600 pixels and without any metadata. Null if the picture is damaged. */
async function decode(file: string, turns: number) {
  const upright = sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .timeout({ seconds: SECONDS })
    .autoOrient();
  const { width, height } = await sharp(file, { limitInputPixels: MAX_PIXELS })
    .metadata()
    .then(({ autoOrient }) => autoOrient);
  const [fullWidth, fullHeight] = turns % 2 === 0 ? [width, height] : [height, width];
  try {
    const { data, info } = await upright
      .rotate(turns * 90)
      .resize({ width: 1600, height: 1600, fit: 'inside', withoutEnlargement: true })
      .toColorspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { data, info: { ...info, fullWidth, fullHeight } };
  } catch (error) {
    if (error instanceof Error && /timeout/i.test(error.message)) throw error;
    return null;
  }
}
