// The frame of every plot: title, unit, legend, the picture or its table, and its files.
import { ActionIcon, Anchor, Group, Text, Title } from '@mantine/core';
import { IconChartBar, IconFileSpreadsheet, IconPhotoDown, IconTable } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, type ReactNode, useId, useState } from 'react';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { PLOT_COLORS } from '#platform/ui/plot-colors.ts';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { PlotPicture } from './PlotPicture.tsx';
import { figureIn, fileNameOf, hasFigures, noteOf, type Plot, plotCsv, unitWords } from './plot.ts';
import classes from './plots.module.css';
import { plotSvg } from './svg-text.ts';

type Props = {
  plot: Plot;
  /** Replaces the drawn picture, for example with a map. The table stays. */
  picture?: ReactNode;
  /** Shown above the picture: a choice of its content, or a figure in words. */
  above?: ReactNode;
  /** Shown instead of a plot without figures. */
  empty?: string;
  /** Uses the full width of the page. */
  wide?: boolean;
};

export function PlotFrame({ plot, picture, above, empty = 'No data for this period.', wide = false }: Props) {
  const title = useId();
  const [isTable, setTable] = useState(false);
  const [failed, setFailed] = useState<Error | null>(null);
  const isEmpty = !hasFigures(plot);
  const note = noteOf(plot);
  const name = fileNameOf(plot.title);
  return (
    <figure className={`card ${classes['frame'] ?? ''}`} aria-labelledby={title} data-wide={wide ? '' : undefined}>
      <Group justify="space-between" wrap="nowrap" align="start" gap="xs">
        <div>
          <Title order={2} id={title}>
            {plot.title}
          </Title>
          <Text size="xs" className="muted">
            in {unitWords(plot.unit)}
          </Text>
        </div>
        {isEmpty ? null : (
          <Group gap={2} wrap="nowrap" className="no-print">
            <Tool label={isTable ? 'Show as chart' : 'Show as table'} onClick={() => setTable(!isTable)}>
              {isTable ? <IconChartBar size={16} /> : <IconTable size={16} />}
            </Tool>
            <Tool
              label="Save as CSV"
              onClick={() => saveFile({ name: `${name}.csv`, blob: new Blob([plotCsv(plot)], { type: 'text/csv' }) })}
            >
              <IconFileSpreadsheet size={16} />
            </Tool>
            {picture ? null : (
              <Tool
                label="Save as picture"
                onClick={() => {
                  setFailed(null);
                  plotPng(plot).then((blob) => saveFile({ name: `${name}.png`, blob }), setFailed);
                }}
              >
                <IconPhotoDown size={16} />
              </Tool>
            )}
          </Group>
        )}
      </Group>
      <ErrorAlert error={failed} title="The picture could not be saved" onClose={() => setFailed(null)} />
      {above}
      {isEmpty ? (
        <Text size="sm" className="muted" role="status" py="lg" ta="center">
          {empty}
        </Text>
      ) : isTable ? (
        <PlotTable plot={plot} />
      ) : (
        <>
          <Legend plot={plot} />
          {picture ?? <PlotPicture plot={plot} wide={wide} />}
        </>
      )}
      {note && !isEmpty ? (
        <Text size="xs" className="muted" component="figcaption">
          {note}
        </Text>
      ) : null}
    </figure>
  );
}

function Tool({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} onClick={onClick}>
      {children}
    </ActionIcon>
  );
}

function Legend({ plot: { series, kind } }: { plot: Plot }) {
  if (series.length < 2 || kind === 'bridge' || kind === 'ranges') return null;
  return (
    <Group gap="md" component="ul" className={classes['legend'] ?? ''}>
      {series.map(({ name, tone }) => (
        <li key={name}>
          <span
            style={
              {
                '--tone': `light-dark(${PLOT_COLORS.light[tone] ?? ''}, ${PLOT_COLORS.dark[tone] ?? ''})`,
              } as CSSProperties
            }
          />
          {name}
        </li>
      ))}
    </Group>
  );
}

const WIDTH = 960;
/** Pixels for each unit of the drawing, high enough for sharp pictures in slides. */
const DENSITY = 2;

/** The plot as a PNG picture with its title and legend, on white. */
async function plotPng(plot: Plot): Promise<Blob> {
  const { text, width, height } = plotSvg(plot, WIDTH);
  const url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width * DENSITY, height * DENSITY];
    const context = canvas.getContext('2d');
    if (!context) throw new Error('This browser does not support canvas drawing.');
    context.scale(DENSITY, DENSITY);
    context.drawImage(image, 0, 0, width, height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large.'))), 'image/png'),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** The figures of a plot as a table, each a link to the list behind it. */
function PlotTable({ plot }: { plot: Plot }) {
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
