/** What a process tells the manager that started it, systemd (sd_notify(3)): that it is ready, lives, and ends. Without one, nobody is told. */
import { execFile } from 'node:child_process'
import type { Log } from '../../platform/log/log.ts'

export type ServiceManager = {
  /** Resolves when it was told. From now on it is told that the process lives, as often as it wants to hear it. */
  ready(): Promise<void>
  /** Resolves when it was told; that it lives is said no more. */
  stopping(): Promise<void>
}

/** @param env `NOTIFY_SOCKET`, `WATCHDOG_USEC`, `WATCHDOG_PID` as systemd sets them */
export function openServiceManager(env: Readonly<Record<string, string | undefined>>, log: Log): ServiceManager {
  const socket = env['NOTIFY_SOCKET']
  if (socket === undefined || socket === '') {
    const nobody = async () => await Promise.resolve()
    return { ready: nobody, stopping: nobody }
  }
  // Node sends no datagrams to Unix sockets. The program waits until they were read, so that they are known to be ours.
  const tell = async (...words: readonly string[]) =>
    await new Promise<void>((resolve) => {
      execFile('systemd-notify', words, { env: { PATH: env['PATH'], NOTIFY_SOCKET: socket } }, (error) => {
        if (error !== null) log.error({ err: error }, 'the service manager was not told')
        resolve()
      })
    })
  const usec = Number(env['WATCHDOG_USEC'] ?? 0)
  const isOurs = env['WATCHDOG_PID'] === undefined || env['WATCHDOG_PID'] === String(process.pid)
  let watchdog: NodeJS.Timeout | undefined
  return {
    async ready() {
      await tell('--ready')
      if (isOurs && usec > 0) watchdog = setInterval(() => void tell('WATCHDOG=1'), usec / 1000 / 2).unref()
    },
    async stopping() {
      clearInterval(watchdog)
      await tell('STOPPING=1')
    },
  }
}
