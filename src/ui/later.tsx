// A part of a screen that is loaded when it is first shown. What cannot be had says so in its place, and the screen stays as it is.
import { Loader, Text } from '@mantine/core';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

export function later<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  instead: { loading?: ReactNode; failed: string },
): ComponentType<P> {
  let Part: ComponentType<P> | null = null;
  return function Later(props: P) {
    const [state, setState] = useState<'loading' | 'there' | 'failed'>(Part ? 'there' : 'loading');
    useEffect(() => {
      if (Part) return;
      load().then(
        (loaded) => {
          Part = loaded.default;
          setState('there');
        },
        () => setState('failed'),
      );
    }, []);
    if (Part) return <Part {...props} />;
    if (state === 'failed') {
      return (
        <Text size="sm" role="alert">
          {instead.failed}
        </Text>
      );
    }
    return instead.loading ?? <Loader size="sm" aria-label="Loading" />;
  };
}
