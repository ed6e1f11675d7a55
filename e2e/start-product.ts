import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as wait } from 'node:timers/promises'
import { bequeathMachine, learnMachine } from '../testing/known-machine.ts'
import { startFixtureSite } from '../testing/site/start-fixture-site.ts'
import { findPersonal } from '../testing/find-personal.ts'
import { startInstallation } from './fixtures/installation.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page to capture – œuvre</title>
<style>body{font:20px/1.5 sans-serif;margin:40px}p{height:180px}</style></head>
<body><h1>A page to capture</h1>${Array.from({ length: 24 }, (_, i) => `<p>Paragraph ${i + 1} of twenty-four.</p>`).join('')}</body></html>`

/** With a banner of its own making, and a part that is folded away. */
const bannerPage = page.replace(
  '</body>',
  `<details><summary>Terms</summary><p>The folded part.</p></details><div role="dialog" aria-label="Cookies" id="banner" style="position:fixed;inset:auto 0 0 0;height:300px;background:#ffd;border-top:6px solid #000"><p>We use cookies.</p><button onclick="document.getElementById('banner').remove()">Accept all</button> <button onclick="document.getElementById('banner').remove();document.title='Refused'">Reject all</button></div></body>`,
)

/** Says in its address what it was told: a viewer of a live session reads it there. */
const steerPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Steer me</title><meta name="viewport" content="width=device-width">
<style>body{margin:0;background:#fff;height:2400px;font:20px sans-serif}#field,#link{position:absolute;left:40px;width:320px;height:60px;font-size:24px}#field{top:60px}#link{top:180px;background:#cde}</style></head>
<body><input id="field" autocomplete="off" aria-label="Field"><a id="link" href="/page" target="_blank">Another tab</a><script>
const say=(text)=>history.replaceState(null,'','?'+encodeURIComponent(text))
document.getElementById('field').addEventListener('input',(e)=>say('is '+e.target.value))
addEventListener('pointerdown',(e)=>{if(e.target===document.body||e.target===document.documentElement)say([e.pointerType,e.button,Math.round(e.clientX),Math.round(e.clientY)].join(' '))})
</script></body></html>`

const pages = new Map([
  ['/page', page],
  ['/banner', bannerPage],
  ['/steer', steerPage],
])

/** Sites on loopback to capture (pages of our own, and the fixture site), and the whole product with its own data, both on free ports; both end with the tests. */
export default async function startProduct(): Promise<(() => Promise<void>) | undefined> {
  // Against an installation that already runs: only what needs no site of our own.
  if (process.env['PROBANT_E2E_ADDRESS'] !== undefined) return undefined
  if (!existsSync(join(root, 'dist/web/index.html'))) throw new Error('dist/web is missing: build the web application first')
  const site = createServer((request, response) => {
    const asked = pages.get(request.url ?? '')
    if (asked === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('no such page')
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(asked)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const sitePort = (site.address() as AddressInfo).port
  const fixtures = await startFixtureSite()
  await learnMachine()
  const product = await startInstallation({
    PROBANT_ALLOW_ADDRESSES: [`127.0.0.1:${sitePort}`, ...fixtures.addresses].join(','),
    PROBANT_BILLING: 'off',
    PROBANT_SAMPLE: 'on',
    PROBANT_BRANDS: join(root, 'testing/brands'),
    // Visitors from elsewhere come as a reverse proxy tells of them; without its word they sit at this machine.
    PROBANT_TRUSTED_PROXIES: '127.0.0.1',
  })
  // Before any capture it listens to its browser; the installations of single tests need not listen again.
  // One that cannot (no jail) says so in the tests themselves.
  const patience = AbortSignal.timeout(120_000)
  while (!bequeathMachine(product.dataFolder) && !patience.aborted) await wait(100)
  process.env['PROBANT_E2E_ADDRESS'] = product.origin
  process.env['PROBANT_E2E_DATA'] = product.dataFolder
  process.env['PROBANT_E2E_SITE'] = `http://127.0.0.1:${sitePort}`
  process.env['PROBANT_E2E_FIXTURES'] = fixtures.origin
  return async () => {
    await product.stop()
    const found = await findPersonal(join(product.dataFolder, 'logs'))
    product.removeData()
    await fixtures.close()
    await new Promise((resolve) => site.close(resolve))
    // All that the journeys did went through it.
    if (found.length > 0) throw new Error(`the log holds what it may not: ${found.slice(0, 10).join('\n')}`)
  }
}
