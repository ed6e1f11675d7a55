import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { checkBoundaries, importsOf, refuse } from './check-boundaries.ts'

test('every import of the tree is seen and allowed', () => {
  const result = checkBoundaries('.')
  expect(result.refused).toEqual([])
  expect(result.files).toBeGreaterThan(50)
  expect(result.imports).toBeGreaterThan(100)
})

test('an empty tree is seen as such, not as clean', () => {
  expect(checkBoundaries('docs')).toEqual({ files: 0, imports: 0, refused: [] })
})

test.each([
  ['modules/evidence/domain/a.ts', '../../capture/domain/b.ts'],
  ['modules/evidence/domain/a.ts', '../../../platform/db/database.ts'],
  ['modules/evidence/domain/a.ts', '../contract/b.ts'],
  ['modules/evidence/contract/a.ts', 'kysely'],
  ['modules/evidence/contract/a.ts', '../../capture/domain/b.ts'],
  ['modules/evidence/messages/a.ts', '../domain/b.ts'],
  ['modules/evidence/server/a.ts', '../../capture/server/store.ts'],
  ['modules/evidence/server/a.ts', '../web/pages/A.tsx'],
  ['modules/evidence/web/a.tsx', '../server/store.ts'],
  ['modules/evidence/web/a.tsx', '../../capture/domain/b.ts'],
  ['modules/evidence/web/a.tsx', '../../capture/web/pages/B.tsx'],
  ['modules/evidence/web/a.tsx', '../../capture/web/pages/index.ts'],
  ['kernel/a.ts', '../platform/http/b.ts'],
  ['kernel/a.ts', 'pg'],
  ['platform/http/a.ts', '../../modules/evidence/server/index.ts'],
  ['ui/shell/a.tsx', '../../modules/evidence/contract/b.ts'],
])('%s may not import %s', (file, target) => {
  expect(refuse(file, target)).not.toBeNull()
})

test.each([
  ['modules/evidence/contract/a.ts', '../domain/b.ts'],
  ['modules/evidence/messages/a.ts', './report.en.json'],
  ['modules/evidence/server/a.ts', '../../capture/server/index.ts'],
  ['modules/evidence/server/a.ts', '../domain/b.ts'],
  ['modules/evidence/web/a.tsx', '../../capture/contract/b.ts'],
  ['modules/evidence/web/a.tsx', '../../capture/web/index.ts'],
  ['modules/evidence/domain/a.ts', '../../../kernel/errors.ts'],
  ['apps/server/serve.ts', '../../modules/evidence/server/store.ts'],
])('%s may import %s', (file, target) => {
  expect(refuse(file, target)).toBeNull()
})

test('imports are found in every form', () => {
  const source =
    "import a from './a.ts'\nimport './b.css'\nexport { c } from '../c.ts'\nconst d = await import('./d.ts')\nimport {\n  e,\n} from './e.ts'\n"
  expect(importsOf('x.ts', source).map((found) => found.target)).toEqual(['./a.ts', './b.css', '../c.ts', './d.ts', './e.ts'])
})

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** A tree of files with their texts. */
function treeOf(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'probant-boundaries-'))
  folders.push(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

test('files that import each other in a circle are refused, types included', () => {
  const root = treeOf({
    'modules/m/server/a.ts': "import { b } from './b.ts'\n",
    'modules/m/server/b.ts': "import type { C } from './c.ts'\n",
    'modules/m/server/c.ts': "export type { A } from './a.ts'\n",
  })
  expect(checkBoundaries(root).refused).toEqual([
    'files import each other in a circle: modules/m/server/a.ts, modules/m/server/b.ts, modules/m/server/c.ts',
  ])
})

test('rooms that import each other are refused with what ties them, and a room may not reach up to the floor above it', () => {
  const root = treeOf({
    'modules/m/server/routes.ts': "import { open } from './trash/open.ts'\n",
    'modules/m/server/deps.ts': '',
    'modules/m/server/trash/open.ts': "import type { Deps } from '../deps.ts'\n",
  })
  expect(checkBoundaries(root).refused).toEqual([
    [
      'rooms import each other in a circle: modules/m/server, modules/m/server/trash',
      '    modules/m/server/routes.ts imports modules/m/server/trash/open.ts',
      '    modules/m/server/trash/open.ts imports modules/m/server/deps.ts',
    ].join('\n'),
  ])
})

test('what tests hold ties no rooms: it may look at everything', () => {
  const root = treeOf({
    'modules/m/server/routes.ts': "import { open } from './trash/open.ts'\n",
    'modules/m/server/trash/open.ts': '',
    'modules/m/server/trash/open.test.ts': "import { routes } from '../routes.ts'\n",
    'modules/m/server/trash/trash.test-data.ts': "import { routes } from '../routes.ts'\n",
  })
  expect(checkBoundaries(root).refused).toEqual([])
})
