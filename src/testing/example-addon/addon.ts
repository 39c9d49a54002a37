import { defineAddon } from '#platform/addons/addon.ts';
import { LineCount } from './line-count.contract.ts';

export const lineCount = defineAddon({
  name: 'line-count',
  title: 'Line count',
  purpose: 'Counts the lines of a quote on the board.',
  calls: { LineCount },
});
