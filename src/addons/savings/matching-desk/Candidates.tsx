// The items that a row may mean, best first, each with its evidence and the units for the comparison.
import { Button, Group, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { type MatchCandidate, Savings, type SavingsRow } from '../savings.contract.ts';
import { CONFIDENCE_LABELS } from '../savings-labels.ts';
import classes from '../savings.module.css';

/** The delay before the candidates load, so that moving through the rows with the arrow keys loads none. */
const PAUSE_MS = 200;

type Props = {
  analysisId: number;
  row: SavingsRow;
  busy: boolean;
  onTake: (itemId: number, unit?: string) => void;
};

export function Candidates({ analysisId, row, busy, onTake }: Props) {
  const [request] = useDebouncedValue(row.id, PAUSE_MS);
  const [isSettled] = useDebouncedValue(true, PAUSE_MS);
  const query = useQuery({
    ...api(Savings).GetRowCandidates.query({ id: analysisId, rowId: row.id }),
    enabled: request === row.id && isSettled,
    staleTime: 60_000,
  });
  if (query.error)
    return <ErrorAlert error={query.error} title="Possible items could not be loaded" onRetry={query.refetch} />;
  if (!query.data) return <Skeleton height={60} aria-label="Loading" />;
  const { candidates } = query.data;
  return (
    <section aria-label="Possible items">
      <Title order={3} mb={4}>
        Possible items
      </Title>
      {candidates.length === 0 ? (
        <Text size="sm" className="muted">
          No items found. Choose another item by name.
        </Text>
      ) : (
        <ul className={classes['candidates']}>
          {candidates.map((candidate) => (
            <Candidate
              key={candidate.itemId}
              candidate={candidate}
              isTaken={candidate.itemId === row.match.itemId && row.taken}
              unitNow={candidate.itemId === row.match.itemId ? row.match.unit : candidate.unit}
              busy={busy}
              onTake={onTake}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

type CandidateProps = {
  candidate: MatchCandidate;
  /** True if the row is matched with this item. */
  isTaken: boolean;
  unitNow: string;
  busy: boolean;
  onTake: Props['onTake'];
};

function Candidate({ candidate, isTaken, unitNow, busy, onTake }: CandidateProps) {
  const [unit, setUnit] = useState(unitNow);
  const { label, tone } = CONFIDENCE_LABELS[candidate.confidence];
  const isNew = !isTaken || unit !== unitNow;
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" align="start" gap="xs">
        <Stack gap={0} miw={0}>
          <Group gap={6}>
            <Text size="sm" fw={600} className="tabular">
              {candidate.itemNumber}
            </Text>
            <Chip tone={tone}>{label}</Chip>
            <Text size="xs" className="muted tabular">
              {Math.round(candidate.score)} of 100
            </Text>
          </Group>
          <Text size="sm">{candidate.description}</Text>
          <Text size="xs" className="muted">
            {candidate.reasons.join(' ')}
          </Text>
        </Stack>
        <Stack gap={4} w={104} flex="none">
          <Select
            size="xs"
            aria-label={`Unit of ${candidate.itemNumber}`}
            placeholder="Unit"
            allowDeselect={false}
            data={candidate.units.map((entry) => entry.unit)}
            value={unit === '' ? null : unit}
            onChange={(next) => setUnit(next ?? '')}
          />
          <Button
            size="compact-sm"
            variant="light"
            disabled={busy || !isNew || unit === ''}
            title={unit === '' ? 'Choose a unit' : isNew ? undefined : 'The row is already matched to this item'}
            aria-label={`Use ${candidate.itemNumber}`}
            onClick={() => onTake(candidate.itemId, unit)}
          >
            Use
          </Button>
        </Stack>
      </Group>
    </li>
  );
}
