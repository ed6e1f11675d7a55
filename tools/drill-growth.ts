/**
 * `npm run drill:growth`: one database, one web process and one worker, with one, two and four capture machines, each in a network namespace with an
 * address of its own. They capture a page that is waited for, so that not the processor of this one machine is measured but whether the parts are in
 * each other's way. Prints throughput, ratios and the load. Root. Seconds that the page takes, and captures for each machine: `-- 36 3`.
 */
import { availableParallelism, cpus, loadavg } from 'node:os'
import { openDrillInstallation } from './drills/open-installation.ts'
import { until } from './drills/until.ts'

const seconds = Number(process.argv[2] ?? 36)
const each = Number(process.argv[3] ?? 3)
const aims = new Map([
  [1, 1],
  [2, 1.9],
  [4, 3.6],
])
const say = (text: string) => void process.stdout.write(`${text}\n`)
const busySeconds = () => cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + (user + nice + sys + irq) / 1000, 0)

const installation = await openDrillInstallation('pbgrow', '10.213.7', seconds * 1000)
let isShort = false
try {
  const web = installation.addWeb('web')
  installation.addWorker('worker')
  await until('the web process', async () => (await fetch(`http://${web.address}:8080/health/`)).ok)
  say(
    `${String(availableParallelism())} processors; a page of ${String(seconds)} s; ${String(each)} captures for each machine, one at a time`,
  )
  const throughput = new Map<number, number>()
  let machines = 0
  for (const [wanted, aim] of aims) {
    while (machines < wanted) installation.addCapture(`capture${String((machines += 1))}`)
    await until(`${String(wanted)} capture machines`, async () => {
      const rows = await installation.query(`select from capture_server_state where status = 'ready'`)
      return rows.length === wanted
    })
    const busyBefore = busySeconds()
    const began = performance.now()
    const held = await Promise.all(Array.from({ length: wanted * each }, async () => await installation.ask(web)))
    const ids = held.map(({ id }) => id)
    await until(
      'the captures',
      async () => {
        const rows = await installation.query<{ status: string; failure: unknown }>(
          `select status, failure from evidence where id = any($1) and status in ('to_validate', 'failed')`,
          [ids],
        )
        const failed = rows.find(({ status }) => status === 'failed')
        if (failed !== undefined) say(`NOT SO: a capture failed: ${JSON.stringify(failed.failure)}`)
        return rows.length === ids.length
      },
      (seconds + 120) * 1000 * each,
    )
    const took = (performance.now() - began) / 1000
    const rows = await installation.query<{ status: string }>('select status from evidence where id = any($1)', [ids])
    const good = rows.filter(({ status }) => status === 'to_validate').length
    throughput.set(wanted, (good * 60) / took)
    const ratio = (throughput.get(wanted) ?? 0) / (throughput.get(1) ?? 1)
    const busy = (busySeconds() - busyBefore) / (took * availableParallelism())
    isShort ||= ratio < aim || good < ids.length
    say(
      `${String(wanted)} capture machine${wanted === 1 ? ' ' : 's'}: ${String(good)} captures in ${took.toFixed(1)} s, ${(throughput.get(wanted) ?? 0).toFixed(2)} a minute, ${ratio.toFixed(2)}× (aim ${String(aim)}×); processors busy ${(busy * 100).toFixed(0)} %, load ${loadavg()[0]?.toFixed(2) ?? ''}`,
    )
  }
} finally {
  await installation.close()
}
process.exitCode = isShort ? 1 : 0
