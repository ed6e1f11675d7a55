import { expect, test } from 'vitest'
import { compare } from './check-file.ts'

const [a, b] = ['a', 'b'].map((digit) => ({ sha256: digit.repeat(64), sha512: digit.repeat(128) })) as [Prints, Prints]
type Prints = { readonly sha256: string; readonly sha512: string }

test('a file is the deposited one only when every fingerprint that was deposited is its own', () => {
  expect(compare(a, a)).toEqual({ same: true, with: ['sha256', 'sha512'] })
  expect(compare({ ...a, sha512: null }, a)).toEqual({ same: true, with: ['sha256'] })
  expect(compare(a, b)).toEqual({ same: false, differs: 'sha256', expected: a.sha256, found: b.sha256 })
  expect(compare(a, { ...a, sha512: b.sha512 })).toEqual({ same: false, differs: 'sha512', expected: a.sha512, found: b.sha512 })
})
