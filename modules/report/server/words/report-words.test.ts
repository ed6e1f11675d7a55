import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { describe, expect, it } from 'vitest'
import captureEnglish from '../../messages/report.en.json' with { type: 'json' }
import captureFrench from '../../messages/report.fr.json' with { type: 'json' }
import sessionEnglish from '../../messages/session.en.json' with { type: 'json' }
import sessionFrench from '../../messages/session.fr.json' with { type: 'json' }
import { reportWords } from './report-words.ts'

const english = { ...captureEnglish, ...sessionEnglish }
const french = { ...captureFrench, ...sessionFrench }

function argumentsOf(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return []
    if (element.type === TYPE.plural || element.type === TYPE.select)
      return [element.value, ...Object.values(element.options).flatMap((option) => argumentsOf(option.value))]
    return element.type === TYPE.tag ? argumentsOf(element.children) : [element.value]
  })
}

const argumentSet = (message: string): string[] => [...new Set(argumentsOf(parse(message, { ignoreTag: true })))].sort()

describe('messages of the report', () => {
  it('have the same ids and the same arguments in both languages', () => {
    expect(Object.keys(french)).toEqual(Object.keys(english))
    for (const [id, message] of Object.entries(english))
      expect([id, argumentSet(french[id as keyof typeof french])]).toEqual([id, argumentSet(message)])
  })

  it('are never empty and never call the document what only a public officer makes', () => {
    for (const message of [...Object.values(english), ...Object.values(french)]) {
      expect(message.trim()).not.toBe('')
      expect(message).not.toMatch(/constat\b|authenti|bailiff|huissier/i)
    }
  })

  it('keep French typography: narrow no-break space before ; : ! ? and inside guillemets, curly apostrophe', () => {
    for (const message of Object.values(french)) {
      // Without ICU syntax, where colons and apostrophes have other meanings.
      const text = message.replace(/https?:\/\/\S+/g, '')
      expect(text).not.toMatch(/[ \u00a0][;:!?»]|«[ \u00a0]|«[^\u202f]|[^\u202f]»|'/)
      expect(text).not.toMatch(/[a-zéà][;!?]/i)
    }
  })
})

describe('reportWords', () => {
  const en = reportWords('en')
  const fr = reportWords('fr')

  it('gives each instant in UTC and in Paris, with the offset of that day', () => {
    expect(en.instant('2026-11-20T23:10:01.500Z')).toEqual({
      utc: '20 November 2026, 23:10:01 UTC',
      paris: '21 November 2026, 00:10:01 in Paris (UTC+1)',
    })
    expect(fr.instant('2026-06-30T23:10:01.000Z')).toEqual({
      utc: '30 juin 2026 à\u00a023\u00a0h\u00a010\u00a0min\u00a001\u00a0s\u00a0UTC',
      paris: '1er juillet 2026 à\u00a001\u00a0h\u00a010\u00a0min\u00a001\u00a0s, heure de Paris (UTC+2)',
    })
  })

  it('rounds a share down, so that a cut page is never printed as whole', () => {
    expect(en.percent(40_999, 41_000)).toBe('99.99%')
    expect(en.percent(41_000, 41_000)).toBe('100%')
    expect(fr.percent(1, 3)).toBe('33,33\u00a0%')
    expect(en.percent(0, 0)).toBe('0%')
  })

  it('writes numbers and sizes as each language does', () => {
    expect([en.number(41_000), fr.number(41_000)]).toEqual(['41,000', '41\u00a0000'])
    expect([en.bytes(999), en.bytes(2_612_345)]).toEqual(['999 bytes', '2.6 MB'])
    expect(fr.bytes(2_612_345)).toBe('2,6\u202fMo')
  })
})
