// Reads the items that wait on a quote, matches them with our items, and compares them with the lines made from earlier items.
import type { OutputOf } from '#platform/api/endpoint.ts';
import type { Db } from '#platform/db/database.server.ts';
import { latestRequest } from '#core/quoting/approvals/content-hash.server.ts';
import { loadLines } from '#core/quoting/quote-edit/lines/quote-lines.server.ts';
import { resolvePastedItems } from '#core/quoting/quote-edit/paste/paste.server.ts';
import type { FoundRow } from '#core/quoting/quote-edit/paste/pasted-row.ts';
import { rightsOf } from '#core/quoting/quote-edit/view/load-quote.server.ts';
import type { ReadContext } from '#core/quoting/quote-edit/view/quote-view.server.ts';
import type { Line, QuoteRecord, TakenItem } from '#core/quoting/quotes/quote-rows.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { quoteNumber, StatusId } from '#core/quoting/quotes/status.ts';
import type { QuoteConfigurator } from './configurator.contract.ts';
import { type Difference, differencesOf, type Waiting } from './differences.ts';

export type WaitingConfiguration = {
  configId: string;
  name: string;
  source: string;
  version: number;
  postedAt: string;
  postedBy: string;
  items: Waiting[];
};

/** All configurations that wait on a quote, oldest first. */
export async function waitingOf(db: Db, quoteId: number): Promise<WaitingConfiguration[]> {
  const configurations = await db
    .selectFrom('configuration')
    .select(['id', 'config_id', 'name', 'source', 'version', 'posted_at', 'posted_by_name'])
    .where('quote_id', '=', quoteId)
    .orderBy('id')
    .execute();
  if (configurations.length === 0) return [];
  const rows = await db
    .selectFrom('configured_item')
    .selectAll()
    .where(
      'configuration_id',
      'in',
      configurations.map(({ id }) => id),
    )
    .orderBy('configuration_id')
    .orderBy('row_no')
    .execute();
  const items = Map.groupBy(rows, (row) => row.configuration_id);
  return configurations.map((configuration) => ({
    configId: configuration.config_id,
    name: configuration.name,
    source: configuration.source,
    version: configuration.version,
    postedAt: configuration.posted_at,
    postedBy: configuration.posted_by_name,
    items: (items.get(configuration.id) ?? []).map((row) => ({
      position: row.position,
      itemNumber: row.item_number,
      description: row.description,
      qty: row.qty,
      unit: row.unit,
      optionText: row.option_text,
      price: row.price,
      problem: row.problem,
    })),
  }));
}

type Answer = OutputOf<typeof QuoteConfigurator.GetDmsConfiguratorItems>;

/** The items of configurators for a quote. Changes nothing. Throws 404 if the user does not see the quote. */
export async function getConfiguratorItems(context: ReadContext, { quoteId }: { quoteId: number }): Promise<Answer> {
  const { db, user } = context;
  const quote = await requireQuote(db, user, quoteId);
  const waiting = await waitingOf(db, quoteId);
  const lines = await loadLines(db, quoteId);
  const differences = waiting.flatMap((configuration) =>
    differencesOf(configuration.configId, configuration.items, lines).map((difference) => ({
      configuration,
      ...difference,
    })),
  );
  const result = await matchesOf(
    context,
    differences.flatMap(({ waiting: item }) => item ?? []),
  );
  return {
    version: quote.version,
    ...(await editableNow(context, quote)),
    url: urlOf(context, quote),
    configurations: waiting.map(({ items, ...configuration }) => ({
      ...configuration,
      items: items.length,
      problems: items.filter(({ problem }) => problem !== '').length,
    })),
    items: differences.map(({ configuration, ...difference }) => ({
      configId: configuration.configId,
      ...answeredItem(difference, difference.waiting ? result.get(matchKey(difference.waiting)) : undefined),
      ...(difference.change === 'gone' && configuration.items.some(({ problem }) => problem) ? DOUBTFUL : {}),
    })),
  };
}

/** The problem of an item that is missing from a file with unreadable rows. */
const DOUBTFUL = { problem: 'It may be in a row of the file that could not be read.' };

async function editableNow({ db, user }: ReadContext, quote: QuoteRecord) {
  const request = await latestRequest(db, quote.id, quote.revision);
  const facts = { statusId: StatusId.parse(quote.status_id), pending: request?.state === 'Pending' };
  const { commercial, notes, reason } = rightsOf(user, { quote, facts });
  return { editable: commercial, mayLeave: notes, reason };
}

/** The address where the user configures for this quote. */
function urlOf({ services }: ReadContext, { num, revision }: QuoteRecord): string | null {
  const { configuratorUrl } = services.config;
  if (!configuratorUrl) return null;
  const url = new URL(configuratorUrl);
  url.searchParams.set('quote', quoteNumber(num, revision));
  return url.href;
}

export type Match = Pick<FoundRow, 'state' | 'problem' | 'candidates'>;

/** The key under which matches are looked up. */
export const matchKey = ({ itemNumber, unit }: Pick<Waiting, 'itemNumber' | 'unit'>): string =>
  `${itemNumber}\n${unit}`;

/** Finds our items that match. Looks up each number and unit once. */
export async function matchesOf(context: ReadContext, items: readonly Waiting[]): Promise<Map<string, Match>> {
  const distinct = [...new Map(items.map((item) => [matchKey(item), item])).values()];
  if (distinct.length === 0) return new Map();
  const rows = distinct.map(({ itemNumber, unit }) => ({ itemNumber, unit, qty: 1 }));
  const results = await resolvePastedItems(context, { rows });
  return new Map(distinct.map((item, index) => [matchKey(item), results[index] ?? NOT_FOUND]));
}

const NOT_FOUND: Match = { state: 'notFound', problem: '', candidates: [] };
const MATCHES = { found: 'found', ambiguous: 'several', notFound: 'unknown' } as const;

type AnsweredItem = Answer['items'][number];

function answeredItem({ position, change, fields, waiting, line }: Difference, match: Match = NOT_FOUND) {
  const taken = line?.configured?.taken ?? null;
  const after = waiting && afterOf(waiting);
  const isKnown = waiting !== null && isResolved(waiting, line);
  const item: Omit<AnsweredItem, 'configId'> = {
    position,
    match: isKnown || waiting === null ? 'found' : MATCHES[match.state],
    change,
    fields,
    problem: waiting === null ? '' : waiting.problem || (isKnown ? '' : match.problem),
    isUnderstood: waiting === null || waiting.problem === '',
    before: taken,
    after,
    candidates: isKnown ? [] : match.candidates,
    line: line && answeredLine(line),
  };
  return item;
}

function afterOf({ itemNumber, description, qty, unit, optionText, price }: Waiting): AnsweredItem['after'] {
  return { itemNumber, description, qty, unit, optionText, price };
}

function answeredLine(line: Line): AnsweredItem['line'] {
  const { id, line_no: lineNo, item_number: itemNumber, qty, unit, configured } = line;
  const atPrice = isAtPrice(line);
  return { id, lineNo, itemNumber, qty, unit, linked: configured?.linked ?? false, atPrice };
}

/** Whether the user has already chosen the item and unit, and the configurator still posts the same number and unit. */
export function isResolved(waiting: Waiting, line: Line | null): boolean {
  const taken: TakenItem | null = line?.configured?.taken ?? null;
  return taken !== null && taken.itemNumber === waiting.itemNumber && taken.unit === waiting.unit;
}

/** Whether the line has the configurator's price. */
export function isAtPrice({ manual_price: price, configured }: Line): boolean {
  return price !== null && configured?.taken?.price === price;
}
