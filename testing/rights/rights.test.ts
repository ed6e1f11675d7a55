/**
 * Who lost the right is let go: each way in which a right ends, with each thing that may be open by it, in the process where it
 * ends and in another (decision 0330). A way or a thing that is added without a word here does not compile.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../platform/blobs/folder-blob-store.ts'
import { withDatabase } from '../database.ts'
import { endings, type Ending, type EndingName } from './endings.ts'
import { things, type Opened, type ThingName } from './open-things.ts'
import {
  bearer,
  haveWorld,
  startCaptureProcess,
  startProcess,
  type CaptureProcess,
  type Process,
} from './rights-world.test-data.ts'

/** `ends`; `stays`: that right was not what it hangs on; `closed`: whose right that was never gets it open. */
type Outcome = 'ends' | 'stays' | 'closed'

type Row = Record<ThingName, Outcome>

const every = (outcome: Outcome): Row => ({
  'events of an evidence': outcome,
  'events of a deposit': outcome,
  'a viewer who steers': outcome,
  'a viewer who looks on': outcome,
  'a ticket that waits': outcome,
  'a witness': outcome,
  'the invitation of a witness': outcome,
  'a copy that is being sent': outcome,
  'an identity document that is being sent': outcome,
  'a change that is being sent': outcome,
  'a download by link': outcome,
})
const identity = 'an identity document that is being sent'
const link = 'a download by link'
const all = every('ends')
/**
 * Whom one invited stays invited as long as one reaches the evidence oneself, signed in or not; and a download goes on (decision 0267).
 */
const ofSession: Row = { ...all, 'a witness': 'stays', 'the invitation of a witness': 'stays', [link]: 'stays' }
/** What one has of oneself nobody takes away with a group. */
const ofMember: Row = { ...all, [identity]: 'stays' }
const ofDelegate: Row = { ...all, [identity]: 'closed' }
const ofKey: Row = { ...every('closed'), 'a copy that is being sent': 'ends', [link]: 'ends' }
const ofToken: Row = {
  ...ofSession,
  'events of a deposit': 'closed',
  'a copy that is being sent': 'closed',
  [identity]: 'closed',
}

const table: Record<EndingName, Row> = {
  'sign-out': ofSession,
  'sign-out everywhere': ofSession,
  'sign-out of all other sessions': ofSession,
  'a session that another one ends': ofSession,
  'a session whose time is over': ofSession,
  'a new password, chosen in another session': ofSession,
  'a new password, by a link': ofSession,
  'sessions that staff ends': ofSession,
  'an account that is suspended': all,
  'an account that is closed': all,
  'a member who is removed': ofMember,
  'a member who leaves': ofMember,
  'a manager who is made a member': ofMember,
  'a manager who is removed': ofMember,
  'a delegation that its grantor ends': ofDelegate,
  'a delegation that its delegate ends': ofDelegate,
  'a delegation whose time is over': ofDelegate,
  // Reading is what a link is for.
  'a delegation that is lowered to reading': { ...ofDelegate, [link]: 'stays' },
  'a delegate who signs out': { ...ofSession, [identity]: 'closed' },
  'a delegate who is suspended': ofDelegate,
  'a grantor who is suspended': ofDelegate,
  'a grantor who closes his account': ofDelegate,
  'a grantor who leaves the group': ofDelegate,
  'a key that is revoked': ofKey,
  'a key whose time is over': ofKey,
  'a key of an account that is suspended': ofKey,
  'a draft without account that is taken over': ofToken,
}

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-rights-'))
const blobs = createFolderBlobStore(folder)
let now = Date.now()
const clock = { now: () => new Date(now) }
let processes: readonly [Process, Process]
let capture: CaptureProcess

beforeAll(async () => {
  const deps = { db: database.db, databaseUrl: database.url, blobs, clock }
  processes = [await startProcess(deps), await startProcess(deps)]
  capture = await startCaptureProcess(deps)
})
afterAll(async () => {
  for (const process of processes) await process.close()
  await capture.close()
  rmSync(folder, { recursive: true, force: true })
})

const names = Object.keys(things) as ThingName[]

test.each(Object.entries(endings) as [EndingName, Ending][])('C-07 H-22 H-23 H-43: %s', async (name, { whose, end }) => {
  const world = await haveWorld(database.db, blobs, clock, capture)
  const open: { outcome: Outcome; opened: Opened }[] = []
  const bystanders: Opened[] = []
  for (const process of processes) {
    const opening = names.map(async (thing) => {
      const [outcome, opened] = [table[name][thing], await things[thing](world, whose(world), process)]
      expect(opened === null, `${thing}, opened`).toBe(outcome === 'closed')
      if (opened !== null) open.push({ outcome, opened })
    })
    await Promise.all(opening)
    const other = await things['events of an evidence'](world, bearer(world.group.owner), process)
    if (other !== null) bystanders.push(other)
  }
  // One after the other: of several changes at once a stream may show the last alone.
  for (const { opened } of open) await opened.works()
  expect(bystanders).toHaveLength(2)
  await end({ world, process: processes[0], later: (hours) => (now += hours * 3_600_000) })
  for (const { outcome, opened } of open) await (outcome === 'ends' ? opened.ended() : opened.works())
  // Nobody else's right ended.
  for (const each of bystanders) await each.works()
  for (const each of [...open.map(({ opened }) => opened), ...bystanders]) await each.close()
  await world.close()
})
