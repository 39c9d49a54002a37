// Defines our own API calls for letters of commitment, which a facility signs to qualify for a tier of a contract.
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { CONTRACT_KEEPERS } from '#core/prices/contracts/sight/contract-roles.ts';
import {
  changesOverVersion,
  Id,
  PageInput,
  pageOf,
  QueryId,
  SEND_VERSION,
  Text,
  TypedDate,
  Version,
} from '#platform/shared/wire.ts';
import { LETTER_STATES } from '../rosters/rosters.contract.ts';

export const Letter = z.object({
  id: z.number().int(),
  contractId: z.number().int(),
  facility: z.object({
    id: z.number().int(),
    name: z.string(),
    acctNo: z.string(),
    city: z.string(),
    state: z.string(),
  }),
  tierId: z.number().int(),
  tierNo: z.number().int(),
  tierName: z.string(),
  coversChildren: z.boolean(),
  state: z.enum(LETTER_STATES),
  /** The time when the letter entered the state. */
  stateAt: z.string(),
  from: z.string(),
  to: z.string().nullable(),
  signer: z.string(),
  signedOn: z.string().nullable(),
  note: z.string(),
  file: z.object({ name: z.string(), size: z.number().int() }).nullable(),
  version: z.number().int(),
});
export type Letter = z.infer<typeof Letter>;

const Day = TypedDate.or(z.literal('')).nullish();

export const LetterEdit = z
  .object({
    /** 0 means a new letter. */
    id: Id.or(z.literal(0)),
    contractId: Id,
    facilityId: Id,
    tierId: Id,
    coversChildren: z.boolean().optional(),
    state: z.enum(LETTER_STATES),
    from: TypedDate,
    to: Day,
    signer: Text(200).optional(),
    signedOn: Day,
    /** The reason, required by some steps and by a day in the past. */
    note: Text(1000).optional(),
    version: Version.optional(),
  })
  .check(changesOverVersion)
  .refine(({ from, to }) => !to || to >= from, {
    path: ['to'],
    message: 'The last day cannot be before the first day.',
  });
export type LetterEdit = z.infer<typeof LetterEdit>;

const reads = { access: 'user' } as const;
const keeps = { access: CONTRACT_KEEPERS, writes: true } as const;

export const Letters = {
  GetLocs: post(
    '/api/Contract/GetLocs',
    PageInput.extend({
      contractId: Id,
      /** Searches the facility's name, account number, city and ZIP. */
      keyword: Text(200).nullish(),
      state: z.enum(LETTER_STATES).nullish(),
      pageSize: z.number().int().min(1).max(200).default(50),
    }),
    pageOf(Letter),
    { ...reads, summary: 'Letters of commitment; representatives get those of the facilities they serve.' },
  ),
  SaveLoc: post('/api/Contract/SaveLoc', LetterEdit, Letter, {
    ...keeps,
    summary: 'Creates a letter of commitment, or moves it to its next state.',
  }),
  AttachLocFile: post(
    '/api/Contract/AttachLocFile',
    QueryId.extend({ version: z.coerce.number({ error: SEND_VERSION }).int().max(2_147_483_647) }),
    Letter,
    {
      ...keeps,
      in: 'upload',
      bodyLimit: 25 * 1024 * 1024,
      summary: 'The signed letter; it replaces the previous file until the letter is approved.',
    },
  ),
  DownloadLocFile: post('/api/Contract/DownloadLocFile', z.object({ id: Id }), Bytes, {
    ...reads,
    file: 'application/octet-stream',
  }),
  GetLocPdf: post('/api/Contract/GetLocPdf', z.object({ id: Id }), Bytes, {
    ...reads,
    file: 'application/pdf',
    summary: 'The letter filled from its record, to be signed.',
  }),
};
