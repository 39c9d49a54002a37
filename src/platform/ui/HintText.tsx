// The hint of `Hint`, beside its button.
import { Tooltip } from '@mantine/core';
import type { RefObject } from 'react';

export default function HintText({ label, target }: { label: string; target: RefObject<HTMLElement | null> }) {
  return <Tooltip label={label} target={target} />;
}
