// The answers of Contract.
import type { Answers } from '#api/serve.server.ts';
import { requireContract, requireContracts } from '#features/prices/contract-sight/contract-sight.server.ts';
import type { Contract } from './contracts.contract.ts';
import { linePage } from './lines/line-list.server.ts';
import { contractChoices, contractPage, contractsAsCsv } from './list/contract-list.server.ts';
import { contractTiers, pricedTiers } from './record/contract-head.server.ts';

export const contractAnswers: Answers<typeof Contract> = {
  Search: async (context, criteria) => contractPage({ ...context, day: await requireContracts(context) }, criteria),

  ExportContracts: async (context, criteria) =>
    contractsAsCsv({ ...context, day: await requireContracts(context) }, criteria),

  GetContractChoices: async (context) => contractChoices({ ...context, day: await requireContracts(context) }),

  /** 404 for a contract out of sight. Prices of tiers that are not this person's are left out. */
  GetLines: async (context, { day: asked, ...criteria }) => {
    const { db, user } = context;
    const { day: today } = await requireContract(context, criteria.contractId);
    const tiers = pricedTiers(user, await contractTiers({ db, user, day: today }, criteria.contractId));
    const day = asked || today;
    return { ...(await linePage(db, criteria, day, tiers)), day };
  },
};
