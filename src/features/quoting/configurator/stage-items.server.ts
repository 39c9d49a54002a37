// Keeps what a configurator left for a quote, until a person takes it over into lines.
import { HttpError } from '#api/http-error.ts';
import { openEdit } from '#features/quoting/quote-edit/settle/edit-quote.server.ts';
import type { ReadContext } from '#features/quoting/quote-edit/view/quote-view.server.ts';
import type { QuoteRecord } from '#features/quoting/quotes/records.ts';
import type { StagedItem } from './posted-item.ts';

/** So many items may wait on one quote, of all its configurations. */
export const MOST_STAGED = 10_000;

type Configuration = {
  quoteId: number;
  /** What the configurator calls the configuration: the same again replaces what was left before. At most 100 characters. */
  configId: string;
  /** What the section on the quote is called; '': 'Configuration' and its id. At most 200 characters. */
  name: string;
  /** How it came: a call by another program, a file, or the product's own configurator. */
  source: 'Call' | 'File' | 'Own';
  /** All of it: what was left before and is not here is gone. */
  items: readonly StagedItem[];
};

/**
 * Leaves a whole configuration for a quote. The quote does not change: a person then takes the items over ('Configurator items' on the
 * board, `SaveDmsItemsToQuote`), sees what is new, changed or gone since the last time, and sets none of it off unseen.
 *
 * To call it, answer a call that is declared with `writes: true` and hand on its context, whose `db` is the transaction:
 *
 *     await stageItems(context, { quoteId, configId: 'bed-7', name: 'Bed 7', source: 'Own', items });
 *
 * It checks and locks the quote itself: 404 out of the caller's sight, 403 and 409 when it cannot be edited, 409 when the id is that of
 * another configurator, 422 when more wait on it than MOST_STAGED. Leaving the same twice is the same as once.
 */
export async function stageItems(context: ReadContext, given: Configuration): Promise<void> {
  const { db, user, services } = context;
  const { quoteId, configId, name, source, items } = given;
  await requireOpenForItems(context, quoteId);
  await requireOwn(context, given);
  if (await isThere(context, given)) return;
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

/** What is chosen in the product and what comes from outside do not replace each other. */
async function requireOwn({ db }: ReadContext, { quoteId, configId, source }: Configuration): Promise<void> {
  const there = await db
    .selectFrom('configuration')
    .select('source')
    .where('quote_id', '=', quoteId)
    .where('config_id', '=', configId)
    .executeTakeFirst();
  if (!there || (there.source === 'Own') === (source === 'Own')) return;
  throw new HttpError(409, `Another configurator uses the id ${configId} on the quote. Choose another configId.`);
}

/** Whether exactly this waits already: a person who looks at it need not look again. */
async function isThere({ db }: ReadContext, { quoteId, configId, name, items }: Configuration): Promise<boolean> {
  const found = await db
    .selectFrom('configuration')
    .select(['id', 'name'])
    .where('quote_id', '=', quoteId)
    .where('config_id', '=', configId)
    .executeTakeFirst();
  if (!found || found.name !== name) return false;
  const stored = await db
    .selectFrom('configured_item')
    .select(['position', 'item_number', 'description', 'qty', 'unit', 'option_text', 'price', 'problem'])
    .where('configuration_id', '=', found.id)
    .orderBy('row_no')
    .execute();
  return JSON.stringify(stored) === JSON.stringify(items.map(rowOf));
}

function rowOf(item: StagedItem) {
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

/** The quote, locked. What waits changes no line, so that a pending approval does not keep it out; a quote that nobody edits any more does. */
export async function requireOpenForItems(context: ReadContext, quoteId: number): Promise<QuoteRecord> {
  const { rights, before } = await openEdit(context, quoteId);
  if (!rights.notes) throw new HttpError(rights.locked ? 409 : 403, rights.reason || 'You may not edit this quote.');
  return before.quote;
}

async function requireRoom({ db }: ReadContext, quoteId: number, coming: number): Promise<void> {
  const { there } = await db
    .selectFrom('configured_item')
    .innerJoin('configuration', 'configuration.id', 'configuration_id')
    .select((eb) => eb.fn.countAll<number>().as('there'))
    .where('quote_id', '=', quoteId)
    .executeTakeFirstOrThrow();
  if (there + coming > MOST_STAGED) {
    const most = MOST_STAGED.toLocaleString('en-US');
    throw new HttpError(422, `At most ${most} items of configurators may wait on one quote.`);
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
          ...rowOf(item),
        })),
      )
      .execute();
  }
}
