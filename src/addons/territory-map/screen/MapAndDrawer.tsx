// A map that fills its screen, with a drawer of tabs beside it that opens and closes. On small screens the drawer is below the map.
import { CloseButton, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { isSpent } from '#platform/ui/one-escape.web.ts';
import classes from './MapAndDrawer.module.css';

type Tab<S extends string> = {
  value: S;
  label: ReactNode;
  /** True for a table, which needs most of the screen. */
  wide?: boolean;
  panel: ReactNode;
};
type Props<S extends string> = {
  /** The height of the content above and below, in pixels. */
  around: number;
  /** The controls above the map. */
  controls: ReactNode;
  map: ReactNode;
  tabs: readonly Tab<S>[];
  /** The open tab. Null closes the drawer. */
  open: S | null;
  onOpen: (tab: S | null) => void;
};

export function MapAndDrawer<S extends string>({ around, controls, map, tabs, open, onOpen }: Props<S>) {
  const visible = tabs.find(({ value }) => value === open);
  return (
    <Tabs
      value={visible?.value ?? null}
      onChange={(next) => onOpen(next as S | null)}
      allowTabDeactivation
      keepMounted={false}
      className={classes['whole'] ?? ''}
      style={{ '--around': `${around}px` }}
    >
      <div className={`${classes['controls']} no-print`}>{controls}</div>
      <div className={classes['map']}>{map}</div>
      <Tabs.List className={`${classes['tabs']} no-print`}>
        {tabs.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {visible ? (
        <CloseButton
          className={`${classes['close']} no-print`}
          aria-label="Close side panel"
          onClick={() => onOpen(null)}
        />
      ) : null}
      {visible ? (
        <Tabs.Panel
          value={visible.value}
          className={`${classes['drawer']} no-print`}
          data-wide={visible.wide}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !event.defaultPrevented && !isSpent(event.nativeEvent)) onOpen(null);
          }}
        >
          {visible.panel}
        </Tabs.Panel>
      ) : null}
    </Tabs>
  );
}
