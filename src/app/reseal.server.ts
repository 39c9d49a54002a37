// During a change of TOKEN_SECRET, seals everything again that the other secret sealed (docs/decisions/0044).
import type { Services } from '#platform/api/services.server.ts';
import { resealConnection } from '#addons/crm/connection.server.ts';
import { resealWebhooks } from '#addons/webhooks/secrets.server.ts';
import { resealFactors } from '#platform/auth/second-factor/stored-factor.server.ts';
import { resealProvider } from '#addons/single-sign-on/provider.server.ts';

const SEALED = [resealConnection, resealWebhooks, resealFactors, resealProvider];

/** Returns how many secrets it sealed again. */
export async function resealSecrets(services: Services): Promise<number> {
  if (services.config.otherTokenSecret === undefined) return 0;
  let sealed = 0;
  for (const reseal of SEALED) sealed += await reseal(services.database.db, services);
  return sealed;
}
