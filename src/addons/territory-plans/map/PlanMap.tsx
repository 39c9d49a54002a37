// The plan on the map: shows its moves compared with today, and moves selected ZIPs. It loads separately, because the map's code is large.
import { Button, Group, SegmentedControl, Select, Stack, Switch, Text } from '@mantine/core';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { useFindOnMap, useMapFacilities } from '#addons/territory-map/screen/find-on-map.web.ts';
import { useSelection } from '#addons/territory-map/screen/selection.web.ts';
import { assignmentsOf, type Coloring, COLORINGS, type MapRefs } from '#core/territories/map/map-data.ts';
import { MapAndDrawer } from '#addons/territory-map/screen/MapAndDrawer.tsx';
import { MapOfDay } from '#addons/territory-map/screen/MapOfDay.tsx';
import { MapSearch } from '#addons/territory-map/screen/MapSearch.tsx';
import { PlaceCard } from '#addons/territory-map/screen/PlaceCard.tsx';
import { SelectionPanel } from '#addons/territory-map/screen/SelectionPanel.tsx';
import type { MapRow } from '#addons/territory-map/territory-map.contract.ts';
import { TerritoryMap, type TerritoryMapHandle } from '#core/territories/map/TerritoryMap.tsx';
import type { How } from '#core/territories/map/territory-map.web.ts';
import { zipRows } from '#addons/territory-map/zip-rows.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { MoveToDialog } from '../page/MoveToDialog.tsx';
import { asWeighed, isSameOver, type Look, movesOver, type Over } from './plan-on-map.ts';
import { usePlan } from '../page/plan.web.ts';
import { territoryWords } from '../plan-words.ts';

export default function PlanMap({ isPhone }: { isPhone: boolean }) {
  const { loaded } = usePlan();
  const { map, today } = loaded;
  const date = map.state === 'Draft' && map.effectiveDay < today ? today : map.effectiveDay;
  return (
    <MapOfDay date={date} height="60vh">
      {(refs, territories) => <Drawn refs={refs} territories={territories} date={date} isPhone={isPhone} />}
    </MapOfDay>
  );
}

type DrawnProps = { refs: MapRefs; territories: MapRow[]; date: string; isPhone: boolean };

function Drawn({ refs, territories, date, isPhone }: DrawnProps) {
  const { loaded, moves, store } = usePlan();
  const mayEdit = loaded.allowed.edit && !isPhone;
  const map = useRef<TerritoryMapHandle>(null);
  const [selection, select] = useSelection();
  const [side, setSide] = useState<'place' | 'selection' | null>(null);
  const [zip, setZip] = useState<string | null>(null);
  const [coloring, setColoring] = useState<Coloring>('territory');
  const [withFacilities, setWithFacilities] = useState(false);
  const [sending, setSending] = useState(false);
  const { look, setLook, over, zips, weighed } = usePlanLook(refs, territories, coloring);
  const [begin] = useState(() => moves.map((move) => move.zip));
  const { seen, marks, error, refetch } = useMapFacilities(date, withFacilities ? 'quotes' : 'none');

  const selectAndTell = (chosen: readonly string[], how: How) => {
    select(chosen, how);
    setSide('selection');
  };
  const point = (code: string | null) => {
    setZip(code);
    if (code) setSide('place');
  };
  const { found, selectAround } = useFindOnMap({
    map,
    zips: () => zips,
    zipsOf: (territoryId) =>
      [...zips.values()].filter(({ territory }) => territory?.id === territoryId).map((row) => row.zip),
    point,
    choose: mayEdit ? (chosen) => selectAndTell(chosen, 'replace') : undefined,
  });
  const mayMove = mayEdit && selection.size > 0;
  useKeys([
    {
      key: 'shift+M',
      label: 'Move the ZIPs selected on the map to …',
      disabled: !mayMove,
      run: () => setSending(true),
    },
  ]);

  return (
    <Stack gap="xs">
      <ErrorAlert error={error} title="The facilities could not be loaded" onRetry={refetch} />
      <MapAndDrawer
        around={252}
        open={side}
        onOpen={setSide}
        controls={
          <Controls
            look={look}
            onLook={setLook}
            coloring={coloring}
            onColoring={setColoring}
            withFacilities={withFacilities}
            onFacilities={setWithFacilities}
          >
            <MapSearch date={date} onFound={found} shortcut="f" />
          </Controls>
        }
        map={
          <TerritoryMap
            ref={map}
            label="Map of the plan"
            fileName="plan.png"
            refs={refs}
            territories={weighed}
            coloring={coloring}
            moves={over}
            selection={selection}
            around={begin}
            {...(mayEdit ? { onSelect: selectAndTell } : {})}
            onPoint={point}
            facilities={marks}
            onFacilities={([first]) => point(first?.zip ?? null)}
          />
        }
        tabs={[
          {
            value: 'place' as const,
            label: 'Place',
            panel: zip ? (
              <PlaceCard
                zip={zip}
                date={date}
                hasTerritory={Boolean(zips.get(zip)?.territory)}
                onSelect={mayEdit ? (what) => selectAround(zip, what) : undefined}
              >
                <PlannedFor zip={zip} />
              </PlaceCard>
            ) : (
              <Text size="sm" className="muted">
                Click a place on the map, or search for one. Planned moves have a dashed outline.
              </Text>
            ),
          },
          ...(mayEdit
            ? [
                {
                  value: 'selection' as const,
                  label: `Selection${selection.size > 0 ? ` (${selection.size.toLocaleString('en-US')})` : ''}`,
                  panel: (
                    <SelectionPanel
                      selection={selection}
                      zips={zips}
                      facilities={seen?.records}
                      onSelect={select}
                      onShow={() => map.current?.fit(selection)}
                      hasTables={false}
                    >
                      <MoveButtons selection={selection} onMove={() => setSending(true)} />
                    </SelectionPanel>
                  ),
                },
              ]
            : []),
        ]}
      />
      {sending ? (
        <MoveToDialog
          count={selection.size}
          onMove={(to) => {
            store.move([...selection], to);
            select([], 'replace');
            setSending(false);
          }}
          onClose={() => setSending(false)}
        />
      ) : null}
    </Stack>
  );
}

function MoveButtons({ selection, onMove }: { selection: ReadonlySet<string>; onMove: () => void }) {
  const { moves, store } = usePlan();
  const inPlan = moves.filter((move) => selection.has(move.zip));
  return (
    <>
      <Button size="compact-sm" aria-keyshortcuts="Shift+M" onClick={onMove}>
        Move {selection.size.toLocaleString('en-US')} to …
      </Button>
      {inPlan.length > 0 ? (
        <Button size="compact-sm" variant="default" onClick={() => store.takeBack(inPlan.map((move) => move.zip))}>
          Remove {countOf(inPlan.length, 'move')}
        </Button>
      ) : null}
    </>
  );
}

type ControlsProps = {
  look: Look;
  onLook: (look: Look) => void;
  coloring: Coloring;
  onColoring: (coloring: Coloring) => void;
  withFacilities: boolean;
  onFacilities: (shown: boolean) => void;
  /** The content before them. */
  children: ReactNode;
};

function Controls(props: ControlsProps) {
  const { look, onLook, coloring, onColoring, withFacilities, onFacilities, children } = props;
  const { loaded } = usePlan();
  return (
    <Group gap="sm" px={{ base: 'md', sm: 0 }} align="center">
      {children}
      <SegmentedControl
        size="xs"
        aria-label="Map view"
        value={look}
        data={[
          { value: 'planned', label: 'Planned' },
          { value: 'today', label: loaded.map.state === 'Draft' ? 'Today' : 'Before' },
        ]}
        onChange={onLook}
      />
      <Select
        aria-label="Color by"
        size="xs"
        w={170}
        allowDeselect={false}
        data={COLORINGS}
        value={coloring}
        onChange={(next) => onColoring(next ?? 'territory')}
      />
      <Switch
        size="sm"
        label="Facilities with open quotes"
        checked={withFacilities}
        onChange={(event) => onFacilities(event.currentTarget.checked)}
      />
    </Group>
  );
}

/** Whether the map shows the plan as planned or as it is today, and the resulting moves. */
function usePlanLook(refs: MapRefs, territories: MapRow[], coloring: Coloring) {
  const { loaded, moves } = usePlan();
  const [look, setLook] = useState<Look>('planned');
  const assigned = useMemo(() => assignmentsOf(refs), [refs]);
  const over = useSame(
    useMemo(() => movesOver(look, loaded.map.state, moves, assigned), [look, loaded.map.state, moves, assigned]),
    isSameOver,
  );
  const zips = useMemo(() => zipRows(refs, territories, over), [refs, territories, over]);
  const weighed = useMemo(
    () => (coloring === 'value' ? asWeighed(territories, loaded.effects, look) : territories),
    [coloring, territories, loaded.effects, look],
  );
  return { look, setLook, over, zips, weighed };
}

/** Shows what the plan does with a ZIP. */
function PlannedFor({ zip }: { zip: string }) {
  const { moves, loaded } = usePlan();
  const move = moves.find((candidate) => candidate.zip === zip);
  const conflict = loaded.conflicts.find((candidate) => candidate.zip === zip);
  return (
    <Stack gap={2}>
      <Text size="sm">
        {move ? (
          <>
            In this plan: {move.from === undefined ? '…' : territoryWords(move.from)} → <b>{territoryWords(move.to)}</b>
            {move.unsaved ? ', not saved yet' : move.changedBy ? `, by ${move.changedBy}` : ''}
          </>
        ) : (
          'This plan does not move it.'
        )}
      </Text>
      {conflict ? (
        <Text size="sm" className="warning">
          {conflict.text}
        </Text>
      ) : null}
    </Stack>
  );
}

/** Keeps the earlier object while the new one has equal content, because the map redraws for a new object. */
function useSame(value: Over, isSame: (one: Over, other: Over) => boolean): Over {
  const [same, setSame] = useState(value);
  if (same === value) return same;
  if (isSame(same, value)) return same;
  setSame(value);
  return value;
}
