// Shows a screen of an add-on, or a notice that the add-on is switched off.
import type { AsyncRouteComponent } from '@tanstack/react-router';
import { createElement } from 'react';
import { isSwitchedOff, useSwitchedOff } from '#platform/addons/addon.web.ts';
import { chunk } from './chunk.web.ts';

const switchedOff = chunk('switched-off', () => import('./SwitchedOffPage.tsx'));

/** The chunk of a switched-off screen is not loaded. */
export function whileOn(addon: string, screen: AsyncRouteComponent<object>): AsyncRouteComponent<object> {
  const Screen = (props: object) => createElement(useSwitchedOff().includes(addon) ? switchedOff : screen, props);
  return Object.assign(Screen, {
    preload: async () => (isSwitchedOff(addon) ? switchedOff : screen).preload?.(),
  });
}
