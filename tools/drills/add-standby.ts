/** A standby of the database, as docs/operating/grow.md has one made; and the database's address that goes over to it. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import type { Machine } from './open-network.ts'
import { until } from './until.ts'

const program = fileURLToPath(new URL('run-database.ts', import.meta.url))

export type DatabaseMachine = { readonly machine: Machine; readonly folder: string; readonly url: string }

export const databaseAt = (machine: Machine, folder: string): DatabaseMachine => ({
  machine,
  folder,
  url: `postgresql://probant@${machine.address}:5432/probant`,
})

export function runDatabase({ machine, folder }: DatabaseMachine, network: string, primary?: Machine): void {
  machine.run([process.execPath, program, folder, network, ...(primary === undefined ? [] : [primary.address])], {
    PATH: process.env['PATH'],
  })
}

async function ask<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 10_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Its files are copied while it runs, as PostgreSQL's manual has it (26.3.3); GNU tar ends with 1 where one changed meanwhile. */
async function copyOf(primary: DatabaseMachine, folder: string): Promise<void> {
  const cluster = join(folder, 'cluster')
  mkdirSync(cluster, { recursive: true })
  const client = new Client({ connectionString: primary.url })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', fast := true)`)
    const left = ['./postmaster.pid', './pg_wal/*', './standby.signal'].map((each) => `--exclude=${each}`).join(' ')
    const copying = `{ tar -C ${primary.folder}/cluster -c ${left} . || [ $? -eq 1 ]; } | tar -C ${cluster} -x --no-same-owner`
    const done = spawnSync('bash', ['-o', 'pipefail', '-euc', copying], { encoding: 'utf8' })
    if (done.status !== 0) throw new Error(`the copy of the database: ${done.stderr}`)
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(wait_for_archive := false)')
    writeFileSync(join(cluster, 'backup_label'), rows[0]?.labelfile ?? '')
  } finally {
    await client.end()
  }
  writeFileSync(join(cluster, 'standby.signal'), '')
  chmodSync(cluster, 0o700)
}

/** @returns once whatever is committed is at both */
export async function addStandby(primary: DatabaseMachine, standby: DatabaseMachine, network: string): Promise<void> {
  await copyOf(primary, standby.folder)
  runDatabase(standby, network, primary.machine)
  const isAt = async (state: string) =>
    (await ask(primary.url, `select from pg_stat_replication where application_name = 'standby' and ${state}`)).length === 1
  await until('a standby that follows', async () => await isAt(`state = 'streaming'`))
  await ask(primary.url, `alter system set synchronous_standby_names = 'standby'`)
  await ask(primary.url, 'select pg_reload_conf()')
  await until('a standby that has each commit', async () => await isAt(`sync_state = 'sync'`))
}

/** The primary is gone: the standby takes its place and its address. */
export async function failOver(from: DatabaseMachine, to: DatabaseMachine, address: string): Promise<void> {
  from.machine.fence()
  await ask(to.url, 'select pg_promote()')
  to.machine.takeAddress(address)
}
