// The outside systems of `npm run demo -- --with-outside`: loopback servers that speak their protocols and store what the demo pushes.
import { setTimeout } from 'node:timers/promises';
import { demoAccounts } from '#demo/demo-accounts.server.ts';
import { byKey } from '../src/testing/by-key.server.ts';
import { startErp } from '../src/testing/erp.server.ts';
import { startConfigurator } from '../src/testing/outside-configurator.server.ts';
import { startSalesforce } from '../src/testing/salesforce.server.ts';
import { startSignOnProvider } from '../src/testing/sign-on-provider.server.ts';
import { startWebhookReceiver } from '../src/testing/webhook-receiver.server.ts';

const port = Number(process.env.SALESFORCE_PORT);
const ours = `http://localhost:${process.env.PORT || 3000}`;
const salesforce = await startSalesforce({ port, makesUp: true });
const hooks = await startWebhookReceiver({
  port: Number(process.env.WEBHOOK_PORT),
  onReceived: ({ id, text }) => console.log(`Webhook ${id}: ${text}`),
});
/** @type {(sub: string, name: string, ...groups: string[]) => import('../src/testing/sign-on-provider.server.ts').Person} */
const person = (sub, name, ...groups) => ({ sub, name, email: `${sub}@example.net`, groups });
const provider = await startSignOnProvider({
  port: Number(process.env.SIGN_ON_PORT || port + 2),
  client: { redirectUri: `${ours}/login`, logoutUri: `${ours}/api/SignOn/BackchannelLogout` },
  people: [
    person('erin', 'Erin Example', 'sales'),
    person('sam', 'Sam Service', 'service'),
    person('ivy', 'Ivy Administrator', 'it', 'service'),
    person('noel', 'Noel Nobody'),
  ],
});
/** @type {(ready: Parameters<typeof startConfigurator>[1] extends Promise<infer R> ? R : never) => void} */
let resolveCatalog = () => {};
const configurator = await startConfigurator(
  ours,
  new Promise((resolve) => {
    resolveCatalog = resolve;
  }),
  Number(process.env.CONFIGURATOR_PORT),
);
console.log(`
A Salesforce for trying runs at ${salesforce.address} and shows there what was pushed. It has every account and product
that it is asked for. Connect it as the system administrator at Settings → Salesforce with

  Address        ${salesforce.address}
  Sign-in        Client credentials
  Client ID      ${salesforce.clientId}
  Client secret  ${salesforce.clientSecret}

Then open a quote as a customer service representative on its internal board and press "Push to CRM".
A receiver of webhooks runs at ${hooks.address} and prints here what arrives. Add it at Settings → Webhooks.

A sign-in provider for trying runs at ${provider.issuer}. It is set up as soon as the demo runs: the login screen has a
button "Sign in with Example", Settings → Sign-in shows how. ${provider.issuer}/session/end ends its sessions, here too.

An ERP fetches the order of each won quote within seconds, prints it here and gives it a number: win a sent quote, and
its board says "Order 4711". A configurator runs at ${configurator.address}: boards lead there, and it posts a bed to a quote.
`);
const { call, person: administrator } = await administers();
await setUpSignIn();
const sold = await Promise.all(['Med-surg bed', 'Foam overlay', 'IV pole'].map(itemNumber));
resolveCatalog({
  call: byKey(ours, await newKey('Configurator for trying', 'Configurator:write', 'QuoteEdit:read')),
  items: { bed: sold[0] ?? '', mattress: sold[1] ?? '', pole: sold[2] ?? '' },
});
startErp(byKey(ours, await newKey('ERP for trying', 'Order:read', 'Order:write')), 3000, (order, number) =>
  console.log(
    `The ERP created order ${number} for ${order.key}: ${order.account.name}, ${order.lines.length} lines, ${order.currency} ${order.total}`,
  ),
);

/** Signs in as the demo's administrator, once the demo answers. */
async function administers() {
  const userName = demoAccounts[0]?.userName ?? '';
  const password = process.env.DEMO_PASSWORD || 'Quote-demo-1';
  const form = new URLSearchParams({ UserName: userName, Password: password, grant_type: 'password' });
  for (;;) {
    const answer = await fetch(`${ours}/Token`, { method: 'POST', body: form }).catch(() => null);
    if (answer?.ok) {
      const { access_token: token, id } = await answer.json();
      /** @type {(path: string, input: object) => Promise<any>} */
      const call = async (path, input) => {
        const response = await fetch(`${ours}/api/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify(input),
        });
        const body = await response.json();
        if (!response.ok) console.error(`${path}: ${body.detail}`);
        return body;
      };
      return { call, person: Number(id) };
    }
    await setTimeout(1000);
  }
}

/**
 * Makes an API key as an administrator does at Settings → API Keys. Revokes the key of an earlier start, which nobody has any more.
 * @param {string} name
 * @param {...string} scopes
 */
async function newKey(name, ...scopes) {
  const { records } = await call('ApiKey/SearchApiKeys', { keyword: name, page: 1 });
  for (const old of records ?? [])
    if (old.name.startsWith(name) && !old.revokedAt)
      await call('ApiKey/RevokeApiKey', { id: old.id, version: old.version });
  // Makes the name unique, because no two keys may ever have the same name.
  const since = new Date().toISOString().slice(0, 19).replace('T', ' ');
  const { key } = await call('ApiKey/SaveApiKey', { name: `${name}, ${since}`, ownerId: administrator, scopes });
  return String(key);
}

/**
 * The number of an item on sale whose description contains the words. The administrator's own search stays as it was.
 * @param {string} keyword
 */
async function itemNumber(keyword) {
  const items = await call('ItemSearch/SearchItemByNumber', { number: keyword, hasRecentSaleOnly: false });
  return String(items[0]?.itemNumber ?? '');
}

/** Sets up the provider as an administrator does at Settings → Sign-in. */
async function setUpSignIn() {
  const now = await call('SignIn/GetSignOnSettings', {});
  // Keeps the settings if somebody has chosen another provider since then.
  if (now.issuer && now.issuer !== provider.issuer) return;
  /** @type {(value: string, ...roles: string[]) => object} */
  const row = (value, ...roles) => ({ claim: 'groups', value, roles });
  await call('SignIn/SaveSignOnSettings', {
    ...now,
    issuer: provider.issuer,
    clientId: provider.client.id,
    secret: provider.client.secret,
    scopes: 'openid email profile',
    button: now.button || 'Sign in with Example',
    makesPeople: now.issuer ? now.makesPeople : true,
    rows: now.issuer ? now.rows : [row('sales', 'salesrep'), row('service', 'csrep'), row('it', 'systemadmin')],
  });
}
