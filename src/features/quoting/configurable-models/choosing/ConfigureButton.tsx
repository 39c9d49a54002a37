// The button that leads from a quote to the models that can be configured for it.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { paths } from '#shared/paths.ts';

export function ConfigureButton({ quoteId }: { quoteId: number }) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      renderRoot={(props) => <Link {...props} to={paths.configureQuote(quoteId)} />}
    >
      Configure
    </Button>
  );
}
