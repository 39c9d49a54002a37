// Shows the effect of a plan by territory and by representative, before and after.
import { Alert, Stack, Text, Title } from '@mantine/core';
import { type ReactNode } from 'react';
import { countOf } from '#platform/shared/count-of.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { usePlan } from './plan.web.ts';
import {
  balanceInWords,
  changeWords,
  moneyChangeWords,
  moneyWords,
  movedTotals,
  territoryWords,
} from '../plan-words.ts';
import classes from '../territory-plans.module.css';
import type { LoadedMap, PlanEffect } from '../territory-plans.contract.ts';

export function EffectsPanel() {
  const { loaded, unsaved, weighed, moves } = usePlan();
  if (loaded.effects.length === 0)
    return (
      <Text ta="center" py="xl" className="muted" role="status">
        {unsaved > 0 || !weighed
          ? 'The effects are calculated when your moves are saved…'
          : 'This plan has no moves, so nothing changes.'}
      </Text>
    );
  return (
    <Stack gap="md" py="sm">
      <Stack gap={4} px="md">
        <Balance effects={loaded.effects} moves={moves.length} />
        {unsaved > 0 ? (
          <Text size="sm" className="muted" role="status">
            {countOf(unsaved, 'unsaved change')} {unsaved === 1 ? 'is' : 'are'} not included yet.
          </Text>
        ) : weighed ? null : (
          <Text size="sm" className="muted" role="status">
            Your last change is not included yet. Recalculating…
          </Text>
        )}
      </Stack>
      {loaded.overridden > 0 ? (
        <Alert color="blue" mx="md" py="xs">
          <Text size="sm">
            {countOf(loaded.overridden, 'facility', 'facilities')} in these ZIPs{' '}
            {loaded.overridden === 1 ? 'has an account override and does' : 'have account overrides and do'} not move.
          </Text>
        </Alert>
      ) : null}
      <EffectTable effects={loaded.effects} />
      <RepsTable reps={loaded.reps} />
    </Stack>
  );
}

function Balance({ effects, moves }: { effects: readonly PlanEffect[]; moves: number }) {
  const { pointZips } = movedTotals(effects);
  return (
    <Text size="sm">
      <b>{countOf(moves, 'ZIP')}</b> {moves === 1 ? 'changes' : 'change'} territory
      {pointZips > 0 ? `, ${pointZips.toLocaleString('en-US')} of them PO boxes or single buildings` : ''}.{' '}
      {balanceInWords(effects)}
    </Text>
  );
}

const EFFECT_COLUMNS: Column<PlanEffect>[] = [
  {
    title: 'Territory',
    width: 240,
    render: ({ territory, region }) => (
      <span title={region?.name}>{territory ? <b>{territory.name}</b> : 'No territory'}</span>
    ),
  },
  { title: 'Sales Rep.', width: 200, render: ({ territory, rep }) => rep?.name ?? (territory ? 'None' : '–') },
  { title: 'ZIPs', figure: true, render: (row) => <FromTo {...figures(row, 'zips')} /> },
  { title: 'Point ZIPs', figure: true, render: (row) => <FromTo {...figures(row, 'pointZips')} /> },
  { title: 'Facilities', figure: true, render: (row) => <FromTo {...figures(row, 'facilities')} /> },
  { title: 'Open quotes', figure: true, render: (row) => <FromTo {...figures(row, 'openQuotes')} /> },
  { title: 'Value', figure: true, render: (row) => <FromTo {...openValue(row)} /> },
];

export function EffectTable({ effects }: { effects: PlanEffect[] }) {
  return (
    <DataList
      label="Effect by territory"
      columns={EFFECT_COLUMNS}
      rows={effects}
      rowKey={(row) => row.territory?.id ?? 'none'}
      card={(row) => (
        <Stack gap={2}>
          <Text size="sm">
            <b>{territoryWords(row.territory)}</b>
            {row.rep ? ` · ${row.rep.name}` : ''}
          </Text>
          {(
            [
              ['ZIPs', figures(row, 'zips')],
              ['Point ZIPs', figures(row, 'pointZips')],
              ['Facilities', figures(row, 'facilities')],
              ['Open quotes', figures(row, 'openQuotes')],
              ['Value', openValue(row)],
            ] as const
          ).map(([label, figure]) => (
            <Text size="sm" key={label} className="tabular">
              <span className="muted">{label}</span> <FromTo {...figure} />
            </Text>
          ))}
        </Stack>
      )}
    />
  );
}

type Figure = { before: string; after: string; change: string };

function figures({ before, after }: PlanEffect, key: 'zips' | 'pointZips' | 'facilities' | 'openQuotes'): Figure {
  return {
    before: before[key].toLocaleString('en-US'),
    after: after[key].toLocaleString('en-US'),
    change: changeWords(before[key], after[key]),
  };
}

function openValue({ before, after }: PlanEffect): Figure {
  return {
    before: moneyWords(before.openValue),
    after: moneyWords(after.openValue),
    change: moneyChangeWords(before.openValue, after.openValue),
  };
}

/** '10 → 12 +2'. An unchanged figure appears alone. */
function FromTo({ before, after, change }: Figure): ReactNode {
  if (change === '') return <span className="muted">{after}</span>;
  return (
    <>
      <span className="muted">{before} →</span> <b>{after}</b> <span className={classes['change']}>{change}</span>
    </>
  );
}

type RepEffect = LoadedMap['reps'][number];

const REP_COLUMNS: Column<RepEffect>[] = [
  { title: 'Sales Rep.', width: 280, render: ({ rep }) => <b>{rep.name}</b> },
  { title: 'Facilities', figure: true, render: (row) => <FromTo {...ofRep(row, 'facilities')} /> },
  { title: 'Open quotes', figure: true, render: (row) => <FromTo {...ofRep(row, 'openQuotes')} /> },
  { title: 'Net change', render: (row) => gainInWords(row) },
];

function ofRep(row: RepEffect, key: 'facilities' | 'openQuotes'): Figure {
  const [before, after] =
    key === 'facilities' ? [row.facilitiesBefore, row.facilitiesAfter] : [row.openQuotesBefore, row.openQuotesAfter];
  return {
    before: before.toLocaleString('en-US'),
    after: after.toLocaleString('en-US'),
    change: changeWords(before, after),
  };
}

function gainInWords({ facilitiesBefore, facilitiesAfter }: RepEffect): string {
  const change = facilitiesAfter - facilitiesBefore;
  if (change === 0) return 'No change';
  return `${change > 0 ? 'Gains' : 'Loses'} ${countOf(Math.abs(change), 'facility', 'facilities')}`;
}

function RepsTable({ reps }: { reps: RepEffect[] }) {
  if (reps.length === 0) return null;
  return (
    <section aria-label="Effect by sales rep">
      <Title order={2} size="h6" px="md" mb={4}>
        Effect by sales rep
      </Title>
      <Text size="sm" className="muted" px="md" mb="xs">
        Based on the current sales representatives of these territories.
      </Text>
      <DataList
        label="Effect by sales rep"
        columns={REP_COLUMNS}
        rows={reps}
        rowKey={({ rep }) => rep.id}
        card={(row) => (
          <Stack gap={0}>
            <Text size="sm" fw={600}>
              {row.rep.name}
            </Text>
            <Text size="sm">{gainInWords(row)}</Text>
          </Stack>
        )}
      />
    </section>
  );
}
