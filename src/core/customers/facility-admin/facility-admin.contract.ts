// Defines the calls that administer facilities (not in the specification): the record, its contacts, its GPO memberships.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { Contact } from '#core/customers/facilities/facilities.contract.ts';
import { FREIGHT_TERMS, PAYMENT_TERMS } from '#core/customers/facilities/terms.ts';
import { DOLLAR_INDEX } from '#platform/shared/money.ts';
import { declareRecord, field, flag, requiredText, text, FormQuery } from '#platform/shared/record.ts';
import type { Role } from '#platform/shared/roles.ts';
import { US_STATES } from '#platform/shared/us-states.ts';
import {
  Address,
  changesOverVersion,
  Id,
  Named,
  Percent,
  RequiredText,
  Text,
  TypedDate,
  Version,
} from '#platform/shared/wire.ts';
import { IDENTIFIER_KINDS } from './identifiers/identifier.ts';

/** The roles that may edit facilities. All other roles may only read them. */
export const FACILITY_KEEPERS: readonly Role[] = ['systemadmin', 'salesadmin'];

/** The roles that may edit GPO memberships and identifiers: those that edit facilities, and the contract department. */
export const MEMBERSHIP_KEEPERS: readonly Role[] = [...FACILITY_KEEPERS, 'contractdept'];

const PostalAddress = z.object({
  line1: Text(200).default(''),
  line2: Text(200).default(''),
  city: Text(100).default(''),
  state: Text(2)
    .refine((state) => state === '' || US_STATES.some(({ abbreviation }) => abbreviation === state), 'Choose the state')
    .default(''),
  zip: Text(10)
    .refine((zip) => zip === '' || /^\d{5}(-\d{4})?$/.test(zip), 'Enter a 5-digit ZIP or ZIP+4')
    .default(''),
});

const NOWHERE = { line1: '', line2: '', city: '', state: '', zip: '' };

export const FACILITY = declareRecord(
  {
    acctNo: requiredText('Account number', 60),
    name: requiredText('Name', 200),
    phone: text('Phone', 40),
    billTo: field('Bill to', PostalAddress, Address, NOWHERE),
    shipTo: field('Ship to', PostalAddress, Address, NOWHERE),
    parent: field('Parent', z.object({ id: Id }).nullable(), Named.nullable(), null),
    classOfTrade: text('Class of trade', 100),
    priceLevel: text('Price level', 40),
    currnIdx: field('Currency', Id, z.number().int(), DOLLAR_INDEX),
    taxExempt: flag('Tax exempt', false),
    taxCertificate: text('Tax certificate', 100),
    taxRate: field('Tax rate', Percent, z.number(), 0),
    paymentTerms: text('Payment terms', 100, PAYMENT_TERMS[0]),
    freightTerms: text('Freight terms', 100, FREIGHT_TERMS[0]),
  },
  ['acctNo', 'name'],
);
export const FacilityInput = FACILITY.Input.check(changesOverVersion);
export type FacilityEdit = z.infer<typeof FACILITY.Edit>;

const FacilityEditData = z.object({
  facility: FACILITY.Edit,
  active: z.boolean(),
  /** Usual values, and values that other facilities already use. */
  choices: z.object({
    classesOfTrade: z.array(z.string()),
    priceLevels: z.array(z.string()),
    paymentTerms: z.array(z.string()),
    freightTerms: z.array(z.string()),
  }),
  /** Records that deactivating the facility affects. */
  facts: z.object({
    openQuotes: z.number().int(),
    /** The number of active facilities that have it as their parent. */
    members: z.number().int(),
  }),
});
export type FacilityEditData = z.infer<typeof FacilityEditData>;

/** The last day. Empty or null means no end. */
const LastDay = TypedDate.or(z.literal('')).nullish();

export const ContactInput = z
  .object({
    /** 0 for a new contact. */
    id: Id.or(z.literal(0)).default(0),
    facilityId: Id,
    name: RequiredText(100),
    title: Text(100).optional(),
    email: z.union([z.literal(''), z.email('This is not an email address').max(320)]).optional(),
    phone: Text(40).optional(),
    /** The facility's version. */
    version: Version.optional(),
  })
  .check(changesOverVersion);

const Membership = z.object({
  id: z.number().int(),
  gpo: Named,
  memberId: z.string(),
  primary: z.boolean(),
  from: z.string(),
  to: z.string().nullable(),
});
export type Membership = z.infer<typeof Membership>;

export const MembershipInput = z
  .object({
    /** 0 for a new membership. Once it has begun, only the number, the primary mark and the last day can change. */
    id: Id.or(z.literal(0)).default(0),
    facilityId: Id,
    /** 0 for the group named in `newGpo`. */
    gpoId: Id.or(z.literal(0)).default(0),
    /** The name of a group that is not in the list yet. */
    newGpo: Text(100).default(''),
    memberId: Text(60).optional(),
    /** Marks the declared primary GPO, whose contract prices come first. A facility has one at a time. */
    primary: z.boolean().optional(),
    from: TypedDate,
    to: LastDay,
    /** The facility's version. */
    version: Version.optional(),
  })
  .check(changesOverVersion)
  .refine(({ gpoId, newGpo }) => gpoId !== 0 || newGpo !== '', { message: 'Choose the GPO', path: ['gpoId'] })
  .refine(({ from, to }) => !to || to >= from, {
    message: 'The last day cannot be before the first day.',
    path: ['to'],
  });

const FacilityIdentifier = z.object({
  id: z.number().int(),
  kind: z.enum(IDENTIFIER_KINDS),
  /** The GPO that issued a member id. Null for other kinds. */
  gpo: Named.nullable(),
  value: z.string(),
  /** Empty without a first day. */
  from: z.string(),
  to: z.string().nullable(),
});
export type FacilityIdentifier = z.infer<typeof FacilityIdentifier>;

export const IdentifierInput = z
  .object({
    /** 0 for a new identifier. */
    id: Id.or(z.literal(0)).default(0),
    facilityId: Id,
    kind: z.enum(IDENTIFIER_KINDS),
    /** The GPO that issued a member id. Null for other kinds. */
    gpoId: Id.nullish(),
    value: RequiredText(60),
    /** Empty means no first day. */
    from: TypedDate.or(z.literal('')).optional(),
    to: LastDay,
    /** The facility's version. */
    version: Version.optional(),
  })
  .check(changesOverVersion)
  .refine(({ from, to }) => !to || !from || to >= from, {
    message: 'The last day cannot be before the first day.',
    path: ['to'],
  });

const FacilityRecord = z.object({
  version: z.number().int(),
  taxCertificate: z.string(),
  /** All memberships, including past ones, latest first. */
  memberships: z.array(Membership),
  identifiers: z.array(FacilityIdentifier),
  /** The account numbers of facilities that were merged into it. They find this facility, too. */
  otherAccounts: z.array(z.object({ acctNo: z.string(), name: z.string() })),
  overrides: z.array(
    z.object({
      id: z.number().int(),
      territory: Named,
      /** The territory's version. */
      version: z.number().int(),
      /** False while the territory is inactive, so that the override has no effect. */
      counts: z.boolean(),
      reason: z.string(),
      from: z.string(),
      to: z.string().nullable(),
    }),
  ),
  /** The company's calendar day. */
  today: z.string(),
});
export type FacilityRecord = z.infer<typeof FacilityRecord>;
export type FacilityOverride = FacilityRecord['overrides'][number];

const OneFacility = z.object({ id: Id });
const Saved = z.object({ id: z.number().int(), version: z.number().int() });

export const FacilityAdmin = {
  GetFacilityRecord: post('/api/Facility/GetFacilityRecord', OneFacility, FacilityRecord, {
    access: 'user',
    summary: 'The GPO memberships and account overrides of a facility, past ones included.',
  }),
  PopulateFacilityEditModel: post('/api/Facility/PopulateFacilityEditModel', FormQuery, FacilityEditData, {
    access: FACILITY_KEEPERS,
    in: 'query',
    summary: 'A facility to edit; without an id a new one.',
  }),
  SaveFacility: post('/api/Facility/SaveFacility', FacilityInput, FACILITY.Edit, {
    access: FACILITY_KEEPERS,
    writes: true,
    summary: 'Existing quotes keep their name, addresses, terms, tax and currency.',
  }),
  InactiveOrActiveFacility: post(
    '/api/Facility/InactiveOrActiveFacility',
    z.object({
      id: Id,
      /** Omitted: toggles the state. */
      active: z.boolean().optional(),
      version: Version,
    }),
    Saved.extend({ active: z.boolean() }),
    { access: FACILITY_KEEPERS, writes: true },
  ),
  SaveFacilityContact: post('/api/Facility/SaveFacilityContact', ContactInput, Contact, {
    access: FACILITY_KEEPERS,
    writes: true,
  }),
  GetContactUse: post(
    '/api/Facility/GetContactUse',
    z.object({ facilityId: Id, id: Id }),
    z.object({ openQuotes: z.number().int() }),
    { access: FACILITY_KEEPERS, summary: 'How many open quotes of the facility name a contact.' },
  ),
  RemoveFacilityContact: post(
    '/api/Facility/RemoveFacilityContact',
    z.object({ facilityId: Id, id: Id /** The facility's version. */, version: Version }),
    Saved,
    {
      access: FACILITY_KEEPERS,
      writes: true,
      summary: 'Quotes that name the contact keep the name, email and phone.',
    },
  ),
  GetGpoSimpleData: post('/api/Facility/GetGpoSimpleData', z.object({}), z.array(Named), {
    access: MEMBERSHIP_KEEPERS,
  }),
  SaveGpoMembership: post('/api/Facility/SaveGpoMembership', MembershipInput, Membership, {
    access: MEMBERSHIP_KEEPERS,
    writes: true,
    summary: 'A membership that becomes primary today replaces the current primary one.',
  }),
  EndGpoMembership: post(
    '/api/Facility/EndGpoMembership',
    z.object({ facilityId: Id, id: Id, lastDay: TypedDate /** The facility's version. */, version: Version }),
    /** The call removes a membership that begins after the last day. */
    z.object({ ended: z.number().int(), removed: z.number().int() }),
    { access: MEMBERSHIP_KEEPERS, writes: true },
  ),
  SaveFacilityIdentifier: post('/api/Facility/SaveFacilityIdentifier', IdentifierInput, FacilityIdentifier, {
    access: MEMBERSHIP_KEEPERS,
    writes: true,
    summary: 'A HIN, a GLN or a GPO member id of a facility, for a period.',
  }),
  EndFacilityIdentifier: post(
    '/api/Facility/EndFacilityIdentifier',
    z.object({ facilityId: Id, id: Id, lastDay: TypedDate /** The facility's version. */, version: Version }),
    /** The call removes an identifier that begins after the last day. */
    z.object({ ended: z.number().int(), removed: z.number().int() }),
    { access: MEMBERSHIP_KEEPERS, writes: true },
  ),
};
