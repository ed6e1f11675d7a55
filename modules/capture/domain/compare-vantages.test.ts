import { expect, test } from 'vitest'
import { compareVantages, type SeenFromVantage } from './compare-vantages.ts'

const seen: SeenFromVantage = {
  finalUrl: 'https://example.org/',
  httpStatus: 200,
  documentSha256: 'aa',
  words: ['one', 'two', 'two', 'three'],
  certificateSha256: 'cc',
  serverAddress: '192.0.2.1',
  resources: ['https://example.org/', 'https://example.org/a.png'],
}
const images = { share: 1, first: '1280 × 900', second: '1280 × 900' }
const byItem = (...of: Parameters<typeof compareVantages>) => new Map(compareVantages(...of).map((one) => [one.item, one]))

test('what is alike is the same in every item, each said once', () => {
  const compared = compareVantages(seen, { ...seen }, images)
  expect(compared.map(({ item }) => item)).toEqual([
    'final_url',
    'http_status',
    'certificate',
    'server_address',
    'document_body',
    'visible_text',
    'image',
    'resources',
  ])
  expect(compared.map(({ result }) => result)).toEqual(Array.from({ length: 8 }, () => 'same'))
})

test('each difference shows in its own item alone, with both values', () => {
  const changes = [
    {
      item: 'final_url',
      change: { finalUrl: 'https://example.org/fr/' },
      first: 'https://example.org/',
      second: 'https://example.org/fr/',
    },
    { item: 'http_status', change: { httpStatus: 403 }, first: '200', second: '403' },
    { item: 'certificate', change: { certificateSha256: 'dd' }, first: 'cc', second: 'dd' },
    { item: 'server_address', change: { serverAddress: '192.0.2.2' }, first: '192.0.2.1', second: '192.0.2.2' },
    { item: 'document_body', change: { documentSha256: 'bb' }, first: 'aa', second: 'bb' },
  ]
  for (const { change, ...expected } of changes) {
    const different = compareVantages(seen, { ...seen, ...change }, images).filter(({ result }) => result !== 'same')
    expect(different).toEqual([{ ...expected, result: 'different', share: null }])
  }
})

test('shares: words as often as both have them, resources as sets, pixels as counted', () => {
  const other = { ...seen, words: ['two', 'one', 'four'], resources: ['https://example.org/', 'https://example.org/b.png'] }
  const compared = byItem(seen, other, { share: 0.97, first: '1280 × 900', second: '1280 × 1000' })
  expect(compared.get('visible_text')).toMatchObject({ result: 'different', first: '4', second: '3', share: 0.5 })
  expect(compared.get('resources')).toMatchObject({ result: 'different', share: 1 / 3 })
  expect(compared.get('image')).toMatchObject({ result: 'different', share: 0.97, second: '1280 × 1000' })
  // The same words in another order are not the same text.
  const turned = byItem(seen, { ...seen, words: ['two', 'one', 'two', 'three'] }, images)
  expect(turned.get('visible_text')).toMatchObject({ result: 'different', share: 1 })
})

test('what one of them did not measure is not compared, and empty is not missing', () => {
  const bare = { ...seen, httpStatus: null, documentSha256: null, words: null, resources: null, serverAddress: null }
  const compared = compareVantages(seen, bare, null).filter(({ result }) => result === 'not_compared')
  expect(compared.map(({ item }) => item)).toEqual([
    'http_status',
    'server_address',
    'document_body',
    'visible_text',
    'image',
    'resources',
  ])
  expect(compared.map(({ share }) => share)).toEqual(compared.map(() => null))
  const empty = { ...seen, words: [], resources: [] }
  expect(byItem(empty, { ...empty }, images).get('visible_text')).toMatchObject({ result: 'same', share: 1 })
})

test('hostile values are cut, never repeated whole', () => {
  const [url] = compareVantages({ ...seen, finalUrl: `https://a/${'x'.repeat(9000)}` }, seen, images)
  expect(url?.first).toHaveLength(500)
})
