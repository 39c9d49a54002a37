// The calls about API keys, with which other programs call on behalf of a person (docs/decisions/0043).
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
  /** The part of the key that people may see. */
  prefix: z.string(),
  state: State,
  owner: Named,
  /** 'QuoteEdit:write' */
  scopes: z.array(z.string()),
  callsPerMinute: z.number().int(),
  /** The last day. Null when it is valid until revoked. */
  expiresOn: z.string().nullable(),
  createdAt: z.string(),
  /** At most a minute old. */
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
    /** The person on whose behalf it calls. A key never changes its owner. */
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

/** A key as its form reads it; a new one is still blank, its ownerId 0. */
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
  /** The calls that its owner may make. */
  read: z.array(z.string()),
  write: z.array(z.string()),
});
export type ScopeGroup = z.infer<typeof ScopeGroup>;

export const ApiKey = {
  SearchApiKeys: post(
    '/api/ApiKey/SearchApiKeys',
    PageInput.extend({
      /** Part of the name, of its owner's name, or of the shown part of the key. */
      keyword: Text(100).nullish(),
      /** Null: all. */
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
      /** An existing key, which has only the roles that it was made with. */
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
      /** The whole key, in the answer that makes it and never again; null in later ones. */
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
