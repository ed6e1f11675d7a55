import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createLog } from './create-log.ts'

const folder = mkdtempSync(join(tmpdir(), 'probant-log-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('writes JSON to the file and one readable line to the terminal, without secrets or control characters', () => {
  const lines: string[] = []
  const log = createLog({ role: 'web', level: 'debug', folder: join(folder, 'logs'), terminal: (line) => lines.push(line) })
  log.debug({ detail: 1 }, 'only in the file')
  log
    .child({ request_id: 'r1' })
    .warn({ err: new Error('cut\nsecond line'), token: 'T0K', nested: { email: 'a@b.c' } }, 'lost \u001b[31mred')
  const entries = readFileSync(join(folder, 'logs/web.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(entries).toMatchObject([
    { role: 'web', detail: 1, msg: 'only in the file' },
    {
      request_id: 'r1',
      token: '[redacted]',
      nested: { email: '[redacted]' },
      err: { message: 'cut\nsecond line', stack: expect.any(String) },
    },
  ])
  log.warn({ host: 'calendar.example', reason: 'ENOTFOUND', code: 'unreachable', anchor: 7 }, 'no answer')
  log.warn({ code: 'unreachable' }, 'no answer')
  log.warn({ request_id: 'r1', method: 'GET', route: '/evidences/:id/', status: 503, ms: 7 }, 'answered')
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d web {6}warning: lost {2}\[31mred: cut$/)
  expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d web {6}warning: no answer: calendar\.example ENOTFOUND$/)
  expect(lines[2]).toMatch(/^\d\d:\d\d:\d\d web {6}warning: no answer: unreachable$/)
  expect(lines[3]).toMatch(/^\d\d:\d\d:\d\d web {6}warning: answered: GET \/evidences\/:id\/ 503$/)
  expect(statSync(join(folder, 'logs')).mode & 0o077).toBe(0)
})
