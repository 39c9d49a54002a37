// Types for the part of node-postgres that converts values for PostgreSQL, which it exports without types.
declare module 'pg/lib/utils.js' {
  const utils: { prepareValue: (value: unknown) => string | Buffer | null };
  export default utils;
}
