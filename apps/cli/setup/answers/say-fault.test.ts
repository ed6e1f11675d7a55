import { expect, test } from 'vitest'
import { settings } from '../../../../platform/config/settings/settings.ts'
import { createMessages } from '../../../../platform/messages/messages.ts'
import { sayFault } from './say-fault.ts'
import { steps } from './steps.ts'
import { faultsOf, takeAnswer } from './take-answers.ts'

const [english, french] = [createMessages('en'), createMessages('fr')]
const questions = steps.flatMap(({ questions: asked }) => asked)

/** What somebody may type that no setting, or hardly one, takes. */
const typed = ['', '\u0001', 'x'.repeat(5000), 'nothing of it', '§', '-1', 'http://x', '../..', 'it’s "a" b', `'"$`]

/** Answers that do not go together, by what each lacks. */
const together: readonly Readonly<Record<string, string>>[] = [
  { PROBANT_ENV: 'production' },
  { PROBANT_ENV: 'production', PROBANT_PUBLIC_URL: 'http://evidence.example' },
  { PROBANT_TLS: 'files', PROBANT_PUBLIC_URL: 'http://evidence.example' },
  { PROBANT_TLS: 'acme', PROBANT_PUBLIC_URL: 'https://192.0.2.1' },
  { PROBANT_BLOBS: 's3' },
  { PROBANT_BILLING: 'on' },
  { PROBANT_BILLING: 'on', PROBANT_PAYMENTS: 'transfer', PROBANT_MANGOPAY_CLIENT_ID: 'shop' },
  { PROBANT_BILLING: 'on', PROBANT_MANGOPAY_CLIENT_ID: 'shop', PROBANT_MANGOPAY_URL: 'http://provider.example' },
]

test('whatever is typed where the set-up asks is refused in the language of whoever types it, and names the setting', () => {
  const faults = [
    ...questions.flatMap((question) => typed.map((given) => takeAnswer(question, given, new Map()))),
    ...together.flatMap((answers) => faultsOf(new Map(Object.entries(answers)))),
  ].filter((fault) => fault !== null)
  expect(faults.length).toBeGreaterThan(200)
  const names = new Set<string>(questions.map(({ key }) => settings[key].name))
  const concerned = faults.filter((fault) => [...names].some((name) => fault.includes(name)))
  for (const fault of new Set(concerned)) {
    const said = sayFault(fault, french)
    expect(said).not.toBe(fault)
    expect(said).not.toMatch(/ must | is required | cannot | goes without /)
    expect([...names].some((name) => said.includes(name))).toBe(true)
    expect(sayFault(fault, english)).toMatch(/ must | is required | cannot | goes without | together/)
  }
})

test('a fault of what no step asks for is said as it is', () => {
  expect(sayFault('PROBANT_ESPLORA must list two addresses or more: one alone is not believed', french)).toMatch(
    /^PROBANT_ESPLORA must/,
  )
})
