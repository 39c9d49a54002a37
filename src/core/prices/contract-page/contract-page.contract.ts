// Defines the API call that reads one contract with everything its page shows (specification section 7, Contracts).
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { ContractHead, ContractLine, ContractTier } from '#core/prices/contracts/contracts.contract.ts';
import { pageOf, QueryId } from '#platform/shared/wire.ts';

/** The actions that a user may perform on a contract's page. */
export const CONTRACT_ACTIONS = [
  'Edit',
  'Activate',
  'Terminate',
  'TakeTerminationBack',
  'ReadHistory',
  'PrintHotSheet',
] as const;
export type ContractAction = (typeof CONTRACT_ACTIONS)[number];

/** A file of the contract. Contract/DownloadContractFile returns its content. */
const ContractDocument = z.object({
  id: z.number().int(),
  name: z.string(),
  /** 'Amendments / 2026'. Empty at the top. */
  folder: z.string(),
  size: z.number().int(),
  updatedAt: z.string(),
});

export const ContractDetail = z.object({
  contract: ContractHead,
  /** By rank. */
  tiers: z.array(ContractTier),
  /** The first page by item number, with today's prices. */
  lines: pageOf(ContractLine),
  counts: z.object({
    lines: z.number().int(),
    /**
     * The number of facilities on the roster today (or on the first day of a contract that has not begun), and of letters of commitment. Only those
     * that this user can see.
     */
    roster: z.number().int(),
    letters: z.number().int(),
    /** The number of files that this user may read. */
    files: z.number().int(),
    /** The number of quotes with its prices that this user can see, counted up to 1,000. `moreQuotes` is true if there are more. */
    quotes: z.number().int(),
    moreQuotes: z.boolean(),
    /** The number of those quotes that are at risk. */
    risks: z.number().int(),
  }),
  /** The latest 100 files that this user may read, newest first. */
  documents: z.array(ContractDocument),
  /** The company's current day. */
  today: z.string(),
  allowedActions: z.array(z.enum(CONTRACT_ACTIONS)),
});
export type ContractDetail = z.infer<typeof ContractDetail>;

export const GpoApi = {
  getGpoContractDetailDataForApiCall: post('/api/GpoApi/getGpoContractDetailDataForApiCall', QueryId, ContractDetail, {
    access: 'user',
    in: 'query',
    summary: 'A contract that the user may see: head, tiers, first lines, counts, allowed actions.',
  }),
};
