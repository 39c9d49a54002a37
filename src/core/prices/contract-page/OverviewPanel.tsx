// The tiers of a contract, how a facility qualifies for each one, and the terms of the contract.
import { Button, Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { ContractTier } from '#core/prices/contracts/contracts.contract.ts';
import { howReached } from '#core/prices/contracts/tier-words.ts';
import { TierDrawer } from '#core/prices/contracts/record/TierForm.tsx';
import { formatAmount } from '#platform/shared/money.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import type { ContractTab } from './contract-tab.web.ts';
import classes from './contract-page.module.css';

export function OverviewPanel({ data }: ContractTab) {
  const { contract, tiers, allowedActions } = data;
  const mayEdit = allowedActions.includes('Edit');
  const [editing, setEditing] = useState<ContractTier | 'new' | null>(null);
  return (
    <div className={classes['columns']}>
      <section className={`card ${classes['part']}`} aria-label="Tiers">
        <Group justify="space-between" mb="sm" mih={28}>
          <Title order={2} size="h4">
            Tiers
          </Title>
          {mayEdit ? (
            <Button size="compact-sm" variant="default" onClick={() => setEditing('new')}>
              Add Tier
            </Button>
          ) : null}
        </Group>
        {tiers.length === 0 ? (
          <Text size="sm" className="muted">
            No tier yet. Prices are kept by tier, so a contract needs at least one.
          </Text>
        ) : (
          <ol className={classes['tiers']} aria-label="Tiers">
            {tiers.map((tier, index) => (
              <li key={tier.id}>
                <Group gap={6} wrap="nowrap" align="start" justify="space-between">
                  <Group gap={6}>
                    <Text size="sm" fw={600}>
                      {tier.tierNo}. {tier.name}
                    </Text>
                    {index === 0 ? <Chip tone="green">Base tier</Chip> : null}
                    {tier.needsLoc ? <Chip tone="orange">Letter of commitment</Chip> : null}
                    {tier.provisionalAllowed ? <Chip tone="blue">Provisional prices allowed</Chip> : null}
                  </Group>
                  {mayEdit ? (
                    <Button
                      size="compact-sm"
                      variant="default"
                      flex="none"
                      aria-label={`Edit tier ${tier.tierNo}`}
                      onClick={() => setEditing(tier)}
                    >
                      Edit
                    </Button>
                  ) : null}
                </Group>
                <Text size="sm">{howReached(tier, index === 0, contract.openTo, tiers)}</Text>
              </li>
            ))}
          </ol>
        )}
      </section>
      <section className={`card ${classes['part']}`} aria-label="Terms">
        <Title order={2} size="h4" mb="sm">
          Terms
        </Title>
        <dl className={classes['terms']}>
          <Term label="Who may buy" text={contract.eligibility} />
          <Term label="Payment" text={contract.paymentTerms} />
          <Term label="Freight" text={contract.freightTerms} />
          <Term
            label="Minimum order"
            text={contract.minimumOrder === null ? '' : formatAmount(contract.minimumOrder, contract.currnIdx)}
          />
          <Term label="Returns" text={contract.returnsTerms} />
          {contract.adminFeePct === undefined ? null : (
            <Term label="Administrative fee" text={contract.adminFeePct === null ? '' : `${contract.adminFeePct}%`} />
          )}
          {contract.notes === undefined ? null : <Term label="Notes" text={contract.notes} />}
        </dl>
      </section>
      {editing ? (
        <TierDrawer
          contractId={contract.id}
          tier={editing === 'new' ? null : editing}
          tiers={tiers}
          onClose={() => setEditing(null)}
        />
      ) : null}
    </div>
  );
}

function Term({ label, text }: { label: string; text: string }) {
  return (
    <>
      <Text component="dt" size="xs" className="muted">
        {label}
      </Text>
      <Text component="dd" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text || '–'}
      </Text>
    </>
  );
}
