// Formats places in American order. Empty parts are left out.

type Place = { city: string; state: string; zip: string };

/** Returns 'Omaha, NE'. */
export function cityAndState({ city, state }: Pick<Place, 'city' | 'state'>): string {
  return [city, state].filter(Boolean).join(', ');
}

/** Returns 'Omaha, NE 68101'. */
export function cityStateZip({ city, state, zip }: Place): string {
  return [city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
}
