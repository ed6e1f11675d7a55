import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('serve.ts', import.meta.url))

export const simulatedClient = { clientId: 'probant-test', apiKey: 'key-of-the-simulator' } as const

/** The simulator as a process of its own, and a hand on its controls. */
export class RunningMangopay {
  readonly origin: string
  readonly #process: ChildProcess

  constructor(origin: string, process: ChildProcess) {
    this.origin = origin
    this.#process = process
  }

  async control<T = unknown>(line: string, wish?: unknown): Promise<T> {
    const [method = '', path = ''] = line.split(' ')
    const answer = await fetch(`${this.origin}/control/${path}`, {
      method,
      ...(wish === undefined ? {} : { body: JSON.stringify(wish) }),
    })
    const body = (await answer.json()) as T
    if (!answer.ok) throw new Error(`${line}: ${JSON.stringify(body)}`)
    return body
  }

  /** What a customer does on one of its pages; the address that he is sent back to. */
  async answer(page: string, answer: 'agree' | 'refuse'): Promise<{ status: number; location: string | null }> {
    const sent = await fetch(page, { method: 'POST', body: new URLSearchParams({ answer }), redirect: 'manual' })
    await sent.body?.cancel()
    return { status: sent.status, location: sent.headers.get('location') }
  }

  /** What the browser does with a card: it is exchanged for a token. */
  async tokenise(
    to: { address: string; accessKey: string; data: string },
    number: string,
    expiry = '1233',
    cvx = '123',
  ): Promise<string> {
    const fields = { accessKeyRef: to.accessKey, data: to.data, cardNumber: number, cardExpirationDate: expiry, cardCvx: cvx }
    const sent = await fetch(to.address, { method: 'POST', body: new URLSearchParams(fields) })
    return sent.text()
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const ended = once(this.#process, 'exit')
    this.#process.kill(signal)
    await ended
  }
}

export async function runMangopay(options: { port?: number; file?: string } = {}): Promise<RunningMangopay> {
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  const child = spawn(process.execPath, [program, ...given], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  for await (const line of createInterface({ input: child.stdout as Readable })) {
    const { origin } = JSON.parse(line) as { origin: string }
    return new RunningMangopay(origin, child)
  }
  throw new Error('the simulator ended before it listened')
}
