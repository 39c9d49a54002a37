// A hint at a button, for what every page loads: the hint itself loads when the screen is there.
import { cloneElement, type ReactElement, type Ref, useRef } from 'react';
import { later } from './later.tsx';

const HintText = later(() => import('./HintText.tsx'), { soon: true, loading: <></>, failed: '' });

/** `children`: one element that takes a ref. */
export function Hint({ label, children }: { label: string; children: ReactElement<{ ref?: Ref<HTMLElement> }> }) {
  const target = useRef<HTMLElement>(null);
  return (
    <>
      {cloneElement(children, { ref: target })}
      <HintText label={label} target={target} />
    </>
  );
}
