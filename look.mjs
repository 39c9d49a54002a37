import { chromium } from 'playwright-core';
import * as B from './tools/browser.mjs';
const found = await B.findBrowser(); console.log(found); const exe = typeof found === 'string' ? found : found.executablePath ?? found.path ?? found.file;
const [,, shots, ...paths] = process.argv;
const b = await chromium.launch({ executablePath: typeof exe === 'string' ? exe : exe.path, args: ['--no-sandbox'] });
for (const [w,h,scheme] of [[1440,900,'light'],[1440,900,'dark'],[390,844,'light']]) {
  if (shots !== 'all' && !shots.split(',').includes(`${w}${scheme[0]}`)) continue;
  const c = await b.newContext({ viewport: { width: w, height: h }, colorScheme: scheme });
  const p = await c.newPage();
  p.on('pageerror', (e) => console.log('ERR', e.message));
  await p.goto('http://127.0.0.1:4790/login');
  await p.getByLabel('Email').fill(process.env.WHO ?? 'inside@example.com');
  await p.getByLabel('Password', { exact: true }).fill('Quote-demo-1');
  await p.keyboard.press('Enter');
  await p.waitForURL((u) => !u.pathname.startsWith('/login'));
  for (const one of paths) {
    const [name, path] = one.split('=');
    await p.goto('http://127.0.0.1:4790' + path);
    await p.waitForLoadState('networkidle').catch(() => {});
    await p.waitForTimeout(1500);
    await p.screenshot({ path: `/tmp/shot-${name}-${w}${scheme[0]}.png` });
  }
  await c.close();
}
await b.close();
