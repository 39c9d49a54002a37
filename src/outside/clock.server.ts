// The time, so that tests can stand on another day.

export type Clock = { now: () => Date };

export const systemClock: Clock = { now: () => new Date() };
