// Answers the QuoteConfigurations calls. Validates the choices on the server, stores them, and stages their items for the quote.
import { sql } from 'kysely';
import type { ParsedInputOf } from '#platform/api/endpoint.ts';
import { HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import { holds, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import { stageItems } from '#addons/configurators/stage-items.server.ts';
import { openEdit } from '#core/quoting/quote-edit/settle/edit-quote.server.ts';
import { rightsOf } from '#core/quoting/quote-edit/view/load-quote.server.ts';
import type { ReadContext } from '#core/quoting/quote-edit/view/quote-view.server.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { quoteNumber, StatusId } from '#core/quoting/quotes/status.ts';
import { readModel, type StoredModel } from '../model-record.server.ts';
import { judge, type ListItem, type OptionPick } from '../rules/judge.ts';
import { optionsOf } from '../rules/model.ts';
import type { ChoiceModel, Configuration, QuoteConfigurations } from './choosing.contract.ts';

const MAX_MODELS = 100;

export const quoteConfigurationAnswers: Answers<typeof QuoteConfigurations> = {
  GetQuoteConfigurations: async ({ db, user }, { quoteId, keyword }) => {
    const quote = await requireQuote(db, user, quoteId);
    const pending = await db
      .selectFrom('approval_request')
      .select('id')
      .where('quote_id', '=', quoteId)
      .where('revision', '=', quote.revision)
      .where('state', '=', 'Pending')
      .executeTakeFirst();
    const facts = { statusId: StatusId.parse(quote.status_id), pending: pending !== undefined };
    const rights = rightsOf(user, { quote, facts });
    return {
      quoteNumber: quoteNumber(quote.num, quote.revision),
      facilityName: quote.facility_name,
      locked: rights.commercial ? '' : rights.reason,
      configurations: await configurations(db, quoteId).orderBy(sql`lower(c.name)`).orderBy('c.config_id').execute(),
      models: await offeredModels(db, keyword ?? ''),
    };
  },

  GetQuoteConfiguration: async ({ db, user }, { quoteId, modelId, configId }) => {
    await requireQuote(db, user, quoteId);
    if (!configId) {
      const model = toChoiceModel(await readModel(db, modelId ?? 0), await unavailableReason(db, modelId ?? 0));
      // A model that cannot be configured is treated as missing, unless the quote has a configuration of it.
      if (model.problem) throw notFound('configurable model');
      return { model, configuration: null, picks: [], modelChanged: false };
    }
    const stored = await findConfiguration(db, quoteId, configId);
    if (!stored) throw notFound('configuration');
    const { picks, modelVersion, ...configuration } = stored;
    const model = toChoiceModel(await readModel(db, stored.modelId), await unavailableReason(db, stored.modelId));
    return { model, configuration, picks, modelChanged: model.version !== modelVersion };
  },

  SaveQuoteConfiguration: save,

  RemoveQuoteConfiguration: async (context, { quoteId, configId, version }) => {
    const { db } = context;
    await requireEditable(context, quoteId);
    const stored = await findConfiguration(db, quoteId, configId);
    if (!stored) throw notFound('configuration');
    requireVersion(stored, version);
    await db
      .deleteFrom('quote_configuration')
      .where('quote_id', '=', quoteId)
      .where('config_id', '=', configId)
      .execute();
    await stageItems(context, { quoteId, configId, name: stored.name, source: 'Own', items: [] });
    return { configId };
  },
};

async function save(context: ReadContext, input: ParsedInputOf<typeof QuoteConfigurations.SaveQuoteConfiguration>) {
  const { db, user, services } = context;
  const { quoteId, configId, name, modelId, modelVersion, sets, version } = input;
  await requireEditable(context, quoteId);
  const stored = await findConfiguration(db, quoteId, configId);
  const model = await readModel(db, modelId);
  const problem = await unavailableReason(db, modelId);
  if (problem) throw new HttpError(409, problem);
  const { picks, items } = validateChoices(model, sets, input.picks);
  if (stored && version === undefined) {
    // A client that missed the response may retry with the same choices.
    const isSame =
      stored.modelId === modelId && stored.name === name && stored.sets === sets && samePicks(stored.picks, picks);
    if (!isSame) requireVersion(stored, version);
    return { configId, version: stored.version, items: items.length };
  }
  if (!stored && version !== undefined) throw notFound('configuration');
  if (stored) requireVersion(stored, version);
  if (stored && stored.modelId !== modelId) {
    throw invalid([
      {
        path: 'modelId',
        message: 'You cannot change the model of a configuration. Start a new configuration instead.',
      },
    ]);
  }
  if (modelVersion !== model.version) {
    throw new HttpError(409, `${model.name} was changed while you were choosing. Review your choices.`);
  }
  const values = {
    name,
    model_version: model.version,
    sets,
    picks: JSON.stringify(picks),
    version: (stored?.version ?? 0) + 1,
    changed_by: user.id,
    changed_at: services.clock.now().toISOString(),
  };
  await db
    .insertInto('quote_configuration')
    .values({ quote_id: quoteId, config_id: configId, model_id: modelId, ...values })
    .onConflict((conflict) => conflict.columns(['quote_id', 'config_id']).doUpdateSet(values))
    .execute();
  await stageItems(context, {
    quoteId,
    configId,
    name,
    source: 'Own',
    items: items.map(({ optionId, itemNumber, description, qty, unit, optionText }) => ({
      // An option keeps its id, so changes are found whatever the order of the options in the model.
      position: optionId === 0 ? 'base' : String(optionId),
      itemNumber,
      description,
      qty,
      unit,
      optionText,
      price: null,
    })),
  });
  return { configId, version: values.version, items: items.length };
}

/** Locks the quote for this edit. Throws 404 if the user does not see the quote, and 403 or 409 if its lines cannot be edited. */
async function requireEditable(context: ReadContext, quoteId: number): Promise<void> {
  const { rights } = await openEdit(context, quoteId);
  if (!rights.commercial)
    throw new HttpError(rights.locked ? 409 : 403, rights.reason || 'You cannot edit this quote.');
}

/** The choices in their stored form, and their items. Throws 422 with a message for each error. */
function validateChoices(
  model: StoredModel,
  sets: number,
  chosen: readonly OptionPick[],
): { picks: Choice[]; items: (ListItem & { description: string })[] } {
  const known = optionsOf(model);
  const duplicateIndex = chosen.findIndex(
    ({ optionId }, index) => chosen.findIndex((candidate) => candidate.optionId === optionId) < index,
  );
  if (duplicateIndex !== -1)
    throw invalid([{ path: `picks.${duplicateIndex}.optionId`, message: 'This option was chosen twice.' }]);
  const { missing, items } = judge(model, { sets, picks: chosen });
  if (missing.length > 0) throw invalid(missing.map(({ message }) => ({ path: 'picks', message })));
  const picks = chosen.map(({ optionId, qty }) => {
    const option = known.get(optionId)?.option;
    return { optionId, qty: option?.quantity === 'asked' ? (qty ?? option.qty) : null };
  });
  const descriptions = new Map(
    model.groups.flatMap(({ options }) => options.map(({ id, itemDescription }) => [id, itemDescription])),
  );
  descriptions.set(0, model.baseItemDescription);
  return { picks, items: items.map((item) => ({ ...item, description: descriptions.get(item.optionId) ?? '' })) };
}

type Choice = { optionId: number; qty: number | null };

function samePicks(before: readonly Choice[], after: readonly Choice[]): boolean {
  const inOrder = (picks: readonly Choice[]) =>
    JSON.stringify(picks.map(({ optionId, qty }) => [optionId, qty]).toSorted(([a], [b]) => Number(a) - Number(b)));
  return inOrder(before) === inOrder(after);
}

/** Throws 409 if another user has changed the configuration since the caller read it, or if it exists although the caller creates a new one. */
function requireVersion(stored: Configuration, version: number | undefined): void {
  if (stored.version === version) return;
  throw new HttpError(
    409,
    `${stored.changedBy} changed this configuration while you were editing it. Nothing was saved. Reload it to review the changes before saving again.`,
  );
}

function configurations(db: Db, quoteId: number) {
  return db
    .selectFrom('quote_configuration as c')
    .innerJoin('configurable_model as m', 'm.id', 'c.model_id')
    .select(['c.config_id as configId', 'c.name', 'c.model_id as modelId', 'm.name as modelName', 'c.sets'])
    .select([whoDid('c.changed_by').as('changedBy'), 'c.changed_at as changedAt', 'c.version'])
    .where('c.quote_id', '=', quoteId);
}

async function findConfiguration(
  db: Db,
  quoteId: number,
  configId: string,
): Promise<(Configuration & { picks: Choice[]; modelVersion: number }) | undefined> {
  const row = await configurations(db, quoteId)
    .select(['c.picks', 'c.model_version as modelVersion'])
    .where('c.config_id', '=', configId)
    .executeTakeFirst();
  return row && { ...row, picks: row.picks as Choice[] };
}

/** Active models, except those of an item class that is hidden from quotes. */
async function offeredModels(db: Db, keyword: string) {
  let query = db
    .selectFrom('configurable_model as m')
    .select(['m.id', 'm.name', 'm.description'])
    .select(
      sql<number>`(select count(*) from configurable_option o join configurable_group g on g.id = o.group_id
        where g.model_id = m.id)`.as('options'),
    )
    .where(OFFERED)
    .orderBy(sql`lower(m.name)`)
    .limit(MAX_MODELS);
  for (const word of wordsOf(keyword)) {
    query = query.where((eb) => eb.or([holds(eb.ref('m.name'), word), holds(eb.ref('m.description'), word)]));
  }
  return query.execute();
}

const OFFERED = sql<boolean>`m.active and not exists (
  select 1 from item_class c where c.id = m.class_id and not c.visible_in_web_quote)`;

async function unavailableReason(db: Db, modelId: number): Promise<string> {
  const row = await db
    .selectFrom('configurable_model as m')
    .select(['m.name', OFFERED.as('offered')])
    .where('m.id', '=', modelId)
    .executeTakeFirst();
  return !row || row.offered ? '' : `${row.name} is no longer available. Existing configurations do not change.`;
}

function toChoiceModel(model: StoredModel, problem: string): ChoiceModel {
  const { id, name, description, baseItemNumber, baseItemDescription, baseUnit, baseProblem, groups, rules, version } =
    model;
  const base = { baseItemNumber, baseItemDescription, baseUnit, baseProblem };
  return { id, name, description, ...base, groups, rules, version, problem };
}
