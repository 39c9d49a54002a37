// Formats how long ago something happened.

/** Returns 'just now', '5 min ago', '2 h ago' or '3 days ago'. `now` is in milliseconds since 1970. */
export function since(instant: string, now: number): string {
  const minutes = Math.floor((now - new Date(instant).getTime()) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? 'yesterday' : `${days} days ago`;
}
