// The clock. Tests replace it to choose the day.

export type Clock = { now: () => Date };

export const systemClock: Clock = { now: () => new Date() };
