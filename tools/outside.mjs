// The outside systems of `npm run demo -- --with-outside`: servers on loopback that speak their protocols and hold what is pushed.
import { startSalesforce } from '../src/testing/salesforce.server.ts';

const salesforce = await startSalesforce({ port: Number(process.env.SALESFORCE_PORT), makesUp: true });
console.log(`
A Salesforce for trying runs at ${salesforce.address} and shows there what was pushed. It has every account and product
that it is asked for. Connect it as the system administrator at Settings → Salesforce with

  Address        ${salesforce.address}
  Sign-in        Client credentials
  Client id      ${salesforce.clientId}
  Client secret  ${salesforce.clientSecret}

Then open a quote as a customer service representative on its internal board and press "Push to CRM".
The other outside systems (ERP, configurator, webhooks, single sign-on) are not among them.
`);
