// The main figures at the top of a report, each a link to its list.
import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import classes from './reports.module.css';

export type Tile = {
  name: string;
  figure: string;
  note?: string;
  /** Null if there is no list behind it. */
  href: string | null;
};

export function Tiles({ tiles }: { tiles: readonly Tile[] }) {
  return (
    <ul className={`${classes['tiles'] ?? ''} ${classes['wide'] ?? ''}`} aria-label="Key figures">
      {tiles.map(({ name, figure, note, href }) => {
        const inside = (
          <>
            <Text size="xs" className="muted" span>
              {name}
            </Text>
            <Text size="lg" fw={600} className="tabular" span>
              {figure}
            </Text>
            {note ? (
              <Text size="xs" className="muted tabular" span>
                {note}
              </Text>
            ) : null}
          </>
        );
        return (
          <li key={name} className="card">
            {href ? <Link to={href}>{inside}</Link> : <div>{inside}</div>}
          </li>
        );
      })}
    </ul>
  );
}
