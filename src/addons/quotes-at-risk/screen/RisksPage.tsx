// The page that lists quotes at risk, under GPO Contracts.
import { ContractLists } from '#core/prices/contracts/list/ContractLists.tsx';
import { ContractSelect } from '#core/prices/contracts/list/ContractSelect.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { useListAddress } from '#platform/ui/list-address.web.ts';
import { KindSelect, riskKindNamed, MineCheckbox, RiskList, useRisks } from './RiskList.tsx';

/** Contains the contract's id and number, so that the address shows both. */
const NO_FILTERS = { keyword: '', kind: '', contract: '', number: '', mine: '' };

export default function RisksPage() {
  const list = useListAddress('risks', NO_FILTERS, { field: 'difference', dir: 'desc' });
  const { keyword, mine, contract, number } = list.filters;
  const kind = riskKindNamed(list.filters.kind);
  const contractId = /^[1-9]\d{0,8}$/.test(contract) ? Number(contract) : null;
  const query = useRisks({ keyword, kind, contractId, mine: mine !== '' }, list);
  const onKind = (next: string) => list.filter({ kind: next });
  return (
    <ListPage
      title="Quotes at risk"
      hint="Open quotes with line prices that have changed or will change soon."
      noun={['quote', 'quotes']}
      total={query.data?.total}
      siblingLists={<ContractLists />}
      filters={
        <>
          <KeywordField label="Facility or quote" value={keyword} onChange={(next) => list.filter({ keyword: next })} />
          <KindSelect value={kind} onChange={onKind} />
          <ContractSelect
            aria-label="Contract"
            placeholder="All contracts"
            w={190}
            value={contractId === null ? null : { id: contractId, name: number }}
            onChange={(next) => list.filter({ contract: next ? String(next.id) : '', number: next?.name ?? '' })}
          />
          <MineCheckbox value={mine !== ''} onChange={(next) => list.filter({ mine: next })} />
        </>
      }
    >
      <RiskList found={query} list={list} kind={kind} onKind={onKind} />
    </ListPage>
  );
}
