import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Locale } from '../../../kernel/locale.ts'
import { createMessages } from '../../../platform/messages/messages.ts'
import { withDatabase } from '../../../testing/database.ts'
import { freePort } from '../../../testing/free-port.ts'
import { startOutsideTsa, type OutsideTsa } from '../../../testing/tsa.ts'
import { openShop } from '../../../modules/billing/server/provider/mangopay/shop.test-data.ts'
import { simulatedClient } from '../../../testing/mangopay/run-mangopay.ts'
import { selling } from '../../../testing/selling.ts'
import { askSettings } from './ask-settings.ts'
import { trySettings } from './answers/try-settings.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'setup-'))
let authority: OutsideTsa
beforeAll(async () => {
  authority = await startOutsideTsa()
})
afterAll(async () => {
  await authority.close()
  rmSync(folder, { recursive: true })
})

/** Answers by what a question has in it, one after the other; Enter to all else. */
async function answer(before: Record<string, string>, given: Readonly<Record<string, readonly string[]>>, locale: Locale = 'en') {
  const left = new Map(Object.entries(given).map(([question, answers]) => [question, [...answers]]))
  const said: string[] = []
  const hidden: string[] = []
  const messages = createMessages(locale)
  const ask = async (question: string, isHidden: boolean): Promise<string> => {
    said.push(question)
    if (isHidden) hidden.push(question)
    // Whoever would be asked for ever is told what was said to him.
    if (said.length > 400) throw new Error(said.slice(-60).join('\n'))
    const found = [...left].find(([part, answers]) => question.includes(part) && answers.length > 0)
    return await Promise.resolve(found?.[1].shift() ?? '')
  }
  const answers = await askSettings(before, {
    asker: { say: (text) => void said.push(text), ask },
    messages,
    attempt: async (step, config) =>
      await trySettings(step, config, { messages, askRecipient: async () => await ask('recipient', false) }),
  })
  expect([...left].filter(([, unasked]) => unasked.length > 0)).toEqual([])
  return { answers: Object.fromEntries(answers), said: said.join('\n'), hidden }
}

test('each answer is tried as the product will use it, and what is wrong is changed', async () => {
  const port = await freePort()
  const { answers, said, hidden } = await answer(
    { PROBANT_PUBLIC_URL: 'http://localhost:8080', PROBANT_QUEUE_LENGTH: '7', PROBANT_DATA: join(folder, 'data') },
    {
      'OpenTimestamps calendars': ['none'],
      'PostgreSQL, postgres': [`postgres://nobody@127.0.0.1:${port}/probant`, database.url],
      'Mail server': [`smtp://127.0.0.1:${port}`],
      recipient: ['operator@evidence.example'],
      'Time authorities': ['nonsense', `${authority.url},http://127.0.0.1:${port}/tsr`, authority.url],
      'Enter to change it': ['', 'k', ''],
    },
  )
  expect(answers).toEqual({
    PROBANT_PUBLIC_URL: 'http://localhost:8080',
    // What is not asked for stays.
    PROBANT_QUEUE_LENGTH: '7',
    PROBANT_DATA: join(folder, 'data'),
    PROBANT_OTS_CALENDARS: 'none',
    DATABASE_URL: database.url,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    TSA_URLS: authority.url,
  })
  expect(said).toMatch(/✓ localhost leads to .*127\.0\.0\.1/)
  expect(said).toMatch(/✗ .*ECONNREFUSED/)
  expect(said).toMatch(/✓ PostgreSQL 18\S* answers/)
  expect(said).toMatch(/✓ written, read again and removed; room for [\d,]+ GB/)
  expect(said).toContain('✗ TSA_URLS must be an address starting with http:// or https://')
  expect(said).toMatch(/✓ http:\/\/127\.0\.0\.1:\d+\/tsr gave a time stamp that holds, of \d{4}-/)
  expect(said).toMatch(/✗ http:\/\/127\.0\.0\.1:\d+\/tsr: The time authority could not be reached/)
  expect(hidden.map((question) => question.trim().slice(0, 11))).toEqual(['PostgreSQL,', 'PostgreSQL,', 'Mail server'])
  // Nothing of the trials is left.
  expect(readdirSync(join(folder, 'data'), { recursive: true }).filter((name) => String(name).includes('setup'))).toEqual([])
})

test('what only together is wrong is asked once more; an address with https is production', async () => {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '3', '-subj', '/CN=a'].concat([
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      certificate,
    ]),
    { stdio: 'ignore' },
  )
  const { answers, said } = await answer(
    { PROBANT_DATA: join(folder, 'data') },
    {
      'Adresse que tapent': ['evidence', 'https://203.0.113.1', 'https://localhost'],
      'Qui termine TLS': ['acme', 'files'],
      'Acceptez-vous': ['i-agree'],
      'Fichier du certificat': [certificate],
      'Fichier de sa clé': [key],
      'Calendriers OpenTimestamps': ['none'],
    },
    'fr',
  )
  expect(answers).toEqual({
    PROBANT_ENV: 'production',
    PROBANT_PUBLIC_URL: 'https://localhost',
    PROBANT_DATA: join(folder, 'data'),
    PROBANT_TLS: 'files',
    PROBANT_TLS_CERTIFICATE: certificate,
    PROBANT_TLS_KEY: key,
    PROBANT_OTS_CALENDARS: 'none',
  })
  expect(said).toContain('✗ PROBANT_PUBLIC_URL doit avoir un nom qu’une autorité peut joindre')
  expect(said).toContain('Ces réponses ne vont pas ensemble')
  expect(said).toMatch(/✓ le certificat est de ce nom et de cette clé, et vaut jusqu’au \d{4}-/)
})

test('payments: nothing is paid for unless it is answered so; then by transfer, as a test, or by keys that the provider takes', async () => {
  const shop = await openShop()
  try {
    const data = { PROBANT_DATA: join(folder, 'data'), PROBANT_OTS_CALENDARS: 'none' }
    const off = await answer({ ...data, ...selling, PROBANT_BILLING: 'off' }, {})
    expect(off.said).toContain('✓ nothing is paid for')
    // Whoever sells nothing has no seller.
    expect(Object.keys(off.answers).filter((name) => name.includes('SELLER'))).toEqual([])

    const seller = {
      'reports paid for': ['on'],
      'Name of the seller': ['Example SARL'],
      'legal form': ['SARL'],
      'share capital': ['10 000 EUR'],
      'Its SIREN': ['12345678', '123456782'],
      'VAT number': ['FR11123456782'],
      'is registered': ['RCS Marseille'],
      'Street and number': ['1 rue du Port'],
      'Postal code': ['13002'],
      'Town of its seat': ['Marseille'],
      'IBAN of the account': ['FR7630006000011234567890188', 'FR7630006000011234567890189'],
    }
    const transfer = await answer(data, { ...seller, 'How customers pay': ['transfer'] })
    expect(transfer.answers).toEqual({ ...data, ...selling, PROBANT_PAYMENTS: 'transfer' })
    expect(transfer.said).toContain('✗ PROBANT_SELLER_SIREN must be nine digits')
    expect(transfer.said).toContain('✗ PROBANT_SELLER_IBAN must be an IBAN without spaces, with its right check digits')
    expect(transfer.said).toContain('✓ customers transfer to FR7630006000011234567890189')
    expect(transfer.said).not.toContain('Mangopay’s')

    const before = { ...data, ...selling }
    expect((await answer(before, {})).said).toContain('✓ no keys: test payments by a simulator on this machine')
    const elsewhere = await answer(
      { ...before, PROBANT_PUBLIC_URL: 'http://127.0.0.1.nip.example' },
      { 'Enter to change it': ['k', 'k'] },
    )
    expect(elsewhere.said).toContain('✗ no keys: at http://127.0.0.1.nip.example others would pay')

    const host = new URL(shop.mangopay.origin).host
    const provider = await answer(before, {
      'id of this client': [simulatedClient.clientId],
      'legal user at Mangopay': [shop.seller.user],
      'Address of Mangopay': [shop.mangopay.origin],
      'Enter to change it': ['', ''],
      'key of this client': ['Of-another-contract-1', simulatedClient.apiKey, ''],
      'wallet in euros': ['none', '', shop.seller.wallet],
    })
    expect(provider.said).toContain(`✗ ${host} refuses the keys`)
    expect(provider.said).toContain(`✗ ${host} knows no wallet none`)
    expect(provider.said).toContain(`✓ ${host} takes the keys, and has the user and its wallet in euros`)
    expect(provider.said).toContain(`✓ ${host} moves no money`)
    expect(provider.said).not.toContain('Of-another-contract-1')
    expect(provider.hidden.map((question) => question.trim())).toContainEqual(expect.stringContaining('Mangopay’s key'))
    expect(provider.answers).toEqual({
      ...before,
      PROBANT_MANGOPAY_CLIENT_ID: simulatedClient.clientId,
      PROBANT_MANGOPAY_API_KEY: simulatedClient.apiKey,
      PROBANT_MANGOPAY_USER: shop.seller.user,
      PROBANT_MANGOPAY_WALLET: shop.seller.wallet,
      PROBANT_MANGOPAY_URL: shop.mangopay.origin,
    })

    await shop.mangopay.stop()
    const away = await answer({ ...provider.answers }, { 'Entrée pour changer': ['g'] }, 'fr')
    expect(away.said).toContain(`✗ ${host} ne répond pas`)
  } finally {
    await shop.mangopay.stop()
  }
})
