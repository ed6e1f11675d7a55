import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { CaptureFailure, type CaptureProgress } from '../../../modules/capture/server/index.ts'
import type { PaymentProvider } from '../../../modules/billing/server/index.ts'
import { createFolderBlobStore } from '../../../platform/blobs/folder-blob-store.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { parseExposition, type Sample } from '../../../testing/metrics/parse-exposition.ts'
import { createInstruments } from './instruments.ts'
import { watchBlobs, watchCapture, watchMailer, watchProvider } from './watch-calls.ts'

function counting() {
  const registry = new Registry()
  const read = async (name: string): Promise<readonly Sample[]> =>
    parseExposition(await registry.metrics())
      .flatMap(({ samples }) => samples)
      .filter((sample) => sample.name === name && sample.value > 0)
  return { instruments: createInstruments(registry), read }
}

test('a capture is counted by its outcome, its phases by how long they took, and what runs at this moment', async () => {
  const { instruments, read } = counting()
  let during: readonly Sample[] = []
  const heard: CaptureProgress[] = []
  const request = { onProgress: (progress: CaptureProgress) => void heard.push(progress), url: 'https://client.example/secret' }
  const captured = watchCapture(
    'interactive',
    async ({ onProgress }: typeof request) => {
      onProgress({ phase: 'preparing', step: 'display' })
      onProgress({ phase: 'capturing', step: 'visit' })
      onProgress({ phase: 'capturing', step: 'screenshot' })
      during = await read('probant_captures_running')
      onProgress({ phase: 'finished', step: 'captured' })
      return 'outcome'
    },
    instruments,
  )
  expect(await captured(request)).toBe('outcome')
  expect(heard.map(({ step }) => step)).toEqual(['display', 'visit', 'screenshot', 'captured'])
  expect(during).toEqual([{ name: 'probant_captures_running', labels: { kind: 'interactive' }, value: 1 }])
  expect(await read('probant_captures_running')).toEqual([])
  const failing = watchCapture(
    'static',
    async ({ onProgress }: typeof request) => {
      onProgress({ phase: 'preparing', step: 'display' })
      throw await Promise.resolve(new CaptureFailure('unknown_host', { host: 'client.example' }))
    },
    instruments,
  )
  await expect(failing(request)).rejects.toThrow('unknown_host')
  expect(await read('probant_capture_duration_seconds_count')).toMatchObject([
    { labels: { kind: 'interactive', outcome: 'captured' }, value: 1 },
    { labels: { kind: 'static', outcome: 'unknown_host' }, value: 1 },
  ])
  expect((await read('probant_capture_phase_duration_seconds_count')).map(({ labels }) => labels)).toEqual([
    { kind: 'interactive', phase: 'preparing' },
    { kind: 'interactive', phase: 'capturing' },
    { kind: 'static', phase: 'preparing' },
  ])
})

test('a provider is asked as before, each call counted by its name and by what came of it', async () => {
  const { instruments, read } = counting()
  const refusal = { state: 'refused', payment: null, reason: 'declined', code: '101' } as const
  class Identity {
    #verified = 'unknown' as const
    async isVerified() {
      return await Promise.resolve(this.#verified)
    }
  }
  const asked: PaymentProvider = {
    name: 'mangopay',
    realm: 'test',
    isTest: true,
    registerCustomer: async () => await Promise.reject(new Error('broken')),
    readPayment: async () => await Promise.resolve(refusal),
    findPayment: async () => await Promise.resolve({ state: 'absent' }),
    transfers: { announce: async () => await Promise.resolve({ state: 'unsent' }) },
    identity: new Identity() as unknown as NonNullable<PaymentProvider['identity']>,
    notices: { parse: () => null } as unknown as NonNullable<PaymentProvider['notices']>,
  }
  const provider = watchProvider(asked, instruments)
  expect([provider.name, provider.isTest, provider.cards]).toEqual(['mangopay', true, undefined])
  expect(await provider.readPayment('pay_1')).toBe(refusal)
  expect(await provider.identity?.isVerified('user_1')).toBe('unknown')
  expect(provider.notices?.parse(new URLSearchParams())).toBeNull()
  await expect(provider.registerCustomer({} as never, {} as never)).rejects.toThrow('broken')
  expect((await read('probant_payment_call_duration_seconds_count')).map(({ labels }) => labels)).toEqual([
    { call: 'readPayment', outcome: 'refused' },
    { call: 'identity.isVerified', outcome: 'unknown' },
    { call: 'registerCustomer', outcome: 'error' },
  ])
})

test('mails are counted as taken or not, and bytes of blobs in each scope', async () => {
  const { instruments, read } = counting()
  const mail: Mail = { to: 'a@b.example', subject: 'x', text: 'x', html: 'x', locale: 'en' }
  const sending = watchMailer({ send: async () => await Promise.resolve(), close: () => undefined }, instruments)
  const failing = watchMailer({ send: async () => await Promise.reject(new Error('451')), close: () => undefined }, instruments)
  await sending.send(mail)
  await expect(failing.send(mail)).rejects.toThrow('451')
  expect((await read('probant_mails_total')).map(({ labels }) => labels['outcome'])).toEqual(['sent', 'failed'])
  const folder = await mkdtemp(join(tmpdir(), 'probant-watched-'))
  try {
    const store = watchBlobs(createFolderBlobStore(folder), instruments)
    const { sha256 } = await store.putBytes(Buffer.alloc(1000))
    await store.scope('one').scope('two').putBytes(Buffer.alloc(24))
    expect(await store.has(sha256)).toBe(true)
    expect(await read('probant_blob_written_bytes_total')).toMatchObject([{ value: 1024 }])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
