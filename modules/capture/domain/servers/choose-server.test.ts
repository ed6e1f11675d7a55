import { expect, test } from 'vitest'
import type { CaptureServerState } from './capture-server.ts'
import { mayBeAskedFor, mayTake, whyWaiting } from './choose-server.ts'

function server(id: string, also: Partial<CaptureServerState> = {}): CaptureServerState {
  return {
    id,
    name: id,
    country: null,
    city: null,
    kind: 'public',
    ownerGroup: null,
    status: 'ready',
    differences: null,
    running: 0,
    capacity: 2,
    interactive: { running: 0, capacity: 4 },
    imageDigest: null,
    manifestSha256: null,
    browser: null,
    publicAddress: null,
    network: null,
    preflight: null,
    seenAt: null,
    drainedAt: null,
    keySha256: null,
    version: null,
    ...also,
  }
}

test('H-17 automatic is a public server; a name is that server and no other', () => {
  expect(mayTake(server('a'), null)).toBe(true)
  expect(mayTake(server('a', { kind: 'dedicated' }), null)).toBe(false)
  expect(mayTake(server('a', { kind: 'dedicated' }), 'a')).toBe(true)
  expect(mayTake(server('b'), 'a')).toBe(false)
  expect(mayBeAskedFor(server('a'))).toBe(true)
})

test('H-17 a dedicated server is asked for by its group; one of no group by nobody', () => {
  const group = 'f3b0c442-98fc-4c14-9afb-f4c8996fb924'
  for (const asking of [null, group]) expect(mayBeAskedFor(server('a', { kind: 'dedicated' }), asking)).toBe(false)
  const theirs = server('a', { kind: 'dedicated', ownerGroup: group })
  expect(mayBeAskedFor(theirs, group)).toBe(true)
  expect(mayBeAskedFor(theirs)).toBe(false)
  expect(mayBeAskedFor(theirs, '0b0c4423-98fc-4c14-9afb-f4c8996fb924')).toBe(false)
})

test('S-32 H-11 why a capture waits', () => {
  const ready = server('ready')
  const starting = server('starting', { status: 'starting' })
  const differing = server('differing', { status: 'set_aside' })
  const drained = server('drained', { status: 'drained' })
  const lost = server('lost', { status: 'lost' })
  const all = [ready, starting, differing, lost]
  expect(whyWaiting(all, null, false)).toBe('queue')
  expect(whyWaiting(all, 'starting', false)).toBe('starting')
  expect(whyWaiting(all, 'differing', false)).toBe('mismatch')
  expect(whyWaiting([...all, drained], 'drained', false)).toBe('drained')
  expect(whyWaiting(all, 'lost', false)).toBe('lost')
  expect(whyWaiting([differing, lost], null, false)).toBe('mismatch')
  expect(whyWaiting([lost], null, false)).toBe('starting')
  expect(whyWaiting([], null, false)).toBe('starting')
  expect(whyWaiting([server('theirs', { kind: 'dedicated' })], null, false)).toBe('starting')
  // Given back by a server that differed: that is why it waits, although another is free.
  expect(whyWaiting(all, null, true)).toBe('mismatch')
})
