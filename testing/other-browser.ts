import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The second version of Chromium that tests of the browser run on, as set-up for tests left it (tools/offered-browser.mjs); or why there
 * is none.
 */
export function otherBrowser(): { readonly program: string; readonly version: string } | { readonly reason: string } {
  if (process.env['PROBANT_CHROMIUM']) return { reason: 'PROBANT_CHROMIUM names the one version of this run' }
  const file = fileURLToPath(new URL('../.cache/other-chromium.json', import.meta.url))
  if (!existsSync(file)) return { reason: 'set-up has not looked for one: npm run setup -- --tests' }
  const found = JSON.parse(readFileSync(file, 'utf8')) as { program: string; version: string } | { reason: string }
  return 'program' in found && !existsSync(found.program)
    ? { reason: `${found.program} is gone: npm run setup -- --tests` }
    : found
}
