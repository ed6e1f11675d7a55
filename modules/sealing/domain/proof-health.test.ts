import { array, assert, integer, property, record, subarray } from '../../../testing/fast-check.ts'
import { describe, expect, test } from 'vitest'
import { assessProofHealth, renewBeforeMs, type HealthFacts, type StampFacts } from './proof-health.ts'

const day = 86_400_000
const year = 365 * day
const start = Date.parse('2026-11-21T10:00:00Z')
const at = (ms: number) => new Date(start + ms)
const stamp = (file: string, from: number, until: number, covers: readonly string[] = []): StampFacts => ({
  file,
  authority: 'An authority',
  at: at(from),
  until: at(until),
  covers,
  weak: false,
})
const facts = (stamps: readonly StampFacts[], more: Partial<HealthFacts> = {}): HealthFacts => ({
  stamps,
  pending_authorities: 0,
  log: null,
  anchor: null,
  ...more,
})
const anchored: HealthFacts['anchor'] = {
  state: 'anchored',
  network: 'main',
  block_height: 900_000,
  block_time: at(day),
  header_source: 'node',
}

describe('how long a proof stands', () => {
  test('a fresh stamp is sound until its certificate ends, and is renewed a year before', () => {
    const health = assessProofHealth(facts([stamp('a', 0, 3 * year)]), at(day))
    expect(health).toMatchObject({ state: 'sound', stamped_until: at(3 * year), anchored: false, renewal_due: false })
    expect(health.elements).toEqual([
      {
        kind: 'stamp',
        subject: 'a',
        state: 'sound',
        until: at(3 * year),
        next: { action: 'renew', at: at(3 * year - renewBeforeMs) },
      },
    ])
  })

  test('in its last year a renewal is due', () => {
    const health = assessProofHealth(facts([stamp('a', 0, 3 * year)]), at(2 * year))
    expect(health).toMatchObject({ state: 'attention', renewal_due: true })
    expect(health.elements[0]?.state).toBe('ageing')
  })

  test('the later of two stamps decides', () => {
    const health = assessProofHealth(facts([stamp('a', 0, year), stamp('b', 0, 5 * year)]), at(year + day))
    expect(health).toMatchObject({ state: 'sound', stamped_until: at(5 * year), renewal_due: false })
    expect(health.elements.map(({ state }) => state)).toEqual(['ended', 'sound'])
  })

  test('a renewal in time carries the first stamp over its end', () => {
    const health = assessProofHealth(facts([stamp('a', 0, 3 * year), stamp('r', 2 * year, 6 * year, ['a'])]), at(4 * year))
    expect(health).toMatchObject({ state: 'sound', stamped_until: at(6 * year) })
    expect(health.elements[0]).toMatchObject({ subject: 'a', state: 'renewed', until: at(6 * year) })
  })

  test('a renewal that came too late carries nothing', () => {
    const late = assessProofHealth(facts([stamp('a', 0, 3 * year), stamp('r', 3 * year + day, 6 * year, ['a'])]), at(4 * year))
    expect(late.elements[0]).toMatchObject({ subject: 'a', state: 'ended', until: at(3 * year) })
  })

  test('renewals of renewals add up, and stamps that cover each other do not loop', () => {
    const chain = [stamp('a', 0, 3 * year), stamp('r1', 2 * year, 6 * year, ['a']), stamp('r2', 5 * year, 9 * year, ['a', 'r1'])]
    expect(assessProofHealth(facts(chain), at(7 * year)).elements[0]).toMatchObject({ until: at(9 * year), state: 'renewed' })
    const loop = [stamp('a', 0, year, ['b']), stamp('b', 0, 2 * year, ['a'])]
    expect(assessProofHealth(facts(loop), at(day)).elements.map(({ until }) => until)).toEqual([at(2 * year), at(2 * year)])
  })

  test('when every stamp has ended the anchor still stands, and without it nothing does', () => {
    expect(assessProofHealth(facts([stamp('a', 0, year)], { anchor: anchored }), at(2 * year))).toMatchObject({
      state: 'attention',
      stamped_until: null,
      anchored: true,
    })
    expect(assessProofHealth(facts([stamp('a', 0, year)]), at(2 * year))).toMatchObject({ state: 'ended', stamped_until: null })
  })

  test('an anchor in a test network is never counted: stamps that ended have ended', () => {
    const tested: HealthFacts['anchor'] = { ...anchored, network: 'test' }
    const health = assessProofHealth(facts([stamp('a', 0, year)], { anchor: tested }), at(2 * year))
    expect(health).toMatchObject({ state: 'ended', anchored: false })
    expect(health.elements.at(-1)).toMatchObject({ kind: 'anchor', subject: '900000', state: 'test' })
  })

  test('a pending anchor is said to be pending, with the next try', () => {
    const pending = { state: 'pending', network: 'main', since: at(0), next_try: at(day) } as const
    const health = assessProofHealth(facts([stamp('a', 0, 3 * year)], { anchor: pending }), at(1))
    expect(health.state).toBe('sound')
    expect(health.elements.at(-1)).toEqual({
      kind: 'anchor',
      subject: '',
      state: 'pending',
      until: null,
      next: { action: 'upgrade', at: at(day) },
    })
  })

  test('a weak stamp is to be renewed at once', () => {
    const weak = { ...stamp('a', 0, 3 * year), weak: true }
    const health = assessProofHealth(facts([weak]), at(1))
    expect(health).toMatchObject({ state: 'attention', renewal_due: true })
    expect(health.elements[0]).toMatchObject({ state: 'weak', next: { action: 'renew', at: at(1) } })
    const covered = assessProofHealth(facts([weak, stamp('r', day, 4 * year, ['a'])]), at(2 * day))
    expect(covered).toMatchObject({ state: 'sound', renewal_due: false })
    expect(covered.elements[0]?.state).toBe('renewed')
  })

  test('authorities that gave no stamp are asked again', () => {
    const health = assessProofHealth(facts([stamp('a', 0, 3 * year)], { pending_authorities: 2 }), at(1))
    expect(health.elements[1]).toEqual({
      kind: 'authorities',
      subject: '2',
      state: 'pending',
      until: null,
      next: { action: 'ask_again', at: null },
    })
  })

  test('never says a stamp stands past every end there is, nor that time makes it better', () => {
    const anyStamp = record({
      from: integer({ min: 0, max: 10 }),
      length: integer({ min: 0, max: 6 }),
      covers: subarray(['0', '1', '2', '3']),
    })
    assert(
      property(array(anyStamp, { maxLength: 4 }), integer({ min: 0, max: 20 }), (all, now) => {
        const stamps = all.map(({ from, length, covers }, i) => stamp(String(i), from * year, (from + length) * year, covers))
        const health = assessProofHealth(facts(stamps), at(now * year))
        const last = Math.max(0, ...stamps.map(({ until }) => until.getTime()))
        expect(health.stamped_until?.getTime() ?? 0).toBeLessThanOrEqual(last)
        const later = assessProofHealth(facts(stamps), at((now + 1) * year))
        if (health.stamped_until === null) expect(later.stamped_until).toBeNull()
      }),
    )
  })
})
