/** What the documents that lead through this tree name is there: a file that moves takes its mentions along. */
import { globSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/ARCHITECTURE.md',
  ...globSync('{modules,platform,testing,bench}/**/README.md', { cwd: root }).toSorted(),
]

/** What runs and builds leave beside the sources. */
const made = ['node_modules', 'dist', 'data', 'test-results', 'playwright-report']

function* pathsBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (made.includes(path) || entry.name.startsWith('.')) continue
    yield path
    if (entry.isDirectory()) yield* pathsBelow(path)
  }
}
const tree = [...pathsBelow('')]
const known = new Set(tree)
const modules = readdirSync(join(root, 'modules'))
const beginnings = new Set([...tree.filter((path) => !path.includes('/')), ...modules])

/** Every word between backticks: of a line, and of lines between fences. */
function wordsOf(text: string): string[] {
  const fence = /^```.*\n([\s\S]*?)^```/gm
  const blocks = [...text.matchAll(fence)].map(([, block = '']) => block)
  const spans = [...text.replaceAll(fence, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
  return [...blocks, ...spans].flatMap((code) => code.split(/\s+/)).map((word) => word.replace(/[,;]$/, ''))
}

const choice = /\{([^{}]+,[^{}]+)\}/
function alternatives(word: string): string[] {
  const [whole = '', choices] = choice.exec(word) ?? []
  return choices === undefined ? [word] : choices.split(',').flatMap((one) => alternatives(word.replace(whole, one)))
}

/** Pieces are named by their places in a package, which begins with no folder of this tree. */
const isOfPackage = (word: string) => /^(?:environment|seal|META-INF)\/|^capture\/[\w-]+\.\w+$/.test(word)

const isPath = (word: string): boolean =>
  /^(?:\.\.?\/)*[\w@*][\w@.*-]*(?:\/[\w@.$*-]+)*\/?$/.test(word) &&
  (/\.(?:tsx?|m[jt]s|sql|md)$/.test(word) || word.includes('/')) &&
  !made.includes(word.replace(/^\.\//, '').split('/')[0] ?? '') &&
  !isOfPackage(word)

/** Whole from the root or from `modules`, or from the document; else how a path ends, in a module's document of one of its own. */
function isThere(document: string, word: string): boolean {
  const path = word.replace(/\/$/, '')
  const places = [path, `modules/${path}`, join(dirname(document), path)]
  if (places.some((place) => known.has(place) || (path.includes('*') && tree.some((each) => matchesGlob(each, place)))))
    return true
  const [first = ''] = path.split('/')
  // What begins as a whole path does is one.
  if (path.startsWith('.') || (path.includes('/') && beginnings.has(first))) return false
  const own = /^(?:modules|platform)\/[^/]+\//.exec(document)?.[0] ?? ''
  return tree.some((each) => each.startsWith(own) && (each.endsWith(`/${path}`) || matchesGlob(each, `**/${path}`)))
}

const missingIn = (document: string, text: string): string[] => [
  ...new Set(
    wordsOf(text)
      .flatMap(alternatives)
      .filter((word) => isPath(word) && !isThere(document, word)),
  ),
]

/** Links are from the document, and no other way. */
const brokenIn = (document: string, text: string): string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link.replace(/#.*$/, ''))
    .filter((link) => link !== '' && !/^(?:https?|mailto):/.test(link))
    .filter((link) => !known.has(join(dirname(document), link).replace(/\/$/, '')))

test.each(documents)('what %s names is there', (document) => {
  const text = readFileSync(join(root, document), 'utf8')
  expect(missingIn(document, text)).toEqual([])
  expect(brokenIn(document, text)).toEqual([])
})

test('what is gone is found, however it is named; what is of something else is not looked for', () => {
  const text = `\`gone.ts\`, \`tools/gone.ts\`, \`report/gone/\`, \`web/pages/{HomePage,Gone}.tsx\`, \`*.gone.ts\`, \`../gone.ts\`, \`tools/*.gone.ts\`
\`\`\`sh
node bench/gone.ts 3
\`\`\`
`
  expect(missingIn('modules/site/README.md', text)).toEqual([
    'bench/gone.ts',
    'gone.ts',
    'tools/gone.ts',
    'report/gone/',
    'web/pages/Gone.tsx',
    '*.gone.ts',
    '../gone.ts',
    'tools/*.gone.ts',
  ])
  const other =
    '`environment/clock.json`, `capture/actions.jsonl`, `dist/web/index.html`, `/api/docs`, `https://a.example/b.md`, `plan.pdf`'
  expect(
    missingIn(
      'README.md',
      `${other}, \`tools/*.test.ts\`, \`docs/decisions/0244-*\`, \`store.ts\`, \`./package.json\`, \`modules/<noun>/\``,
    ),
  ).toEqual([])
  // A file of another module is named with its module.
  expect(missingIn('modules/site/README.md', '`lease-store.ts`, `evidence/server/queue/lease-store.ts`')).toEqual([
    'lease-store.ts',
  ])
  expect(brokenIn('docs/ARCHITECTURE.md', '[a](decisions/) [b](docs/decisions/) [c](#here) [d](https://a.example/)')).toEqual([
    'docs/decisions/',
  ])
})
