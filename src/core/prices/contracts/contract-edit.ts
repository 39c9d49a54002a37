// Defines the input for saving a contract's head, and its checks, which the form and the server share.
import { z } from 'zod';
import { Person } from '#platform/users/users.contract.ts';
import { DOLLAR_INDEX } from '#platform/shared/money.ts';
import { day, dayOrNone, declareRecord, field, requiredText, text } from '#platform/shared/record.ts';
import { Amount, changesOverVersion, Id, Named, Percent, RequiredText, Text, Version } from '#platform/shared/wire.ts';
import { CONTRACT_STATES } from './contract-status.ts';

/** A new contract is a draft that begins today. `blank` does not contain the first day. */
export const CONTRACT = declareRecord({
  number: requiredText('Number', 60),
  /** Null means a local agreement. Id 0 means none chosen, or the one named in `newGpo`. */
  gpo: field('GPO', z.object({ id: Id.or(z.literal(0)) }).nullable(), Named.nullable(), { id: 0, name: '' }),
  /** The name of a GPO that is not in the list yet. */
  newGpo: text('New GPO', 100),
  title: requiredText('Title', 200),
  category: text('Category', 100),
  awardType: text('Award', 40, 'multi'),
  currnIdx: field('Currency', Id, z.number().int(), DOLLAR_INDEX),
  from: day('From'),
  /** The last day as agreed. */
  to: day('To'),
  extendedTo: dayOrNone('Extended to'),
  /** The contract that this one follows. */
  predecessor: field('Follows', z.object({ id: Id }).nullable(), Named.nullable(), null),
  state: field('State', z.enum(CONTRACT_STATES), z.enum(CONTRACT_STATES), 'Draft'),
  /** The last day on which a terminated contract is valid. */
  terminatedOn: dayOrNone('Terminated, last day'),
  openTo: field('Open to', z.enum(['roster', 'members']), z.enum(['roster', 'members']), 'roster'),
  /** In percent. */
  adminFeePct: field('Administrative fee', Percent.nullable(), z.number().nullable(), null),
  priceFirmUntil: dayOrNone('Prices firm until'),
  freightTerms: text('Freight', 200),
  paymentTerms: text('Payment', 200),
  minimumOrder: field('Minimum order', Amount.nullable(), z.number().nullable(), null),
  returnsTerms: text('Returns', 2000),
  eligibility: text('Who may buy', 2000),
  /** The user to call at our company. */
  contact: field('Contact here', z.object({ id: Id }).nullable(), Person.nullable(), null),
  gpoContact: text('Contact at the GPO', 300),
  notes: text('Notes', 4000),
});
export const ContractInput = CONTRACT.Input.check(changesOverVersion);
export type ContractEdit = z.infer<typeof CONTRACT.Edit>;
type Fields = z.infer<typeof CONTRACT.Whole>;

/** A complete, consistent contract. */
export const WholeContract = CONTRACT.Whole.superRefine((contract, context) => {
  for (const [path, message] of Object.entries(faultsOf(contract)))
    context.addIssue({ code: 'custom', path: [path], message });
});

function faultsOf(input: Fields): Partial<Record<keyof Fields, string>> {
  const { from, to, extendedTo, terminatedOn, priceFirmUntil, state, gpo, newGpo, openTo } = input;
  const end = extendedTo ?? to;
  return {
    ...(gpo?.id === 0 && newGpo === '' ? { gpo: 'Choose the GPO, or a local agreement' } : {}),
    ...(gpo === null && openTo === 'members'
      ? { openTo: 'A local agreement has no members: it is open to its roster' }
      : {}),
    ...(to && to < from ? { to: 'The last day is before the first' } : {}),
    ...(extendedTo !== null && extendedTo <= to
      ? { extendedTo: 'An extension must end after the agreed last day' }
      : {}),
    ...(priceFirmUntil !== null && priceFirmUntil < from ? { priceFirmUntil: 'This is before the first day' } : {}),
    ...(state === 'Terminated' && terminatedOn === null ? { terminatedOn: 'Enter the last day of validity' } : {}),
    ...(state !== 'Terminated' && terminatedOn !== null
      ? { terminatedOn: 'Only a terminated contract has this day' }
      : {}),
    ...(terminatedOn !== null && terminatedOn < from ? { terminatedOn: 'This is before the first day' } : {}),
    ...(terminatedOn !== null && terminatedOn > end
      ? { terminatedOn: 'The contract ends before this day anyway' }
      : {}),
  };
}

/** The input for saving a tier. Fields left out keep their value. */
const TierFields = z.object({
  tierNo: z.number().int().min(1, 'Enter a number from 1 to 99').max(99, 'Enter a number from 1 to 99'),
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
