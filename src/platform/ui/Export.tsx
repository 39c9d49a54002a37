// The export button of a list, with its key and its error message.
import { Box, Button, type ButtonProps } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { ErrorAlert } from './ErrorAlert.tsx';
import { useKeys } from './keys.tsx';

type Exported = { isPending: boolean; error: Error | null; reset: () => void };

type Props = ButtonProps & {
  exported: Exported;
  onExport: () => void;
  /** The number of matching records. If it is 0, the button is disabled. */
  total: number | undefined;
  title?: string;
};

export function ExportButton({ exported, onExport, total, title = 'As CSV', ...look }: Props) {
  const nothing = !total;
  useKeys([{ key: 'e', label: 'Export', run: onExport, disabled: nothing || exported.isPending }]);
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      {...look}
      loading={exported.isPending}
      disabled={nothing}
      title={title}
      onClick={onExport}
    >
      Export
    </Button>
  );
}

export function ExportError({ exported }: { exported: Exported }) {
  if (!exported.error) return null;
  return (
    <Box px="md" pb="xs">
      <ErrorAlert error={exported.error} title="The export failed" onClose={exported.reset} />
    </Box>
  );
}
