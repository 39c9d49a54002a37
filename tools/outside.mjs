// The outside systems of `npm run demo -- --with-outside`: servers on loopback that speak their protocols and hold what is pushed.
import { setTimeout } from 'node:timers/promises';
import { demoAccounts } from '../src/features/demo/demo-accounts.ts';
import { startSalesforce } from '../src/testing/salesforce.server.ts';
import { startSignOnProvider } from '../src/testing/sign-on-provider.server.ts';
import { startWebhookReceiver } from '../src/testing/webhook-receiver.server.ts';

const port = Number(process.env.SALESFORCE_PORT);
const ours = `http://localhost:${process.env.PORT || 3000}`;
const salesforce = await startSalesforce({ port, makesUp: true });
const hooks = await startWebhookReceiver({
  port: Number(process.env.WEBHOOK_PORT),
  tell: ({ id, text }) => console.log(`Webhook ${id}: ${text}`),
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
console.log(`
A Salesforce for trying runs at ${salesforce.address} and shows there what was pushed. It has every account and product
that it is asked for. Connect it as the system administrator at Settings → Salesforce with

  Address        ${salesforce.address}
  Sign-in        Client credentials
  Client id      ${salesforce.clientId}
  Client secret  ${salesforce.clientSecret}

Then open a quote as a customer service representative on its internal board and press "Push to CRM".
A receiver of webhooks runs at ${hooks.address} and prints here what arrives. Add it at Settings → Webhooks.

A sign-in provider for trying runs at ${provider.issuer}. It is set up as soon as the demo runs: the login screen has a
button "Sign in with Example", Settings → Sign-in shows how. ${provider.issuer}/session/end ends its sessions, here too.
The other outside systems (ERP, configurator) are not among them.
`);
await setUpSignIn();

/** What an administrator would do at Settings → Sign-in, once the demo answers. */
async function setUpSignIn() {
  const userName = demoAccounts[0]?.userName ?? '';
  const password = process.env.DEMO_PASSWORD || 'Quote-demo-1';
  const form = new URLSearchParams({ UserName: userName, Password: password, grant_type: 'password' });
  for (;;) {
    const answer = await fetch(`${ours}/Token`, { method: 'POST', body: form }).catch(() => null);
    if (answer?.ok) {
      const { access_token: token } = await answer.json();
      /** @type {(name: string, input: object) => Promise<any>} */
      const call = async (name, input) => {
        const response = await fetch(`${ours}/api/SignIn/${name}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify(input),
        });
        const body = await response.json();
        if (!response.ok) console.error(`The sign-in could not be set up: ${body.detail}`);
        return body;
      };
      const now = await call('GetSignOnSettings', {});
      // Who has set it up otherwise meanwhile is left alone.
      if (now.issuer && now.issuer !== provider.issuer) return;
      /** @type {(value: string, ...roles: string[]) => object} */
      const row = (value, ...roles) => ({ claim: 'groups', value, roles });
      await call('SaveSignOnSettings', {
        ...now,
        issuer: provider.issuer,
        clientId: provider.client.id,
        secret: provider.client.secret,
        scopes: 'openid email profile',
        button: now.button || 'Sign in with Example',
        makesPeople: now.issuer ? now.makesPeople : true,
        rows: now.issuer ? now.rows : [row('sales', 'salesrep'), row('service', 'csrep'), row('it', 'systemadmin')],
      });
      return;
    }
    await setTimeout(1000);
  }
}
