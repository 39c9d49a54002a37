// Prints the address of a local PostgreSQL that accepts tests without a password, or nothing.
import pg from 'pg';

for (const user of ['postgres', 'root']) {
  const address = `postgres://${user}@127.0.0.1:5432/postgres`;
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 3000 });
  try {
    await client.connect();
    const { rows } = await client.query(
      'select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user',
    );
    await client.end();
    if (rows[0]?.may) {
      console.log(address);
      break;
    }
  } catch {
    // This address does not work, so the next one is tried.
  }
}
