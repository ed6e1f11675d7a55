import { expect, test } from 'vitest'
import { readEnvelope } from '../testing/outside/outside-services.ts'
import { envelopeAddress, writeEnvelope } from './envelope.ts'

test('a DSN says where envelopes are posted to', () => {
  expect(envelopeAddress('https://0123456789abcdef@errors.example/42')).toBe(
    'https://errors.example/api/42/envelope/?sentry_key=0123456789abcdef&sentry_version=7',
  )
  expect(envelopeAddress('http://0123456789abcdef@127.0.0.1:9000/folder/42')).toBe(
    'http://127.0.0.1:9000/folder/api/42/envelope/?sentry_key=0123456789abcdef&sentry_version=7',
  )
  const none = ['', 'https://errors.example/42', 'https://0123456789abcdef@errors.example/', 'ftp://0123456789abcdef@h/1']
  for (const dsn of [...none, 'https://0123456789abcdef:secret@h/1', 'https://0123456789abcdef@h/1?x', 'https://a b@h/1'])
    expect(envelopeAddress(dsn), dsn).toBeNull()
})

test('an envelope is read back by its lengths, whatever its items hold', () => {
  const items = [
    { type: 'event', payload: '{"é":"œ"}' },
    { type: 'replay_recording', payload: '{"segment_id":0}\n[1,\n2]' },
  ]
  const written = writeEnvelope('a'.repeat(32), new Date('2026-03-01T10:00:00Z'), items)
  expect(readEnvelope(written)).toEqual({
    header: { event_id: 'a'.repeat(32), sent_at: '2026-03-01T10:00:00.000Z' },
    items,
  })
})
