import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeOutbox, type OutboxDeps, type SendFailure } from './outbox.ts'
import type { HiddenName, OutboxStore, WholeBatch } from './outbox-store.ts'

function makeStore() {
  const batches = new Map<string, WholeBatch>()
  const names: HiddenName[] = []
  const store: OutboxStore = {
    lasting: true,
    batches: () => Promise.resolve([...batches.values()]),
    contentOf: (id) => Promise.resolve(batches.get(id) ?? null),
    put: (kept) => {
      for (const each of kept) batches.set(each.id, each)
      return Promise.resolve()
    },
    change: (changed) => {
      const whole = batches.get(changed.id)
      if (whole !== undefined) batches.set(changed.id, { ...whole, ...changed })
      return Promise.resolve()
    },
    remove: (id) => {
      batches.delete(id)
      return Promise.resolve()
    },
    keepNames: (kept) => {
      names.push(...kept)
      return Promise.resolve()
    },
    nameOf: () => Promise.resolve(new Map()),
    forgetNames: () => Promise.resolve(),
  }
  return { store, batches, names }
}
const batch = (more: Partial<WholeBatch> = {}): WholeBatch => ({
  id: randomUUID(),
  user: 'me',
  delegation: null,
  made_at: '2026-11-21T12:00:00Z',
  agree: true,
  count: 1,
  documents: [{ sha256: 'a'.repeat(64), client_id: randomUUID() }],
  names: ['secret.pdf'],
  hidden: false,
  refused: null,
  ...more,
})
const sent = (of: WholeBatch) => ({
  sent: of.documents.map(({ sha256 }) => ({ id: randomUUID(), sha256, status: 'stamping' as const, duplicate_of: null })),
})
const outboxOf = (store: OutboxStore, send: OutboxDeps['send']) =>
  makeOutbox({ store, send, isMine: ({ user }) => user === 'me', alone: (act) => act(), onSent: () => undefined })

test('what the network does not take waits, and goes with the same marks when it is back', async () => {
  const { store, batches } = makeStore()
  let away = true
  const marks: unknown[] = []
  const outbox = await outboxOf(store, (each) => {
    marks.push(each.documents[0]?.client_id)
    return Promise.resolve<ReturnType<typeof sent> | SendFailure>(away ? { kind: 'later' } : sent(each))
  })
  await outbox.keep([batch()])
  await outbox.send()
  expect(outbox.glance()).toMatchObject({ cutOff: true, sending: false })
  expect(batches.size).toBe(1)
  // As after a reload.
  away = false
  const next = await outboxOf(store, (each) => {
    marks.push(each.documents[0]?.client_id)
    return Promise.resolve(sent(each))
  })
  await next.send()
  expect(batches.size).toBe(0)
  expect(next.glance()).toMatchObject({ cutOff: false, waiting: [], deposited: [{ name: 'secret.pdf' }] })
  expect(marks).toHaveLength(2)
  expect(marks[0]).toBe(marks[1])
})

test('what the server refuses waits until somebody decides, and keeps nothing else back', async () => {
  const { store, batches } = makeStore()
  const refused = batch({ agree: false })
  const other = batch()
  const outbox = await outboxOf(store, (each) =>
    Promise.resolve(each.agree ? sent(each) : { kind: 'refused', code: 'document.drafts_exhausted', data: { most: 5 } }),
  )
  await outbox.keep([refused, other])
  await outbox.send()
  expect([...batches.values()]).toMatchObject([
    { id: refused.id, refused: { code: 'document.drafts_exhausted', data: { most: 5 } } },
  ])
  expect(outbox.glance().deposited).toHaveLength(1)
  await outbox.retry(refused.id, { agree: true })
  expect(batches.size).toBe(0)
  expect(outbox.glance().deposited).toHaveLength(2)
})

test('what somebody else deposited in this browser is neither sent nor shown', async () => {
  const { store, batches } = makeStore()
  const asked: string[] = []
  const outbox = await outboxOf(store, (each) => {
    asked.push(each.user)
    return Promise.resolve(sent(each))
  })
  await outbox.keep([batch({ user: 'another' }), batch()])
  await outbox.send()
  expect(asked).toEqual(['me'])
  expect([...batches.values()].map(({ user }) => user)).toEqual(['another'])
  expect(outbox.glance().waiting).toEqual([])
})

test('hidden names are kept here under the ids that the server gave', async () => {
  const { store, names } = makeStore()
  const outbox = await outboxOf(store, (each) => Promise.resolve(sent(each)))
  await outbox.keep([batch({ hidden: true }), batch()])
  await outbox.send()
  expect(names).toEqual([{ id: outbox.glance().deposited[0]?.id, user: 'me', name: 'secret.pdf' }])
})

test('two sendings at once send each batch once', async () => {
  const { store } = makeStore()
  let count = 0
  const outbox = await outboxOf(store, async (each) => {
    count += 1
    await Promise.resolve()
    return sent(each)
  })
  await outbox.keep([batch(), batch()])
  await Promise.all([outbox.send(), outbox.send()])
  expect(count).toBe(2)
})

test('given up, it is gone', async () => {
  const { store, batches } = makeStore()
  const outbox = await outboxOf(store, () => Promise.resolve({ kind: 'later' }))
  const waiting = batch()
  await outbox.keep([waiting])
  await outbox.discard(waiting.id)
  expect(batches.size).toBe(0)
  expect(outbox.glance().waiting).toEqual([])
})
