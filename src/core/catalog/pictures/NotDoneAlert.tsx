// The pictures that an action skipped, each with the reason.
import { Alert, Text } from '@mantine/core';
import { countOf } from '#platform/shared/count-of.ts';

const MAX_NAMED = 10;

export function NotDoneAlert(props: { pictures: readonly { name: string; problem: string }[]; onClose: () => void }) {
  const { pictures, onClose } = props;
  if (pictures.length === 0) return null;
  return (
    <Alert
      color="orange"
      variant="light"
      title={`Something went wrong with ${countOf(pictures.length, 'picture')}`}
      withCloseButton
      closeButtonLabel="Dismiss"
      role="alert"
      onClose={onClose}
    >
      {pictures.slice(0, MAX_NAMED).map(({ name, problem }, index) => (
        <Text size="sm" key={index}>
          {name}: {problem}
        </Text>
      ))}
      {pictures.length > MAX_NAMED ? <Text size="sm">and {pictures.length - MAX_NAMED} more</Text> : null}
    </Alert>
  );
}
