// The calls of Settings, Features: listing the add-ons and switching them off and on.
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';

const Feature = z.object({
  name: z.string(),
  title: z.string(),
  purpose: z.string(),
  /** What stops while it is off, besides its screens; may be empty. */
  whileOff: z.string(),
  on: z.boolean(),
  /** The title of the feature that it needs and that is off. This feature is off for that reason. */
  missing: z.string().nullable(),
  /** The titles of the features that are off while this one is off. */
  dependents: z.array(z.string()),
});
export type Feature = z.infer<typeof Feature>;

const FeatureList = z.object({
  features: z.array(Feature),
  /** The names of the features that are off, for any reason. */
  off: z.array(z.string()),
});

export const Features = {
  GetFeatures: post('/api/Features/GetFeatures', Nothing, FeatureList, {
    access: ['systemadmin'],
    summary: 'The features that can be switched off, and which are off.',
  }),
  SwitchFeature: post(
    '/api/Features/SwitchFeature',
    z.object({ name: z.string().min(1).max(60), on: z.boolean() }),
    FeatureList,
    {
      access: ['systemadmin'],
      writes: true,
      peopleOnly: true,
      summary:
        'Switches a feature off or on. While it is off its calls answer 404 and its background work waits; its data stays.',
    },
  ),
};
