import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pino, { type Level, type StreamEntry } from 'pino'
import type { Log } from './log.ts'
import { originOfLine } from '../trace/origin.ts'
import { tellError } from './tell-error.ts'

/** Members that would hold personal data or secrets if somebody logged them by mistake. */
const redacted = [
  'password',
  'token',
  'evidence_token',
  'email',
  'url',
  '*.password',
  '*.token',
  '*.evidence_token',
  '*.email',
  '*.url',
]

type Entry = {
  level: number
  time: number
  role?: string
  msg?: string
  err?: { message?: string }
  /** Of what has no error of its own: who did not answer, and why. */
  host?: string
  reason?: string
  code?: string
  /** Of a call that was answered. */
  method?: string
  route?: string
  status?: number
}

const levelNames: Readonly<Record<number, string>> = { 20: 'debug', 30: '', 40: 'warning', 50: 'error', 60: 'fatal' }

/** One short line for a person at the terminal; the whole entry is in the file. */
export function readableLine(json: string): string {
  const entry = JSON.parse(json) as Entry
  const level = levelNames[entry.level] ?? ''
  const { host, reason, code, method, route, status } = entry
  const said = entry.err?.message?.split('\n', 1) ?? [method, route, status?.toString(), host, reason ?? code]
  const why = said.filter((each) => typeof each === 'string').join(' ')
  const parts = [new Date(entry.time).toISOString().slice(11, 19), (entry.role ?? '').padEnd(8), level === '' ? '' : `${level}: `]
  return `${parts[0]} ${parts[1]} ${parts[2]}${entry.msg ?? ''}${why === '' ? '' : `: ${why}`}`.replaceAll(
    /[\p{Cc}\p{Cf}]/gu,
    ' ',
  )
}

/** JSON lines in `data/logs/<role>.log`; readable ones on standard error. */
export function createLog(options: {
  role: string
  level: Level
  folder: string
  terminal?: (line: string) => void
  /** Hears of errors, each as a line of JSON. */
  onError?: (json: string) => void
}): Log {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  const terminal = options.terminal ?? ((line: string) => process.stderr.write(`${line}\n`))
  const streams: StreamEntry[] = [
    // Synchronous: the last line before a crash is the one that matters.
    {
      level: options.level,
      stream: pino.destination({ dest: join(options.folder, `${options.role}.log`), sync: true, append: true }),
    },
    { level: 'info', stream: { write: (json: string) => terminal(readableLine(json)) } },
    ...(options.onError === undefined ? [] : [{ level: 'error' as const, stream: { write: options.onError } }]),
  ]
  const logger = pino(
    {
      level: options.level,
      base: { role: options.role, pid: process.pid },
      redact: { paths: redacted, censor: '[redacted]' },
      mixin: originOfLine,
      serializers: { err: (error: unknown) => tellError(error) },
    },
    pino.multistream(streams),
  )
  return logger
}
