// Defines a contract's head as it is saved, and its checks, which the form and the server share.
import { z } from 'zod';
import { Person } from '#features/people/users/users.contract.ts';
import {
  Amount,
  changesOverVersion,
  Id,
  Named,
  Percent,
  RequiredText,
  Text,
  TypedDate,
  Version,
} from '#shared/wire.ts';
import { CONTRACT_STATES } from './contract-status.ts';

const Fields = z.object({
  number: RequiredText(60),
  /** Null means a local agreement. Id 0 means none chosen, or the one named in `newGpo`. */
  gpo: z.object({ id: Id.or(z.literal(0)) }).nullable(),
  /** The name of a GPO that is not in the list yet. */
  newGpo: Text(100),
  title: RequiredText(200),
  category: Text(100),
  awardType: Text(40),
  currnIdx: Id,
  from: TypedDate,
  /** The last day as agreed. */
  to: TypedDate,
  extendedTo: TypedDate.nullable(),
  /** The contract that this one follows. */
  predecessor: z.object({ id: Id }).nullable(),
  state: z.enum(CONTRACT_STATES),
  /** The last day on which a terminated contract is valid. */
  terminatedOn: TypedDate.nullable(),
  openTo: z.enum(['roster', 'members']),
  /** In percent. */
  adminFeePct: Percent.nullable(),
  priceFirmUntil: TypedDate.nullable(),
  freightTerms: Text(200),
  paymentTerms: Text(200),
  minimumOrder: Amount.nullable(),
  returnsTerms: Text(2000),
  eligibility: Text(2000),
  /** The user to call at our company. */
  contact: z.object({ id: Id }).nullable(),
  gpoContact: Text(300),
  notes: Text(4000),
});
type Fields = z.infer<typeof Fields>;

/** A complete, consistent contract. */
export const WholeContract = Fields.superRefine((contract, context) => {
  for (const [path, message] of Object.entries(faultsOf(contract)))
    context.addIssue({ code: 'custom', path: [path], message });
});

function faultsOf(given: Fields): Partial<Record<keyof Fields, string>> {
  const { from, to, extendedTo, terminatedOn, priceFirmUntil, state, gpo, newGpo, openTo } = given;
  const end = extendedTo ?? to;
  return {
    ...(gpo?.id === 0 && newGpo === '' ? { gpo: 'Choose the GPO, or a local agreement' } : {}),
    ...(gpo === null && openTo === 'members'
      ? { openTo: 'A local agreement has no members: it is open to its roster' }
      : {}),
    ...(to && to < from ? { to: 'The last day is before the first' } : {}),
    ...(extendedTo !== null && extendedTo <= to
      ? { extendedTo: 'An extension ends after the last day that was agreed' }
      : {}),
    ...(priceFirmUntil !== null && priceFirmUntil < from ? { priceFirmUntil: 'This is before the first day' } : {}),
    ...(state === 'Terminated' && terminatedOn === null ? { terminatedOn: 'Type the last day on which it holds' } : {}),
    ...(state !== 'Terminated' && terminatedOn !== null
      ? { terminatedOn: 'Only a terminated contract has this day' }
      : {}),
    ...(terminatedOn !== null && terminatedOn < from ? { terminatedOn: 'This is before the first day' } : {}),
    ...(terminatedOn !== null && terminatedOn > end
      ? { terminatedOn: 'The contract ends before this day anyway' }
      : {}),
  };
}

/** Fields left out keep their value. A new contract is a draft. */
export const ContractInput = Fields.partial()
  .extend({
    /** 0 means a new contract. */
    id: Id.or(z.literal(0)).default(0),
    version: Version.optional(),
  })
  .check(changesOverVersion);

/** A contract as its form reads it; for a new contract the fields are blank. */
export const ContractEdit = z.object({
  id: z.number().int(),
  number: z.string(),
  gpo: Named.nullable(),
  newGpo: z.string(),
  title: z.string(),
  category: z.string(),
  awardType: z.string(),
  currnIdx: z.number().int(),
  from: z.string(),
  to: z.string(),
  extendedTo: z.string().nullable(),
  predecessor: Named.nullable(),
  state: z.enum(CONTRACT_STATES),
  terminatedOn: z.string().nullable(),
  openTo: z.enum(['roster', 'members']),
  adminFeePct: z.number().nullable(),
  priceFirmUntil: z.string().nullable(),
  freightTerms: z.string(),
  paymentTerms: z.string(),
  minimumOrder: z.number().nullable(),
  returnsTerms: z.string(),
  eligibility: z.string(),
  contact: Person.nullable(),
  gpoContact: z.string(),
  notes: z.string(),
  version: z.number().int(),
});
export type ContractEdit = z.infer<typeof ContractEdit>;

/** A tier as it is saved. Fields left out keep their value. */
const TierFields = z.object({
  tierNo: z.number().int().min(1, 'Type a number from 1 to 99').max(99, 'Type a number from 1 to 99'),
  name: RequiredText(100),
  requirement: Text(1000),
  needsLoc: z.boolean(),
  fallbackTierId: Id.nullable(),
  provisionalAllowed: z.boolean(),
});
export const WholeTier = TierFields;
export const TierInput = TierFields.partial()
  .extend({
    /** 0 means a new tier. */
    id: Id.or(z.literal(0)).default(0),
    contractId: Id,
    /** Removes the tier if nothing refers to it. */
    remove: z.boolean().default(false),
    /** The version of the tier. */
    version: Version.optional(),
  })
  .check(changesOverVersion);
