// Shows what has changed at the facility since the quote copied its values, one line for each change, on the board and in the send dialog.
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconBuildingHospital } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import {
  type FacilityChange,
  type FacilityPart,
  PART_WORDS,
} from '#core/quoting/quote-edit/facility/facility-change.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { allSaved, useBoard } from '../state/board.web.ts';

/** How often an open board checks, in milliseconds. The facility may change while the quote is being written. */
const EVERY = 60_000;

/** Loads after the board, so that it does not delay the board. */
export function FacilityChanges() {
  const { data, store } = useBoard();
  const { id, version, facilityId } = data.quote;
  const query = api(QuoteEdit).GetFacilityChanges.query({ id });
  const { data: result, error } = useQuery({
    ...query,
    queryKey: [...query.queryKey, version],
    enabled: facilityId !== null,
    staleTime: 0,
    refetchInterval: EVERY,
    refetchOnWindowFocus: true,
  });
  const use = useMutation({
    mutationFn: async ({ part, keep }: { part: FacilityPart; keep: boolean }) => {
      await allSaved(store);
      await store.takeFromFacility([part], keep);
    },
  });
  const changes = result?.changes ?? [];
  if (error && !result) return <ErrorAlert error={error} title="Changes to the facility could not be loaded" />;
  if (changes.length === 0) return null;
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<IconBuildingHospital size={18} />}
      py={6}
      role="note"
      aria-label="The facility record has changed"
    >
      <Stack gap={4}>
        {changes.map((change) => (
          <Group key={change.part} gap="xs sm" justify="space-between">
            <Text size="sm">{changeWords(change)}</Text>
            {change.isUsable ? (
              <Group gap="xs">
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={use.isPending}
                  onClick={() => use.mutate({ part: change.part, keep: false })}
                >
                  Use the new {PART_WORDS[change.part].name}
                </Button>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  disabled={use.isPending}
                  aria-label={`Keep the quote’s ${PART_WORDS[change.part].name}`}
                  onClick={() => use.mutate({ part: change.part, keep: true })}
                >
                  Keep
                </Button>
              </Group>
            ) : null}
          </Group>
        ))}
        <ErrorAlert error={use.error} title="The quote could not be changed" />
      </Stack>
    </Alert>
  );
}

/** 'The facility record has changed. Tax: exempt (on this quote: 8.25%).' */
function changeWords({ part, quote, facility }: FacilityChange): string {
  const { title } = PART_WORDS[part];
  const more =
    part === 'currency'
      ? ' Using the new currency removes manual prices and freight.'
      : part === 'priceLevel' || part === 'parent'
        ? ' Using it reprices all lines.'
        : '';
  return `The facility record has changed. ${title}: ${facility || 'none'} (on this quote: ${quote || 'none'}).${more}`;
}
