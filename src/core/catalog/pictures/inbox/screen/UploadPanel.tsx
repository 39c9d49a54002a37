// Uploads pictures by drop or file choice. Shows the progress of each file, and why any was refused.
import { Box, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { countOf } from '#platform/shared/count-of.ts';
import { DropZone } from '#platform/ui/DropZone.tsx';
import classes from './inbox.module.css';
import type { Sending, Uploads } from './uploads.web.ts';

export function UploadPanel({ uploads, inbox }: { uploads: Uploads; inbox: string }) {
  const { sendings, busy } = uploads;
  // When the upload ends, list refused files first.
  const listed = busy ? sendings : sendings.toSorted((a, b) => Number(isTaken(a)) - Number(isTaken(b)));
  return (
    <section aria-label="Upload pictures">
      <DropZone
        title="Drop pictures, folders or a ZIP here, or choose them"
        hint={`JPEG, PNG, WebP, GIF or TIFF, 25 MB each. The name of a file finds its item: 4711.jpg, 4711_2.jpg, 4711-front.jpg.${
          inbox ? ` Files put into the watched folder (${inbox}) are imported too.` : ''
        }`}
        label="Files"
        accept="image/*,.zip,application/zip"
        onFiles={uploads.take}
      />
      {sendings.length > 0 ? (
        <Stack gap="xs" p="sm" className="card" mt="xs">
          <Summary uploads={uploads} />
          {/* The region scrolls separately, so it needs the focus for the arrow keys. */}
          <Box className={classes['sendings']} tabIndex={0} role="region" aria-label="Upload results">
            <ul aria-label="Files that were sent">
              {listed.map((sending) => (
                <FileRow key={sending.key} sending={sending} onAgain={() => uploads.again([sending])} />
              ))}
            </ul>
          </Box>
          {busy ? null : (
            <Button size="compact-sm" variant="default" style={{ alignSelf: 'start' }} onClick={uploads.clear}>
              Close this list
            </Button>
          )}
        </Stack>
      ) : null}
    </section>
  );
}

const isTaken = ({ state, outcomes }: Sending) =>
  state === 'done' && outcomes.every(({ outcome }) => outcome === 'new');

function Summary({ uploads: { sendings, busy, again } }: { uploads: Uploads }) {
  const ended = sendings.filter(({ state }) => state === 'done' || state === 'failed');
  const failed = sendings.filter(({ state }) => state === 'failed');
  const outcomes = sendings.flatMap((sending) => sending.outcomes);
  const count = (outcome: string) => outcomes.filter((candidate) => candidate.outcome === outcome).length;
  const says = [
    countOf(count('new'), 'new picture'),
    count('known') ? `${count('known')} already here` : '',
    count('refused') ? `${count('refused')} not accepted` : '',
    failed.length > 0 ? `${countOf(failed.length, 'file')} failed` : '',
  ];
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status">
          {busy
            ? `Sending: ${ended.length.toLocaleString('en-US')} of ${countOf(sendings.length, 'file')}. `
            : `${countOf(sendings.length, 'file')} sent. `}
          {says.filter(Boolean).join(', ')}.
        </Text>
        {failed.length > 1 ? (
          <Button size="compact-sm" variant="default" onClick={() => again(failed)}>
            Try all {failed.length} again
          </Button>
        ) : null}
      </Group>
      {busy ? (
        <Progress
          aria-label="Files sent"
          value={
            (100 * sendings.reduce((sum, sending) => sum + (sending.state === 'failed' ? 1 : sending.share), 0)) /
            sendings.length
          }
        />
      ) : null}
    </>
  );
}

/** Shows no details for an accepted file without a remark. */
function FileRow({ sending, onAgain }: { sending: Sending; onAgain: () => void }) {
  const { file, state, share, problem, outcomes } = sending;
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused');
  const known = outcomes.filter(({ outcome }) => outcome === 'known');
  const [only] = outcomes;
  const isOne = outcomes.length === 1 && only?.name === file.name;
  const word =
    state === 'sends'
      ? share < 1
        ? `${Math.floor(share * 100)}%`
        : 'processing…'
      : state === 'waits'
        ? 'waiting'
        : state === 'failed'
          ? 'failed'
          : isOne
            ? { new: 'added', known: 'already here', refused: 'not accepted' }[only?.outcome ?? 'new']
            : countOf(outcomes.length, 'file');
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" align="start" gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {file.name}
        </Text>
        <Group gap="xs" wrap="nowrap" flex="none">
          <Text size="xs" className="muted tabular">
            {word}
          </Text>
          {state === 'failed' ? (
            <Button size="compact-xs" variant="default" aria-label={`Try ${file.name} again`} onClick={onAgain}>
              Try again
            </Button>
          ) : null}
        </Group>
      </Group>
      {problem ? (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      ) : null}
      {refused.map(({ name, message }, index) => (
        <Text key={index} size="sm" c="var(--mantine-color-error)">
          {isOne ? '' : `${name}: `}
          {message}
        </Text>
      ))}
      {known.map(({ name, message }, index) => (
        <Text key={index} size="xs" className="muted">
          {isOne ? '' : `${name}: `}
          {message}
        </Text>
      ))}
    </li>
  );
}
