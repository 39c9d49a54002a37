// Asks for the position of the device. Nothing stores the answer.

/** Degrees, rounded to a thousandth (about 100 m), which is enough to find a ZIP. */
type Position = { lat: number; lon: number };

const PATIENCE = 15_000;

/** Asks the browser, which asks the person. Rejects with a message for the person. */
export function askPosition(): Promise<Position> {
  return new Promise((resolve, reject) => {
    // Browsers give positions to secure pages only. On other pages this object does not exist.
    if (!('geolocation' in navigator)) {
      reject(new Error('This browser cannot tell where you are. Type a ZIP.'));
      return;
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: rounded(coords.latitude), lon: rounded(coords.longitude) }),
      ({ code }) => reject(new Error(SENTENCES[code] ?? UNAVAILABLE)),
      { timeout: PATIENCE, maximumAge: 60_000 },
    );
  });
}

const rounded = (degrees: number): number => Math.round(degrees * 1000) / 1000;

const UNAVAILABLE = 'Your position cannot be found right now. Try again, or type a ZIP.';
/** Messages by the codes of GeolocationPositionError. */
const SENTENCES: Record<number, string> = {
  1: 'Your browser does not give your position to this page. Allow it in the settings of the browser, or type a ZIP.',
  2: UNAVAILABLE,
  3: 'Finding your position took too long. Try again, or type a ZIP.',
};
