// Writes the public pages as HTML, in each language, with the components that the browser runs (decision 0395), and names what each of them
// loads: the style sheets that it cannot be painted without, and the scripts that make it alive.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pinnedNode, root } from './set-up.mjs'

const locales = ['en', 'fr']

/** Files of a chunk and of all that it imports, from Vite's manifest. */
export function filesOf(manifest, source, seen = new Set()) {
  const chunk = manifest[source]
  if (chunk === undefined) throw new Error(`the manifest names no ${source}`)
  if (seen.has(source)) return { css: [], scripts: [] }
  seen.add(source)
  const imported = (chunk.imports ?? []).map((each) => filesOf(manifest, each, seen))
  return {
    css: [...imported.flatMap(({ css }) => css), ...(chunk.css ?? [])],
    scripts: [...imported.flatMap(({ scripts }) => scripts), chunk.file],
  }
}

function draw(locale, kind) {
  const done = spawnSync(pinnedNode, [join(root, 'dist/written/write-pages.js'), locale, kind], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
    maxBuffer: 1 << 26,
  })
  if (done.status !== 0) throw new Error(`the public pages could not be written: ${done.stderr}`)
  return JSON.parse(done.stdout)
}

export function writePublicPages() {
  const manifest = JSON.parse(readFileSync(join(root, 'dist/web/manifest.json'), 'utf8'))
  const entry = filesOf(manifest, 'index.html')
  const withFiles = (locale, pages) =>
    Object.entries(pages).map(([path, { sources, ...page }]) => {
      const files = [...sources, `catalogues/${locale}/shell.ts`].map((each) => filesOf(manifest, each))
      // What the application loads by itself stands in its own head already.
      const beside = (kind) => [...new Set(files.flatMap((each) => each[kind]))].filter((file) => !entry[kind].includes(file))
      return [path, { ...page, sheets: beside('css'), scripts: beside('scripts') }]
    })
  const written = locales.map((locale) => {
    const [free, paid] = ['free', 'paid'].map((kind) => draw(locale, kind))
    const [pages, paidPages] = [free, paid].map((each) => Object.fromEntries(withFiles(locale, each.pages)))
    return [locale, { noScript: free.noScript, pages, paidPages }]
  })
  writeFileSync(join(root, 'dist/written/pages.json'), JSON.stringify(Object.fromEntries(written)))
}
