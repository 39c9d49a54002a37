// Shows the progress of the job that publishes or rolls back the plan, and why it failed.
import { Alert, Progress, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { usePlan } from '../page/plan.web.ts';
import { isWorking, workWords } from '../plan-words.ts';

/** How often the page requests the progress, in milliseconds. */
const ASK_AGAIN = 1000;

/** Calls `onPublished` once the job has published the plan. */
export function WorkPanel({ onPublished }: { onPublished: () => void }) {
  const { loaded, store } = usePlan();
  const { map } = loaded;
  const queries = useQueryClient();
  const user = useSession();
  const working = isWorking(map);
  const worked = useRef(false);
  useEffect(() => {
    if (!working) return;
    // The next tick retries after a failure.
    const timer = setInterval(() => void store.catchUp().catch(() => {}), ASK_AGAIN);
    return () => clearInterval(timer);
  }, [working, store]);
  useEffect(() => {
    if (worked.current && !working && !map.work) {
      const isPublished = map.state === 'Published';
      notifications.show({
        message: isPublished
          ? `${map.name} is published. It takes effect on ${formatDate(map.effectiveDay)}.`
          : `${map.name} is rolled back.`,
      });
      // No call from this page made the change, so nothing else refreshes the cached data.
      void queries.invalidateQueries();
      if (isPublished && user && hasRole(user, 'systemadmin', 'salesadmin')) onPublished();
    }
    worked.current = working;
  });
  if (!map.work) return null;
  const { error, done, total } = map.work;
  if (error)
    return (
      <Alert
        color="red"
        role="alert"
        title={`The plan could not be ${map.work.action === 'Publish' ? 'published' : 'rolled back'}`}
      >
        {error}
      </Alert>
    );
  return (
    <Alert color="blue" py="xs">
      <Text size="sm" role="status">
        {workWords(map.work)} You can leave this page while this continues.
      </Text>
      <Progress
        mt={6}
        value={done > 0 ? (100 * done) / total : 100}
        animated
        striped={done === 0}
        aria-label={map.work.action === 'Publish' ? 'Publishing' : 'Rolling back'}
      />
    </Alert>
  );
}
