import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bitcoinMessageChecks } from '../../bitcoin-message/verify-bitcoin-message.ts'
import { genericDoubts, genericFlaws } from '../../bitcoin-message/generic-signature.ts'
import { nanoMessageChecks } from '../../nano-message/verify-nano-message.ts'
import { nanoSchemes } from '../../nano-message/nano-schemes.ts'
import { proofWords as english } from '../../../messages/proof-words.en.ts'
import { proofWords as french } from '../../../messages/proof-words.fr.ts'
import { messageForms } from '../../message/message-forms.ts'

const source = (...files: string[]) =>
  files.map((file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).join('\n')
/** Reasons and facts are found where they are written, so that a new one without words is seen here. */
const quoted = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].flatMap((match) => match.slice(1).filter(Boolean))

const kinds = {
  bitcoin_message: {
    checks: bitcoinMessageChecks,
    text: source('bitcoin-message/verify-bitcoin-message.ts'),
    reasons: [
      ...genericFlaws,
      ...genericDoubts,
      'empty',
      'too_long',
      'not_base64',
      'length',
      'header',
      'range',
      'no_key',
      'named',
      'by_habit',
      'other_kind',
      'variant',
      'message_too_long',
    ],
  },
  nano_message: {
    checks: nanoMessageChecks,
    text: source('nano-message/verify-nano-message.ts'),
    reasons: [...nanoSchemes, 'high_s', 'no_point', 'length', 'empty', 'not_hex', 'message_too_long'],
  },
} as const

test.each(Object.entries(kinds))(
  '%s: every check, reason, fact and word has both languages',
  (kind, { checks, text, reasons }) => {
    const shared = source('message/compare-signer.ts')
    const emitted = quoted(`${text}\n${shared}`, /reason(?:: | = known \? )'([a-z_0-9]+)'(?: : '([a-z_0-9]+)')?/g)
    const flaws = quoted(text, /failed\('[a-z_]+', '([a-z_]+)'/g)
    const facts = quoted(text, /(?:word|hex)\('([a-z_0-9]+)'|\{ id: '([a-z_]+)', value:/g)
    expect(emitted.length).toBeGreaterThan(4)
    expect(facts.length).toBeGreaterThan(4)
    const wanted = [
      ...checks.flatMap((check) => ['title', 'passed', 'failed', 'indeterminate'].map((part) => `${check}.${part}`)),
      ...[...emitted, ...flaws, ...reasons, ...messageForms].map((reason) => `reason.${reason}`),
      ...facts.map((fact) => `fact.${fact}`),
      ...messageForms.map((form) => `word.${form}`),
    ].map((id) => `verification.proof.${kind}.${id}`)
    for (const words of [english, french]) for (const id of wanted) expect(words[id], id).toBeTruthy()
    const own = (words: Readonly<Record<string, string>>) =>
      Object.keys(words).filter((id) => id.startsWith(`verification.proof.${kind}.`))
    expect(own(english)).toEqual(own(french))
    const holes = (text = '') => [...text.matchAll(/\{(\w+)/g)].map(([, name = '']) => name).toSorted((a, b) => (a < b ? -1 : 1))
    for (const id of own(english)) expect(holes(french[id]), id).toEqual(holes(english[id]))
  },
)
