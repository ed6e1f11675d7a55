// Servers of others that tests run us behind or beside, and that would start by themselves where they are installed: unpacked once, never installed.
// Plain JavaScript without dependencies, as set-up runs before anything is installed.
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unpackPackages } from './offered-browser.mjs'

/** Proxies that end TLS, and an authority that gives certificates (Let's Encrypt's own, for tests). */
export const servers = /** @type {const} */ ({
  nginx: 'usr/sbin/nginx',
  caddy: 'usr/bin/caddy',
  pebble: 'usr/bin/pebble',
})

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), '.cache', 'servers')

/**
 * Where one of them was unpacked. It may not be there.
 * @param {keyof typeof servers} name
 */
export const serverProgram = (name) => join(folder, name, servers[name])

/** @param {(text: string) => void} say */
export function unpackServers(say) {
  for (const [name, program] of Object.entries(servers)) {
    const place = join(folder, name)
    if (existsSync(join(place, program))) continue
    say(`Unpacking ${name}, for the tests (once)…`)
    const draft = `${place}.${process.pid}`
    mkdirSync(draft, { recursive: true })
    chmodSync(draft, 0o777)
    const fault = unpackPackages([name], draft)
    if (fault === null && existsSync(join(draft, program))) {
      chmodSync(draft, 0o755)
      rmSync(place, { recursive: true, force: true })
      renameSync(draft, place)
      continue
    }
    // Its tests fail, and name it.
    say(`${name} could not be ${fault ?? 'found in its package'}.`)
    rmSync(draft, { recursive: true, force: true })
  }
}
