// The columns of a file as a list, and the field for its line of headings: what an import and a usage file ask a person to confirm.
import { NumberInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import type { Column } from '#ui/DataList.tsx';

type FileColumn = { at: number; heading: string; samples: readonly string[] };

export const headingOf = ({ heading, at }: Pick<FileColumn, 'heading' | 'at'>): string =>
  heading || `Column ${at + 1} (no heading)`;

/** `select`: the choice of what a column is read as. */
export const fileColumns = <C extends FileColumn>(select: (column: C) => ReactNode): Column<C>[] => [
  {
    title: 'Column of the file',
    width: 260,
    render: (column) => <span title={headingOf(column)}>{headingOf(column)}</span>,
  },
  {
    title: 'First values',
    width: 420,
    render: ({ samples }) => <span className="muted">{samples.join(' · ') || 'empty'}</span>,
  },
  { title: 'Is read as', render: select },
];

/** Applied when the field loses focus, not at each digit. */
export function HeaderLine({
  line,
  busy,
  onChange,
}: {
  line: number;
  busy: boolean;
  onChange: (line: number) => void;
}) {
  const [typed, setTyped] = useState<number | string>(line);
  useEffect(() => setTyped(line), [line]);
  const ask = () => {
    const next = Number(typed);
    if (Number.isInteger(next) && next >= 1 && next !== line) onChange(next);
    else setTyped(line);
  };
  return (
    <NumberInput
      label="Headings in line"
      w={130}
      min={1}
      max={1_000_000}
      allowDecimal={false}
      value={typed}
      disabled={busy}
      onChange={setTyped}
      onBlur={ask}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) ask();
      }}
    />
  );
}
