// Defines the CRM calls: the two pushes of the specification (section 7), the state of a quote, the settings, and the list of pushes.
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { STATUSES } from '#core/quoting/quotes/status.ts';
import { INTERNAL_BOARD_ROLES, INTERNAL_ROLES } from '#platform/shared/roles.ts';
import { Id, PageInput, pageOf, QueryId, RequiredText, Text, Version } from '#platform/shared/wire.ts';
import { CRM_OBJECTS } from './mapping.ts';

export const PUSH_STATES = ['Waiting', 'Pushed', 'Failed', 'Blocked'] as const;
export type PushState = (typeof PUSH_STATES)[number];
export const PUSH_KINDS = ['Opportunity', 'Contact'] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

/** The answer of both push calls. */
export const PushAnswer = z.object({
  /** Waiting: the push continues automatically, and the call answers 202. A push that failed or needs a choice is an error of the call. */
  state: z.enum(PUSH_STATES),
  /** The id of the opportunity or the contact, once the CRM has it. */
  crmId: z.string().optional(),
  url: z.string().optional(),
  /** The revision of the quote in the CRM. */
  revision: z.number().int(),
  /** The latest error, in a sentence. */
  error: z.string().optional(),
});
export type PushAnswer = z.infer<typeof PushAnswer>;

const Choice = z.object({ object: z.string(), id: z.string(), name: z.string(), hint: z.string(), url: z.string() });

export const QuotePush = PushAnswer.extend({
  what: z.enum(PUSH_KINDS),
  pushedAt: z.string().nullable(),
  askedAt: z.string(),
  /** The time of the next try. Null means at once. */
  nextAt: z.string().nullable(),
  /** The stage in the CRM and the stage that we wrote, if a user changed it in the CRM. */
  stage: z.object({ crm: z.string(), ours: z.string(), seenAt: z.string() }).nullable(),
  choices: z.array(Choice),
});
export type QuotePush = z.infer<typeof QuotePush>;

const pushes = { access: INTERNAL_ROLES, in: 'query', changes: true, mayWait: true } as const;

export const QuoteCrm = {
  AddQuoteAsOppotunity: post('/api/QuoteEdit/AddQuoteAsOppotunity', QueryId, PushAnswer, {
    ...pushes,
    summary:
      'Pushes a quote to the CRM as an opportunity. Returns 202 if the push will be retried, and 422 or 409 with the message of the CRM if the CRM rejects it.',
  }),
  AddQuoteContactToSalesforce: post('/api/QuoteEdit/AddQuoteContactToSalesforce', QueryId, PushAnswer, {
    ...pushes,
    summary:
      'Pushes the contact of a quote to the CRM. Returns 202 if the push will be retried, and 422 or 409 with the message of the CRM if the CRM rejects it.',
  }),
  GetQuoteCrm: post(
    '/api/QuoteEdit/GetQuoteCrm',
    QueryId,
    z.object({ connected: z.boolean(), opportunity: QuotePush.nullable(), contact: QuotePush.nullable() }),
    { access: INTERNAL_BOARD_ROLES, in: 'query', summary: 'The state of a quote in the CRM.' },
  ),
  PickCrmRecord: post(
    '/api/QuoteEdit/PickCrmRecord',
    z.object({ quoteId: Id, what: z.enum(PUSH_KINDS), crmId: RequiredText(40) }),
    PushAnswer,
    {
      access: INTERNAL_ROLES,
      changes: true,
      mayWait: true,
      summary: 'Chooses the CRM record for a blocked push, then continues the push.',
    },
  ),
};

export const METHODS = ['ClientCredentials', 'JwtBearer'] as const;

export const CrmConnectionInput = z.object({
  version: Version,
  address: RequiredText(200),
  apiVersion: z.string().regex(/^\d{2,3}\.0$/, 'Enter a version such as 62.0'),
  method: z.enum(METHODS),
  clientId: RequiredText(500),
  userName: Text(200),
  /** The client secret or the private key. Empty keeps the stored one. */
  secret: z.string().max(20_000).default(''),
  priceBook: Text(200),
  customItem: Text(100),
  keepCalls: z.number().int().min(0, 'Enter a number from 0 to 90').max(90, 'Enter a number from 0 to 90'),
});

const CrmConnection = CrmConnectionInput.omit({ secret: true }).extend({
  /** Empty if no CRM is connected. */
  address: z.string(),
  clientId: z.string(),
  apiVersion: z.string(),
  /** Whether a secret is stored. No call ever returns the secret. */
  hasSecret: z.boolean(),
});
export type CrmConnection = z.infer<typeof CrmConnection>;

// Do not use StatusId: the browser also checks this schema, and StatusId would load the schema library into the first file of every page.
export const MappingInput = z.object({
  version: Version,
  rows: z
    .array(z.object({ object: z.enum(CRM_OBJECTS), field: RequiredText(100), source: Text(40), constant: Text(1000) }))
    .max(300),
  stages: z.array(z.object({ statusId: z.enum(STATUSES), stage: RequiredText(255) })).max(10),
});

export const CrmSettings = z.object({
  source: z.enum(['environment', 'screen', 'none']),
  /** The reason why the stored connection cannot send. */
  problem: z.string(),
  connection: CrmConnection,
  mapping: MappingInput,
  calls: z.object({ used: z.number().int(), limit: z.number().int(), at: z.string() }).nullable(),
  /** The end of the pause and its reason. Null if sending is not paused. */
  pause: z.object({ until: z.string(), why: z.string() }).nullable(),
});
export type CrmSettings = z.infer<typeof CrmSettings>;

const PushRow = z.object({
  id: z.number().int(),
  quoteId: z.number().int(),
  num: z.number().int(),
  facilityName: z.string(),
  what: z.enum(PUSH_KINDS),
  state: z.enum(PUSH_STATES),
  askedAt: z.string(),
  askedBy: z.string().nullable(),
  pushedAt: z.string().nullable(),
  revision: z.number().int(),
  tries: z.number().int(),
  crmId: z.string(),
  url: z.string(),
  error: z.string(),
});
export type CrmPushRow = z.infer<typeof PushRow>;

const access = ['systemadmin'] as const;

export const Crm = {
  GetCrmSettings: post('/api/Crm/GetCrmSettings', Nothing, CrmSettings, { access }),
  SaveCrmConnection: post('/api/Crm/SaveCrmConnection', CrmConnectionInput, CrmSettings, {
    access,
    writes: true,
    peopleOnly: true,
    summary: 'Connects a Salesforce org or changes its connection. The secret is stored encrypted and never returned.',
  }),
  DisconnectCrm: post('/api/Crm/DisconnectCrm', z.object({ version: Version }), CrmSettings, {
    access,
    writes: true,
    summary: 'Deletes the connection and its secret. Pushed records stay in the CRM.',
  }),
  SaveCrmMapping: post('/api/Crm/SaveCrmMapping', MappingInput, CrmSettings, { access, writes: true }),
  TestCrm: post(
    '/api/Crm/TestCrm',
    CrmConnectionInput,
    z.object({
      ok: z.boolean(),
      /** Names the org that answered, or explains why none did. */
      sentence: z.string(),
      /** The parts of the stored mapping that the org does not accept. */
      problems: z.array(z.object({ object: z.string(), field: z.string(), problem: z.string() })),
    }),
    {
      access,
      peopleOnly: true,
      summary: 'Signs in with the given settings and checks the mapping against the org. Changes nothing.',
    },
  ),
  ResumeCrm: post('/api/Crm/ResumeCrm', Nothing, CrmSettings, {
    access,
    writes: true,
    summary: 'Ends a pause and retries waiting pushes.',
  }),
  SearchCrmPushes: post(
    '/api/Crm/SearchCrmPushes',
    PageInput.extend({
      state: z.enum(PUSH_STATES).nullish(),
      /** Searches the quote's number and its facility. */
      keyword: Text(200).nullish(),
    }),
    pageOf(PushRow).extend({
      connected: z.boolean(),
      failed: z.number().int(),
      pause: CrmSettings.shape.pause,
    }),
    { access, summary: 'All pushes, newest first.' },
  ),
  RetryCrmPushes: post(
    '/api/Crm/RetryCrmPushes',
    z.object({
      /** One failed push. Omitted means all failed pushes. */
      id: Id.nullish(),
    }),
    z.object({ retried: z.number().int() }),
    { access, writes: true, summary: 'Retries failed pushes.' },
  ),
};
