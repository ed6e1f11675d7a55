/** A visitor without a browser: the calls of one capture, tolerant of a server that is being restarted. */
import type { Evidence } from '../modules/evidence/contract/evidence.ts'

export type Held = { readonly id: string; readonly token: string }

const patienceMs = 180_000
const pauseMs = 250

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
}

/** Calls until the server answers at all; an answer that is an error is thrown. */
async function call(
  origin: string,
  method: string,
  path: string,
  options: { token?: string; body?: unknown } = {},
): Promise<unknown> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    let response: Response
    try {
      response = await fetch(`${origin}${path}`, {
        method,
        headers: {
          ...(options.token === undefined ? {} : { 'x-evidence-token': options.token }),
          ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      })
    } catch (error) {
      if (Date.now() > deadline) throw error
      await pause()
      continue
    }
    const text = await response.text()
    if (response.ok) return JSON.parse(text)
    // 503 and 500: the database is being restarted. Everything else is an answer.
    if (response.status < 500 || Date.now() > deadline) throw new Error(`${method} ${path}: ${String(response.status)} ${text}`)
    await pause()
  }
}

export async function createEvidence(origin: string, url: string): Promise<Held> {
  const answer = (await call(origin, 'POST', '/evidences/', { body: { url, action: 'static', locale: 'en' } })) as {
    evidence: Evidence
    evidence_token: string
  }
  return { id: answer.evidence.id, token: answer.evidence_token }
}

export async function readEvidence(origin: string, held: Held): Promise<Evidence> {
  return (await call(origin, 'GET', `/evidences/${held.id}/`, { token: held.token })) as Evidence
}

export async function waitFor(origin: string, held: Held, statuses: readonly Evidence['status'][]): Promise<Evidence> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const evidence = await readEvidence(origin, held)
    if (statuses.includes(evidence.status)) return evidence
    if (Date.now() > deadline)
      throw new Error(`still ${evidence.status} (${JSON.stringify(evidence.phase)}), not ${statuses.join(' or ')}`)
    await pause()
  }
}

export async function agree(origin: string, held: Held): Promise<void> {
  await call(origin, 'POST', `/evidences/${held.id}/agree/`, { token: held.token })
}

export async function downloadPackage(origin: string, held: Held): Promise<Uint8Array> {
  const path = `/evidences/${held.id}/generate_zip_archive/?full=true&language=en`
  const link = (await call(origin, 'GET', path, { token: held.token })) as { zip_archive: string; bytes: number }
  const response = await fetch(new URL(link.zip_archive, origin))
  if (!response.ok) throw new Error(`package: ${String(response.status)}`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.length !== link.bytes) throw new Error(`package of ${String(bytes.length)} bytes, not ${String(link.bytes)}`)
  return bytes
}
