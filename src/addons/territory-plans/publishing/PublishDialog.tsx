// The dialog that publishes a plan: prompts for the day, shows exactly what it would write and what prevents it, then publishes.
import { Alert, Button, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { dateProblem, formatDate, parseDate } from '#platform/shared/dates.ts';
import { DateField } from '#platform/ui/DateField.tsx';
import { DialogButtons } from '#platform/ui/DialogButtons.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { EffectTable } from '../page/EffectsPanel.tsx';
import { usePlan } from '../page/plan.web.ts';
import { balanceInWords } from '../plan-words.ts';
import { type DryRun, TerritoryPlans } from '../territory-plans.contract.ts';

const MAX_SHOWN = 8;

export function PublishDialog({ onPublished, onClose }: { onPublished: () => void; onClose: () => void }) {
  const { loaded, store } = usePlan();
  const { map, today } = loaded;
  const [typed, setTyped] = useState(map.effectiveDay < today ? today : map.effectiveDay);
  const day = parseDate(typed);
  const problem = !day ? dateProblem(typed) : day < today ? 'Choose today or a later day.' : undefined;
  const dry = useQuery({
    queryKey: [TerritoryPlans.publishSavedMap.path, 'dry', map.id, map.version, day],
    queryFn: async () => {
      const saved = await store.saved();
      return api(TerritoryPlans).publishSavedMap({
        id: map.id,
        version: saved.map.version,
        effectiveFrom: day ?? today,
        apply: false,
      });
    },
    enabled: problem === undefined,
    ...READ_ANEW,
    retry: false,
  });
  const publish = useMutation({
    mutationFn: (run: DryRun) =>
      api(TerritoryPlans).publishSavedMap({
        id: map.id,
        version: run.version,
        effectiveFrom: day ?? today,
        apply: true,
      }),
    meta: { blocking: true },
    onSuccess: (run) => {
      onClose();
      void store.catchUp();
      // The page shows the job's progress and reports its end.
      if (run.queued) return;
      notifications.show({
        message: `${map.name} is published. ${countOf(run.moves, 'ZIP')} will move on ${formatDate(day)}.`,
      });
      onPublished();
    },
    // The plan has changed, or another user has assigned one of the ZIPs, so this checks again.
    onError: () => {
      void store.catchUp();
      void dry.refetch();
    },
  });
  const run = problem ? undefined : dry.data;
  const conflicts = run?.conflicts ?? [];
  const blocked = !run || conflicts.length > 0 || run.moves === 0;

  return (
    <Modal opened onClose={onClose} title={`Publish ${map.name}`} size={1100}>
      <Form label="Publish" onSubmit={() => (run && !blocked && !dry.isFetching ? publish.mutate(run) : undefined)}>
        <Stack>
          <DateField
            label="From"
            description="The ZIPs belong to the new territories from this day. Nothing changes before."
            required
            data-autofocus
            w={260}
            value={typed}
            error={problem}
            onChange={(next) => {
              publish.reset();
              setTyped(next);
            }}
          />
          <ErrorAlert
            error={problem ? null : dry.error}
            title="The effects could not be calculated"
            onRetry={dry.refetch}
          />
          {!problem && !run && !dry.error ? <Skeleton height={120} aria-label="Loading" /> : null}
          {run && run.moves === 0 && conflicts.length === 0 ? (
            <Text size="sm">This plan has no moves to publish.</Text>
          ) : null}
          {conflicts.length > 0 ? <Conflicts conflicts={conflicts} /> : null}
          {run && run.moves > 0 ? <Figures run={run} overridden={loaded.overridden} /> : null}
          <ErrorAlert error={publish.error} title="The plan could not be published" />
          <DialogButtons onCancel={onClose}>
            <Button
              type="submit"
              loading={publish.isPending}
              disabled={blocked}
              title={conflicts.length > 0 ? 'Resolve the conflicts first' : undefined}
            >
              {day && !problem ? `Publish from ${formatDate(day)}` : 'Publish'}
            </Button>
          </DialogButtons>
        </Stack>
      </Form>
    </Modal>
  );
}

function Conflicts({ conflicts }: { conflicts: DryRun['conflicts'] }) {
  const more = conflicts.length - MAX_SHOWN;
  return (
    <Alert color="orange" role="alert">
      <Text size="sm" fw={600}>
        {countOf(conflicts.length, 'conflict')} to resolve first
      </Text>
      {conflicts.slice(0, MAX_SHOWN).map(({ zip, text }) => (
        <Text size="sm" key={zip}>
          {text}
        </Text>
      ))}
      {more > 0 ? <Text size="sm">and {more.toLocaleString('en-US')} more on the Conflicts tab</Text> : null}
    </Alert>
  );
}

function Figures({ run, overridden }: { run: DryRun; overridden: number }) {
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        <b>{countOf(run.moves, 'ZIP')}</b> {run.moves === 1 ? 'changes' : 'change'} territory:{' '}
        {countOf(run.ends, 'assignment')} {run.ends === 1 ? 'ends' : 'end'}, and{' '}
        {countOf(run.begins, 'begins', 'begin')}. {balanceInWords(run.effects)}
        {overridden > 0
          ? ` ${countOf(overridden, 'facility', 'facilities')} ${overridden === 1 ? 'has an account override and does' : 'have account overrides and do'} not move.`
          : ''}
      </Text>
      <Text size="sm" className="muted">
        Open quotes stay in their territory until someone moves them. You can roll back a published plan.
      </Text>
      <EffectTable effects={run.effects} />
    </Stack>
  );
}
