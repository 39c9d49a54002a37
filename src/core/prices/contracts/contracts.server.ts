// Answers the Contract calls.
import type { Answers } from '#platform/api/serve.server.ts';
import type { Contract } from './contracts.contract.ts';
import { hotSheet } from './hot-sheet/hot-sheet.server.ts';
import { linePage } from './lines/line-list.server.ts';
import { contractOfLine, pricesOfLine, saveLine, savePrice } from './lines/line-record.server.ts';
import { contractChoices, contractPage, contractsAsCsv } from './list/contract-list.server.ts';
import { contractQuotes } from './quotes/contract-quotes.server.ts';
import { contractTiers, pricedTiers } from './record/contract-head.server.ts';
import { contractHistory } from './record/contract-history.server.ts';
import { contractToEdit, saveContract } from './record/contract-record.server.ts';
import { saveTier } from './record/tier-record.server.ts';
import { requireContract, requireContracts } from './sight/contract-sight.server.ts';

export const contractAnswers: Answers<typeof Contract> = {
  Search: async (context, criteria) => contractPage({ ...context, day: await requireContracts(context) }, criteria),

  ExportContracts: async (context, criteria) =>
    contractsAsCsv({ ...context, day: await requireContracts(context) }, criteria),

  GetContractChoices: async (context) => contractChoices({ ...context, day: await requireContracts(context) }),

  /** Throws 404 for a contract that the person may not see. Leaves out the prices of tiers that the person may not see. */
  GetLines: async (context, { day: asked, ...criteria }) => {
    const { db, user } = context;
    const { day: today } = await requireContract(context, criteria.contractId);
    const tiers = pricedTiers(user, await contractTiers({ db, user, day: today }, criteria.contractId));
    const day = asked || today;
    return { ...(await linePage(db, criteria, day, tiers)), day };
  },

  /** Throws 404 for a line of a contract that the person may not see. Leaves out the prices of tiers that the person may not see. */
  GetLinePrices: async (context, { lineId }) => {
    const { db, user } = context;
    await requireContracts(context);
    const contractId = await contractOfLine(db, lineId);
    const { day } = await requireContract(context, contractId);
    const tiers = pricedTiers(user, await contractTiers({ db, user, day }, contractId));
    return pricesOfLine(db, lineId, tiers);
  },

  GetContractQuotes: async (context, criteria) => {
    await requireContract(context, criteria.contractId);
    return contractQuotes(context.db, context.user, criteria);
  },

  GetHotSheet: async (context, { contractId }) => {
    const { db, user } = context;
    return hotSheet({ db, user, day: await requireContracts(context) }, contractId);
  },

  GetContractHistory: async (context, { contractId, ...page }) => {
    await requireContract(context, contractId);
    return contractHistory(context, contractId, page);
  },

  PopulateContractEdit: async (context, { id }) => contractToEdit(context.db, id ?? 0, await requireContracts(context)),

  Save: async (context, input) => saveContract({ ...context, today: await requireContracts(context) }, input),

  SaveTier: async (context, input) => {
    await requireContracts(context);
    return { tier: await saveTier(context, input) };
  },

  SaveLine: async (context, input) => {
    await requireContracts(context);
    return { line: await saveLine(context, input) };
  },

  SavePrice: async (context, input) => savePrice({ ...context, today: await requireContracts(context) }, input),
};
