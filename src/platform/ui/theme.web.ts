// The theme: neutral surfaces, one accent, 14 px text, dense controls (design 7).
import { createTheme, type MantineColorsTuple } from '@mantine/core';
import type { SyntheticEvent } from 'react';

const petrol: MantineColorsTuple = [
  '#e8f6f8',
  '#d3eaee',
  '#a5d4dc',
  '#73bdc9',
  '#4caab9',
  '#349eb0',
  '#2393a6',
  '#0f7486',
  '#0a6272',
  '#044c5a',
];

/** Mantine's red with a darker shade for filled buttons, because white is unreadable on the original. */
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#ff6b6b',
  '#fa5252',
  '#d02c2c',
  '#c92a2a',
  '#b42424',
];

/**
 * Selects the name of a choice, so that typing replaces it and searches for another. A click sets the caret after the focus event, so it also
 * selects.
 */
function selectText({ currentTarget }: SyntheticEvent<HTMLInputElement>): void {
  if (!currentTarget.readOnly) currentTarget.select();
}

export const theme = createTheme({
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 7 },
  colors: { petrol, red },
  fontFamily: 'Inter, "Inter Fallback", system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1rem' }, h3: { fontSize: '0.875rem' } },
  },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusRing: 'auto',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    // The list element itself scrolls, so that arrow keys and screen readers reach it.
    Select: {
      defaultProps: {
        size: 'sm',
        checkIconPosition: 'right',
        withScrollArea: false,
        onFocus: selectText,
        onClick: selectText,
      },
      styles: { options: { maxHeight: 320, overflowY: 'auto' } },
    },
    Autocomplete: {
      defaultProps: { size: 'sm', withScrollArea: false },
      styles: { options: { maxHeight: 320, overflowY: 'auto' } },
    },
    // An empty list of choices shows its message as a disabled choice, because a listbox may contain only choices.
    ComboboxEmpty: { defaultProps: { role: 'option', 'aria-disabled': true } },
    Combobox: { defaultProps: { shadow: 'md' } },
    Popover: { defaultProps: { shadow: 'md' } },
    // A menu may contain only its entries.
    Menu: { defaultProps: { shadow: 'md', withInitialFocusPlaceholder: false } },
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.45 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
      styles: { title: { fontWeight: 600, fontSize: '1rem' } },
    },
    Drawer: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: { fontWeight: 600, fontSize: '1rem' } },
    },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: true } },
  },
});
