// The figures of a plot as a table, each a link to the list behind it.
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { figureIn, type Plot, unitWords } from './plot.ts';
import classes from './plots.module.css';

export function PlotTable({ plot }: { plot: Plot }) {
  const { title, over, series, rows, unit, facts = [] } = plot;
  return (
    <div className={classes['table']}>
      <table className="list" aria-label={title}>
        <thead>
          <tr>
            <th>{over}</th>
            {series.map(({ name }) => (
              <th key={name} className="figure">
                {name || unitWords(unit)}
              </th>
            ))}
            {facts.map((fact) => (
              <th key={fact} className="figure">
                {fact}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, nth) => (
            <tr key={nth}>
              <th scope="row">{row.label}</th>
              {series.map(({ name }, at) => {
                const words = figureIn(unit, row.values[at] ?? null);
                const href = row.hrefs?.[at];
                return (
                  <td key={name} className="figure">
                    {href ? (
                      <Anchor component={Link} to={href} size="sm" inherit>
                        {words}
                      </Anchor>
                    ) : (
                      words
                    )}
                  </td>
                );
              })}
              {facts.map((fact, at) => (
                <td key={fact} className="figure">
                  {row.facts?.[at] ?? ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
