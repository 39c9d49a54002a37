// The quotes at risk of one contract, for its page.
import { Group } from '@mantine/core';
import { useState } from 'react';
import type { ContractTab } from '#core/prices/contract-page/contract-tab.web.ts';
import { KindSelect, riskKindNamed, MineCheckbox, RiskList, useRisks } from './RiskList.tsx';

/** `list`: the page and order that the contract's page keeps in its address. */
export default function RisksTab({ data, list }: ContractTab) {
  const contractId = data.contract.id;
  const [kind, setKind] = useState('');
  const [mine, setMine] = useState('');
  const narrowed = (set: (value: string) => void) => (value: string) => {
    set(value);
    list.goTo(1);
  };
  const query = useRisks({ contractId, kind: riskKindNamed(kind), mine: mine !== '', keyword: '' }, list);
  return (
    <section className="card" aria-label="Quotes at risk">
      <Group px="md" py="xs" gap="sm" style={{ borderBottom: '1px solid var(--app-line)' }}>
        <KindSelect value={riskKindNamed(kind)} onChange={narrowed(setKind)} />
        <MineCheckbox value={mine !== ''} onChange={narrowed(setMine)} />
      </Group>
      <RiskList found={query} list={list} kind={riskKindNamed(kind)} onKind={narrowed(setKind)} />
    </section>
  );
}
