// A sample configurator: a page on loopback that assembles a bed and posts it to a quote with an API key.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Configurator } from '#addons/configurators/configurator.contract.ts';
import type { CallByKey } from './by-key.server.ts';

/** The item numbers that the configurator knows. */
type ConfiguratorItems = { bed: string; mattress: string; pole: string };

type OutsideConfigurator = {
  /** The address of the configurator's page. `?quote=104512` names the quote. */
  address: string;
  close: () => Promise<void>;
};

/** `ready` resolves to the call and the items once Quoteboard runs. `boards` is the address of its boards. */
export async function startConfigurator(
  boards: string,
  ready: Promise<{ call: CallByKey; items: ConfiguratorItems }>,
  port = 0,
): Promise<OutsideConfigurator> {
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const input = request.method === 'POST' ? new URLSearchParams(await text(request)) : searchParams;
    const message = request.method === 'POST' ? await post(input) : '';
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(input, message));
  }
  async function post(input: URLSearchParams): Promise<string> {
    try {
      const { call, items } = await ready;
      const configId = input.get('bed') || 'bed-1';
      const left = await call(Configurator.PostConfiguratorItems, {
        quoteNumber: input.get('quote'),
        configId,
        name: `Bed of the configurator, ${configId}`,
        items: itemsOf(input, items),
      });
      const board = `${boards}/pub-quote-board/${left.quoteId}`;
      return `<p role="status">${left.items} items wait on the quote. <a href="${board}">Open its board</a></p>`;
    } catch (error) {
      return `<p role="alert">${escaped((error as Error).message)}</p>`;
    }
  }
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function itemsOf(input: URLSearchParams, items: ConfiguratorItems) {
  const poles = Number(input.get('poles'));
  return [
    { position: 'frame', itemNumber: items.bed, qty: 1, optionText: `${input.get('color')} frame` },
    { position: 'mattress', itemNumber: items.mattress, qty: 1 },
    ...(poles > 0 ? [{ position: 'poles', itemNumber: items.pole, qty: poles, unit: 'each' }] : []),
    // Quoteboard has no such item, so a person there decides about it.
    ...(input.has('lamp')
      ? [{ position: 'lamp', itemNumber: 'LAMP-7', description: 'Reading lamp', qty: 1, price: 89 }]
      : []),
  ];
}

const COLORS = ['Gray', 'White', 'Oak'];

function page(input: URLSearchParams, message: string): string {
  const value = (name: string, other: string) => escaped(input.get(name) ?? other);
  const isFirst = !input.has('bed');
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Configurator</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui } body { max-width: 30rem; margin: 2rem auto; padding: 0 1rem }
  label { display: block; margin: .75rem 0 } input:not([type=checkbox]), select { display: block; width: 100%; font: inherit; box-sizing: border-box; padding: .3rem }
  button { font: inherit; padding: .4rem 1rem }
</style>
<h1>A configurator</h1>
<p>This is an example of your own configurator. Post a bed to a quote, take it over on its board, then post it again with other choices.</p>
${message}
<form method="post" action="/">
  <label>Quote number <input name="quote" required inputmode="numeric" value="${value('quote', '')}"></label>
  <label>Which bed <input name="bed" required value="${value('bed', 'bed-1')}"></label>
  <label>Color <select name="color">${COLORS.map((color) => `<option${input.get('color') === color ? ' selected' : ''}>${color}</option>`).join('')}</select></label>
  <label>IV poles <input name="poles" type="number" min="0" max="4" value="${value('poles', '2')}"></label>
  <label><input name="lamp" type="checkbox"${isFirst || input.has('lamp') ? ' checked' : ''}> Reading lamp</label>
  <button>Post to the quote</button>
</form>
</html>`;
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
