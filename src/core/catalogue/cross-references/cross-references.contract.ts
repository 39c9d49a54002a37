// Cross-references: the numbers by which makers, distributors and customers call our items.
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { QUOTING_ROLES, type Role } from '#platform/shared/roles.ts';
import {
  changesOverVersion,
  Id,
  Named,
  PageInput,
  pageOf,
  RequiredText,
  Text,
  Version,
} from '#platform/shared/wire.ts';
import { REFERENCE_KINDS, REFERENCE_SCOPES, REFERENCE_STATES } from './reference-words.ts';

/** Who keeps the references of everybody. */
export const REFERENCE_ROLES: readonly Role[] = ['systemadmin', 'salesadmin'];

const Kind = z.enum(REFERENCE_KINDS);
const Scope = z.enum(REFERENCE_SCOPES);

export const ReferenceRow = z.object({
  id: z.number().int(),
  /** A maker or a distributor; empty for the customer's own number, or if unknown. */
  maker: z.string(),
  number: z.string(),
  item: z.object({ id: z.number().int(), number: z.string(), description: z.string() }),
  /** The unit of ours that the number identifies; empty if unknown. */
  unit: z.string(),
  kind: Kind,
  scope: Scope,
  facility: Named.nullable(),
  /** The account number of the facility; else empty. */
  acctNo: z.string(),
  gpo: Named.nullable(),
  note: z.string(),
  source: z.string(),
  /** How often people chose this item for the number, and how often another one. */
  confirmed: z.number().int(),
  refused: z.number().int(),
  ended: z.boolean(),
  /** Empty for an import, whose history says who. */
  madeBy: z.string(),
  madeAt: z.string(),
  /** How many other entries say another item for the same number and the same people. */
  contradictions: z.number().int(),
  version: z.number().int(),
});
export type ReferenceRow = z.infer<typeof ReferenceRow>;

export const ReferenceCriteria = PageInput.extend({
  /** A number, however it is written, or part of a number, a maker, one of our items, a source, or a facility. */
  keyword: Text(100).nullish(),
  kind: Kind.nullish(),
  scope: Scope.nullish(),
  /** Null means active and ended ones. */
  state: z.enum(REFERENCE_STATES).nullish(),
});
export type ReferenceCriteria = z.infer<typeof ReferenceCriteria>;

/** Fields left out keep their value. A new one is the same item, for everybody. */
export const ReferenceInput = z
  .object({
    /** 0 for a new one. */
    id: Id.or(z.literal(0)).default(0),
    maker: Text(100).optional(),
    number: RequiredText(100),
    /** Our number. */
    itemNumber: RequiredText(100),
    unit: Text(20).optional(),
    kind: Kind.optional(),
    scope: Scope.optional(),
    facilityId: Id.nullish(),
    gpoId: Id.nullish(),
    note: Text(1000).optional(),
    source: Text(200).optional(),
    ended: z.boolean().optional(),
    version: Version.optional(),
  })
  .check(changesOverVersion);

/** A reference as its form reads it; a new one is still blank. */
export const ReferenceEdit = z.object({
  id: z.number().int(),
  maker: z.string(),
  number: z.string(),
  itemNumber: z.string(),
  unit: z.string(),
  kind: Kind,
  scope: Scope,
  facilityId: z.number().int().nullable(),
  gpoId: z.number().int().nullable(),
  note: z.string(),
  source: z.string(),
  ended: z.boolean(),
  version: z.number().int(),
});
export type ReferenceEdit = z.infer<typeof ReferenceEdit>;

/** A reference, and the version of it that the caller read. */
const Read = z.object({ id: Id, version: Version });

/** What a person decided about a number: the item, and whether the number is to be remembered. */
const Decided = z.object({
  number: RequiredText(100),
  itemId: Id,
  /** The unit of ours that the number identifies; empty if it identifies none. */
  unit: Text(20).default(''),
  /** Null: it is only counted for and against the references that were offered. */
  remember: z.object({ kind: Kind, scope: z.enum(['Facility', 'Everybody']) }).nullish(),
});
/** The most numbers that one paste decides. */
export const MOST_DECIDED = 2_000;

export const CrossReference = {
  SearchCrossReferences: post('/api/CrossReference/SearchCrossReferences', ReferenceCriteria, pageOf(ReferenceRow), {
    access: REFERENCE_ROLES,
    summary:
      'Cross-references by number, maker, item or source. `Contradicting`: another entry names a different item for the same customers.',
  }),
  ExportCrossReferences: post('/api/CrossReference/ExportCrossReferences', ReferenceCriteria, Bytes, {
    access: REFERENCE_ROLES,
    file: 'text/csv',
    summary: 'The whole list, in the format that the import of cross-references reads.',
  }),
  PopulateCrossReferenceEditModel: post(
    '/api/CrossReference/PopulateCrossReferenceEditModel',
    z.object({ id: z.coerce.number().int().min(0).max(2_147_483_647).optional() }),
    z.object({
      reference: ReferenceEdit,
      /** The reference as the list shows it; null for a new one. */
      row: ReferenceRow.nullable(),
      gpos: z.array(Named),
      /** The other entries that say another item for the same number and the same people. */
      contradictions: z.array(ReferenceRow),
    }),
    { access: REFERENCE_ROLES, in: 'query', summary: 'A cross-reference to edit; without an id a new one.' },
  ),
  SaveCrossReference: post('/api/CrossReference/SaveCrossReference', ReferenceInput, ReferenceEdit, {
    access: REFERENCE_ROLES,
    writes: true,
    summary: 'Adds, changes or ends (`ended`) a cross-reference.',
  }),
  KeepCrossReference: post(
    '/api/CrossReference/KeepCrossReference',
    Read.extend({ others: z.array(Read).min(1).max(100) }),
    z.object({ ended: z.number().int() }),
    {
      access: REFERENCE_ROLES,
      writes: true,
      summary: 'Resolves contradicting entries: this one stays, the others end.',
    },
  ),
  RememberNumbers: post(
    '/api/CrossReference/RememberNumbers',
    z.object({ quoteId: Id, numbers: z.array(Decided).min(1).max(MOST_DECIDED) }),
    z.object({
      /** How many references were added. One that was there already is not added again. */
      added: z.number().int(),
    }),
    {
      access: QUOTING_ROLES,
      writes: true,
      summary:
        'Remembers numbers for the facility of a quote, and records which of the suggested references were accepted or refused.',
    },
  ),
};
