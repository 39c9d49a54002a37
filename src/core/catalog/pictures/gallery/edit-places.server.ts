// Lets administrators change pictures in their places: viewers, order, text, removal and restoring.
import { sql } from 'kysely';
import { HttpError, notFound } from '#platform/api/http-error.ts';
import type { Answers, Context as CallContext } from '#platform/api/serve.server.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { RecordAction } from '#platform/history/record-words.ts';
import { OPEN_STATUSES, quoteNumber } from '#core/quoting/quotes/status.ts';
import type { FieldChange } from '#platform/shared/conflict.ts';
import { KEPT_DAYS } from '../pictures.contract.ts';
import type { ItemImageGallery } from './gallery.contract.ts';
import { viewersOf, viewerWords } from './gallery-words.ts';
import {
  changePlace,
  lockPlaces,
  orderPlaces,
  type Place,
  removePlace,
  restorePlace,
} from '#core/catalog/product-pictures/places.server.ts';

type Context = Pick<CallContext<'user'>, 'db' | 'user' | 'services'>;
type Editing = Pick<
  Answers<typeof ItemImageGallery>,
  'DeleteItemImage' | 'RestoreItemImages' | 'UpdateItemImageHidenRoles' | 'SaveItemImage' | 'SaveItemImageOrder'
>;
type Use = Pick<OutputOf<(typeof ItemImageGallery)['DeleteItemImage']>, 'openQuotes' | 'sentQuotes' | 'quotes'>;

/** The actions on pictures in a product's history. */
const ACTIONS = ['Hide picture', 'Remove picture', 'Restore picture', 'Order pictures', 'Describe picture'] as const;
type PlaceChange = { place: Place; change: FieldChange };

export const editAnswers: Editing = {
  DeleteItemImage: async (context, { id }) => {
    const { db, services } = context;
    const [place] = await lockPlaces(db, [id]);
    if (!place) throw notFound('picture');
    const { productName, name } = place;
    let { version } = place;
    // If two users remove it at once, both get the same answer.
    if (place.removedAt === null) {
      version = await removePlace(db, place, services.clock.now());
      await recordPictures(context, 'Remove picture', [
        { place, change: { field: 'Picture', before: name, after: '' } },
      ]);
    }
    const until = lastDay(place.removedAt ?? services.clock.now()).toISOString();
    return { id, version, name, productName, until, ...(await useOf(db, place)) };
  },

  RestoreItemImages: async (context, { places: input }) => {
    const { db, services } = context;
    const wanted = new Map(input.map((entry) => [entry.id, entry]));
    const unchanged = [];
    const back: PlaceChange[] = [];
    const seen: PlaceChange[] = [];
    for (const place of await lockAll(db, [...wanted.keys()])) {
      const { id, name, removedAt } = place;
      const change = wanted.get(id);
      if (change?.version !== place.version) {
        unchanged.push({ id, name, problem: 'Another user has changed it since.' });
      } else if (removedAt !== null && lastDay(removedAt) < services.clock.now()) {
        unchanged.push({ id, name, problem: `It was removed more than ${KEPT_DAYS} days ago.` });
      } else {
        if (change.hiddenRoles) seen.push(...(await hide(db, place, change.hiddenRoles)));
        if (removedAt === null) continue;
        await restorePlace(db, place, services.clock.now());
        back.push({ place, change: { field: 'Picture', before: '', after: name } });
      }
    }
    await recordPictures(context, 'Hide picture', seen);
    await recordPictures(context, 'Restore picture', back);
    return { restored: wanted.size - unchanged.length, kept: unchanged };
  },

  UpdateItemImageHidenRoles: async (context, { ids, hiddenRoles, version }) => {
    const { db } = context;
    const places = await lockAll(db, ids);
    const [first] = places;
    if (first && version !== undefined && version !== first.version) throw await conflictOver(db, first);
    const hidden: PlaceChange[] = [];
    const before = [];
    for (const place of places) {
      const [change] = await hide(db, place, hiddenRoles);
      if (!change) continue;
      hidden.push(change);
      before.push({ id: place.id, version: place.version + 1, hiddenRoles: viewersOf(place.hiddenRoles) });
    }
    await recordPictures(context, 'Hide picture', hidden);
    return { changed: before.length, before };
  },

  SaveItemImage: async (context, { id, version, alt, hiddenRoles }) => {
    const { db } = context;
    const [place] = await lockPlaces(db, [id]);
    if (!place || place.removedAt !== null) throw notFound('picture');
    if (place.version !== version) throw await conflictOver(db, place);
    const hidden = hiddenRoles ? await hide(db, place, hiddenRoles) : [];
    const change = { field: `Text of ${place.name}`, before: place.alt, after: alt };
    const described = place.alt === alt ? [] : [{ place, change }];
    if (described.length > 0) await changePlace(db, id, { alt });
    await recordPictures(context, 'Hide picture', hidden);
    await recordPictures(context, 'Describe picture', described);
    const saved = { id, version: version + hidden.length + described.length, alt };
    return { ...saved, hiddenRoles: viewersOf(hiddenRoles ?? place.hiddenRoles) };
  },

  SaveItemImageOrder: async (context, { productId, places: input }) => {
    const { db } = context;
    const was = await inTheirOrder(db, productId);
    const places = new Map((await lockPlaces(db, was)).map((place) => [place.id, place]));
    const [first] = places.values();
    if (!first) throw notFound('picture');
    const ids = [...new Set(input.map(({ id }) => id))];
    const isWhole = ids.length === was.length && input.every(({ id, version }) => places.get(id)?.version === version);
    if (!isWhole) throw await conflictOver(db, first, null);
    const names = (list: number[]) => list.map((id) => places.get(id)?.name).join(', ');
    const change = { field: 'Order', before: names(was), after: names(ids) };
    const ordered = await orderPlaces(db, ids);
    if (was.join() !== ids.join()) await recordPictures(context, 'Order pictures', [{ place: first, change }]);
    return ordered;
  },
};

/** The last day on which a removed picture can be restored. */
export function lastDay(removedAt: string | Date): Date {
  return new Date(new Date(removedAt).getTime() + KEPT_DAYS * 86_400_000);
}

/** Locks the places; throws 404 if one does not exist. */
async function lockAll(db: Db, ids: number[]): Promise<Place[]> {
  const places = await lockPlaces(db, ids);
  if (places.length < new Set(ids).size) throw notFound('picture');
  return places;
}

/** Hides a picture from exactly these roles. Returns the entry for the history, or nothing if it is already hidden from them. */
async function hide(db: Db, place: Place, from: readonly string[]): Promise<PlaceChange[]> {
  const [was, is] = [viewersOf(place.hiddenRoles), viewersOf(from)];
  if (was.join() === is.join()) return [];
  await changePlace(db, place.id, { hidden_roles: is });
  const change = { field: `${place.name} hidden from`, before: viewerWords(was), after: viewerWords(is) };
  return [{ place, change }];
}

/** The pictures of a product that are not removed. */
async function inTheirOrder(db: Db, productId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('product_image')
    .select('id')
    .where('product_id', '=', productId)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Open quotes with an item of the product, and quotes sent with the picture. Sent quotes keep it. */
async function useOf(db: Db, { productId, pictureId }: Place): Promise<Use> {
  type Row = { id: number; num: number; revision: number; sent: boolean; openQuotes: number; sentQuotes: number };
  const { rows } = await sql<Row>`
    with sent as (select distinct quote_revision.quote_id from picture
        join quote_revision_picture shown on shown.file_id in (picture.thumb_file_id, picture.medium_file_id,
          picture.large_file_id, picture.print_file_id)
        join quote_revision on quote_revision.id = shown.quote_revision_id
      where picture.id = ${pictureId}),
    open as (select distinct quote.id as quote_id from item join quote_item line on line.item_id = item.id
      join quote on quote.id = line.quote_id
      where item.product_id = ${productId} and quote.status_id = any(${[...OPEN_STATUSES]}::text[]))
    select quote.id, quote.num, quote.revision, quote.id in (select quote_id from sent) as sent,
      (select count(*)::int from open) as "openQuotes", (select count(*)::int from sent) as "sentQuotes"
    from quote where quote.id in (select quote_id from sent union select quote_id from open)
    order by quote.quote_date desc, quote.id desc limit 20`.execute(db);
  const [counts] = rows;
  return {
    openQuotes: counts?.openQuotes ?? 0,
    sentQuotes: counts?.sentQuotes ?? 0,
    quotes: rows.map(({ id, num, revision, sent }) => ({ id, number: quoteNumber(num, revision), sent })),
  };
}

/** Names the user who last changed the product's pictures. `current` is the state from which a form can continue. */
async function conflictOver(
  db: Db,
  { id, version, alt, hiddenRoles, productId, name }: Place,
  current: Record<string, unknown> | null = { id, version, alt, hiddenRoles: viewersOf(hiddenRoles) },
): Promise<HttpError> {
  const last = await db
    .selectFrom('record_event')
    .select(['actor', 'at', 'changes'])
    .where('record_type', '=', 'product')
    .where('record_id', '=', productId)
    .where('action', 'in', ACTIONS)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  const [what, it] = current ? [`the picture ${name}`, 'it'] : ['the pictures of this product', 'them'];
  return new HttpError(409, `${last?.actor ?? 'Someone else'} changed ${what} in the meantime. Check ${it} again.`, {
    conflict: {
      changedBy: last?.actor ?? null,
      changedAt: last?.at ?? null,
      changes: (last?.changes ?? []) as FieldChange[],
      current,
    },
  });
}

/** Records in each product's history what changed in its pictures. */
async function recordPictures(
  { db, user }: Context,
  action: (typeof ACTIONS)[number] & RecordAction,
  added: PlaceChange[],
): Promise<void> {
  const products = [...Map.groupBy(added, ({ place }) => place.productId)];
  if (products.length === 0) return;
  await db
    .insertInto('record_event')
    .values(
      products.map(([id, group]) => ({
        record_type: 'product',
        record_id: id,
        record_name: group[0]?.place.productName ?? '',
        user_id: user.id,
        actor: user.fullName,
        action,
        changes: JSON.stringify(group.map(({ change }) => change)),
      })),
    )
    .execute();
}
