import { EventEmitter } from 'node:events'
import type { CronItem, JobHelpers, Logger, Task, TaskList, WorkerEvents } from 'graphile-worker'
import { withKeepAlive } from '../db/keep-alive.ts'
import { queueLibrary } from '../db/queue-library.ts'
import type { Log } from '../log/log.ts'
import { followOrigin } from '../trace/spans.ts'
import { origin, type Origin } from '../trace/origin.ts'
import { originMember, type Job, type JobHandler } from './jobs.ts'
import { claimLiveness, releaseJobsOfDeadWorkers } from './liveness.ts'

export type WorkerOptions = {
  readonly databaseUrl: string
  /** Every job of the product: each needs a handler. */
  readonly jobs: readonly Job[]
  readonly handlers: readonly JobHandler[]
  /** Lines as in crontab(5), in UTC; the command is a job's name. */
  readonly crontab?: string
  readonly concurrency: number
  readonly log: Log
  /** Hears how each attempt ended. */
  readonly onEnded?: (ended: EndedJob) => void
  /** How often jobs of workers that died are looked for, in milliseconds. */
  readonly sweepMs?: number
}

/** `given_up`: it failed, and was the last attempt. */
export type EndedJob = { readonly job: string; readonly outcome: 'done' | 'failed' | 'given_up'; readonly seconds: number }

export type Worker = {
  /** Takes no more jobs and waits for the running ones; those that outlast the grace are asked to stop by their signal. */
  stop(): Promise<void>
  /** Rejects when the queue can no longer be worked on; the process should end and be started again. */
  readonly finished: Promise<void>
}

const sweepEveryMs = 30_000
const graceMs = 10_000

/** @throws Error naming jobs without handler and handlers without job: boot fails rather than a job rot in the queue */
function taskList(options: WorkerOptions): TaskList {
  const handlers = new Map<string, JobHandler>()
  for (const handler of options.handlers) {
    if (handlers.has(handler.job.name)) throw new Error(`job ${handler.job.name} has two handlers`)
    handlers.set(handler.job.name, handler)
  }
  const declared = new Set(options.jobs.map((job) => job.name))
  const orphans = [...declared].filter((name) => !handlers.has(name))
  const strangers = [...handlers.keys()].filter((name) => !declared.has(name))
  const faults = [
    ...orphans.map((name) => `job ${name} has no handler`),
    ...strangers.map((name) => `handler of undeclared job ${name}`),
  ]
  if (faults.length > 0) throw new Error(faults.join('; '))
  return Object.fromEntries([...handlers].map(([name, handler]): [string, Task] => [name, taskOf(handler, options)]))
}

/**
 * The queue's own crontab syntax knows no dots in a command: lines are split here. A run missed while no worker lived is not
 * made up for: what is done every minute looks at the state, not at the minute.
 */
function cronItems({ crontab = '', jobs }: WorkerOptions): CronItem[] {
  const lines = crontab
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => {
    const [, match, task] = /^((?:\S+\s+){4}\S+)\s+(\S+)$/.exec(line) ?? []
    if (match === undefined || task === undefined) throw new Error(`not a crontab line: ${line}`)
    if (!jobs.some((job) => job.name === task)) throw new Error(`crontab names the undeclared job ${task}`)
    return { task, match, identifier: task.replaceAll('.', ':') }
  })
}

/** What was asked for, and by which request. */
function readOrigin(payload: unknown): [asked: unknown, from: Origin | null] {
  if (typeof payload !== 'object' || payload === null || !(originMember in payload)) return [payload, null]
  const { [originMember]: from, ...asked } = payload
  return [asked, origin.safeParse(from).data ?? null]
}

function taskOf({ job, run: work }: JobHandler, { log, onEnded }: WorkerOptions): Task {
  return async (payload, helpers) => {
    const [asked, from] = readOrigin(payload)
    const attributes = { 'probant.job_id': helpers.job.id, 'probant.attempt': helpers.job.attempts }
    await followOrigin(from, `job ${job.name}`, { kind: 'consumer', attributes }, async () => await attempt(asked, helpers))
  }

  async function attempt(asked: unknown, helpers: JobHelpers): Promise<void> {
    const { attempts, max_attempts: maxAttempts, id } = helpers.job
    const jobLog = log.child({ job: job.name, job_id: id })
    const { abortSignal } = helpers
    const signal = abortSignal ?? new AbortController().signal
    const startedMs = performance.now()
    const ended = (outcome: EndedJob['outcome']) =>
      onEnded?.({ job: job.name, outcome, seconds: (performance.now() - startedMs) / 1000 })
    try {
      await work(asked, { log: jobLog, attempt: attempts, maxAttempts, signal })
      jobLog.debug({ ms: Math.round(performance.now() - startedMs) }, 'job done')
      ended('done')
    } catch (error) {
      ended(attempts >= maxAttempts ? 'given_up' : 'failed')
      jobLog[attempts >= maxAttempts ? 'error' : 'warn'](
        { err: error, attempt: attempts, max_attempts: maxAttempts },
        'job failed',
      )
      throw error
    }
  }
}

/** Works on the queue until stopped. Jobs locked by workers that are no longer connected are freed at once, then regularly. */
export async function runWorker(options: WorkerOptions): Promise<Worker> {
  const { databaseUrl, log } = options
  const tasks = taskList(options)
  const events: WorkerEvents = new EventEmitter()
  const workerIds: string[] = []
  // The queue locks a job in the name of a worker, or of its pool when it fetches for all of them.
  events.on('pool:create', ({ workerPool }) => workerIds.push(workerPool.id))
  events.on('worker:create', ({ worker }) => workerIds.push(worker.workerId))
  const alive = Promise.withResolvers<void>()

  const runner = await queueLibrary.run({
    connectionString: withKeepAlive(databaseUrl),
    concurrency: options.concurrency,
    noHandleSignals: true,
    pollInterval: 2_000,
    gracefulShutdownAbortTimeout: graceMs,
    taskList: tasks,
    parsedCronItems: queueLibrary.parseCronItems(cronItems(options)),
    events,
    logger: queueLogger(log),
    // Asked before each look into the queue: no job is taken before this worker is known to be alive.
    forbiddenFlags: async () => {
      await alive.promise
      return null
    },
  })
  try {
    const liveness = await claimLiveness(databaseUrl, workerIds, log)
    const sweep = async () => {
      const freed = await releaseJobsOfDeadWorkers(liveness)
      if (freed > 0) log.warn({ jobs: freed }, 'jobs of workers that died were freed')
    }
    await sweep()
    alive.resolve()
    const timer = setInterval(() => {
      sweep().catch((error: unknown) => log.warn({ err: error }, 'looking for dead workers failed'))
    }, options.sweepMs ?? sweepEveryMs)
    let stopping: Promise<void> | undefined
    const stop = async () => {
      clearInterval(timer)
      await runner.stop()
      await liveness.close()
    }
    return {
      finished: runner.promise,
      async stop() {
        stopping ??= stop()
        await stopping
      },
    }
  } catch (error) {
    alive.resolve()
    await runner.stop()
    throw error
  }
}

/** The queue's own messages; those of single jobs are ours to log. */
function queueLogger(log: Log): Logger {
  return new queueLibrary.Logger(() => (level, message) => {
    if (level === 'error') log.warn({ queue: message }, 'queue')
    else log.debug({ queue: message }, 'queue')
  })
}
