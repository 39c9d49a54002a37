// A checkbox and a toggle chip for the first screens of many users. They load a small part of what Mantine's versions need.
import type { CSSProperties, ReactNode } from 'react';
import classes from './ticks.module.css';

type TickProps = {
  id: string;
  label: string;
  checked: boolean;
  /** Some of the rows that it covers are selected. */
  some?: boolean;
  disabled?: boolean;
  name?: string;
  value?: number;
  onChange: (shift: boolean) => void;
};

export function Tick({ label, checked, some: group = false, onChange, ...rest }: TickProps) {
  return (
    <span className={classes['tick']}>
      <input
        {...rest}
        type="checkbox"
        ref={(box) => {
          if (box) box.indeterminate = group;
        }}
        aria-label={label}
        checked={checked}
        onChange={({ nativeEvent }) => onChange(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
      />
      {checked || group ? <Mark d={group ? 'M1 4h8' : CHECK} /> : null}
    </span>
  );
}

type TickChipProps = {
  checked: boolean;
  onChange: (checked: boolean) => void;
  className?: string | undefined;
  style?: CSSProperties;
  children: ReactNode;
};

export function TickChip({ checked, onChange, className = '', style, children }: TickChipProps) {
  return (
    <label className={`${classes['chip']} ${className}`} style={style} data-checked={checked || undefined}>
      <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {checked ? <Mark d={CHECK} /> : null}
      <span>{children}</span>
    </label>
  );
}

const CHECK = 'M1 4l3 3 5-6';

const Mark = ({ d }: { d: string }) => (
  <svg viewBox="0 0 10 8" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" aria-hidden>
    <path d={d} strokeLinejoin="round" />
  </svg>
);
