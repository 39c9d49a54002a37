// The answers about the company's logo: uploaded, replaced, removed.
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany } from '#platform/company/company.server.ts';
import { logoId, logoPicture } from '#platform/company/logo.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { fileName } from '#platform/shared/file-type.server.ts';
import type { CompanyAdmin } from './company-admin.contract.ts';
import { type LogoPicture, readLogo } from './logo-upload.server.ts';

/** The logo with the file it came in, or null. */
export async function readKeptLogo(db: Db) {
  const found = await db
    .selectFrom('company')
    .innerJoin('company_logo', 'company_logo.id', 'company.logo_id')
    .innerJoin('file', 'file.id', 'company_logo.file_id')
    .select(['company_logo.id', 'company_logo.width', 'company_logo.height', 'file.name', 'file.size'])
    .executeTakeFirst();
  return found ?? null;
}

type LogoAnswers = Pick<Answers<typeof CompanyAdmin>, 'UploadLogo' | 'RemoveLogo'>;

export const logoAnswers: LogoAnswers = {
  /** 422 with a sentence for an unusable picture, 409 over somebody else's change, 503 when it cannot be stored. */
  UploadLogo: async ({ db, services, user, upload, request }, { replaces }) => {
    if (!upload) throw invalid([{ path: 'file', message: 'Choose a file.' }]);
    const name = fileName(upload.name);
    const picture = await readLogo(name, upload.bytes);
    if ('refused' in picture) throw invalid([{ path: 'file', message: picture.refused }]);
    const before = await requireUnchanged(db, replaces);
    const id = logoId(picture.png);
    const known = await db.selectFrom('company_logo').select('id').where('id', '=', id).executeTakeFirst();
    // A logo that already exists stays unchanged; its bytes are stored again only when they were lost.
    if (known && (await logoPicture(db, services, id))) return changeLogo(db, user, before, id);
    const key = await services.files.put(picture.png).catch((error: unknown) => {
      request.log.error({ err: error }, 'a file could not be stored');
      throw new HttpError(503, `${name} could not be stored right now. Nothing was saved; try again in a moment.`);
    });
    try {
      await keepLogo(db, { id, name, key, ...picture });
      return await changeLogo(db, user, before, id);
    } catch (error) {
      // Without a row nobody would ever find the bytes again.
      await services.files.remove(key).catch(() => {});
      throw error;
    }
  },

  /** 409 over somebody else's change. Sent quotes keep their logo. */
  RemoveLogo: async ({ db, user }, { replaces }) => changeLogo(db, user, await requireUnchanged(db, replaces), null),
};

type KeptLogo = Awaited<ReturnType<typeof readKeptLogo>>;

/** Locks the company and returns its current logo. 409 when the person saw a different one. */
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
  const who = last?.actor ?? 'Somebody else';
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
