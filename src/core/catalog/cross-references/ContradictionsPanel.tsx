// Entries that name different items for the same number, side by side, so that the user decides which one applies.
import { Alert, Anchor, Button, Text, VisuallyHidden } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { CrossReference, type ReferenceRow } from './cross-references.contract.ts';
import classes from './cross-references.module.css';
import { forWhom, KIND_WORDS, numberInWords } from './reference-words.ts';

type Props = { row: ReferenceRow; others: readonly ReferenceRow[]; onOpen: (id: number) => void };

/** The facts of each entry that help the user decide. */
const FACTS: { label: string; of: (row: ReferenceRow) => string }[] = [
  { label: 'Number', of: numberInWords },
  { label: 'Our item', of: ({ item }) => `${item.number} ${item.description}` },
  { label: 'Unit', of: ({ unit }) => unit || 'not specified' },
  { label: 'Kind', of: ({ kind }) => KIND_WORDS[kind] },
  { label: 'Confirmed', of: ({ confirmed, refused }) => `${confirmed} times, refused ${refused} times` },
  { label: 'Source', of: ({ source }) => source || '–' },
  { label: 'Added', of: ({ madeAt, madeBy }) => `${formatInstant(madeAt)} ${madeBy}` },
  { label: 'Note', of: ({ note }) => note || '–' },
];

export function ContradictionsPanel({ row, others, onOpen }: Props) {
  const [keeping, setKeeping] = useState<ReferenceRow | null>(null);
  const all = [row, ...others];
  const keep = useMutation({
    ...api(CrossReference).KeepCrossReference.mutation(),
    onSuccess: ({ ended }) => {
      notifications.show({
        message: `${keeping?.item.number ?? ''} is now used for ${keeping ? numberInWords(keeping) : ''}. ${countOf(ended, 'entry is', 'entries are')} ended.`,
      });
      setKeeping(null);
    },
  });
  const rest = all.filter(({ id }) => id !== keeping?.id);
  return (
    <Alert color="orange" title={`${all.length} entries name different items for ${row.number}`}>
      <Text size="sm" mb="xs">
        For {forWhom(row)}. Until someone decides, pastes and searches offer all of them.
      </Text>
      <div
        className={classes['sides']}
        role="region"
        aria-label="Entries side by side"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by keyboard too
        tabIndex={0}
      >
        <table className="list">
          <thead>
            <tr>
              <th scope="col">
                <VisuallyHidden>What</VisuallyHidden>
              </th>
              {all.map((entry, index) => (
                <th key={entry.id} scope="col">
                  {index === 0 ? (
                    'This entry'
                  ) : (
                    <Anchor component="button" type="button" inherit onClick={() => onOpen(entry.id)}>
                      Entry {index + 1}
                    </Anchor>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {FACTS.map(({ label, of }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {all.map((entry) => (
                  <td key={entry.id}>{of(entry)}</td>
                ))}
              </tr>
            ))}
            <tr>
              <th scope="row">Decide</th>
              {all.map((entry) => (
                <td key={entry.id}>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Keep only ${entry.item.number}`}
                    onClick={() => setKeeping(entry)}
                  >
                    Keep only
                  </Button>
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
      {keeping ? (
        <ConfirmDialog
          title={`Keep only ${keeping.item.number}?`}
          action="Keep only this"
          busy={keep.isPending}
          error={keep.error}
          onConfirm={() =>
            keep.mutate({
              id: keeping.id,
              version: keeping.version,
              others: rest.map(({ id, version }) => ({ id, version })),
            })
          }
          onClose={() => setKeeping(null)}
        >
          <Text size="sm">
            {numberInWords(keeping)} means {keeping.item.number} {keeping.item.description}.{' '}
            {countOf(rest.length, 'other entry ends', 'other entries end')}:{' '}
            {rest.map(({ item }) => item.number).join(', ')}. Quotes keep their lines.
          </Text>
        </ConfirmDialog>
      ) : null}
    </Alert>
  );
}
