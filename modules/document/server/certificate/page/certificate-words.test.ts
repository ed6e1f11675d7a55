import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { describe, expect, it } from 'vitest'
import english from '../../../messages/certificate.en.json' with { type: 'json' }
import french from '../../../messages/certificate.fr.json' with { type: 'json' }

function argumentsOf(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return []
    if (element.type === TYPE.plural || element.type === TYPE.select)
      return [element.value, ...Object.values(element.options).flatMap((option) => argumentsOf(option.value))]
    return element.type === TYPE.tag ? argumentsOf(element.children) : [element.value]
  })
}

const argumentSet = (message: string): string[] => [...new Set(argumentsOf(parse(message, { ignoreTag: true })))].sort()

describe('messages of the certificate', () => {
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
      // What a program prints is quoted as it prints it.
      const text = message.replace('Verification: OK', '')
      expect(text).not.toMatch(/[ \u00a0][;:!?»]|«[ \u00a0]|«[^\u202f]|[^\u202f]»|'/)
      expect(text).not.toMatch(/[a-zéà][;!?]/i)
    }
  })
})
