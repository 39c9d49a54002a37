// Settings, Features: every add-on, its purpose, and a switch.
import { Group, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { Card } from '#platform/ui/Card.tsx';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { FormPage } from '#platform/ui/FormPage.tsx';
import { setSwitchedOff } from '#platform/addons/addon.web.ts';
import { type Feature, Features } from './features.contract.ts';

export default function FeaturesPage() {
  const queries = useQueryClient();
  const query = api(Features).GetFeatures.query({});
  const list = useQuery({ ...query, staleTime: 0 });
  const [asking, setAsking] = useState<Feature | null>(null);
  const change = useMutation({
    ...api(Features).SwitchFeature.mutation(),
    onSuccess: (next, { name, on }) => {
      queries.setQueryData(query.queryKey, next);
      setSwitchedOff(next.off);
      setAsking(null);
      const title = next.features.find((feature) => feature.name === name)?.title ?? '';
      notifications.show({ message: `${title} is switched ${on ? 'on' : 'off'}.` });
    },
  });
  const busy = change.isPending ? change.variables.name : null;
  return (
    <FormPage title="Features">
      <ErrorAlert error={list.error} title="The features could not be loaded" onRetry={list.refetch} />
      {list.data ? (
        <>
          <Card title="Features" hideTitle>
            <Text size="sm" className="muted">
              When a feature is switched off, its screens, panels, calls and background work disappear for everyone. Its
              data is kept. Open pages change when they are reloaded.
            </Text>
            {asking ? null : (
              <ErrorAlert error={change.error} title="The feature could not be switched" onClose={change.reset} />
            )}
            <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
              {list.data.features.map((feature) => (
                <Row
                  key={feature.name}
                  feature={feature}
                  busy={busy === feature.name}
                  onSwitch={(on) => {
                    change.reset();
                    if (on) change.mutate({ name: feature.name, on });
                    else setAsking(feature);
                  }}
                />
              ))}
            </Stack>
          </Card>
          <Card title="History">
            <HistoryPanel type="feature" id={1} />
          </Card>
        </>
      ) : list.error ? null : (
        <Skeleton height={480} radius="sm" aria-label="Loading" />
      )}
      {asking ? (
        <ConfirmDialog
          title={`Switch off ${asking.title}?`}
          action="Switch off"
          busy={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate({ name: asking.name, on: false })}
          onClose={() => setAsking(null)}
        >
          <Text size="sm">
            {[
              'Its screens disappear for everyone. Its data is kept.',
              asking.whileOff,
              asking.dependents.length > 0 ? `Also off without it: ${asking.dependents.join(', ')}.` : '',
            ]
              .filter(Boolean)
              .join(' ')}
          </Text>
        </ConfirmDialog>
      ) : null}
    </FormPage>
  );
}

type RowProps = { feature: Feature; busy: boolean; onSwitch: (on: boolean) => void };

function Row({ feature: { title, purpose, on, missing }, busy, onSwitch }: RowProps) {
  const hint = useId();
  return (
    <Group component="li" justify="space-between" align="flex-start" wrap="nowrap" gap="md">
      <div>
        <Text fw={600}>{title}</Text>
        <Text size="sm" className="muted" id={hint}>
          {purpose}
          {missing === null ? '' : ` It needs ${missing}, which is switched off.`}
        </Text>
      </div>
      <Switch
        aria-label={title}
        aria-describedby={hint}
        checked={on}
        disabled={busy || missing !== null}
        onChange={(event) => onSwitch(event.currentTarget.checked)}
      />
    </Group>
  );
}
