// The territories on the map, colored by won or open amounts. A click opens the list behind one. It loads separately, because it is large.
import { Group, SegmentedControl, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { assignmentsOf, type MapRefs } from '#core/territories/map/map-data.ts';
import { MapOfDay } from '#addons/territory-map/screen/MapOfDay.tsx';
import type { MapRow } from '#addons/territory-map/territory-map.contract.ts';
import { TerritoryMap } from '#core/territories/map/TerritoryMap.tsx';
import type { TerritorySalesReport } from '../reports.contract.ts';
import classes from '../screen/reports.module.css';

type Props = { report: TerritorySalesReport; hrefOf: (slice: string) => string };

export default function SalesMap(props: Props) {
  const [outcome, setOutcome] = useState<Shown>('won');
  return (
    <section className={`card ${classes['wide'] ?? ''} ${classes['mapCard'] ?? ''}`} aria-labelledby="sales-map">
      <Group justify="space-between">
        <Title order={2} id="sales-map">
          {outcome === 'won' ? 'Won by territory' : 'Open by territory'}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label="Map values"
          className="no-print"
          value={outcome}
          onChange={(next) => setOutcome(next === 'open' ? 'open' : 'won')}
          data={[
            { value: 'won', label: 'Won' },
            { value: 'open', label: 'Open' },
          ]}
        />
      </Group>
      <div className={classes['map']}>
        <MapOfDay date="" height="100%">
          {(refs, territories) => <Drawn {...props} outcome={outcome} refs={refs} territories={territories} />}
        </MapOfDay>
      </div>
    </section>
  );
}

type Shown = 'won' | 'open';

function Drawn({
  report,
  hrefOf,
  outcome,
  refs,
  territories,
}: Props & { outcome: Shown; refs: MapRefs; territories: MapRow[] }) {
  const navigate = useNavigate();
  const { territories: figures, currnIdx } = report;
  const sold = useMemo(() => new Map(figures.map((figure) => [figure.territoryId, figure])), [figures]);
  const assigned = useMemo(() => assignmentsOf(refs), [refs]);
  // The map colors by a territory's open value. Here that is the figure of the report.
  const colored = useMemo(
    () =>
      territories.map((territory) => ({
        ...territory,
        openValue: [{ currnIdx, amount: sold.get(territory.id)?.[outcome] ?? 0 }],
      })),
    [territories, sold, outcome, currnIdx],
  );
  const open = (zip: string | null) => {
    const territory = zip === null ? undefined : assigned.get(zip);
    const figure = territory === undefined ? undefined : sold.get(territory);
    if (figure) void navigate({ href: hrefOf(outcome === 'won' ? figure.wonSlice : figure.openSlice) });
  };
  return (
    <TerritoryMap
      refs={refs}
      territories={colored}
      coloring="value"
      onPoint={open}
      label={`Territories by ${outcome === 'won' ? 'won' : 'open'} amount. The charts below show the same figures.`}
      fileName={`territories-${outcome}.png`}
    />
  );
}
