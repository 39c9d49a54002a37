// Whether a run tries every kill and every signal, and walks thousands of prices, which takes minutes. `.ci/run` does; `npm test` tries the main ones.

export const ALL_KILLS = process.env['ALL_KILLS'] === '1';
