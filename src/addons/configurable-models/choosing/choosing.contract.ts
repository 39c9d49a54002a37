// Defines the calls that choose the options of a model for a quote. The choices are stored, so that users can open and change them later.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { QUOTING_ROLES } from '#platform/shared/roles.ts';
import { Id, Quantity, RequiredText, SEND_VERSION, Text, Version } from '#platform/shared/wire.ts';
import { ModelGroup, ModelRule, MAX_OPTIONS } from '../configurable-models.contract.ts';

const ConfigId = RequiredText(100);

export const ChoiceModel = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string(),
  baseItemNumber: z.string(),
  baseItemDescription: z.string(),
  baseUnit: z.string(),
  baseProblem: z.string(),
  groups: z.array(ModelGroup),
  rules: z.array(ModelRule),
  version: z.number().int(),
  /** A sentence that explains why a new configuration cannot use it. Empty if one can. */
  problem: z.string(),
});
export type ChoiceModel = z.infer<typeof ChoiceModel>;

const Choice = z.object({ optionId: z.number().int(), qty: z.number().nullable() });

export const Configuration = z.object({
  configId: z.string(),
  name: z.string(),
  modelId: z.number().int(),
  modelName: z.string(),
  sets: z.number().int(),
  changedBy: z.string(),
  changedAt: z.string(),
  version: z.number().int(),
});
export type Configuration = z.infer<typeof Configuration>;

export const QuoteConfigurations = {
  GetQuoteConfigurations: post(
    '/api/QuoteConfigurations/GetQuoteConfigurations',
    z.object({ quoteId: Id, keyword: Text(100).nullish() }),
    z.object({
      quoteNumber: z.string(),
      facilityName: z.string(),
      /** A sentence that explains why nothing can be configured for the quote now. Empty if something can. */
      locked: z.string(),
      /** Ordered by name. */
      configurations: z.array(Configuration),
      /** Active models whose name or description contains every word, ordered by name, at most 100. */
      models: z.array(
        z.object({ id: z.number().int(), name: z.string(), description: z.string(), options: z.number().int() }),
      ),
    }),
    { access: QUOTING_ROLES, summary: 'The models that can be configured for a quote, and its configurations.' },
  ),
  GetQuoteConfiguration: post(
    '/api/QuoteConfigurations/GetQuoteConfiguration',
    z
      .object({ quoteId: Id, modelId: Id.nullish(), configId: ConfigId.nullish() })
      .refine(({ modelId, configId }) => Boolean(modelId) !== Boolean(configId), {
        path: ['modelId'],
        message: 'Send the modelId to start a configuration, or the configId to continue one.',
      }),
    z.object({
      model: ChoiceModel,
      /** Null for a new configuration. */
      configuration: Configuration.nullable(),
      picks: z.array(Choice),
      /** Whether the model has changed since the user made these choices. */
      modelChanged: z.boolean(),
    }),
    {
      access: QUOTING_ROLES,
      summary: 'A model to choose from. With a configId, also the choices of that configuration.',
    },
  ),
  SaveQuoteConfiguration: post(
    '/api/QuoteConfigurations/SaveQuoteConfiguration',
    z.object({
      quoteId: Id,
      /** The caller chooses the id of a new configuration, so that sending it twice creates it only once. */
      configId: ConfigId,
      name: RequiredText(200),
      modelId: Id,
      /** The version of the model when the user chose. */
      modelVersion: z.number({ error: SEND_VERSION }).int(),
      /** The number of complete sets. */
      sets: z.number().int().min(1, 'At least 1').max(9_999_999, 'At most 9,999,999'),
      picks: z
        .array(z.object({ optionId: z.number().int().max(2_147_483_647), qty: Quantity.nullish() }))
        .max(MAX_OPTIONS, `At most ${MAX_OPTIONS} choices`),
      /** The version of the opened configuration. Omitted for a new one. */
      version: Version.optional(),
    }),
    z.object({ configId: z.string(), version: z.number().int(), items: z.number().int() }),
    {
      access: QUOTING_ROLES,
      writes: true,
      summary:
        'Saves the choices and sends their items to the quote, as a configurator does. 422 for choices that break a rule or are incomplete; 409 if the model or the configuration has changed.',
    },
  ),
  RemoveQuoteConfiguration: post(
    '/api/QuoteConfigurations/RemoveQuoteConfiguration',
    z.object({ quoteId: Id, configId: ConfigId, version: Version }),
    z.object({ configId: z.string() }),
    {
      access: QUOTING_ROLES,
      writes: true,
      summary: 'Deletes the choices. Their lines stay on the quote until someone removes them.',
    },
  ),
};
