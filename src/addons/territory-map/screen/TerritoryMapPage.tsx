// The territory map page: the whole country as of a day, details of a place, search, selection, and the same data as tables.
import { Alert, Anchor, Button, Group, SegmentedControl, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { parseDate } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { DateField } from '#platform/ui/DateField.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { ExportButton } from '#platform/ui/Export.tsx';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { saveFile } from '#platform/ui/save-file.web.ts';
import type { FacilityMark } from '#core/territories/map/drawing/scene.ts';
import { useFindOnMap, useMapFacilities } from './find-on-map.web.ts';
import { type Shown, useMapAddress } from './map-address.web.ts';
import { COLORINGS, type MapRefs } from '#core/territories/map/map-data.ts';
import { MapAndDrawer } from './MapAndDrawer.tsx';
import { useMapOfDay } from './MapOfDay.tsx';
import { MapSearch } from './MapSearch.tsx';
import { TerritoryTable, ZipTable } from './MapTables.tsx';
import { PlaceCard } from './PlaceCard.tsx';
import { useSelection } from './selection.web.ts';
import { SelectionPanel } from './SelectionPanel.tsx';
import { type Hit, type MapRow, TerritoryMapCalls } from '../territory-map.contract.ts';
import { TerritoryMap, type TerritoryMapHandle } from '#core/territories/map/TerritoryMap.tsx';
import type { How } from '#core/territories/map/territory-map.web.ts';
import { zipRowsLater } from '../zip-rows.ts';

export default function TerritoryMapPage() {
  const user = useSession();
  const plans = user !== null && hasRole(user, 'systemadmin', 'salesadmin', 'salessupport', 'salesQuoteManager');
  const [view, show] = useMapAddress();
  const { refs, territories, error, failed } = useMapOfDay(view.date);
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="sm">
      <PageTitle>Map Tool</PageTitle>
      <Group justify="space-between" px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }}>
        <Title order={1}>Map Tool</Title>
        {plans ? (
          <Button
            variant="default"
            className="no-print"
            renderRoot={(props) => <Link {...props} to={paths.savedMaps} />}
          >
            Territory Plans
          </Button>
        ) : null}
      </Group>
      {failed}
      {refs && !(error && !territories) ? (
        <Whole refs={refs} territories={territories} view={view} show={show} />
      ) : error ? null : (
        <Skeleton height="70vh" aria-label="Loading" />
      )}
    </Stack>
  );
}

type WholeProps = {
  refs: MapRefs;
  /** Undefined while they load. They take longer than the data for the first picture. */
  territories: MapRow[] | undefined;
  view: Shown;
  show: (patch: Partial<Shown>) => void;
};

function Whole({ refs, territories, view, show }: WholeProps) {
  const { date, zip, side } = view;
  const map = useRef<TerritoryMapHandle>(null);
  const [selection, select] = useSelection();
  const active = useMemo(() => (territories ?? []).filter((row) => row.active || row.zips > 0), [territories]);
  const zips = useMemo(() => zipRowsLater(refs, territories ?? []), [refs, territories]);
  const zipsOf = useMemo(
    () => new Map(refs.territories.map(({ id, zips: all }) => [id, all.split(' ').filter(Boolean)])),
    [refs],
  );
  const { seen, marks, error, refetch } = useMapFacilities(date, view.facilities);
  const [together, setTogether] = useState<readonly FacilityMark[]>([]);

  const selectAndTell = (chosen: readonly string[], how: How) => {
    select(chosen, how);
    show({ side: 'selection' });
  };
  const { found, selectAround } = useFindOnMap({
    map,
    zips,
    zipsOf: (territoryId) => zipsOf.get(territoryId) ?? [],
    point: (code) => show({ zip: code, side: 'place' }),
    choose: (chosen) => selectAndTell(chosen, 'replace'),
  });
  return (
    <>
      {territories ? <Missing refs={refs} territories={territories} /> : null}
      {seen && (seen.truncated || seen.unplaced > 0) ? (
        <Text size="xs" className="muted" px={{ base: 'md', sm: 0 }}>
          {seen.truncated
            ? `${seen.records.length.toLocaleString('en-US')} of ${seen.total.toLocaleString('en-US')} facilities are shown, those with the most open value. `
            : ''}
          {seen.unplaced > 0
            ? `${countOf(seen.unplaced, 'facility has', 'facilities have')} a ZIP without a known location and ${seen.unplaced === 1 ? 'is' : 'are'} not shown.`
            : ''}
        </Text>
      ) : null}
      <ErrorAlert error={error} title="The facilities could not be loaded" onRetry={refetch} />
      <MapAndDrawer
        around={204}
        open={side}
        onOpen={(next) => show({ side: next })}
        controls={<Filters view={view} show={show} onFound={found} />}
        map={
          <TerritoryMap
            ref={map}
            label="Map of territories"
            refs={refs}
            territories={territories}
            coloring={view.coloring}
            selection={selection}
            onSelect={selectAndTell}
            onPoint={(code) => show(code ? { zip: code, side: 'place' } : { zip: null })}
            facilities={marks}
            onFacilities={(marksHere) => {
              setTogether(marksHere);
              const [first] = marksHere;
              if (first) show({ zip: first.zip, side: 'place' });
            }}
            {...(view.view ? { view: view.view } : {})}
            onView={(view) => show({ view })}
          />
        }
        tabs={[
          {
            value: 'territories',
            label: 'Territories',
            wide: true,
            panel: territories ? (
              <TerritoryTable
                territories={active}
                zipsOf={zipsOf}
                selection={selection}
                onSelect={select}
                onShow={({ id }) => map.current?.fit(zipsOf.get(id) ?? [])}
              />
            ) : (
              LOADING
            ),
          },
          {
            value: 'zips',
            label: 'ZIPs',
            wide: true,
            panel: territories ? (
              <>
                {side === 'zips' ? (
                  <ZipTable
                    zips={zips()}
                    territories={active}
                    selection={selection}
                    onSelect={select}
                    onPoint={(code) => {
                      map.current?.fit([code]);
                      show({ zip: code, side: 'place' });
                    }}
                  />
                ) : null}
                <Report date={date} />
              </>
            ) : (
              LOADING
            ),
          },
          {
            value: 'place',
            label: 'Place',
            panel: (
              <>
                {zip ? (
                  <PlaceCard zip={zip} date={date} onSelect={(what) => selectAround(zip, what)} />
                ) : (
                  <Text size="sm" className="muted">
                    Click a place on the map, or search for one.
                  </Text>
                )}
                <Together facilities={together} zip={zip} onZip={(code) => show({ zip: code })} />
              </>
            ),
          },
          {
            value: 'selection',
            label: `Selection${selection.size > 0 ? ` (${selection.size.toLocaleString('en-US')})` : ''}`,
            panel: !territories ? (
              LOADING
            ) : side === 'selection' ? (
              <SelectionPanel
                selection={selection}
                zips={zips()}
                facilities={seen?.records}
                onSelect={select}
                onShow={() => map.current?.fit(selection)}
              />
            ) : null,
          },
        ]}
      />
    </>
  );
}

const LOADING = <Skeleton height="40vh" aria-label="Loading" />;

type FilterProps = { view: Shown; show: (patch: Partial<Shown>) => void; onFound: (hit: Hit) => void };

function Filters({ view, show, onFound }: FilterProps) {
  const [typed, setTyped] = useState(view.date);
  return (
    <Group gap="sm" align="flex-end" px={{ base: 'md', sm: 0 }}>
      <MapSearch date={view.date} onFound={onFound} />
      <Select
        label="Color by"
        w={180}
        allowDeselect={false}
        data={COLORINGS}
        value={view.coloring}
        onChange={(next) => show({ coloring: next ?? 'territory' })}
      />
      <DateField
        label="As of"
        placeholder="today"
        w={150}
        value={typed}
        onChange={(next) => {
          setTyped(next);
          const day = next === '' ? '' : parseDate(next);
          if (day !== null) show({ date: day });
        }}
      />
      <div>
        <Text size="sm" fw={500} id="map-facilities">
          Facilities
        </Text>
        <SegmentedControl
          aria-labelledby="map-facilities"
          size="xs"
          data={[
            { value: 'none', label: 'None' },
            { value: 'all', label: 'All' },
            { value: 'quotes', label: 'With open quotes' },
          ]}
          value={view.facilities}
          onChange={(next) => show({ facilities: next })}
        />
      </div>
    </Group>
  );
}

/** Warns if the list of ZIPs or all assignments are missing. */
function Missing({ refs, territories }: { refs: MapRefs; territories: readonly MapRow[] }) {
  const user = useSession();
  const may = (...roles: Parameters<typeof hasRole>[1][]) =>
    user !== null && user !== undefined && hasRole(user, ...roles);
  const assigned = refs.territories.some(({ zips }) => zips !== '');
  if (assigned && refs.points !== '') return null;
  return (
    <Alert
      color="blue"
      title={assigned ? 'The list of ZIPs is not imported yet' : 'No territory has any ZIPs on this day'}
    >
      {assigned ? (
        <Text size="sm">
          Without the list, you cannot search for towns, and the map does not show facilities or ZIPs without an area.{' '}
          {may('systemadmin') ? (
            <Anchor component={Link} underline="always" c="inherit" to={paths.dataImport}>
              Import ZIPs
            </Anchor>
          ) : (
            'A system administrator can import it.'
          )}
        </Text>
      ) : (
        <Text size="sm">
          {territories.length === 0 ? 'There are no territories. ' : ''}
          {may('systemadmin', 'salesadmin') ? (
            <>
              Import them from a file with{' '}
              <Anchor component={Link} underline="always" c="inherit" to={paths.tazImport}>
                TAZ Import
              </Anchor>
              , or assign ZIPs to{' '}
              <Anchor component={Link} underline="always" c="inherit" to={paths.territories}>
                territories
              </Anchor>
              .
            </>
          ) : (
            'A sales administrator can import them.'
          )}
        </Text>
      )}
    </Alert>
  );
}

/** Lists the facilities of the clicked circle if they are in more than one ZIP. */
function Together({
  facilities,
  zip,
  onZip,
}: {
  facilities: readonly FacilityMark[];
  zip: string | null;
  onZip: (zip: string) => void;
}) {
  const others = facilities.some((facility) => facility.zip === zip)
    ? facilities.filter((facility) => facility.zip !== zip)
    : [];
  if (others.length === 0) return null;
  return (
    <Stack gap={2} mt="sm">
      <Title order={3} size="h5">
        Also in this circle
      </Title>
      {others.slice(0, 20).map(({ id, name, zip: code, openQuotes }) => (
        <Text size="sm" key={id}>
          <Anchor component="button" type="button" onClick={() => onZip(code)}>
            {code}
          </Anchor>{' '}
          {name}
          {openQuotes > 0 ? `, ${openQuotes} open` : ''}
        </Text>
      ))}
      {others.length > 20 ? (
        <Text size="xs">{(others.length - 20).toLocaleString('en-US')} more. Zoom in to see them.</Text>
      ) : null}
    </Stack>
  );
}

/** Downloads the whole table with towns, days, and representatives as a file. */
function Report({ date }: { date: string }) {
  const exported = useMutation({
    ...api(TerritoryMapCalls).exportRepListByZipCodeReport.mutation(),
    onSuccess: saveFile,
  });
  return (
    <Group mt="xs">
      <ExportButton
        exported={exported}
        onExport={() => exported.mutate({ date, unassigned: 'with' })}
        total={1}
        title="Export all ZIPs with cities, dates and representatives as CSV"
      />
      <ErrorAlert error={exported.error} title="The export failed" />
    </Group>
  );
}
