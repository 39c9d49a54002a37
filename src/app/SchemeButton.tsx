// The button that switches between light and dark.
import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import type { Hint as HintAtButton } from '#platform/ui/Hint.tsx';

type Props = {
  /** The component that shows the hint, which the sign-in page does not load. Without it the browser shows the hint. */
  Hint?: typeof HintAtButton;
};

/** Returns whether the dark scheme is on, and a function that switches it. */
export function useScheme(): { dark: boolean; change: () => void } {
  const { setColorScheme, colorScheme } = useMantineColorScheme();
  const dark =
    colorScheme === 'dark' || (colorScheme === 'auto' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  return { dark, change: () => setColorScheme(dark ? 'light' : 'dark') };
}

export function SchemeButton({ Hint }: Props) {
  const { dark, change } = useScheme();
  const hint = dark ? 'Light' : 'Dark';
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={dark ? 'Use light colors' : 'Use dark colors'}
      title={Hint ? undefined : hint}
      onClick={change}
    >
      {dark ? <IconSun size={18} /> : <IconMoon size={18} />}
    </ActionIcon>
  );
  return Hint ? <Hint label={hint}>{button}</Hint> : button;
}
