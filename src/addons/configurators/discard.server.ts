// Discards the items that a configurator left for a quote. Lines made from them stay unchanged, and the configurator may leave the items again.
import type { OutputOf, ParsedInputOf } from '#platform/api/endpoint.ts';
import { HttpError, notFound } from '#platform/api/http-error.ts';
import type { ReadContext } from '#core/quoting/quote-edit/view/quote-view.server.ts';
import { recordEvent } from '#core/quoting/quotes/events/events.server.ts';
import type { Configurator } from './configurator.contract.ts';
import { requireOpenForItems } from './stage-items.server.ts';

type Call = typeof Configurator.DiscardConfiguration;

/** Answers 404 when nothing waits, and 409 when the configurator has left new items since, so that nobody discards unseen items. */
export async function discardConfiguration(
  context: ReadContext,
  { quoteId, configId, version }: ParsedInputOf<Call>,
): Promise<OutputOf<Call>> {
  const { db, user } = context;
  const { revision } = await requireOpenForItems(context, quoteId);
  const found = await db
    .selectFrom('configuration as c')
    .select(['id', 'name', 'version', 'posted_by_name'])
    .select((eb) =>
      eb
        .selectFrom('configured_item')
        .select(eb.fn.countAll<number>().as('items'))
        .whereRef('configuration_id', '=', 'c.id')
        .as('items'),
    )
    .where('quote_id', '=', quoteId)
    .where('config_id', '=', configId)
    .executeTakeFirst();
  if (!found) throw notFound('configuration');
  if (found.version !== version) {
    throw new HttpError(409, `${found.posted_by_name} has left it again in the meantime. Review its items again.`);
  }
  await db.deleteFrom('configuration').where('id', '=', found.id).execute();
  const items = found.items === 1 ? '1 item' : `${found.items ?? 0} items`;
  await recordEvent(db, {
    quoteId,
    userId: user.id,
    actor: user.fullName,
    action: 'DiscardConfigured',
    revision,
    comment: `${found.name || configId}: ${items}`,
  });
  return { configId };
}
