// Parses which compressed encodings a caller accepts.

/** Returns the encodings that an Accept-Encoding header accepts: 'gzip, br;q=0' accepts gzip only. */
export function encodingsOf(header: string | string[] | undefined): Set<string> {
  const named = String(header ?? '')
    .toLowerCase()
    .split(',');
  const taken = named.filter((candidate) => !/;\s*q=0(\.0*)?\s*$/.test(candidate));
  return new Set(taken.map((entry) => entry.split(';', 1)[0]?.trim() ?? ''));
}
