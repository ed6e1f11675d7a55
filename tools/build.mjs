// Builds what browsers load: the web application, its public pages as HTML, and the offline verifier. Skipped when no source changed since.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { output, pinnedNode, root, say } from './set-up.mjs'
import { writePublicPages } from './write-public-pages.mjs'

/** Sources a bundle may draw on; a change in any of them rebuilds it. */
const shared = ['kernel', 'modules', 'ui', 'package-lock.json']
const bundles = [
  {
    name: 'web application',
    config: 'vite.config.ts',
    file: 'dist/web/index.html',
    sources: [...shared, 'apps/web', 'vite.config.ts'],
  },
  {
    name: 'public pages',
    config: 'apps/web/public-pages/vite.config.ts',
    file: 'dist/written/pages.json',
    sources: [...shared, 'apps/web', 'vite.config.ts', 'tools/write-public-pages.mjs', 'content'],
    finish: writePublicPages,
  },
  {
    name: 'offline verifier',
    config: 'apps/verify-html/vite.config.ts',
    file: 'dist/verify/verify.html',
    sources: [...shared, 'apps/verify-html'],
  },
]

function* filesOf(path) {
  const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const full = join(path, entry.name)
    if (entry.isDirectory()) {
      // Server code is not in any bundle.
      if (entry.name !== 'server') yield* filesOf(full)
    } else if (!/\.test\.tsx?$/.test(entry.name)) yield full
  }
}

function fingerprint(sources) {
  const hash = createHash('sha256')
  for (const source of sources) {
    const path = join(root, source)
    if (!existsSync(path)) continue
    const files = /\.[a-z]+$/.test(source) ? [path] : filesOf(path)
    for (const file of files) hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

export function build() {
  for (const bundle of bundles) {
    const stamp = join(root, 'node_modules', '.cache', `probant-build-${bundle.name.replaceAll(' ', '-')}`)
    const now = fingerprint(bundle.sources)
    if (existsSync(join(root, bundle.file)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === now) continue
    say(`Building the ${bundle.name}…`)
    const done = spawnSync(
      pinnedNode,
      [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--config', bundle.config, '--logLevel', 'warn'],
      {
        cwd: root,
        stdio: ['ignore', output.fd, 'inherit'],
        env: { ...process.env, NODE_ENV: 'production' },
      },
    )
    if (done.status !== 0) {
      process.stderr.write(`The ${bundle.name} could not be built; the message is above.\n`)
      process.exit(1)
    }
    bundle.finish?.()
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, now)
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) build()
