// While TOKEN_SECRET changes, seals everything again that the other secret sealed (docs/decisions/0227).
import type { Services } from '#api/services.server.ts';
import { resealConnection } from '#features/operations/crm/connection.server.ts';
import { resealWebhooks } from '#features/operations/webhooks/secrets.server.ts';
import { resealFactors } from '#features/people/auth/second-factor/stored-factor.server.ts';
import { resealProvider } from '#features/people/single-sign-on/provider.server.ts';

const SEALED = [resealConnection, resealWebhooks, resealFactors, resealProvider];

/** Answers how many secrets it sealed again. */
export async function resealSecrets(services: Services): Promise<number> {
  if (services.config.otherTokenSecret === undefined) return 0;
  let sealed = 0;
  for (const reseal of SEALED) sealed += await reseal(services.database.db, services);
  return sealed;
}
