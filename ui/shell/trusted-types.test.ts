import { expect, test } from 'vitest'
import { builtScript, plainMarkup, refuseUntrustedText } from './trusted-types.ts'

test('ASVS 1.3.2 3.2.2 text becomes HTML only without a tag', () => {
  for (const sheet of [':root{--a:1px}', '@media(min-width:48em){.m{display:none}}', '']) expect(plainMarkup(sheet)).toBe(sheet)
  for (const markup of ['<img src=x onerror=alert(1)>', '</style><script>', '&lt;b&gt;', 'a<b'])
    expect(plainMarkup(markup)).toBeNull()
})

test('a script is a built file of this origin', () => {
  const origin = 'https://probant.example'
  for (const good of ['/assets/verify.worker-1.js', `${origin}/assets/a.js`, '/service-worker.js'])
    expect(builtScript(good, origin)).toBe(good)
  for (const bad of [
    '//evil.example/assets/a.js',
    '/\\evil.example/assets/a.js',
    'https://evil.example/assets/a.js',
    'data:text/javascript,1',
    'blob:https://probant.example/1',
    'javascript:1',
    '/files/x/report.js',
    '/assets/../files/x.js',
    '/files/service-worker.js',
    'https://evil.example/service-worker.js',
    'https://probant.example:444/assets/a.js',
    '',
  ])
    expect(builtScript(bad, origin)).toBeNull()
})

test('there is one policy, without a rule for scripts, and none where the browser knows none', () => {
  const made: [string, object][] = []
  const location = { origin: 'https://probant.example' }
  refuseUntrustedText({ location, trustedTypes: { createPolicy: (name, rules) => made.push([name, rules]) } })
  expect(made.map(([name, rules]) => [name, Object.keys(rules)])).toEqual([['default', ['createHTML', 'createScriptURL']]])
  expect(() => refuseUntrustedText({ location })).not.toThrow()
})
