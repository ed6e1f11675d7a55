import { deflateRawSync, deflateSync } from 'node:zlib'
import { array, assert, constantFrom, integer, nat, property, tuple, uint8Array } from '../../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { MalformedError } from './der.ts'
import { inflate, inflateZlib } from './inflate.ts'
import { share } from '../../../../testing/sweep.ts'

test('what zlib packed at every level and strategy comes out as it was', () => {
  assert(
    property(
      array(tuple(uint8Array({ maxLength: 300 }), integer({ min: 1, max: 40 })), { maxLength: 20 }),
      constantFrom(0, 1, 6, 9),
      constantFrom(0, 1, 2, 3, 4),
      (runs, level, strategy) => {
        const bytes = Buffer.concat(runs.flatMap(([run, times]) => Array.from({ length: times }, () => Buffer.from(run))))
        const packed = deflateRawSync(bytes, { level, strategy })
        const found = inflate(packed, bytes.length)
        expect(Buffer.compare(found.bytes, bytes)).toBe(0)
        expect(found.used).toBe(packed.length)
        expect(Buffer.compare(inflateZlib(deflateSync(bytes, { level }), bytes.length), bytes)).toBe(0)
      },
    ),
    { numRuns: 200 },
  )
})

test('a bomb ends at the limit, before it is unpacked', () => {
  const bomb = deflateRawSync(Buffer.alloc(1 << 24))
  expect(() => inflate(bomb, 1 << 16)).toThrow(MalformedError)
})

test(`${share(10_000)} hostile inputs end in the one named error, or in bytes`, () => {
  const packed = deflateRawSync(Buffer.from('You owe 100 euros. '.repeat(40)))
  assert(
    property(uint8Array({ maxLength: 120 }), nat(), nat(), (noise, at, mask) => {
      const altered = Uint8Array.from(packed)
      altered[at % altered.length] = mask & 0xff
      for (const bytes of [noise, altered]) {
        try {
          expect(inflate(bytes, 4096).bytes.length).toBeLessThanOrEqual(4096)
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedError)
        }
      }
    }),
    { numRuns: share(5000) },
  )
})
