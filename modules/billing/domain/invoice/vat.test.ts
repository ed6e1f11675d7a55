import { expect, test } from 'vitest'
import { decideVat, type VatParty } from './vat.ts'

const of = (party: Partial<VatParty>) => decideVat({ business: false, country: 'FR', vatNumber: null, check: null, ...party })
const decided = (treatment: string, rate: number) => ({ kind: 'decided', treatment, rate })

test('H-37 France at its rates, overseas at theirs', () => {
  expect(of({})).toEqual(decided('standard', 2000))
  expect(of({ country: 'MC' })).toEqual(decided('standard', 2000))
  expect(of({ country: 'RE', business: true, vatNumber: 'FR1', check: 'valid' })).toEqual(decided('standard', 850))
  expect(of({ country: 'GF' })).toEqual(decided('outside', 0))
})

test('H-37 a business of the union with a valid number: reverse charge; an invalid one, or a person: the French rate', () => {
  const german = { business: true, country: 'DE', vatNumber: 'DE129273398' }
  expect(of({ ...german, check: 'valid' })).toEqual(decided('reverse_charge', 0))
  expect(of({ ...german, check: 'invalid' })).toEqual(decided('standard', 2000))
  expect(of({ ...german, vatNumber: 'PL1234567890', check: 'valid' })).toEqual(decided('standard', 2000))
  expect(of({ business: true, country: 'GR', vatNumber: 'EL094014201', check: 'valid' })).toEqual(decided('reverse_charge', 0))
  expect(of({ ...german, vatNumber: null })).toEqual(decided('standard', 2000))
  expect(of({ country: 'DE', vatNumber: 'DE129273398', check: 'valid' })).toEqual(decided('standard', 2000))
})

test('H-37 a number that could not be checked is waited for, never guessed', () => {
  for (const check of ['unreachable', null] as const)
    expect(of({ business: true, country: 'ES', vatNumber: 'ESX1234567X', check })).toEqual({ kind: 'wait' })
})

test('H-37 outside the union: none', () => {
  // Northern Ireland is in the union for goods alone: what is sold here are services.
  expect(of({ country: 'GB', business: true, vatNumber: 'XI123456789', check: 'valid' })).toEqual(decided('outside', 0))
  for (const country of ['US', 'GB', 'CH'])
    expect(of({ country, business: true, vatNumber: 'X', check: null })).toEqual(decided('outside', 0))
})
