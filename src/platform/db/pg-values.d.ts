// The part of node-postgres that turns values into what PostgreSQL reads, which it exports without types.
declare module 'pg/lib/utils.js' {
  const utils: { prepareValue: (value: unknown) => string | Buffer | null };
  export default utils;
}
