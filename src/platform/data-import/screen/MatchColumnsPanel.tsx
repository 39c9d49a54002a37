// The second step of an import: matching columns to fields. The choices are stored for the next file of the kind.
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { capitalized } from '#platform/shared/capitalized.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { FileColumns, HeaderLine } from './FileColumns.tsx';
import { DataImport, type ImportKindView, type ImportView } from '../data-import.contract.ts';

type Props = { view: ImportView; kind: ImportKindView; onChange: (view: ImportView) => void };
type FileColumn = ImportView['columns'][number] & { at: number };

/** The choice that a column is not used. It also answers the question about a column with a hint. */
const NOT_USED = '-';

export function MatchColumnsPanel({ view, kind, onChange }: Props) {
  const match = useMutation({ ...api(DataImport).MatchColumns.mutation(), onSuccess: onChange });
  const { id } = view;
  const choices = [
    { value: NOT_USED, label: 'Not used' },
    ...kind.fields.map(({ field, label }) => ({ value: field, label: capitalized(label) })),
  ];
  const unusedNow = view.columns.flatMap(({ unused }, at) => (unused ? [at] : []));
  const undecided = view.columns.flatMap(({ asks }, at) => (asks ? [at] : []));
  /** A field matches only one column, so its previous column loses it. */
  const choose = (at: number, chosen: string | null) => {
    const field = chosen === NOT_USED ? null : chosen;
    match.mutate({
      id,
      fields: view.columns.map((column, index) =>
        index === at ? field : column.field === field ? null : column.field,
      ),
      unused: [...unusedNow.filter((candidate) => candidate !== at), ...(chosen === NOT_USED ? [at] : [])],
    });
  };
  const select = (column: FileColumn) => (
    <Stack gap={2}>
      <Select
        aria-label={`Import ${column.heading || `Column ${column.at + 1}`} as`}
        placeholder={column.asks ? 'Choose' : 'Not used'}
        data={choices}
        value={column.field ?? (column.unused ? NOT_USED : null)}
        onChange={(field) => choose(column.at, field)}
        clearable
        searchable
        nothingFoundMessage="No matching field"
        disabled={match.isPending}
        size="xs"
        w={240}
      />
      {column.asks ? (
        <Text size="xs" className="warning">
          May be {column.asks}.
        </Text>
      ) : null}
      {column.remembered ? (
        <Text size="xs" className="muted">
          Same as in the last file.
        </Text>
      ) : null}
    </Stack>
  );
  const used = view.columns.filter(({ field }) => field).length;
  return (
    <Stack gap="sm" data-focus-group>
      <Group align="end" gap="sm">
        {view.sheets.length > 1 ? (
          <Select
            label="Sheet"
            data={view.sheets}
            value={view.sheet}
            allowDeselect={false}
            disabled={match.isPending}
            onChange={(sheet) => sheet && match.mutate({ id, sheet })}
          />
        ) : null}
        <HeaderLine
          line={view.headerLine}
          busy={match.isPending}
          onChange={(headerLine) => match.mutate({ id, headerLine })}
        />
        <Text size="sm" className="muted" role="status">
          {used} of {countOf(view.columns.length, 'column is', 'columns are')} used.
        </Text>
      </Group>
      {view.notes.map((note) => (
        <Text key={note} size="sm" className="warning" role="status">
          {note}
        </Text>
      ))}
      {view.missing ? (
        <Text size="sm" className="warning" role="status">
          {view.missing}
        </Text>
      ) : null}
      {view.others.length > 0 ? (
        <Group gap="xs">
          {[view.sheet, ...view.others.map(({ sheet }) => sheet)].map((sheet) => (
            <Button
              key={sheet}
              variant="default"
              size="xs"
              loading={match.isPending}
              onClick={() => match.mutate({ id, sheet })}
            >
              Use sheet ‘{sheet}’
            </Button>
          ))}
        </Group>
      ) : null}
      {view.above.length > 0 ? (
        <Group>
          <Button
            variant="default"
            size="xs"
            loading={match.isPending}
            onClick={() => match.mutate({ id, headerLine: view.headerLine })}
          >
            Yes, the headings are in line {view.headerLine}
          </Button>
        </Group>
      ) : null}
      {undecided.length > 1 ? (
        <Group>
          <Button
            variant="default"
            size="xs"
            loading={match.isPending}
            onClick={() => match.mutate({ id, unused: [...unusedNow, ...undecided] })}
          >
            Do not use these {undecided.length} columns
          </Button>
        </Group>
      ) : null}
      <ErrorAlert error={match.error} onClose={() => match.reset()} />
      <FileColumns columns={view.columns} select={select} />
    </Stack>
  );
}
