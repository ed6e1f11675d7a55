/** What a process counts of its own work, as Prometheus reads it (https://prometheus.io/docs/practices/naming/). No label holds an address, an id or a name of a person. */
import { METHODS } from 'node:http'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { AuthorityAnswer } from '../../../modules/sealing/server/index.ts'
import type { Answered } from '../../../platform/http/server.ts'
import type { EndedJob } from '../../../platform/jobs/worker.ts'

export type Instruments = {
  readonly answered: (answer: Answered) => void
  readonly jobEnded: (job: EndedJob) => void
  readonly authorityAnswered: (answer: AuthorityAnswer) => void
  readonly mailTaken: (sent: boolean) => void
  readonly providerCalled: (call: { readonly call: string; readonly outcome: string; readonly seconds: number }) => void
  readonly blobWritten: (bytes: number) => void
  readonly captureBegan: (kind: string) => void
  readonly phaseEnded: (phase: { readonly kind: string; readonly phase: string; readonly seconds: number }) => void
  readonly captureEnded: (capture: { readonly kind: string; readonly outcome: string; readonly seconds: number }) => void
}

const answers = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10]
const exchanges = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const works = [0.05, 0.25, 1, 5, 15, 60, 300]
const captures = [0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300, 600]

export function createInstruments(registry: Registry): Instruments {
  const registers = [registry]
  const requests = new Histogram({
    name: 'probant_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer, event streams left out.',
    labelNames: ['method', 'route', 'status'],
    buckets: answers,
    registers,
  })
  const jobs = new Histogram({
    name: 'probant_job_duration_seconds',
    help: 'Time of an attempt at a background job; given_up: the last one failed.',
    labelNames: ['job', 'outcome'],
    buckets: works,
    registers,
  })
  const stamps = new Histogram({
    name: 'probant_timestamp_duration_seconds',
    help: 'Time of an outside time authority to answer, by what its answer was good for.',
    labelNames: ['authority', 'outcome'],
    buckets: exchanges,
    registers,
  })
  const mails = new Counter({
    name: 'probant_mails_total',
    help: 'Mails handed to the mail server, or to the folder, by whether it took them.',
    labelNames: ['outcome'],
    registers,
  })
  const calls = new Histogram({
    name: 'probant_payment_call_duration_seconds',
    help: 'Time of a call to the payment provider, by what came of it.',
    labelNames: ['call', 'outcome'],
    buckets: exchanges,
    registers,
  })
  const written = new Counter({
    name: 'probant_blob_written_bytes_total',
    help: 'Bytes written to the store of blobs, the same ones again included.',
    registers,
  })
  const running = new Gauge({
    name: 'probant_captures_running',
    help: 'Captures (static) and live sessions (interactive) of this process at this moment.',
    labelNames: ['kind'],
    registers,
  })
  const phases = new Histogram({
    name: 'probant_capture_phase_duration_seconds',
    help: 'Time that captures spent in each phase.',
    labelNames: ['kind', 'phase'],
    buckets: captures,
    registers,
  })
  const ended = new Histogram({
    name: 'probant_capture_duration_seconds',
    help: 'Time of a capture, by its outcome: captured, or why there is none.',
    labelNames: ['kind', 'outcome'],
    buckets: captures,
    registers,
  })
  // Rates of what never happened yet are zero, not unknown.
  for (const outcome of ['sent', 'failed']) mails.inc({ outcome }, 0)
  for (const kind of ['static', 'interactive']) running.set({ kind }, 0)
  return {
    answered({ method, route, status, seconds }) {
      requests.observe({ method: METHODS.includes(method) ? method : 'other', route, status: String(status) }, seconds)
    },
    jobEnded: ({ job, outcome, seconds }) => jobs.observe({ job, outcome }, seconds),
    authorityAnswered: ({ authority, outcome, seconds }) => stamps.observe({ authority, outcome }, seconds),
    mailTaken: (sent) => mails.inc({ outcome: sent ? 'sent' : 'failed' }),
    providerCalled: ({ call, outcome, seconds }) => calls.observe({ call, outcome }, seconds),
    blobWritten: (bytes) => written.inc(bytes),
    captureBegan: (kind) => running.inc({ kind }),
    phaseEnded: ({ kind, phase, seconds }) => phases.observe({ kind, phase }, seconds),
    captureEnded({ kind, outcome, seconds }) {
      running.dec({ kind })
      ended.observe({ kind, outcome }, seconds)
    },
  }
}
