// The answers about the company's logo: uploading, replacing, removing, and which pictures are accepted.
import type { SharpConstructor } from 'sharp';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany } from '#platform/company/company.server.ts';
import { logoId, logoPicture } from '#platform/company/logo.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { fileName } from '#platform/shared/file-type.server.ts';
import { type CompanyAdmin, MAX_LOGO_BYTES, LOGO_PIXELS, formatFileSize } from './company-admin.contract.ts';

/** Returns the logo with its uploaded file, or null. */
export async function readKeptLogo(db: Db) {
  const row = await db
    .selectFrom('company')
    .innerJoin('company_logo', 'company_logo.id', 'company.logo_id')
    .innerJoin('file', 'file.id', 'company_logo.file_id')
    .select(['company_logo.id', 'company_logo.width', 'company_logo.height', 'file.name', 'file.size'])
    .executeTakeFirst();
  return row ?? null;
}

type LogoAnswers = Pick<Answers<typeof CompanyAdmin>, 'UploadLogo' | 'RemoveLogo'>;

export const logoAnswers: LogoAnswers = {
  /** Throws 422 with a sentence for an unusable picture, 409 if another user changed it, and 503 if it cannot be stored. */
  UploadLogo: async ({ db, services, user, upload, request }, { replaces }) => {
    if (!upload) throw invalid([{ path: 'file', message: 'Choose a file.' }]);
    const name = fileName(upload.name);
    const picture = await readLogo(name, upload.bytes);
    if ('refused' in picture) throw invalid([{ path: 'file', message: picture.refused }]);
    const before = await requireUnchanged(db, replaces);
    const id = logoId(picture.png);
    const known = await db.selectFrom('company_logo').select('id').where('id', '=', id).executeTakeFirst();
    // A logo that already exists stays unchanged; its bytes are stored again only if they were lost.
    if (known && (await logoPicture(db, services, id))) return changeLogo(db, user, before, id);
    const key = await services.files.put(picture.png).catch((error: unknown) => {
      request.log.error({ err: error }, 'a file could not be stored');
      throw new HttpError(503, `${name} could not be stored right now. Nothing was saved; try again in a moment.`);
    });
    try {
      await keepLogo(db, { id, name, key, ...picture });
      return await changeLogo(db, user, before, id);
    } catch (error) {
      // Without a row nothing refers to the bytes, so they are removed.
      await services.files.remove(key).catch(() => {});
      throw error;
    }
  },

  /** Throws 409 if another user changed it. Sent quotes keep their logo. */
  RemoveLogo: async ({ db, user }, { replaces }) => changeLogo(db, user, await requireUnchanged(db, replaces), null),
};

type KeptLogo = Awaited<ReturnType<typeof readKeptLogo>>;

/** Locks the company and returns its current logo. Throws 409 if the user saw a different one. */
async function requireUnchanged(db: Db, seen: string): Promise<KeptLogo> {
  await db.selectFrom('company').select('id').forUpdate().execute();
  const logo = await readKeptLogo(db);
  if ((logo?.id ?? '') === seen) return logo;
  const last = await db
    .selectFrom('record_event')
    .select('actor')
    .where('record_type', '=', 'company')
    .where('action', 'in', Object.values(ACTIONS))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const who = last?.actor ?? 'Another user';
  throw new HttpError(
    409,
    logo
      ? `${who} uploaded ${logo.name} in the meantime. Check it first. To use yours anyway, choose it again.`
      : `${who} removed the logo in the meantime. To use yours anyway, choose it again.`,
  );
}

async function keepLogo(
  db: Db,
  { id, name, key, png, width, height }: LogoPicture & { id: string; name: string; key: string },
): Promise<void> {
  const { id: fileId } = await db
    .insertInto('file')
    .values({ storage_key: key, name, media_type: 'image/png', size: png.length })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('company_logo')
    .values({ id, file_id: fileId, width, height })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ file_id: fileId }))
    .execute();
}

const ACTIONS = { upload: 'New logo', remove: 'Remove logo' } as const;

async function changeLogo(db: Db, user: Caller, before: KeptLogo, id: string | null): Promise<{ logo: KeptLogo }> {
  await db.updateTable('company').set({ logo_id: id }).execute();
  const after = await readKeptLogo(db);
  if (before?.id === after?.id) return { logo: after };
  const { name } = await loadCompany(db);
  await recordChange(db, user, {
    type: 'company',
    id: 1,
    name,
    action: after ? ACTIONS.upload : ACTIONS.remove,
    changes: [{ field: 'Logo', before: logoInWords(before), after: logoInWords(after) }],
  });
  return { logo: after };
}

function logoInWords(logo: KeptLogo): string {
  return logo ? `${logo.name} (${logo.width} × ${logo.height} pixels)` : '';
}

type LogoPicture = { png: Buffer; width: number; height: number };

/** Enough for print: on paper a logo is at most 34 points high and 160 wide (pdf-content.server.ts). */
const KEPT_SIZE = { width: 1200, height: 400 };
const MIN_PIXELS = 32;
/** Width divided by height. Outside these limits the logo would be a thin stroke on a quote. */
const SHAPES = { tallest: 1 / 3, longest: 10 };

/**
 * Reads a logo: a PNG or JPEG by its bytes, decoded and encoded again, so that only its pixels remain and nothing hidden in the file. Returns the
 * picture to store, always PNG, or a sentence that says why the upload is refused.
 */
async function readLogo(name: string, bytes: Buffer): Promise<LogoPicture | { refused: string }> {
  if (bytes.length === 0) return { refused: `${name} is empty.` };
  if (bytes.length > MAX_LOGO_BYTES) {
    return {
      refused: `${name} is ${formatFileSize(bytes.length)}. A logo may be up to ${formatFileSize(MAX_LOGO_BYTES)}.`,
    };
  }
  if (!begins(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) && !begins(bytes, [0xff, 0xd8, 0xff])) {
    return {
      refused: isSvg(bytes)
        ? `${name} is an SVG drawing, which can contain scripts. Save it as a PNG at least 600 pixels wide and choose that file.`
        : `${name} is neither a PNG nor a JPEG. Save it as PNG or JPEG and choose that file.`,
    };
  }
  // Loaded on demand, because a server does not need it in memory until a user uploads a logo.
  const { default: sharp } = await import('sharp');
  try {
    return await rewritten(name, bytes, sharp);
  } catch {
    return { refused: `${name} cannot be read: it is damaged or incomplete. Save it again and choose that file.` };
  }
}

async function rewritten(
  name: string,
  bytes: Buffer,
  sharp: SharpConstructor,
): Promise<LogoPicture | { refused: string }> {
  const image = sharp(bytes, { limitInputPixels: false }).autoOrient();
  const { width, height } = (await image.metadata()).autoOrient;
  const is = `${name} is ${width} × ${height} pixels`;
  if (Math.max(width, height) > LOGO_PIXELS) {
    return {
      refused: `${is}. Resize it to at most ${LOGO_PIXELS.toLocaleString('en-US')} pixels in width and height, then choose it again.`,
    };
  }
  if (Math.min(width, height) < MIN_PIXELS) return { refused: `${is}, too few to print. Choose a larger picture.` };
  const shape = width / height;
  if (shape > SHAPES.longest || shape < SHAPES.tallest) {
    return { refused: `${is}, too ${shape > 1 ? 'wide' : 'tall'} for the top of a quote.` };
  }
  const { data: png, info } = await image
    .resize({ ...KEPT_SIZE, fit: 'inside', withoutEnlargement: true })
    .toColorspace('srgb')
    .png({ compressionLevel: 9 })
    .toBuffer({ resolveWithObject: true });
  const { channels } = await sharp(png).flatten({ background: '#fff' }).stats();
  if (channels.every(({ min }) => min > 240)) {
    return { refused: `${name} cannot be seen on white paper. Choose a logo with darker colors.` };
  }
  return { png, width: info.width, height: info.height };
}

function begins(bytes: Buffer, signature: number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

function isSvg(bytes: Buffer): boolean {
  return /<svg[\s>]/i.test(bytes.subarray(0, 4096).toString('latin1'));
}
