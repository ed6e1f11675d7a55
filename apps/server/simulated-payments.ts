/** Where payments are on and no provider is named: its simulator, beside the product and on the machine itself (H-42). */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../platform/config/config.ts'
import type { Log } from '../../platform/log/log.ts'

const program = fileURLToPath(new URL('../../testing/mangopay/serve.ts', import.meta.url))
const restartMs = 500
/** Of the simulator alone, on loopback: nothing is kept by them. */
const client = { id: 'probant-test', key: 'key-of-the-simulator' } as const

type Told = { readonly origin: string; readonly seller: { readonly user: string; readonly wallet: string } }

export type SimulatedPayments = {
  /** Settings by which the roles find it. */
  readonly env: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** null: nothing is paid for, or by transfer alone, or a provider is named. */
export async function simulatePayments(
  { seller, payments, mangopay, dataFolder }: Pick<Config, 'seller' | 'payments' | 'mangopay' | 'dataFolder'>,
  log: Log,
): Promise<SimulatedPayments | null> {
  if (seller === null || payments === 'transfer' || mangopay !== null) return null
  let stopping = false
  let child: ChildProcess | undefined

  async function start(port: number): Promise<Told> {
    // The channel ends with this process, and the simulator with the channel.
    const given = ['--selling', '--port', String(port), '--client', client.id, '--key', client.key]
    const current = spawn(process.execPath, [program, ...given, '--file', join(dataFolder, 'payments.json')], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    child = current
    for await (const line of createInterface({ input: current.stdout as Readable })) {
      const told = JSON.parse(line) as Told
      void watch(current, Number(new URL(told.origin).port))
      return told
    }
    throw new Error('the simulator of payments does not start')
  }

  /** At the same address: the roles know no other. */
  async function watch(current: ChildProcess, port: number): Promise<void> {
    if (current.exitCode === null && current.signalCode === null) await once(current, 'exit')
    if (stopping) return
    log.warn('the simulator of payments ended and is started again')
    await wait(restartMs)
    try {
      if (!stopping) await start(port)
    } catch (error) {
      log.error({ err: error }, 'the simulator of payments does not start again: no test payment can be made')
    }
  }

  const { origin, seller: wallet } = await start(0)
  log.warn(`payments are test payments: no provider is named, and no money moves (${origin})`)
  return {
    env: {
      PROBANT_MANGOPAY_CLIENT_ID: client.id,
      PROBANT_MANGOPAY_API_KEY: client.key,
      PROBANT_MANGOPAY_URL: origin,
      PROBANT_MANGOPAY_USER: wallet.user,
      PROBANT_MANGOPAY_WALLET: wallet.wallet,
    },
    async stop() {
      stopping = true
      const current = child
      if (current === undefined || current.exitCode !== null || current.signalCode !== null) return
      const ended = once(current, 'exit')
      current.kill('SIGTERM')
      await ended
    },
  }
}
