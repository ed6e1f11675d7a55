import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { createSessionFolder } from './session-folder.ts'

// Short, as the folder of a socket has to be.
const top = mkdtempSync('/tmp/sf-')
afterEach(() => vi.unstubAllEnvs())
afterAll(() => rmSync(top, { recursive: true }))

test('a TMPDIR that the browser’s user cannot enter is refused by name, with its mode and what to do', async () => {
  chmodSync(top, 0o711)
  const closed = join(top, 'closed')
  const inside = join(closed, 'inside')
  mkdirSync(inside, { recursive: true })
  chmodSync(inside, 0o1777)
  chmodSync(closed, 0o700)
  vi.stubEnv('TMPDIR', inside)
  const asked = createSessionFolder()
  // Who is not root runs the browser himself.
  if (process.getuid?.() === 0) await expect(asked).rejects.toThrow(`${closed} has mode 0700`)
  else expect((await asked).path).toContain(inside)
  chmodSync(closed, 0o711)
  const folder = await createSessionFolder()
  expect(folder.path.startsWith(`${inside}/`)).toBe(true)
  await folder.remove()
})
