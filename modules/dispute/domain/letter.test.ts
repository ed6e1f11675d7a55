import { expect, test } from 'vitest'
import { missingIn, readLetter, type PlaceholderNames } from './letter.ts'

const names: PlaceholderNames = {
  address: 'adresse',
  captured: 'date de capture',
  report: 'rapport',
  root: 'racine',
  claim: 'motif',
  delay: 'délai',
  amount: 'somme',
  offer: 'offre',
}

test('words in braces stand for what they name, in whichever case; all else stays as it is typed', () => {
  expect(readLetter('Vu {adresse}\nle {Date de capture}.', names)).toEqual({
    parts: [{ text: 'Vu ' }, { placeholder: 'address' }, { text: '\nle ' }, { placeholder: 'captured' }, { text: '.' }],
    unknown: [],
  })
  expect(readLetter('', names)).toEqual({ parts: [], unknown: [] })
})

test('what stands for nothing is told once, and is text', () => {
  const read = readLetter('{adress} {adress} {constructor} {} { } {a\nb} }{', names)
  expect(read.unknown).toEqual(['{adress}', '{constructor}', '{}', '{ }'])
  expect(read.parts).toEqual([{ text: '{adress} {adress} {constructor} {} { } {a\nb} }{' }])
})

test('only what the letter asks for can be missing', () => {
  const values = { address: 'a', captured: 'b', report: 'c', root: 'd', claim: null, delay: null, amount: null, offer: null }
  expect(missingIn(readLetter('{somme} {délai} {adresse}', names), values)).toEqual(['delay', 'amount'])
})
