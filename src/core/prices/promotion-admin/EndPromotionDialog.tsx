// Asks before it ends a promotion now, and says which quotes that affects.
import { Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { countsInWords, usePromotionUse } from './PromotionQuotes.tsx';
import { ItemPromotion, type PromotionEdit, type PromotionState } from './promotion-admin.contract.ts';

type Props = { promotion: PromotionEdit; state: PromotionState; onEnded: () => void; onClose: () => void };

export function EndPromotionDialog({ promotion, state, onEnded, onClose }: Props) {
  const use = usePromotionUse(promotion.id);
  const ending = useMutation({
    mutationFn: () => api(ItemPromotion).EndItemPromotion({ id: promotion.id, version: promotion.version }),
    onSuccess: (ended) => {
      notifications.show({ message: `${ended.name || 'The promotion'} has ended.` });
      onEnded();
    },
  });
  return (
    <ConfirmDialog
      title={`End ${promotion.name || 'this promotion'} now?`}
      action="End now"
      harmful
      busy={ending.isPending}
      error={ending.error}
      onConfirm={() => ending.mutate()}
      onClose={onClose}
    >
      <Stack gap="xs">
        <Text size="sm">
          {state === 'Coming'
            ? 'It has not begun, so it is switched off.'
            : 'Yesterday becomes its last day; one that began today is switched off. Quotes dated from today on no longer get it.'}
        </Text>
        {use.error ? <ErrorAlert error={use.error} title="The quotes could not be counted" /> : null}
        {use.data ? (
          <Text size="sm">
            Quotes that have it applied: {countsInWords(use.data)}. They keep it until they are repriced. Quotes already
            sent stay as they are.
          </Text>
        ) : use.error ? null : (
          <Skeleton height={20} />
        )}
      </Stack>
    </ConfirmDialog>
  );
}
