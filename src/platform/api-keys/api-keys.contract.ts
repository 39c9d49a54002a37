// The calls about API keys, which let other programs call on behalf of a user (docs/decisions/0043).
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { FormQuery } from '#platform/shared/record.ts';
import type { Role } from '#platform/shared/roles.ts';
import {
  changesOverVersion,
  Id,
  Named,
  PageInput,
  pageOf,
  RequiredText,
  Text,
  TypedDate,
  Version,
} from '#platform/shared/wire.ts';

const ADMINISTRATORS: readonly Role[] = ['systemadmin'];

export const API_KEY_STATES = ['Active', 'Expired', 'Revoked', 'Owner inactive'] as const;
const State = z.enum(API_KEY_STATES);
export type ApiKeyState = z.infer<typeof State>;

const ApiKeyRow = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The part of the key that screens may show. */
  prefix: z.string(),
  state: State,
  owner: Named,
  /** 'QuoteEdit:write' */
  scopes: z.array(z.string()),
  callsPerMinute: z.number().int(),
  /** The last day. Null when it is valid until revoked. */
  expiresOn: z.string().nullable(),
  createdAt: z.string(),
  /** The stored time may be up to a minute old. */
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  version: z.number().int(),
});
export type ApiKeyRow = z.infer<typeof ApiKeyRow>;

export const ApiKeyInput = z
  .object({
    /** 0 for a new key. */
    id: Id.or(z.literal(0)).default(0),
    name: RequiredText(100),
    /** The user on whose behalf it calls. The owner of a key never changes. */
    ownerId: z.number().int().min(1, 'Choose the person it calls on behalf of').max(2_147_483_647),
    scopes: z
      .array(
        z
          .string()
          .regex(/^\w{1,60}:(read|write)$/, 'A scope is a group of calls plus read or write, such as QuoteSearch:read'),
      )
      .min(1, 'Choose at least one scope')
      .max(500),
    /** Left out: unchanged, or 600 for a new key. */
    callsPerMinute: z.number().int().min(1).max(6000).optional(),
    /** The last day. Empty or null when it is valid until revoked. Left out: unchanged. */
    expiresOn: TypedDate.or(z.literal('')).nullish(),
    version: Version.optional(),
  })
  .check(changesOverVersion);

/** A key as its form reads it. For a new key the fields are blank and ownerId is 0. */
export const ApiKeyEdit = z.object({
  id: z.number().int(),
  name: z.string(),
  ownerId: z.number().int(),
  scopes: z.array(z.string()),
  callsPerMinute: z.number().int(),
  expiresOn: z.string(),
  version: z.number().int(),
});
export type ApiKeyEdit = z.infer<typeof ApiKeyEdit>;

const ScopeGroup = z.object({
  group: z.string(),
  /** The calls that its owner may make, as scopes. */
  read: z.array(z.string()),
  write: z.array(z.string()),
});
export type ScopeGroup = z.infer<typeof ScopeGroup>;

export const ApiKey = {
  SearchApiKeys: post(
    '/api/ApiKey/SearchApiKeys',
    PageInput.extend({
      /** Matches part of the key's name, of its owner's name, or of the visible part of the key. */
      keyword: Text(100).nullish(),
      /** Null returns keys in every state. */
      state: State.nullish(),
    }),
    pageOf(ApiKeyRow),
    { access: ADMINISTRATORS, summary: 'Keys with their owners, scopes and last use; never the secret.' },
  ),
  PopulateApiKeyEditModel: post(
    '/api/ApiKey/PopulateApiKeyEditModel',
    FormQuery,
    z.object({ key: ApiKeyEdit, owner: Named.nullable(), state: State.nullable() }),
    { access: ADMINISTRATORS, in: 'query', summary: 'A key to edit; without an id, a new one.' },
  ),
  GetScopesOf: post(
    '/api/ApiKey/GetScopesOf',
    z.object({
      ownerId: Id,
      /** Id of an existing key, which keeps only the roles that it was created with. */
      id: Id.nullish(),
    }),
    z.array(ScopeGroup),
    {
      access: ADMINISTRATORS,
      summary: 'The scopes that a key of this person can have: groups in which they may make a call.',
    },
  ),
  SaveApiKey: post(
    '/api/ApiKey/SaveApiKey',
    ApiKeyInput,
    ApiKeyEdit.extend({
      /** The whole key, only in the answer to the call that creates it; null in all later answers. */
      key: z.string().nullable(),
    }),
    { access: ADMINISTRATORS, writes: true },
  ),
  RevokeApiKey: post('/api/ApiKey/RevokeApiKey', z.object({ id: Id, version: Version }), ApiKeyEdit, {
    access: ADMINISTRATORS,
    writes: true,
    summary: 'Revokes a key immediately and permanently.',
  }),
};
