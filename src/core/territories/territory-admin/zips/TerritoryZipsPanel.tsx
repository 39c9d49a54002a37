// The ZIPs of a territory, which the user finds, adds and ends.
import { Button, Checkbox, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { addDays, formatDate } from '#platform/shared/dates.ts';
import { cityAndState } from '#platform/shared/place-words.ts';
import { someOf } from '#platform/shared/first-few.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { DialogButtons } from '#platform/ui/DialogButtons.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { ExportButton, ExportError } from '#platform/ui/Export.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { KeywordField } from '#platform/ui/ListPage.tsx';
import { pageShown } from '#platform/ui/list-address.web.ts';
import { FromTo } from '#platform/ui/FromTo.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { EndDialog } from '../EndDialog.tsx';
import { TerritoryAdmin, When, type ZipRow, type ZipsAdded } from '../territory-admin.contract.ts';
import type { TerritoryTab } from '../territory-tab.web.ts';

const PAGE_SIZE = 50;

export function TerritoryZipsPanel({ territory, today, list, onChanged }: TerritoryTab) {
  const territoryId = territory.id;
  const { keyword } = list.filters;
  const when = whenFrom(list.filters.when);
  const criteria = { territoryId, keyword, when, sort: list.sort };
  const query = useQuery({
    ...api(TerritoryAdmin).GetTerritoryZips.query({ ...criteria, page: list.page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });
  const exported = useMutation({ ...api(TerritoryAdmin).ExportTerritoryZips.mutation(), onSuccess: saveFile });
  const [adding, setAdding] = useState(false);
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const [ending, setEnding] = useState<ZipRow[] | null>(null);
  const rows = query.data?.records;
  const chosen = (rows ?? []).filter(({ id }) => ticked.has(id));
  useKeys([{ key: 'a', label: 'Add ZIPs', run: () => setAdding(true) }]);
  const tick = (id: number, on: boolean) =>
    setTicked((now) => new Set(on ? [...now, id] : [...now].filter((candidate) => candidate !== id)));
  const columns: Column<ZipRow>[] = [
    { title: 'Select', render: (row) => <RowTick row={row} ticked={ticked} onTick={tick} /> },
    { field: 'zip', title: 'ZIP', render: (row) => <b className="tabular">{row.zip}</b> },
    { field: 'city', title: 'City', width: 240, render: (row) => row.city || '–' },
    { field: 'state', title: 'State', render: (row) => row.state },
    { field: 'from', title: 'From', render: (row) => <span className="tabular">{formatDate(row.from)}</span> },
    { field: 'to', title: 'To', render: (row) => <span className="tabular">{formatDate(row.to) || 'no end'}</span> },
  ];

  return (
    <>
      <PanelBar
        filters={
          <>
            <KeywordField
              label="ZIP or city"
              w={200}
              value={keyword}
              onChange={(next) => list.filter({ keyword: next })}
            />
            <WhenSelect value={when} onChange={(next) => list.filter({ when: next })} />
          </>
        }
      >
        {rows && rows.length > 0 ? (
          <Button
            variant="default"
            disabled={chosen.length === 0}
            title={chosen.length === 0 ? 'Select ZIPs first' : undefined}
            onClick={() => setEnding(chosen)}
          >
            {chosen.length === 0 ? 'End' : `End ${chosen.length}`}
          </Button>
        ) : null}
        <ExportButton exported={exported} onExport={() => exported.mutate(criteria)} total={query.data?.total} />
        <Button variant="default" aria-keyshortcuts="a" onClick={() => setAdding(true)}>
          Add ZIPs
        </Button>
      </PanelBar>
      <ExportError exported={exported} />
      <DataList
        label="ZIPs"
        columns={columns}
        {...pageShown(query, list, PAGE_SIZE)}
        rowKey={(row) => row.id}
        card={(row) => (
          <Group gap="sm" wrap="nowrap">
            <RowTick row={row} ticked={ticked} onTick={tick} />
            <Stack gap={0}>
              <Text size="sm">
                <b className="tabular">{row.zip}</b> {cityAndState(row)}
              </Text>
              <Text size="sm" className="muted tabular">
                {formatDate(row.from)} – {formatDate(row.to) || 'no end'}
              </Text>
            </Stack>
          </Group>
        )}
      />
      {adding ? (
        <AddZipsDrawer territory={territory} today={today} onChanged={onChanged} onClose={() => setAdding(false)} />
      ) : null}
      {ending ? (
        <EndDialog
          what={ending.length === 1 ? `ZIP ${ending[0]?.zip}` : `${ending.length} ZIPs`}
          today={today}
          end={(lastDay) =>
            api(TerritoryAdmin).EndTerritoryZips({
              territoryId,
              ids: ending.map(({ id }) => id),
              lastDay,
              version: Math.min(...ending.map(({ version }) => version)),
            })
          }
          onEnded={() => {
            setTicked(new Set());
            onChanged();
          }}
          onClose={() => setEnding(null)}
        />
      ) : null}
    </>
  );
}

function RowTick(props: { row: ZipRow; ticked: ReadonlySet<number>; onTick: (id: number, on: boolean) => void }) {
  const { row, ticked, onTick } = props;
  return (
    <Checkbox
      aria-label={`Select ${row.zip}`}
      checked={ticked.has(row.id)}
      onChange={(event) => onTick(row.id, event.currentTarget.checked)}
    />
  );
}

export function whenFrom(text: string): When {
  return When.options.find((option) => option === text) ?? (text === '' ? 'all' : 'now');
}

export function WhenSelect({ value, onChange }: { value: When; onChange: (when: string) => void }) {
  return (
    <Select
      aria-label="When"
      w={130}
      allowDeselect={false}
      data={[
        { value: 'now', label: 'Today' },
        { value: 'later', label: 'Scheduled' },
        { value: 'over', label: 'Over' },
        { value: 'all', label: 'All' },
      ]}
      value={value}
      onChange={(next) => onChange(next ?? 'now')}
    />
  );
}

/** The bar above a list in a tab: filters on the left, buttons on the right. */
export function PanelBar({ filters, children }: { filters: ReactNode; children?: ReactNode }) {
  return (
    <Group px="md" py="xs" justify="space-between" gap="sm">
      <Group gap="sm">{filters}</Group>
      <Group gap="sm">{children}</Group>
    </Group>
  );
}

/** Adds typed or pasted ZIPs, with a preview of the effect. */
function AddZipsDrawer({
  territory,
  today,
  onChanged,
  onClose,
}: Pick<TerritoryTab, 'territory' | 'today' | 'onChanged'> & { onClose: () => void }) {
  const [values, setValues] = useState({ zips: '', from: addDays(today, 1), to: '' });
  const add = useMutation({
    ...api(TerritoryAdmin).AddTerritoryZips.mutation(),
    onSuccess: (answer) => {
      if (!answer.applied) return;
      notifications.show({ message: `${countOf(answer.added.length, 'ZIP')} added to ${territory.name}.` });
      onClose();
      onChanged();
    },
  });
  const preview = add.data && !add.data.applied ? add.data : null;
  const refused = add.error instanceof HttpError ? (add.error.errors ?? []) : [];
  const errorOf = (field: string) => refused.find(({ path }) => path === field)?.message;
  const change = (patch: Partial<typeof values>) => {
    // The preview no longer matches the input.
    add.reset();
    setValues({ ...values, ...patch });
  };
  const input = { territoryId: territory.id, ...values };
  return (
    <RecordDrawer title={`Add ZIPs to ${territory.name}`} onClose={onClose}>
      <Form label="ZIPs" onSubmit={() => add.mutate({ ...input, apply: preview !== null })}>
        <Stack>
          <Textarea
            label="ZIPs"
            description="One or many, typed or pasted from a spreadsheet."
            required
            data-autofocus
            autosize
            minRows={3}
            maxRows={12}
            value={values.zips}
            error={errorOf('zips')}
            onChange={(event) => change({ zips: event.currentTarget.value })}
          />
          <FromTo values={values} errors={{ from: errorOf('from'), to: errorOf('to') }} onChange={change} />
          {preview ? <ZipsPreview answer={preview} /> : null}
          <ErrorAlert
            error={errorOf('territoryId') ?? (refused.length > 0 ? null : add.error)}
            title="The ZIPs could not be added"
          />
          <DialogButtons onCancel={onClose}>
            <Button type="submit" loading={add.isPending} disabled={preview !== null && preview.added.length === 0}>
              {preview ? `Add ${countOf(preview.added.length, 'ZIP')}` : 'Check'}
            </Button>
          </DialogButtons>
        </Stack>
      </Form>
    </RecordDrawer>
  );
}

const MAX_SHOWN = 8;

function ZipsPreview({ answer: { added, same, taken, refused, unknown } }: { answer: ZipsAdded }) {
  const from = Map.groupBy(taken, ({ territory }) => territory);
  return (
    <Stack gap={4} role="status">
      <Text size="sm">
        <b>{countOf(added.length, 'ZIP')}</b> would be added.
      </Text>
      {same.length > 0 ? (
        <Text size="sm" className="muted">
          {countOf(same.length, 'ZIP')} already here: {someOf(MAX_SHOWN, same)}
        </Text>
      ) : null}
      {[...from].map(([territory, zips]) => (
        <Text size="sm" className="warning" key={territory}>
          {countOf(zips.length, 'ZIP')} taken from {territory}:{' '}
          {someOf(
            MAX_SHOWN,
            zips.map(({ zip }) => zip),
          )}
        </Text>
      ))}
      {unknown.length > 0 ? (
        <Text size="sm" className="warning">
          {countOf(unknown.length, 'ZIP')} not in the list of known ZIPs, but added: {someOf(MAX_SHOWN, unknown)}
        </Text>
      ) : null}
      {refused.slice(0, MAX_SHOWN).map(({ zip, why }) => (
        <Text size="sm" c="red" key={zip}>
          {zip}: {why}
        </Text>
      ))}
      {refused.length > MAX_SHOWN ? (
        <Text size="sm" c="red">
          and {refused.length - MAX_SHOWN} more that cannot be added
        </Text>
      ) : null}
    </Stack>
  );
}
