import { expect, test } from 'vitest'
import { returnPath } from './return-path.ts'

test('R-24: back to the page that was asked for, and to no other site', () => {
  const origin = 'https://probant.example'
  for (const path of ['/en/account/emails/', '/fr/evidences/pending/?page=2#x']) expect(returnPath(path, origin)).toBe(path)
  for (const hostile of [
    undefined,
    7,
    '',
    '//evil.example/en/',
    '/\\evil.example/en/',
    'https://evil.example/en/',
    'https://probant.example@evil.example/en/',
    'javascript:alert(1)//en/',
    'en:alert(1)',
    '/api/docs',
    '/xx/account/',
    'https://probant.example:444/en/',
  ])
    expect(returnPath(hostile, origin)).toBeNull()
})
