// The initials of the other users who are on a line.
import type { Other } from '#platform/live/live.contract.ts';
import { initialsOf } from '#platform/ui/Person.tsx';
import classes from '../lines/lines.module.css';

export function Taken({ others }: { others: readonly Other[] | undefined }) {
  const visible = others?.find(({ typing }) => typing) ?? others?.[0];
  if (!others || !visible) return null;
  const words = others.map(({ name, typing }) => `${name} is ${typing ? 'typing ' : ''}on this line`).join(', ');
  return (
    <span className={`${classes['who']} no-print`} role="img" aria-label={words} title={words}>
      {initialsOf(visible.name)}
    </span>
  );
}
