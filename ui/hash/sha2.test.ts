import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import type { RunningHash } from './hasher.ts'
import { sha2, type Sha2Name } from './sha2.ts'

const names: readonly Sha2Name[] = ['sha256', 'sha384', 'sha512']
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const start = async (name: Sha2Name): Promise<RunningHash> => {
  const begin = await sha2(name)
  if (begin === undefined) throw new Error('no WebAssembly')
  return begin()
}

describe.each(names)('E-32 %s', (name) => {
  const expected = (bytes: Uint8Array) => createHash(name).update(bytes).digest('hex')

  test('of every length up to three blocks it is what OpenSSL computes', async () => {
    const bytes = randomBytes(3 * 128 + 1)
    for (let length = 0; length <= bytes.length; length += 1) {
      const hash = await start(name)
      hash.update(bytes.subarray(0, length))
      expect(hex(hash.digest()), String(length)).toBe(expected(bytes.subarray(0, length)))
    }
  })

  test('however it is cut, and beside others of the same engine', async () => {
    const bytes = randomBytes(700_001)
    const cuts = [1, 63, 64, 65, 127, 128, 129, 1000, 65_535, 65_536, 65_537, 300_000]
    const running = await Promise.all(cuts.map(() => start(name)))
    const done = cuts.map(() => 0)
    while (done.some((at) => at < bytes.length)) {
      for (const [i, cut] of cuts.entries()) {
        const at = done[i] ?? 0
        // The small pieces in many at a time: what counts is that hashes take turns.
        const to = Math.min(bytes.length, at + (cut < 1000 ? cut * 100 : cut))
        for (let from = at; from < to; from += cut) running[i]?.update(bytes.subarray(from, Math.min(to, from + cut)))
        done[i] = to
      }
    }
    for (const hash of running) expect(hex(hash.digest())).toBe(expected(bytes))
  })

  test('a copy and what it was made of go their own ways', async () => {
    const [head, one, other] = [randomBytes(1000), randomBytes(500), randomBytes(70_000)]
    const hash = await start(name)
    hash.update(head)
    const copy = hash.copy()
    hash.update(one)
    copy.update(other)
    expect(hex(hash.digest())).toBe(expected(Buffer.concat([head, one])))
    expect(hex(copy.digest())).toBe(expected(Buffer.concat([head, other])))
  })
})

test('where WebAssembly is forbidden there is none', async () => {
  vi.resetModules()
  const forbidden = vi.spyOn(WebAssembly, 'instantiate').mockRejectedValue(new WebAssembly.CompileError('forbidden'))
  const fresh = await import('./sha2.ts')
  expect(await fresh.sha2('sha256')).toBeUndefined()
  forbidden.mockRestore()
})
