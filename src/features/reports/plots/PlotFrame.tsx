// The frame of every plot: title, unit, legend, the picture or its table, and its files.
import { ActionIcon, Group, Text, Title } from '@mantine/core';
import { IconChartBar, IconFileSpreadsheet, IconPhotoDown, IconTable } from '@tabler/icons-react';
import { type CSSProperties, type ReactNode, useId, useState } from 'react';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { saveFile } from '#ui/save-file.web.ts';
import { PLOT_COLORS } from '#ui/plot-colors.ts';
import { fileNameOf, hasFigures, noteOf, type Plot, plotCsv, unitWords } from './plot.ts';
import { plotPng } from './plot-png.web.ts';
import { PlotPicture } from './PlotPicture.tsx';
import { PlotTable } from './PlotTable.tsx';
import classes from './plots.module.css';

type Props = {
  plot: Plot;
  /** Takes the place of the picture where one is drawn otherwise, such as a map. The table stays. */
  picture?: ReactNode;
  /** Stands before the picture: a choice of what it shows, or a figure in words. */
  above?: ReactNode;
  /** Shown instead of a plot without figures. */
  empty?: string;
  /** Fills the row of the page. */
  wide?: boolean;
};

export function PlotFrame({ plot, picture, above, empty = 'Nothing in this period.', wide = false }: Props) {
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
            <Tool label={isTable ? 'Show as plot' : 'Show as table'} onClick={() => setTable(!isTable)}>
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
