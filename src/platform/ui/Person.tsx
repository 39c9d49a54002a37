// A user in a list: the initials on narrow screens; the full name on wide screens, on hover and for screen readers.

/** Returns 'JR' for 'Jordan Rivera', or the first two letters of a single word. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : ''];
  const letters = [...(last ? `${[...first][0] ?? ''}${[...last][0] ?? ''}` : first)];
  return letters.slice(0, 2).join('').toUpperCase();
}

export function Person({ name }: { name: string }) {
  if (!name) return null;
  return (
    <span title={name} className="person">
      <span className="person-initials" aria-hidden>
        {initialsOf(name)}
      </span>
      <span className="person-name">{name}</span>
    </span>
  );
}
