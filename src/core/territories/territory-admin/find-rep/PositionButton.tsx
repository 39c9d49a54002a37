// 'Use my location': finds the ZIP at the device's position. It requests the position when pressed and does not store it.
import { Button } from '@mantine/core';
import { IconCurrentLocation } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { TazApi } from './find-rep.contract.ts';

export function PositionButton({ onFound }: { onFound: (zip: string) => void }) {
  const here = useMutation({
    mutationFn: async () => api(TazApi).findNearestZip(await askPosition()),
    onSuccess: ({ zip }) => onFound(zip),
    // Keeps the position out of the cache.
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
        Use my location
      </Button>
      <ErrorAlert error={here.error} title="Your location is not available" onClose={() => here.reset()} />
    </>
  );
}

/** Degrees, rounded to a thousandth (about 100 m), which is enough to find a ZIP. */
type Position = { lat: number; lon: number };

const PATIENCE = 15_000;

/** Requests the position from the browser, which prompts the user. Rejects with a message for the user. */
function askPosition(): Promise<Position> {
  return new Promise((resolve, reject) => {
    // Browsers provide positions to secure pages only. On other pages this object does not exist.
    if (!('geolocation' in navigator)) {
      reject(new Error('This browser cannot determine your location. Enter a ZIP.'));
      return;
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: toThousandths(coords.latitude), lon: toThousandths(coords.longitude) }),
      ({ code }) => reject(new Error(SENTENCES[code] ?? UNAVAILABLE)),
      { timeout: PATIENCE, maximumAge: 60_000 },
    );
  });
}

const toThousandths = (degrees: number): number => Math.round(degrees * 1000) / 1000;

const UNAVAILABLE = 'Your location could not be determined. Try again, or enter a ZIP.';
/** Messages by the codes of GeolocationPositionError. */
const SENTENCES: Record<number, string> = {
  1: 'This page has no access to your location. Allow it in the browser settings, or enter a ZIP.',
  2: UNAVAILABLE,
  3: 'Finding your location took too long. Try again, or enter a ZIP.',
};
