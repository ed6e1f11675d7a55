import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { createFolderBlobStore } from '../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../platform/log/log.ts'
import { withDatabase } from '../database.ts'
import { openWebApi } from '../permissions/open-web-api.test-data.ts'
import { haveWorld } from '../permissions/people.ts'
import { openUndoneDatabase } from '../permissions/undone-database.ts'
import { describeFigures, fuzzCalls, fuzzPairs } from './fuzz-calls.ts'

const database = withDatabase()

test(
  'no request that the document of the API can be bent to breaks a call, hangs it or has it tell of the program',
  { timeout: 600_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'probant-fuzz-'))
    const undone = await openUndoneDatabase(database.url)
    const blobs = createFolderBlobStore(folder)
    const api = await openWebApi({ db: undone.db, blobs, clock: systemClock, log: silentLog })
    try {
      const world = await haveWorld(undone.db, blobs)
      const figures = await fuzzCalls({ api, undone, world, deadlineMs: 120_000 }, 600, 20_261_121)
      process.stdout.write(`${describeFigures(figures, 20_261_121, api.operations.length)}\n`)
      expect(figures.wrong).toEqual([])
      expect(figures.admitted).toBeGreaterThan(0)
      const pairs = await fuzzPairs({ api, undone, world, deadlineMs: 120_000 }, 20_261_122)
      const counts = [...pairs.statuses].map(([status, count]) => `${status}: ${count}`).join(', ')
      process.stdout.write(`${pairs.requests} pairs of fields (seed 20261122); ${counts}\n`)
      expect(pairs.wrong).toEqual([])
      expect(pairs.statuses.get(200)).toBeGreaterThan(0)
    } finally {
      await api.server.close()
      await undone.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
