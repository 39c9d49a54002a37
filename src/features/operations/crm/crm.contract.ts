// Pushing quotes to the CRM: the two calls of the specification (section 7), the state of a quote, the settings, and the list of pushes.
import { z } from 'zod';
import { Nothing, post } from '#api/endpoint.ts';
import { STATUSES } from '#features/quoting/quotes/status.ts';
import { INTERNAL_BOARD_ROLES, INTERNAL_ROLES } from '#shared/roles.ts';
import { Id, PageInput, pageOf, QueryId, RequiredText, Text, Version } from '#shared/wire.ts';
import { CRM_OBJECTS } from './mapping.ts';

export const PUSH_STATES = ['Waiting', 'Pushed', 'Failed', 'Blocked'] as const;
export type PushState = (typeof PUSH_STATES)[number];
export const PUSH_KINDS = ['Opportunity', 'Contact'] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

/** What the two calls answer. */
export const PushAnswer = z.object({
  /** Waiting: it goes on by itself. Blocked: a person has to pick a record. */
  state: z.enum(PUSH_STATES),
  /** Of the opportunity or the contact, once the CRM has it. */
  crmId: z.string().optional(),
  url: z.string().optional(),
  /** Of the quote, as the CRM has it. */
  revision: z.number().int(),
  /** What went wrong last, in a sentence. */
  error: z.string().optional(),
});
export type PushAnswer = z.infer<typeof PushAnswer>;

const Choice = z.object({ object: z.string(), id: z.string(), name: z.string(), hint: z.string(), url: z.string() });

export const QuotePush = PushAnswer.extend({
  what: z.enum(PUSH_KINDS),
  pushedAt: z.string().nullable(),
  askedAt: z.string(),
  /** When it is tried again, if that is not at once. */
  nextAt: z.string().nullable(),
  /** The stage in the CRM and the one that we wrote, when somebody moved it there. */
  stage: z.object({ crm: z.string(), ours: z.string(), seenAt: z.string() }).nullable(),
  choices: z.array(Choice),
});
export type QuotePush = z.infer<typeof QuotePush>;

const pushes = { access: INTERNAL_ROLES, in: 'query' } as const;

export const QuoteCrm = {
  AddQuoteAsOppotunity: post('/api/QuoteEdit/AddQuoteAsOppotunity', QueryId, PushAnswer, {
    ...pushes,
    summary: 'Pushes a quote to the CRM as an opportunity: tries at once, else a job goes on. 409 without a CRM.',
  }),
  AddQuoteContactToSalesforce: post('/api/QuoteEdit/AddQuoteContactToSalesforce', QueryId, PushAnswer, {
    ...pushes,
    summary: 'Pushes the contact of a quote to the CRM: tries at once, else a job goes on. 409 without a CRM.',
  }),
  GetQuoteCrm: post(
    '/api/QuoteEdit/GetQuoteCrm',
    QueryId,
    z.object({ connected: z.boolean(), opportunity: QuotePush.nullable(), contact: QuotePush.nullable() }),
    { access: INTERNAL_BOARD_ROLES, in: 'query', summary: 'What the CRM has of a quote.' },
  ),
  PickCrmRecord: post(
    '/api/QuoteEdit/PickCrmRecord',
    z.object({ quoteId: Id, what: z.enum(PUSH_KINDS), crmId: RequiredText(40) }),
    PushAnswer,
    { access: INTERNAL_ROLES, summary: 'Picks which record of the CRM a blocked push means, and goes on with it.' },
  ),
};

export const METHODS = ['ClientCredentials', 'JwtBearer'] as const;

export const CrmConnectionInput = z.object({
  version: Version,
  address: RequiredText(200),
  apiVersion: z.string().regex(/^\d{2,3}\.0$/, 'A version such as 62.0'),
  method: z.enum(METHODS),
  clientId: RequiredText(500),
  userName: Text(200),
  /** The client secret or the private key; empty: the one that is kept. */
  secret: z.string().max(20_000).default(''),
  priceBook: Text(200),
  customItem: Text(100),
  keepCalls: z.number().int().min(0, 'Between 0 and 90').max(90, 'Between 0 and 90'),
});

const CrmConnection = CrmConnectionInput.omit({ secret: true }).extend({
  /** Empty while none is connected. */
  address: z.string(),
  clientId: z.string(),
  apiVersion: z.string(),
  /** Whether a secret is kept; nothing ever answers it. */
  hasSecret: z.boolean(),
});
export type CrmConnection = z.infer<typeof CrmConnection>;

// Not StatusId: this schema is checked in the browser too, and would bring the library of schemas into the first file of every page.
export const MappingInput = z.object({
  version: Version,
  rows: z
    .array(z.object({ object: z.enum(CRM_OBJECTS), field: RequiredText(100), source: Text(40), constant: Text(1000) }))
    .max(300),
  stages: z.array(z.object({ statusId: z.enum(STATUSES), stage: RequiredText(255) })).max(10),
});

export const CrmSettings = z.object({
  source: z.enum(['environment', 'screen', 'none']),
  /** Why nothing can be sent over the connection that is kept. */
  problem: z.string(),
  connection: CrmConnection,
  mapping: MappingInput,
  calls: z.object({ used: z.number().int(), limit: z.number().int(), at: z.string() }).nullable(),
  /** Until when nothing is sent, and why. */
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
    summary: 'Connects a Salesforce org, or changes how it is connected. The secret is kept sealed and never answered.',
  }),
  DisconnectCrm: post('/api/Crm/DisconnectCrm', z.object({ version: Version }), CrmSettings, {
    access,
    writes: true,
    summary: 'Forgets the connection and its secret. What was pushed stays in the CRM.',
  }),
  SaveCrmMapping: post('/api/Crm/SaveCrmMapping', MappingInput, CrmSettings, { access, writes: true }),
  TestCrm: post(
    '/api/Crm/TestCrm',
    CrmConnectionInput,
    z.object({
      ok: z.boolean(),
      /** Which org answered, or why none did. */
      sentence: z.string(),
      /** What the org does not take of the kept mapping. */
      problems: z.array(z.object({ object: z.string(), field: z.string(), problem: z.string() })),
    }),
    { access, summary: 'Signs in with what is typed, and checks the mapping against the org. Changes nothing.' },
  ),
  ResumeCrm: post('/api/Crm/ResumeCrm', Nothing, CrmSettings, {
    access,
    writes: true,
    summary: 'Tries again now instead of at the end of a pause.',
  }),
  SearchCrmPushes: post(
    '/api/Crm/SearchCrmPushes',
    PageInput.extend({
      state: z.enum(PUSH_STATES).nullish(),
      /** Part of a quote's number or of its facility. */
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
      /** One that failed; without it all that failed. */
      id: Id.nullish(),
    }),
    z.object({ retried: z.number().int() }),
    { access, writes: true, summary: 'Tries failed pushes again.' },
  ),
};
