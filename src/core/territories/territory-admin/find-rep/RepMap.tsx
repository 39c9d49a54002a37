// The map of an answer: the territory's areas and the requested ZIP.
import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { TerritoryMapHandle } from '#core/territories/map/TerritoryMap.tsx';
import { ZipAreas, type ZipRefs } from '#core/territories/zip-areas/zip-areas.contract.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import classes from '../territory-admin.module.css';
import type { RepsFound } from './find-rep.contract.ts';

// Loaded separately, so that the answer does not wait for the map.
const TerritoryMap = lazy(async () => {
  const { TerritoryMap: map } = await import('#core/territories/map/TerritoryMap.tsx');
  return { default: map };
});

export function RepMap({ found }: { found: RepsFound }) {
  const { territory, region, zip, date, mapStates } = found;
  const refs = useQuery({
    ...api(ZipAreas).getTerrZipGeoJson.query({
      format: 'refs',
      states: mapStates,
      // Without a territory, the map shows only the areas and the ZIP.
      territoryIds: territory ? [territory.id] : [],
      date,
    }),
    placeholderData: keepPreviousData,
  });
  const visible = refs.data && 'files' in refs.data ? refs.data : undefined;
  return (
    <section className="card" aria-label="On the map">
      <ErrorAlert error={refs.error} title="The map did not load" />
      {visible ? (
        <Suspense fallback={<div className={classes['repMap']} />}>
          <Answer refs={visible} zip={zip} territory={territory} region={region} />
        </Suspense>
      ) : refs.error ? null : (
        <div className={classes['repMap']} />
      )}
      <Text size="sm" className={`muted ${classes['part'] ?? ''}`}>
        {territory ? `${territory.name}; ZIP ${zip} has a thick outline.` : `ZIP ${zip} has a thick outline.`}
      </Text>
    </section>
  );
}

type Shown = { refs: ZipRefs; zip: string } & Pick<RepsFound, 'territory' | 'region'>;

function Answer({ refs, zip, territory, region }: Shown) {
  const map = useRef<TerritoryMapHandle>(null);
  const territories = useMemo(
    () => (territory && region ? [{ ...territory, region, color: null, reps: [], openValue: [] }] : []),
    [territory, region],
  );
  const selection = useMemo(() => new Set([zip]), [zip]);
  const zips = refs.territories.flatMap((entry) => entry.zips.split(' ')).join(' ');
  const show = useCallback(() => {
    if (!map.current?.fit([zip, ...zips.split(' ')])) map.current?.fit(refs.unassigned.split(' '));
  }, [zip, zips, refs.unassigned]);
  useEffect(show, [show]);
  return (
    <div className={classes['repMap']}>
      <TerritoryMap
        ref={map}
        plain
        label={`Map of ${territory?.name ?? `ZIP ${zip}`}`}
        refs={refs}
        territories={territories}
        coloring="territory"
        selection={selection}
        onReady={show}
      />
    </div>
  );
}
