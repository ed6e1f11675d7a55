import { expect, test } from 'vitest'
import { choosePackages } from './choose-packages.ts'
import { replaceAddresses, requiredBy } from './compile.ts'

function replaced(code: string, path = 'platform/db/migrate.ts') {
  const [programs, assets]: [string[], string[]] = [[], []]
  const tell = { program: (at: string) => programs.push(at), asset: (at: string) => assets.push(at) }
  return { code: replaceAddresses(code, path, tell), programs, assets }
}

test('a file that is read from beside its source is read from the same place of the release, and goes into it', () => {
  const { code, assets } = replaced(`open(new URL('../../db/migrations/', import.meta.url))`)
  expect(code).toBe(`open(new URL('../db/migrations/', import.meta.url))`)
  expect(assets).toEqual(['db/migrations/'])
  const base = 'file:///usr/lib/probant/compiled/serve.js'
  expect(new URL('../db/migrations/', base).pathname).toBe('/usr/lib/probant/db/migrations/')
})

test('a program that is started is the compiled one', () => {
  const { code, programs } = replaced(`spawn(new URL('./serve.ts', import.meta.url))`, 'apps/server/supervision.ts')
  expect(code).toBe(`spawn(new URL('./serve.js', import.meta.url))`)
  expect(programs).toEqual(['apps/server/serve.ts'])
  expect(replaced(`new URL('./typesetter.ts', import.meta.url)`, 'platform/print/typeset/typeset.ts').code).toContain(
    'platform-print-typeset-typesetter.js',
  )
})

test('what asks for the place of its own file is told where it stood; the top and what the operator makes are no part of it', () => {
  const { code, assets } = replaced(`createRequire(import.meta.url)`)
  expect(code).toBe(`createRequire(new URL('../platform/db/migrate.ts', import.meta.url).href)`)
  expect(replaced(`new URL('../../', import.meta.url)`).code).toBe(`new URL('../', import.meta.url)`)
  expect(replaced(`new URL('../../probant.env', import.meta.url)`)).toMatchObject({ assets: [] })
  expect(assets).toEqual([])
})

test('a way of asking that compiled code would answer otherwise stops the build', () => {
  expect(() => replaced('if (import.meta.main) write()')).toThrow('import.meta.main')
  expect(() => replaced('join(import.meta.dirname, name)')).toThrow('import.meta.dirname')
})

test('what is required by name is one of the packages, whichever quotes the bundler writes', () => {
  const code = `require("graphile-worker"); require('@scope/one/part'); require("node:fs"); require("path"); require("./own.cjs"); required("s3Bucket")`
  expect(requiredBy(code)).toEqual(['graphile-worker', '@scope/one'])
})

test('packages are those that are reached, found as Node finds them; types and the optional ones that are not there are left out', () => {
  const packages = {
    'node_modules/a': { dependencies: { b: '1', '@types/b': '1' }, optionalDependencies: { 'only-elsewhere': '1' } },
    'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
    'node_modules/b': {},
    'node_modules/c': { peerDependencies: { b: '1', d: '1' }, peerDependenciesMeta: { d: { optional: true } } },
    'node_modules/d': {},
    'node_modules/only-elsewhere': {},
    'node_modules/unused': {},
  }
  const isInstalled = (folder: string) => !folder.includes('elsewhere')
  expect(choosePackages(packages, ['a'], isInstalled)).toEqual([
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/b',
    'node_modules/c',
  ])
  expect(() => choosePackages(packages, ['e'], isInstalled)).toThrow('e, which a program needs, is not installed')
})
