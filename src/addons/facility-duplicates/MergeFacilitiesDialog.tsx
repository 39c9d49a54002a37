// Merges two facilities. The user chooses which one remains, and sees beforehand what moves to it.
import { Button, Group, Modal, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import { DialogButtons } from '#platform/ui/DialogButtons.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { AlikeFacilityText } from './AlikeFacilityText.tsx';
import { type AlikePair, FacilityDuplicates } from './facility-duplicates.contract.ts';

export function MergeFacilitiesDialog({ pair, onClose }: { pair: AlikePair; onClose: () => void }) {
  const { first, second } = pair;
  // The facility with more records remains, unless the user chooses the other one.
  const [keptId, setKeptId] = useState(
    first.active !== second.active
      ? (first.active ? first : second).id
      : second.quotes + second.prices > first.quotes + first.prices
        ? second.id
        : first.id,
  );
  const mergedId = keptId === first.id ? second.id : first.id;
  const preview = useQuery({
    ...api(FacilityDuplicates).GetFacilityMergePreview.query({ keptId, mergedId }),
    ...READ_ANEW,
  });
  const merge = useMutation({
    ...api(FacilityDuplicates).MergeFacilities.mutation(),
    onSuccess: ({ merge: { kept, merged } }) => {
      notifications.show({ message: `${merged.acctNo} is merged into ${kept.acctNo} ${kept.name}.` });
      onClose();
    },
  });
  const { kept, merged, parts = [] } = preview.data ?? {};
  const left = parts.filter((part) => part.left > 0);
  return (
    <Modal opened onClose={onClose} title="Merge facilities" size="lg">
      <Stack>
        <Radio.Group
          label="Which facility do you want to keep?"
          description="Searching for the other account number will find this facility."
          value={String(keptId)}
          onChange={(value) => setKeptId(Number(value))}
        >
          <Stack gap="sm" mt="xs">
            {[first, second].map((facility) => (
              <Group key={facility.id} align="flex-start" wrap="nowrap" gap="sm">
                <Radio value={String(facility.id)} aria-label={`Keep ${facility.acctNo} ${facility.name}`} mt={2} />
                <AlikeFacilityText facility={facility} />
              </Group>
            ))}
          </Stack>
        </Radio.Group>
        {preview.data ? (
          <section aria-label="Effect of the merge">
            <Text size="sm">
              {parts.some(({ moved }) => moved > 0)
                ? `Moves to ${kept?.acctNo}: ${parts.flatMap(({ what, moved }) => (moved > 0 ? [what] : [])).join(', ')}.`
                : `${merged?.acctNo} has no records to move.`}{' '}
              Quotes keep their prices and texts. You can undo the merge.
            </Text>
            {left.length > 0 ? (
              <Text size="sm" className="warning" mt={4}>
                {left.map((part) => `${part.left} of ${part.what}`).join(', ')} stay with {merged?.acctNo} and no longer
                apply, because {kept?.acctNo} already has matching records for the same dates.
              </Text>
            ) : null}
          </section>
        ) : preview.error ? (
          <ErrorAlert error={preview.error} />
        ) : (
          <Skeleton height={40} aria-label="Loading" />
        )}
        <ErrorAlert error={merge.error} title="The facilities were not merged" />
        <DialogButtons onCancel={onClose}>
          <Button
            loading={merge.isPending}
            disabled={!kept || !merged}
            onClick={() => {
              if (!kept || !merged) return;
              merge.mutate({
                kept: { id: kept.id, version: kept.version },
                merged: { id: merged.id, version: merged.version },
              });
            }}
          >
            Merge
          </Button>
        </DialogButtons>
      </Stack>
    </Modal>
  );
}
