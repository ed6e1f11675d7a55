import { IntlMessageFormat } from 'intl-messageformat'
import { expect, test } from 'vitest'
import en from '../../messages/review.en.json' with { type: 'json' }
import fr from '../../messages/review.fr.json' with { type: 'json' }
import { parseTimeline } from './read-timeline.ts'
import { clockOf, exchangeOf, groupOf, lineAt, parseLine, tell, toldIds, type TimelineLine } from './timeline.ts'

const line = (type: string, data: Record<string, unknown>, ms = 1_000, n = 1): TimelineLine => ({
  n,
  ms,
  at: '2026-11-21T12:00:00.000Z',
  type,
  data,
})
const sentence = (one: TimelineLine, words: Readonly<Record<string, string>>, locale: 'en' | 'fr'): string => {
  const { id, values } = tell(one, locale)
  return String(new IntlMessageFormat(words[id] ?? id, locale).format({ ...values }))
}

test('S-38: every kind of line has its sentence in both languages', () => {
  for (const words of [en, fr]) {
    const missing = toldIds.filter((id) => !Object.hasOwn(words, id))
    expect(missing).toEqual([])
    const lines = Object.keys(words).filter((id) => id.startsWith('review.line.') && id.split('.').length === 4)
    expect(lines.filter((id) => !toldIds.includes(id))).toEqual([])
  }
})

test.each([
  [line('pointer', { kind: 'down', x: 12.4, y: 30, button: 0 }), 'Left button pressed at 12, 30', 'input'],
  [line('pointer', { kind: 'move', x: 1, y: 2 }), 'Pointer moved to 1, 2', 'moves'],
  [line('key', { kind: 'down', code: 'KeyA', key: 'a', modifiers: 0, tab: 1 }), 'Key pressed: a', 'input'],
  [line('key', { kind: 'up', code: 'KeyA', key: 'a', modifiers: 0, tab: 1 }), 'Key released: a', 'moves'],
  [line('key', { kind: 'down', masked: true, tab: 1 }), 'Key in a masked field; which one is not kept', 'input'],
  [line('text', { text: 'œ\u202Egnp', tab: 1 }), 'Typed: œ⟨U+202E⟩gnp', 'input'],
  [line('paste', { masked: true, tab: 1 }), 'Text pasted into a masked field; it is not kept', 'input'],
  [
    line('navigation', { url: 'https://a.example/', status: 200, cause: 'link', tab: 1 }),
    'Page https://a.example/ (status 200), reached by a link',
    'pages',
  ],
  [
    line('navigation', { url: 'https://a.example/', status: null, cause: 'link', failure: 'net::ERR_FAILED', tab: 1 }),
    'Page https://a.example/ did not load: net::ERR_FAILED',
    'pages',
  ],
  [line('navigation', { act: 'refused', reason: 'private_address' }), 'An address was refused: private_address', 'pages'],
  [
    line('request', { method: 'GET', url: 'https://a/', status: 404, kind: 'Image', failure: null }),
    'GET https://a/ → 404',
    'exchanges',
  ],
  [line('screenshot', { number: 3, automatic: false, paths: [] }), 'Screenshot 3', 'shots'],
  [
    line('screenshot', {
      number: 3,
      automatic: false,
      paths: [],
      held: [
        { from_ms: 100, to_ms: 900.4 },
        { from_ms: 1_000, to_ms: 1_700 },
      ],
    }),
    'Screenshot 3; the recorded picture was kept as it stood for 1.5 s meanwhile',
    'shots',
  ],
  [
    line('screenshot', { number: 3, automatic: false, paths: [], disturbed: true }),
    'Screenshot 3; the recorded picture may show the page laid out otherwise for a moment',
    'shots',
  ],
  [
    line('warning', { code: 'screenshot_refused', kind: 'full_page', reason: 'no_answer', url: 'https://a/', done: 2, of: 6 }),
    'A screenshot of https://a/ could not be taken (the page did not answer): 2 of 6 images were there, and none was kept',
    'recording',
  ],
  [line('download', { name: 'a.pdf', bytes: 1234, refused: null }), 'Download kept: a.pdf (1,234 bytes)', 'files'],
  [line('upload', { act: 'asked', tab: 1, multiple: false }), 'The page asks for a file', 'files'],
  [line('witness', { act: 'countersigns', witness: 'W', name: 'N', statement: 'I saw' }), 'N countersigns: I saw', 'people'],
  [line('warning', { code: 'time', left_ms: 30_000 }), '30 seconds left', 'recording'],
  [line('warning', { code: 'time', left_ms: 120_000 }), '2 minutes left', 'recording'],
  [line('crash', { what: 'picture', recovered: true }), 'The picture is back', 'recording'],
  [line('video', { gap: { from_us: 61_000_000, to_us: 62_500_000 } }), 'No picture from 1:01.000 to 1:02.500', 'recording'],
  [line('video', { group: { group: 1 } }), 'Pictures chained and noted', 'pictures'],
  // From a later version, or of another hand: shown as it stands rather than left out.
  [line('later', { act: 'new' }), 'later: {"act":"new"}', 'recording'],
  [line('tab', { act: 'toString' }), 'tab: {"act":"toString"}', 'pages'],
] as const)('a line is told: %#', (one, expected, group) => {
  expect(sentence(one, en, 'en')).toBe(expected)
  expect(sentence(one, fr, 'fr')).not.toMatch(/\{[a-z]/)
  expect(groupOf(one)).toBe(group)
})

test('times, and the line that the video is at', () => {
  expect(clockOf(-20, 'en')).toBe('0:00.000')
  expect(clockOf(64_025.9, 'en')).toBe('1:04.025')
  expect(clockOf(64_025.9, 'fr')).toBe('1:04,025')
  const gap = line('video', { gap: { from_us: 61_000_000, to_us: 62_500_000 } })
  expect(sentence(gap, fr, 'fr')).toBe('Aucune image de 1:01,000 à 1:02,500')
  const lines = [{ ms: -5 }, { ms: 0 }, { ms: 10 }, { ms: 10 }, { ms: 30 }]
  expect([-6, -5, 0, 10, 29, 31].map((ms) => lineAt(lines, ms))).toEqual([-1, 0, 1, 3, 3, 4])
})

test('a page leads to the exchange that brought it, not to another of the same address long ago', () => {
  const get = (n: number, ms: number, kind = 'Document') =>
    line('request', { method: 'GET', url: 'https://a.example/p', status: 200, kind, failure: null }, ms, n)
  const page = line('navigation', { url: 'https://a.example/p#part', status: 200, cause: 'link' }, 20_000, 4)
  const lines = [get(1, 1_000), get(2, 19_800), get(3, 19_990, 'Image'), page, get(5, 29_000)]
  expect(exchangeOf(lines, page)?.n).toBe(2)
  expect(exchangeOf(lines.slice(0, 1), page)).toBeNull()
  expect(exchangeOf(lines, lines[2] as TimelineLine)?.n).toBe(3)
})

test('a timeline is read as it comes: cut anywhere, and what is no line is counted', async () => {
  const text = `${JSON.stringify(line('text', { text: 'é漢🙂' }))}\n{"n":2}\nnonsense\n\n${JSON.stringify(line('end', {}))}`
  const bytes = new TextEncoder().encode(text)
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let i = 0; i < bytes.length; i += 3) controller.enqueue(bytes.slice(i, i + 3))
      controller.close()
    },
  })
  const { lines, unreadable, cut } = await parseTimeline(body, () => Promise.resolve())
  expect(lines.map(({ type }) => type)).toEqual(['text', 'end'])
  expect(lines[0]?.data).toEqual({ text: 'é漢🙂' })
  expect([unreadable, cut]).toEqual([2, false])
  expect(parseLine('{"n":1,"ms":0,"at":"x","type":"t","data":[]}')).toBeNull()
})

test('a timeline longer than any is cut, said to be, and the rest is not fetched', async () => {
  const one = new TextEncoder().encode(`${JSON.stringify(line('later', {}))}\n`.repeat(10_000))
  let [sent, cancelled] = [0, false]
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 1
      controller.enqueue(one)
    },
    cancel: () => {
      cancelled = true
    },
  })
  const { lines, cut } = await parseTimeline(body, () => Promise.resolve())
  expect([lines.length, cut, cancelled]).toEqual([120_000, true, true])
  expect(sent).toBeLessThan(16)
})
