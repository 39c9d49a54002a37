// Places in the order in which Americans write them. What is empty is left out.

type Place = { city: string; state: string; zip: string };

/** 'Omaha, NE' */
export function cityAndState({ city, state }: Pick<Place, 'city' | 'state'>): string {
  return [city, state].filter(Boolean).join(', ');
}

/** 'Omaha, NE 68101' */
export function cityStateZip({ city, state, zip }: Place): string {
  return [city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
}
