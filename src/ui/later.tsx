// Loads a part of a screen when it is first shown. If the part cannot load, a message takes its place and the screen stays.
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
    return instead.loading ?? <Loader size="sm" role="img" aria-label="Loading" />;
  };
}
