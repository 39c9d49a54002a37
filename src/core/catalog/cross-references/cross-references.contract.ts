// Defines the calls for cross-references: the numbers by which manufacturers, distributors and customers call our items.
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

/** The roles that may edit references for everybody. */
export const REFERENCE_ROLES: readonly Role[] = ['systemadmin', 'salesadmin'];

const Kind = z.enum(REFERENCE_KINDS);
const Scope = z.enum(REFERENCE_SCOPES);

export const ReferenceRow = z.object({
  id: z.number().int(),
  /** A manufacturer or a distributor. Empty for the customer's own number, or if unknown. */
  maker: z.string(),
  number: z.string(),
  item: z.object({ id: z.number().int(), number: z.string(), description: z.string() }),
  /** Our unit that the number identifies. Empty if unknown. */
  unit: z.string(),
  kind: Kind,
  scope: Scope,
  facility: Named.nullable(),
  /** The account number of the facility; empty without a facility. */
  acctNo: z.string(),
  gpo: Named.nullable(),
  note: z.string(),
  source: z.string(),
  /** How often users chose this item for the number. `refused`: how often they chose another item. */
  confirmed: z.number().int(),
  refused: z.number().int(),
  ended: z.boolean(),
  /** Empty for an imported reference. Its history names the user. */
  madeBy: z.string(),
  madeAt: z.string(),
  /** The number of other entries that name another item for the same number and scope. */
  contradictions: z.number().int(),
  version: z.number().int(),
});
export type ReferenceRow = z.infer<typeof ReferenceRow>;

export const ReferenceCriteria = PageInput.extend({
  /** A number in any notation, part of a number, a manufacturer, one of our items, a source, or a facility. */
  keyword: Text(100).nullish(),
  kind: Kind.nullish(),
  scope: Scope.nullish(),
  /** Null means both active and ended references. */
  state: z.enum(REFERENCE_STATES).nullish(),
});
export type ReferenceCriteria = z.infer<typeof ReferenceCriteria>;

/** Fields left out keep their value. A new reference is by default for the same item and for everybody. */
export const ReferenceInput = z
  .object({
    /** 0 for a new reference. */
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

/** A reference as its form shows it. A new one is blank. */
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

/** A reference, and the version that the caller read. */
const Read = z.object({ id: Id, version: Version });

/** What the user decided about a number: the item, and whether to remember the number. */
const Decided = z.object({
  number: RequiredText(100),
  itemId: Id,
  /** Our unit that the number identifies. Empty if it identifies none. */
  unit: Text(20).default(''),
  /** Null: the decision is only recorded for or against the references that were offered. */
  remember: z.object({ kind: Kind, scope: z.enum(['Facility', 'Everybody']) }).nullish(),
});
/** The most numbers that one paste can decide. */
export const MAX_DECIDED = 2_000;

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
      /** The reference as the list shows it. Null for a new one. */
      row: ReferenceRow.nullable(),
      gpos: z.array(Named),
      /** The other entries that name another item for the same number and scope. */
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
    z.object({ quoteId: Id, numbers: z.array(Decided).min(1).max(MAX_DECIDED) }),
    z.object({
      /** The number of added references. An existing reference is not added again. */
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
