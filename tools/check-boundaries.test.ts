import { expect, test } from 'vitest'
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
