/** The commands and settings that docs/operating/grow.md gives to be typed are there. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import packageFile from '../package.json' with { type: 'json' }
import { readMachineUse } from '../apps/cli/machine.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const text = readFileSync(`${root}/docs/operating/grow.md`, 'utf8')
const commands = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.trim().split('\n'))

test('each command of the page on growth is one', () => {
  const acts = commands.flatMap((line) => {
    const [, argv] = /^npx probant server (.+)$/.exec(line) ?? []
    return argv === undefined ? [] : [readMachineUse(argv.split(' '))?.act]
  })
  expect(acts).toEqual(['invite', 'join', 'drain', 'resume', 'remove'])
  const scripts = commands.flatMap((line) => /^npm run (\S+)$/.exec(line)?.[1] ?? [])
  expect(scripts).toEqual(['drill:growth', 'drill:failures'])
  expect(Object.keys(packageFile.scripts)).toEqual(expect.arrayContaining(scripts))
  expect(commands).toHaveLength(acts.length + scripts.length)
})

test('each setting of the page on growth is one', () => {
  const known = readFileSync(`${root}/docs/CONFIGURATION.md`, 'utf8')
  const named = new Set(text.match(/\b(?:PROBANT|S3|TSA|DATABASE)_[A-Z_0-9]+\b/g))
  expect(named.size).toBeGreaterThan(10)
  expect([...named].filter((name) => !known.includes(`\`${name}\``))).toEqual([])
})
