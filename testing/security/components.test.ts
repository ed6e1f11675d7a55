/** What is shipped besides our own code, from the lock file alone: nothing is asked of any network. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Licences (SPDX) that ask for no more than naming, or for nothing. Every other one is looked at by somebody, then stands here, or does not ship. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Fonts, which are shipped unchanged.
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])

/** Whether an SPDX expression (Annex D) leaves a choice that is allowed: `OR` any, `AND` all; there are no deeper ones. */
function isAllowed(expression: string): boolean {
  const choices = expression.replace(/^\((.*)\)$/, '$1').split(/ or /i)
  return choices.some((choice) => choice.split(/ and /i).every((licence) => allowed.has(licence.trim())))
}

type Locked = {
  readonly version?: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
}
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, Locked>>
}
const entries = Object.entries(packages).filter(([path]) => path !== '')
// `npm sbom --omit=dev` leaves out what tests need besides: nodemailer, for one.
const shipped = entries.filter(([, { dev }]) => dev !== true)

test('ASVS 15.1.2 all that is shipped has a licence that lets it be shipped: no GPL, AGPL or LGPL', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>
  }
  const listed = new Map(shipped.map(([path, { version }]) => [path, version]))
  for (const [name, version] of Object.entries(dependencies))
    expect([name, listed.get(`node_modules/${name}`)]).toEqual([name, version])
  const refused = shipped.filter(([, { license = '' }]) => !isAllowed(license))
  expect(refused.map(([path, { license }]) => `${path}: ${String(license)}`)).toEqual([])
})

test('the rule refuses what it should', () => {
  for (const good of ['MIT', '(MIT OR GPL-3.0-only)', 'MIT or MPL-2.0', '(MIT AND Zlib)']) expect(isAllowed(good)).toBe(true)
  for (const bad of ['GPL-3.0-or-later', 'AGPL-3.0-or-later', 'LGPL-3.0', '(MIT AND LGPL-3.0)', 'MPL-2.0', 'UNLICENSED', ''])
    expect(isAllowed(bad)).toBe(false)
})

/** The typesetter's binaries for machines that our registry has none for (docs/decisions/0363-*): npm wants them named, and has no digest to give. */
const withoutDigest = /^node_modules\/@myriaddreamin\/typst-ts-node-compiler-(android|darwin|win32|linux-arm)/

test('ASVS 15.1.2 each package is fixed by a digest, and what is installed says the licence that the lock file says', () => {
  expect(entries.length).toBeGreaterThan(300)
  const open = entries.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))
  expect(open.map(([path]) => path).filter((path) => !withoutDigest.test(path))).toEqual([])
  // None of those is ever installed on Linux x64, which is what we run.
  expect(open.filter(([, { os, cpu }]) => os?.includes('linux') !== false && cpu?.includes('x64') !== false)).toEqual([])
  const differing = shipped.flatMap(([path, { license }]) => {
    const file = join(root, path, 'package.json')
    if (!existsSync(file)) return []
    const installed = (JSON.parse(readFileSync(file, 'utf8')) as { readonly license?: unknown }).license
    return typeof installed === 'string' && installed !== license ? [`${path}: ${installed}, not ${String(license)}`] : []
  })
  expect(differing).toEqual([])
})
