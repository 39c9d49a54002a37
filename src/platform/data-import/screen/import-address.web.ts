// The address of an import screen: the open import, the kind of a new one, and the filters of the history.
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useAddress } from '#platform/ui/address.web.ts';
import { type ListAddress, useListAddress } from '#platform/ui/list-address.web.ts';

type Filters = { keyword: string; of: string; state: string };
export type ImportAddress = {
  /** The open import; null for a new one. */
  id: number | null;
  /** `?kind=users`, used by links from other screens. */
  kind: string | undefined;
  /** `&contract=MS-1001`: the contract of the file, used by links from a contract's page. */
  contract: string | undefined;
  open: (id: number | null) => void;
  list: ListAddress<Filters>;
};

export function useImportAddress(name: string): ImportAddress {
  const list = useListAddress<Filters>(name, { keyword: '', of: '', state: '' }, { field: 'at', dir: 'desc' }, [
    'import',
    'kind',
    'contract',
  ]);
  const address = useAddress();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return {
    id: /^[1-9]\d{0,8}$/.test(address['import'] ?? '') ? Number(address['import']) : null,
    kind: address['kind'],
    contract: address['contract'],
    open: (next) => {
      const { import: _, ...rest } = address;
      const search = next === null ? rest : { ...rest, import: String(next) };
      void navigate({ to: pathname, search, resetScroll: false });
    },
    list,
  };
}
