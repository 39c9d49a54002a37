// The clock. Tests replace it to set the date.

export type Clock = { now: () => Date };

export const systemClock: Clock = { now: () => new Date() };
