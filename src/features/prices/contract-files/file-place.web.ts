// Reads from the address which folder the screen shows.
import { useLocation } from '@tanstack/react-router';
import { useAddress } from '#ui/address.web.ts';
import { useListAddress } from '#ui/list-address.web.ts';
import type { Step } from './contract-files.contract.ts';

const NOWHERE = { tab: '', gpo: '', contract: '', folder: '', keyword: '' };
const idIn = (text: string, least = 1) => (/^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : null);

export type FilePlace = ReturnType<typeof useFilePlace>;

/** `contractId`: the contract whose page this is. */
export function useFilePlace(contractId: number | null) {
  const { pathname } = useLocation();
  const { tab } = useAddress();
  const list = useListAddress(null, NOWHERE, { field: 'name', dir: 'asc' });
  const { gpo, contract, folder } = list.filters;
  /** The link to a step of the path; null means the top. */
  const linkTo = (step: Pick<Step, 'kind' | 'id'> | null) => {
    const isHere = step?.kind === 'contract' && step.id === contractId;
    const search: Record<string, string> = tab === undefined ? {} : { tab };
    if (step && !isHere) search[step.kind] = String(step.id);
    return { to: pathname, search };
  };
  return {
    list,
    linkTo,
    asked: {
      gpoId: idIn(gpo, 0),
      contractId: contractId ?? idIn(contract),
      folderId: idIn(folder),
      keyword: list.filters.keyword,
    },
  };
}
