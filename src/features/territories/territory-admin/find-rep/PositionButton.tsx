// 'Use my position': finds the ZIP where the device is. It asks for the position on a press and stores it nowhere.
import { Button } from '@mantine/core';
import { IconCurrentLocation } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { api } from '#api/client.web.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { TazApi } from './find-rep.contract.ts';
import { askPosition } from './position.web.ts';

export function PositionButton({ onFound }: { onFound: (zip: string) => void }) {
  const here = useMutation({
    mutationFn: async () => api(TazApi).findNearestZip(await askPosition()),
    onSuccess: ({ zip }) => onFound(zip),
    // Keeps no position in the cache.
    gcTime: 0,
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCurrentLocation size={16} aria-hidden />}
        loading={here.isPending}
        onClick={() => here.mutate()}
      >
        Use my position
      </Button>
      <ErrorAlert error={here.error} title="Your location is not available" onClose={() => here.reset()} />
    </>
  );
}
