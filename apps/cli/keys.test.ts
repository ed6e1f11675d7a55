import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/keyring.ts'
import { runKeysCommand } from './keys.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => folder.remove())

async function run(...argv: string[]): Promise<{ code: number; out: string; said: string }> {
  let [out, said] = ['', '']
  const io = {
    stdout: { write: (text: string) => void (out += text) },
    stderr: { write: (text: string) => void (said += text) },
    env: { PROBANT_DATA: folder.dir },
  }
  return { code: await runKeysCommand(argv, io), out, said }
}
type Listed = Record<
  'bitcoin' | 'nano' | 'log' | 'witnesses' | 'certificates',
  { id: string; since: string; until: string | null }[]
>

test('keys are listed, rotated and kept with their history; nothing secret is printed', async () => {
  const first = await run('list')
  expect(first.code).toBe(0)
  const before = JSON.parse(first.out) as Listed
  expect([before.bitcoin.length, before.nano.length, before.log.length, before.witnesses.length]).toEqual([1, 1, 1, 1])
  for (const [kind, list] of [
    ['bitcoin-signing', 'bitcoin'],
    ['nano-signing', 'nano'],
    ['log-signing', 'log'],
    ['witness-signing', 'witnesses'],
    ['platform-signing', 'certificates'],
  ] as const) {
    const rotated = await run('rotate', kind, '--lang', 'fr')
    expect([rotated.code, rotated.said]).toEqual([0, expect.stringContaining('Une nouvelle clé')])
    const after = JSON.parse(rotated.out) as Listed
    expect(after[list]).toHaveLength(before[list].length + 1)
    const [old] = before[list].filter(({ id }) => after[list].some((each) => each.id === id && each.until !== null))
    expect(old?.until).toBeNull()
  }
  const secrets = (await readdir(join(folder.dir, 'keys'))).filter((name) => name.endsWith('.json'))
  expect(secrets).toHaveLength(8)
  expect((await run('list')).out).not.toMatch(/secret|PRIVATE/)
})

test.each([[[]], [['rotate']], [['rotate', 'platform-ca']], [['list', 'more']], [['list', '--lang', 'de']]])(
  'wrong use is told: %j',
  async (argv) => {
    const { code, said } = await run(...argv)
    expect([code, said]).toEqual([3, expect.stringContaining('probant keys list')])
  },
)
