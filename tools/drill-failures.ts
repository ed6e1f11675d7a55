/**
 * `npm run drill:failures`: a capture machine, a worker, a web process and the database of an installation under load are killed, then cut off (their
 * packets are dropped, nobody is told), one after the other, while a live session goes on at another machine. Then the database goes over to its standby
 * twice: its machine is gone, and cut off for good. Afterwards whatever was accepted is there once, and nothing else. Prints what each cost: how long until
 * the next capture that was asked for after it was sealed, and for how long the visitor of the live session saw nothing. Root.
 * Only some of them: `-- web database standby`.
 */
import { loadavg } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { openDrillInstallation, type Held } from './drills/open-installation.ts'
import type { Machine } from './drills/open-network.ts'
import { until } from './drills/until.ts'
import { watchLive } from './drills/watch-live.ts'

const say = (text: string) => void process.stdout.write(`${text}\n`)
function hold(what: string, isSo: boolean): void {
  say(`${isSo ? 'ok ' : 'NOT SO'}  ${what}`)
  if (!isSo) process.exitCode = 1
}

/** Longer than a lease, and than what a connection has to answer. */
const cutMs = 40_000
/** Less than two capture machines do: what waits in a queue would be taken for a slow recovery. */
const loadEveryMs = 20_000

const installation = await openDrillInstallation('pbfail', '10.213.8', 3_000)
const accepted: Held[] = []
let refused = 0
const loading = new AbortController()
try {
  const webs = [installation.addWeb('web1'), installation.addWeb('web2')]
  const workers = [installation.addWorker('worker1')]
  await until('the web processes', async () => {
    const answers = await Promise.all(webs.map(async ({ address }) => await fetch(`http://${address}:8080/health/`)))
    return answers.every(({ ok }) => ok)
  })
  const lease = { PROBANT_CAPTURE_LEASE_SECONDS: '6' }
  const captures = [installation.addCapture('capture1', lease)]
  const ready = async (count: number) =>
    (await installation.query(`select from capture_server_state where status = 'ready'`)).length === count
  await until('the first capture machine', async () => await ready(1))
  captures.push(installation.addCapture('capture2', { ...lease, PROBANT_INTERACTIVE_SESSIONS: '1' }))
  await until('both capture machines', async () => await ready(2))

  /** By whichever web process answers: what answered with an id was accepted, whatever becomes of it. */
  async function ask(): Promise<Held | null> {
    for (const web of webs)
      try {
        const held = await installation.ask(web)
        accepted.push(held)
        return held
      } catch {
        refused += 1
      }
    return null
  }
  const load = (async () => {
    while (!loading.signal.aborted) {
      await ask()
      await wait(loadEveryMs)
    }
  })()

  const isSealed = async (id: string) =>
    (await installation.query(`select from evidence where id = $1 and status = 'to_validate'`, [id])).length === 1

  async function recovers(): Promise<string> {
    const began = performance.now()
    let held: Held | null = null
    await until('a capture that is accepted', async () => (held ??= await ask()) !== null)
    const id = held === null ? '' : (held as Held).id
    const toAccept = (performance.now() - began) / 1000
    await until('its seal', async () => await isSealed(id))
    return `accepted after ${toAccept.toFixed(1)} s, sealed after ${((performance.now() - began) / 1000).toFixed(1)} s`
  }

  const wanted = process.argv.slice(2)
  const isWanted = (what: string) => wanted.length === 0 || wanted.includes(what)
  const loadNow = () => `load ${loadavg()[0]?.toFixed(2) ?? ''}`

  /** Something befalls the installation while a visitor, who comes by the other web process, follows a page on the other capture machine. */
  async function befalls(what: string, happen: () => Promise<void>): Promise<void> {
    await wait(loadEveryMs)
    const visitor = await watchLive(
      await installation.beginLive(webs[1] as Machine),
      installation.originOf(webs[1] as Machine),
      installation.session,
    )
    accepted.push(visitor.held)
    await happen()
    say(`${what}: ${await recovers()}; ${loadNow()}`)
    const { longestMs, pictures, returns, isOpen } = await visitor.end()
    const away = returns === 0 ? '' : `; its visitor was let go ${String(returns)} time(s), and came back`
    hold(
      `  its live session went on: ${String(pictures)} pictures, ${(longestMs / 1000).toFixed(1)} s between two at most${away}`,
      isOpen,
    )
  }

  const victims: readonly (readonly [string, () => Machine])[] = [
    ['capture', () => captures[0] as Machine],
    ['worker', () => workers[0] as Machine],
    ['web', () => webs[0] as Machine],
    ['database', () => installation.database()],
  ]
  for (const [what, machine] of victims) {
    if (!isWanted(what)) continue
    await befalls(`killed ${what}`, async () => await Promise.resolve(machine().kill()))
    await befalls(`cut off ${what} for ${String(cutMs / 1000)} s, since its return`, async () => {
      machine().cutOff()
      await wait(cutMs)
      machine().joinAgain()
    })
  }
  if (isWanted('standby')) {
    const first = await installation.addStandby('standby1')
    await befalls('the machine of the database is gone, its standby takes its place', async () => {
      first.before.machine.powerOff()
      await first.failOver()
    })
    const second = await installation.addStandby('standby2')
    await befalls(`the database is cut off; after ${String(cutMs / 1000)} s its standby takes its place`, async () => {
      second.before.machine.cutOff()
      await wait(cutMs)
      await second.failOver()
    })
    // What the one that was cut off took since, nobody may have been told: it is asked now, without the address that it had.
    const { machine, url } = second.before
    installation.takeFrom(machine)
    machine.joinAgain()
    machine.release()
    const had = await installation.query<{ id: string }>('select id from evidence', [], url)
    const has = new Set((await installation.query<{ id: string }>('select id from evidence')).map(({ id }) => id))
    hold(
      `  the one that was cut off has ${String(had.length)} evidences, and none that the other has not`,
      had.every(({ id }) => has.has(id)),
    )
    machine.powerOff()
  }
  loading.abort()
  await load

  const ids = accepted.map(({ id }) => id)
  await until(
    'the end of each',
    async () =>
      (await installation.query(`select from evidence where id = any($1) and status in ('to_validate', 'failed')`, [ids]))
        .length === ids.length,
  )
  const rows = await installation.query<{ id: string; status: string; failure: unknown; root: string | null; entries: number }>(
    `select e.id, e.status, e.failure, s.root, (select count(*)::integer from log_root r where encode(r.root, 'hex') = s.root) as entries
     from evidence e left join seal s on s.evidence_id = e.id`,
  )
  const known = new Set(ids)
  const sealed = rows.filter(({ status }) => status === 'to_validate')
  hold(
    `each of the ${String(ids.length)} that were accepted is there`,
    ids.every((id) => rows.some((row) => row.id === id)),
  )
  hold(
    `each of the ${String(sealed.length)} that were made is sealed, and in the public log`,
    sealed.every(({ entries }) => entries === 1),
  )
  const [log] = await installation.query<{ entries: number }>('select count(*)::integer as entries from log_leaf')
  const roots = new Set(rows.map(({ root }) => root).filter((root) => root !== null))
  hold(`the public log has ${String(log?.entries)} entries, one for each seal`, log?.entries === roots.size)
  // Asked for by somebody who heard no answer: the web process died, or was cut off, between the commit and the answer.
  const unheard = rows.filter(({ id }) => !known.has(id))
  say(`    ${String(refused)} calls had no answer or were refused; ${String(unheard.length)} of them were taken all the same`)
  const failed = rows.filter(({ status }) => status === 'failed')
  for (const { id, failure } of failed) say(`    ${id} ended with ${JSON.stringify(failure)}`)
  hold(
    'no capture that was accepted failed',
    failed.every(({ id }) => !known.has(id)),
  )
} finally {
  loading.abort()
  await installation.close()
}
