// Summarizes the ZIPs selected on the map by kind and territory. The user can paste ZIPs in and copy them out.
import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { countOf } from '#platform/shared/count-of.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { saveFile } from '#platform/ui/save-file.web.ts';
import type { MapFacility } from '../territory-map.contract.ts';
import type { How } from '#core/territories/map/territory-map.web.ts';
import type { ZipRow } from '../zip-rows.ts';

type Props = {
  selection: ReadonlySet<string>;
  zips: ReadonlyMap<string, ZipRow>;
  /** The facilities on the map. Undefined if it shows none. */
  facilities: readonly MapFacility[] | undefined;
  onSelect: (zips: string[], how: How) => void;
  onShow: () => void;
  /** Whether tables beside the map have rows to select. */
  hasTables?: boolean;
  /** More actions on the selection. */
  children?: ReactNode;
};

const count = (value: number) => value.toLocaleString('en-US');

export function SelectionPanel({ selection, zips, facilities, onSelect, onShow, hasTables = true, children }: Props) {
  const [pasted, setPasted] = useState('');
  const [unknown, setUnknown] = useState<string[]>([]);
  const rows = [...selection].flatMap((zip) => zips.get(zip) ?? []);
  const byTerritory = new Map<string, number>();
  for (const { territory } of rows) {
    const name = territory?.name ?? 'No territory';
    byTerritory.set(name, (byTerritory.get(name) ?? 0) + 1);
  }
  const points = rows.filter(({ point }) => point).length;
  const inside = facilities?.filter(({ zip }) => selection.has(zip));
  const worth = (currnIdx: number) =>
    inside?.flatMap(({ openValue }) => openValue.filter((candidate) => candidate.currnIdx === currnIdx)) ?? [];
  const currencies = [...new Set(inside?.flatMap(({ openValue }) => openValue.map(({ currnIdx }) => currnIdx)))];

  const take = () => {
    // ZIP+4 is read as its first five digits.
    const words = pasted.split(/[\s,;]+/).filter(Boolean);
    const read = words.map((word) => ({ word, zip: /^(\d{5})(-?\d{4})?$/.exec(word)?.[1] ?? '' }));
    const known = read.filter(({ zip }) => zips.has(zip));
    setUnknown(read.filter(({ zip }) => !zips.has(zip)).map(({ word }) => word));
    if (known.length > 0)
      onSelect(
        known.map(({ zip }) => zip),
        'add',
      );
    setPasted('');
  };
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {selection.size === 0 ? (
          `No ZIPs selected. Click the map, draw a box or lasso, ${hasTables ? 'select rows in the tables, ' : ''}or paste ZIPs below.`
        ) : (
          <>
            <b>{countOf(selection.size, 'ZIP')}</b>: {countOf(rows.length - points, 'area')}, {count(points)} without an
            area.
          </>
        )}
      </Text>
      {selection.size > 0 ? (
        <>
          <ul aria-label="Selected ZIPs by territory">
            {[...byTerritory]
              .toSorted(([, a], [, b]) => b - a)
              .map(([name, target]) => (
                <li key={name}>
                  <Text size="sm">
                    {name}: {count(target)}
                  </Text>
                </li>
              ))}
          </ul>
          {inside ? (
            <Text size="sm">
              Facilities shown: {count(inside.length)}, with{' '}
              {countOf(
                inside.reduce((sum, { openQuotes }) => sum + openQuotes, 0),
                'open quote',
              )}
              {currencies.map((currnIdx) => {
                const sum = worth(currnIdx).reduce((total, { amount }) => total + amount, 0);
                return `, ${formatAmount(sum, currnIdx)}`;
              })}
              .
            </Text>
          ) : null}
          <Group gap="xs">
            {children}
            <Button size="compact-sm" variant="default" onClick={onShow}>
              Show on the map
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                const lines = [...selection]
                  .toSorted()
                  .map((zip) => `${zip},"${zips.get(zip)?.territory?.name ?? ''}"`);
                const text = ['ZIP,Territory', ...lines].join('\r\n');
                saveFile({ name: 'selected-zips.csv', blob: new Blob([text], { type: 'text/csv' }) });
              }}
            >
              Save as CSV
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => onSelect([], 'replace')}>
              Clear
            </Button>
          </Group>
        </>
      ) : null}
      <Textarea
        label="Paste ZIPs"
        description="Separate ZIPs with spaces, commas or line breaks."
        minRows={2}
        maxRows={8}
        autosize
        value={pasted}
        onChange={(event) => setPasted(event.currentTarget.value)}
      />
      <Group>
        <Button size="compact-sm" variant="default" disabled={pasted.trim() === ''} onClick={take}>
          {' '}
          Add to selection{' '}
        </Button>
      </Group>
      {unknown.length > 0 ? (
        <Alert
          color="orange"
          title={unknown.length === 1 ? '1 ZIP is not on the map' : `${count(unknown.length)} ZIPs are not on the map`}
          withCloseButton
          closeButtonLabel="Close"
          onClose={() => setUnknown([])}
        >
          <Text size="sm">{unknown.join(', ')}</Text>
        </Alert>
      ) : null}
    </Stack>
  );
}
