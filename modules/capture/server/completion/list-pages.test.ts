import { expect, test } from 'vitest'
import { listPages } from './list-pages.ts'
import type { Exchange } from '../record/index.ts'

const answer = {} as NonNullable<Exchange['response']>
const exchange = (url: string, started_at: number, response: Exchange['response'] = answer) => ({ url, started_at, response })

test('C-30: each page of a visit stands in the archive with the moment when its bytes began to come', () => {
  const exchanges = [
    exchange('https://a.example/', 100),
    exchange('https://a.example/b', 200),
    exchange('https://a.example/', 900),
    exchange('https://a.example/gone', 300, null),
  ]
  const visit = (url: string, at: number) => ({ url, title: url, at })
  expect(
    listPages(
      [
        visit('https://a.example/', 150),
        visit('https://a.example/b#part', 250),
        visit('https://a.example/gone', 350),
        visit('https://a.example/never', 360),
        // Back: shown from what the browser had, so the time is that of showing it.
        visit('https://a.example/', 400),
        visit('https://a.example/', 950),
      ],
      exchanges,
    ).map(({ url, at }) => [url, at]),
  ).toEqual([
    ['https://a.example/', 100],
    ['https://a.example/b#part', 200],
    ['https://a.example/', 400],
    ['https://a.example/', 900],
  ])
})
