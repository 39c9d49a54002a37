// The hint of a button, for code that every page loads. The hint itself loads after the screen.
import { cloneElement, type ReactElement, type Ref, useRef } from 'react';
import { later } from './later.tsx';

const HintText = later(() => import('./HintText.tsx'), { soon: true, loading: <></>, failed: '' });

/** `children` is one element that accepts a ref. */
export function Hint({ label, children }: { label: string; children: ReactElement<{ ref?: Ref<HTMLElement> }> }) {
  const target = useRef<HTMLElement>(null);
  return (
    <>
      {cloneElement(children, { ref: target })}
      <HintText label={label} target={target} />
    </>
  );
}
