// Answers the Configurator calls.
import type { OutputOf, ParsedInputOf } from '#platform/api/endpoint.ts';
import { HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import { UnusableFile } from '#platform/data-import/reading/table-file.server.ts';
import type { ReadContext } from '#core/quoting/quote-edit/view/quote-view.server.ts';
import { recordEvent } from '#core/quoting/quotes/events/events.server.ts';
import { inSight } from '#core/quoting/quotes/sight.server.ts';
import { countOf } from '#platform/shared/count-of.ts';
import type { Configurator, QuoteConfigurator } from './configurator.contract.ts';
import { stagedItems } from './file-rows.server.ts';
import { parseQuoteNumber } from './quote-number.server.ts';
import { readItemsFile } from './read-items-file.server.ts';
import { saveConfiguratorItems } from './save-items.server.ts';
import { requireOpenForItems, stageItems } from './stage-items.server.ts';
import { getConfiguratorItems } from './waiting-items.server.ts';

export const configuratorAnswers: Answers<typeof Configurator> = {
  PostConfiguratorItems: postItems,

  UploadConfiguratorItems: async ({ upload, ...context }, input) => {
    if (!upload) throw invalid([{ path: 'file', message: 'Choose a file.' }]);
    const quote = await findTargetQuote(context, input);
    const { configurations, ignored } = await readItemsFile(upload.path, upload.name, quote).catch((error: unknown) => {
      throw error instanceof UnusableFile ? invalid([{ path: 'file', message: error.message }]) : error;
    });
    const stagedConfigurations = [];
    for (const { configId, name, rows } of configurations) {
      const items = stagedItems(rows);
      await stageItems(context, { quoteId: quote.id, configId, name, source: 'File', items });
      stagedConfigurations.push({
        configId,
        name,
        items: items.length,
        problems: items.filter(({ problem }) => problem).length,
      });
    }
    return { quoteId: quote.id, configurations: stagedConfigurations, ignored };
  },

  DiscardConfiguration: discardConfiguration,
};

export const quoteConfiguratorAnswers: Answers<typeof QuoteConfigurator> = {
  GetDmsConfiguratorItems: getConfiguratorItems,
  SaveDmsItemsToQuote: saveConfiguratorItems,
};

/** Accepts a configuration from another program, either completely or not at all. */
async function postItems(context: ReadContext, input: ParsedInputOf<typeof Configurator.PostConfiguratorItems>) {
  const { configId, name, items } = input;
  const { id: quoteId } = await findTargetQuote(context, input);
  const seen = new Set<string>();
  const duplicateErrors = items.flatMap(({ position }, index) => {
    if (seen.has(position))
      return [{ path: `items.${index}.position`, message: `Position ${position} appears twice.` }];
    seen.add(position);
    return [];
  });
  if (duplicateErrors.length > 0) throw invalid(duplicateErrors);
  await stageItems(context, {
    quoteId,
    configId,
    name,
    source: 'Call',
    items: items.map((item) => ({ ...item, price: item.price ?? null })),
  });
  return { quoteId, configId, items: items.length };
}

/** The quote with this id or number. If both are given, they must identify the same quote. Throws 404 if the user does not see the quote. */
async function findTargetQuote(
  { db, user }: ReadContext,
  { quoteId, quoteNumber }: Pick<ParsedInputOf<typeof Configurator.PostConfiguratorItems>, 'quoteId' | 'quoteNumber'>,
): Promise<{ id: number; num: number; currn_idx: number }> {
  const num = parseQuoteNumber(quoteNumber ?? '');
  const row = await db
    .selectFrom('quote')
    .select(['id', 'num', 'currn_idx'])
    .where((eb) => (quoteId ? eb('id', '=', quoteId) : eb('num', '=', num)))
    .where(inSight(user))
    .executeTakeFirst();
  if (!row) throw notFound('quote');
  if (quoteNumber && row.num !== num) {
    throw invalid([
      {
        path: 'quoteNumber',
        message: `quoteId and quoteNumber identify different quotes: quote ${row.num} has this quoteId.`,
      },
    ]);
  }
  return row;
}

/**
 * Discards the items that a configurator posted for a quote. Lines made from them stay unchanged, and the configurator may post the items again.
 * Throws 404 if there is no such configuration, and 409 if the configurator has posted new items since, so that no one discards unseen items.
 */
async function discardConfiguration(
  context: ReadContext,
  { quoteId, configId, version }: ParsedInputOf<typeof Configurator.DiscardConfiguration>,
): Promise<OutputOf<typeof Configurator.DiscardConfiguration>> {
  const { db, user } = context;
  const { revision } = await requireOpenForItems(context, quoteId);
  const row = await db
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
  if (!row) throw notFound('configuration');
  if (row.version !== version) {
    throw new HttpError(
      409,
      `${row.posted_by_name} posted this configuration again. Review the new items before discarding it.`,
    );
  }
  await db.deleteFrom('configuration').where('id', '=', row.id).execute();
  const items = countOf(row.items ?? 0, 'item');
  await recordEvent(db, {
    quoteId,
    userId: user.id,
    actor: user.fullName,
    action: 'DiscardConfigured',
    revision,
    comment: `${row.name || configId}: ${items}`,
  });
  return { configId };
}
