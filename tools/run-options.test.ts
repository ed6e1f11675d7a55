import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readOptions } from './run-options.mjs'

let root: string
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: root, encoding: 'utf8' }).trim()
const commit = (text: string) => {
  writeFileSync(join(root, 'file'), text)
  git('add', 'file')
  git('commit', '-qm', text)
  return git('rev-parse', 'HEAD')
}
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'probant-options-'))
  git('init', '-q')
})
afterEach(() => rmSync(root, { recursive: true }))

test('asked for nothing, everything is run', () => {
  expect(readOptions([], root)).toEqual({ since: null, times: false })
  expect(readOptions(['--times'], root)).toEqual({ since: null, times: true })
})

test('what is changed is so since origin/main was left, and since the last commit where there is none', () => {
  const left = commit('one')
  expect(readOptions(['--changed'], root).since).toBe('HEAD')
  git('update-ref', 'refs/remotes/origin/main', left)
  commit('two')
  expect(readOptions(['--changed'], root).since).toBe(left)
})

test('a commit may be named, and one that is none is refused by name', () => {
  const first = commit('one')
  commit('two')
  expect(readOptions(['--changed=HEAD~1', '--times'], root)).toEqual({ since: first, times: true })
  expect(() => readOptions(['--changed=nowhere'], root)).toThrow('--changed=nowhere: there is no such commit')
  expect(() => readOptions(['--changed=--all'], root)).toThrow('there is no such commit')
})

test('a word that is not known is refused with those that are', () => {
  expect(() => readOptions(['--fast'], root)).toThrow(/^unknown: --fast\n[\s\S]+--changed=REF/)
})
