import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Message, useOptionalText, useText } from './text.tsx'
import { withWholeNames } from './whole.tsx'
import { makeSpeaker, WordsProvider } from './words.tsx'

const words = {
  pages: '{count, plural, one {# page} other {# pages}}',
  rich: 'By <b>{name}</b> and <own>them</own>',
  needs: 'At {at}',
}

function Said(props: { id: string; values?: Record<string, string | number> }) {
  const text = useText()
  const optional = useOptionalText()
  return `${text(props.id, props.values)}|${optional(props.id, props.values) ?? 'none'}`
}
const drawn = (child: React.ReactNode) =>
  renderToStaticMarkup(
    <WordsProvider locale="fr" words={words}>
      {child}
    </WordsProvider>,
  )

test('texts are filled in by the rules of their language; marks within them are drawn', () => {
  expect(drawn(<Said id="pages" values={{ count: 0 }} />)).toBe('0 page|0 page')
  expect(drawn(<Said id="pages" values={{ count: 1234 }} />)).toBe('1 234 pages|1 234 pages'.replaceAll(' 234', '\u202f234'))
  expect(drawn(<Message id="rich" values={{ name: <i>x</i>, own: (chunks) => <a href="/">{chunks}</a> }} />)).toBe(
    'By <strong><i>x</i></strong> and <a href="/">them</a>',
  )
})

test('what is not there, or speaks of what was not given, is its id where it must stand, and nothing where it may', () => {
  expect(drawn(<Said id="toString" />)).toBe('toString|none')
  expect(drawn(<Said id="needs" />)).toBe('needs|none')
  expect(makeSpeaker('en', words).say('needs', { at: 'noon' })).toBe('At noon')
})

test('no line ends within the number of an invoice, the name of an algorithm, a word for mail, or one that points to what stands near', () => {
  const spans = (text: string) =>
    [...renderToStaticMarkup(withWholeNames(text)).matchAll(/<span[^>]*>([^<]*)</g)].map(([, said]) => said)
  expect(spans('Autofacture P2026-000004 (PDF), avoir PA2027-000001 ; SHA-256')).toEqual([
    'P2026-000004',
    'PA2027-000001',
    'SHA-256',
  ])
  expect(spans('La réponse arrive par e-mail')).toEqual(['e-mail'])
  expect(spans('Ci-dessous, ci-après et ceux-ci, non celle-là ; merci-bien, une place-ci')).toEqual([
    'Ci-dessous',
    'ci-après',
    'ceux-ci',
    'celle-là',
  ])
  expect(spans('IBAN2026-000004, F2026-0000041, 2026-000004')).toEqual([])
})
