// The columns of a file as a list, and the field for its header line. Used where an import or a usage file needs a confirmation of the user.
import { Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { NumberField } from '#platform/ui/NumberField.tsx';

type FileColumn = { heading: string; samples: readonly string[] };
type Placed<C> = C & { at: number };

const headingOf = ({ heading, at }: Placed<FileColumn>): string => heading || `Column ${at + 1} (no heading)`;

type FileColumnsProps<C> = {
  columns: readonly C[];
  /** Renders the choice of the field of a column. */
  select: (column: Placed<C>) => ReactNode;
};

/** Shows the first values of each column of the file, and the field that it is read as. */
export function FileColumns<C extends FileColumn>({ columns, select }: FileColumnsProps<C>) {
  return (
    <DataList<Placed<C>>
      label="File columns"
      columns={columnsOf(select)}
      rows={columns.map((column, at) => ({ ...column, at }))}
      rowKey={({ at }) => at}
      card={(column) => (
        <Stack gap={4}>
          <Text fw={600}>{headingOf(column)}</Text>
          <Text size="sm" className="muted ellipsis">
            {column.samples.join(' · ') || 'empty'}
          </Text>
          {select(column)}
        </Stack>
      )}
    />
  );
}

const columnsOf = <C extends FileColumn>(select: (column: Placed<C>) => ReactNode): Column<Placed<C>>[] => [
  {
    title: 'Column in file',
    width: 260,
    render: (column) => <span title={headingOf(column)}>{headingOf(column)}</span>,
  },
  {
    title: 'Sample values',
    width: 420,
    render: ({ samples }) => <span className="muted">{samples.join(' · ') || 'empty'}</span>,
  },
  { title: 'Import as', render: select },
];

/** The field for the header line. It applies when it loses focus, not at each digit. */
export function HeaderLine({
  line,
  busy,
  onChange,
}: {
  line: number;
  busy: boolean;
  onChange: (line: number) => void;
}) {
  const [typed, setTyped] = useState(line);
  useEffect(() => setTyped(line), [line]);
  const ask = () => {
    if (!Number.isNaN(typed) && typed !== line) onChange(typed);
  };
  return (
    <NumberField
      label="Header row"
      w={130}
      min={1}
      max={1_000_000}
      decimals={0}
      value={typed}
      error={Number.isNaN(typed) ? 'This field is required' : undefined}
      disabled={busy}
      onChange={setTyped}
      onBlur={ask}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) ask();
      }}
    />
  );
}
