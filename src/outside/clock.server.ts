// The clock, so that tests can choose the day.

export type Clock = { now: () => Date };

export const systemClock: Clock = { now: () => new Date() };
