// Tests that the guide contains every definition with the same words as the screens.
import fs from 'node:fs';
import { expect, test } from 'vitest';
import { COMMON_DEFINITIONS } from './common.definitions.ts';
import { CONTRACT_USE_DEFINITIONS } from './contract-use/contract-use.definitions.ts';
import { DISCOUNT_MARGIN_DEFINITIONS } from './discount-margin/discount-margin.definitions.ts';
import { PIPELINE_DEFINITIONS } from './pipeline/pipeline.definitions.ts';
import { PIVOT_DEFINITIONS } from './pivot/pivot.definitions.ts';
import { SPEED_DEFINITIONS } from './speed/speed.definitions.ts';
import { TERRITORY_SALES_DEFINITIONS } from './territory-sales/territory-sales.definitions.ts';
import { WON_LOST_DEFINITIONS } from './won-lost/won-lost.definitions.ts';

const ALL = new Set([
  ...COMMON_DEFINITIONS,
  ...PIPELINE_DEFINITIONS,
  ...WON_LOST_DEFINITIONS,
  ...DISCOUNT_MARGIN_DEFINITIONS,
  ...SPEED_DEFINITIONS,
  ...CONTRACT_USE_DEFINITIONS,
  ...TERRITORY_SALES_DEFINITIONS,
  ...PIVOT_DEFINITIONS,
]);

test('docs/reports.md says what each figure means, and nothing else', () => {
  const [, guide = ''] = fs.readFileSync('docs/reports.md', 'utf8').split('## What the figures mean');
  const written = guide.split('\n').filter((line) => line.startsWith('- **'));
  expect(written).toEqual([...new Set([...ALL].map(({ term, meaning }) => `- **${term}**: ${meaning}`))]);
});
