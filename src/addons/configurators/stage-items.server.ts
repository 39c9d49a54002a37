// Stores the items that a configurator posts for a quote, until the user adds them as lines.
import { HttpError } from '#platform/api/http-error.ts';
import { openEdit } from '#core/quoting/quote-edit/settle/edit-quote.server.ts';
import type { ReadContext } from '#core/quoting/quote-edit/view/quote-view.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import type { StagedItem } from './posted-item.ts';

/** The most items that may wait on one quote, over all its configurations. */
export const MAX_STAGED = 10_000;

type Configuration = {
  quoteId: number;
  /** The configurator's id for the configuration, at most 100 characters. Posting the same id again replaces the earlier items. */
  configId: string;
  /** The title of the section on the quote, at most 200 characters. Empty means 'Configuration' and the id. */
  name: string;
  /** The origin: a call by another program, a file, or the product's own configurator. */
  source: 'Call' | 'File' | 'Own';
  /** The whole configuration. Earlier items that are not in it are gone. */
  items: readonly StagedItem[];
};

/**
 * Stores a whole configuration for a quote. The quote does not change. Later the user adds the items ('Configurator items' on the board,
 * `SaveDmsItemsToQuote`), and first sees what is new, changed or gone since the last time.
 *
 * Use it in a call declared with `writes: true`, and pass that call's context, whose `db` is the transaction:
 *
 *     await stageItems(context, { quoteId, configId: 'bed-7', name: 'Bed 7', source: 'Own', items });
 *
 * It checks and locks the quote itself. Throws 404 if the user does not see the quote, 403 or 409 if the quote cannot be edited, 409 if the id
 * belongs to another configurator, and 422 if more than MAX_STAGED items would wait. Storing the same configuration twice is harmless.
 */
export async function stageItems(context: ReadContext, configuration: Configuration): Promise<void> {
  const { db, user, services } = context;
  const { quoteId, configId, name, source, items } = configuration;
  await requireOpenForItems(context, quoteId);
  await requireOwn(context, configuration);
  if (await isThere(context, configuration)) return;
  const { id } = await db
    .insertInto('configuration')
    .values({
      quote_id: quoteId,
      config_id: configId,
      name,
      source,
      posted_by: user.id,
      posted_by_name: user.fullName,
      posted_at: services.clock.now(),
    })
    .onConflict((conflict) =>
      conflict.columns(['quote_id', 'config_id']).doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        source: eb.ref('excluded.source'),
        posted_by: eb.ref('excluded.posted_by'),
        posted_by_name: eb.ref('excluded.posted_by_name'),
        posted_at: eb.ref('excluded.posted_at'),
        version: eb('configuration.version', '+', 1),
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.deleteFrom('configured_item').where('configuration_id', '=', id).execute();
  await requireRoom(context, quoteId, items.length);
  await insertItems(context, id, items);
}

/** Prevents configurations made in the product and those from outside from replacing each other. */
async function requireOwn({ db }: ReadContext, { quoteId, configId, source }: Configuration): Promise<void> {
  const there = await db
    .selectFrom('configuration')
    .select('source')
    .where('quote_id', '=', quoteId)
    .where('config_id', '=', configId)
    .executeTakeFirst();
  if (!there || (there.source === 'Own') === (source === 'Own')) return;
  throw new HttpError(
    409,
    `Another configurator already uses the configId ${configId} on this quote. Use a different one.`,
  );
}

/** Whether exactly these items wait already. Then a user who has read them need not read them again. */
async function isThere({ db }: ReadContext, { quoteId, configId, name, items }: Configuration): Promise<boolean> {
  const row = await db
    .selectFrom('configuration')
    .select(['id', 'name'])
    .where('quote_id', '=', quoteId)
    .where('config_id', '=', configId)
    .executeTakeFirst();
  if (!row || row.name !== name) return false;
  const stored = await db
    .selectFrom('configured_item')
    .select(['position', 'item_number', 'description', 'qty', 'unit', 'option_text', 'price', 'problem'])
    .where('configuration_id', '=', row.id)
    .orderBy('row_no')
    .execute();
  return JSON.stringify(stored) === JSON.stringify(items.map(stagedRow));
}

function stagedRow(item: StagedItem) {
  return {
    position: item.position,
    item_number: item.itemNumber,
    description: item.description,
    qty: item.qty,
    unit: item.unit,
    option_text: item.optionText,
    price: item.price,
    problem: item.problem ?? '',
  };
}

/** The locked quote. Waiting items change no line, so a pending approval does not refuse them, but a quote that cannot be edited anymore does. */
export async function requireOpenForItems(context: ReadContext, quoteId: number): Promise<QuoteRecord> {
  const { rights, before } = await openEdit(context, quoteId);
  if (!rights.notes) throw new HttpError(rights.locked ? 409 : 403, rights.reason || 'You cannot edit this quote.');
  return before.quote;
}

async function requireRoom({ db }: ReadContext, quoteId: number, coming: number): Promise<void> {
  const { there } = await db
    .selectFrom('configured_item')
    .innerJoin('configuration', 'configuration.id', 'configuration_id')
    .select((eb) => eb.fn.countAll<number>().as('there'))
    .where('quote_id', '=', quoteId)
    .executeTakeFirstOrThrow();
  if (there + coming > MAX_STAGED) {
    const most = MAX_STAGED.toLocaleString('en-US');
    throw new HttpError(422, `A quote can have at most ${most} waiting configurator items.`);
  }
}

const AT_ONCE = 1_000;

async function insertItems({ db }: ReadContext, id: number, items: readonly StagedItem[]): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE) {
    await db
      .insertInto('configured_item')
      .values(
        items.slice(start, start + AT_ONCE).map((item, index) => ({
          configuration_id: id,
          row_no: start + index + 1,
          ...stagedRow(item),
        })),
      )
      .execute();
  }
}
