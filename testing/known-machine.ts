import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../kernel/clock.ts'
import { createUpdateMemory } from '../modules/capture/server/conditions/machine/measure-updates.ts'

/** What the servers of an installation keep of their machine: what was heard of its browser, what its package manager answered. */
const silence = 'silence.json'
const kept = [silence, 'updates.json']

/** Of this run of the tests, or of this machine. */
const shared = (name: string): string => join(tmpdir(), `probant-${String(process.getuid?.() ?? 0)}-${name}`)
const fileOf = (dataFolder: string, name: string): string => join(dataFolder, 'servers', name)

/**
 * Gives a new data folder what another installation of the tests learnt of the machine, as an upgrade keeps it: it is learnt once, and again only
 * where it is of another browser, of other lists, or too old.
 */
export function inheritMachine(dataFolder: string): void {
  for (const name of kept.filter((one) => existsSync(shared(one)))) {
    mkdirSync(join(dataFolder, 'servers'), { recursive: true, mode: 0o700 })
    copyFileSync(shared(name), fileOf(dataFolder, name))
  }
}

/** Leaves what this installation learnt to those that come after it. @returns whether it has listened to its browser yet */
export function bequeathMachine(dataFolder: string): boolean {
  const learnt = kept.filter((one) => existsSync(fileOf(dataFolder, one)))
  for (const name of learnt) {
    const draft = `${shared(name)}.${String(process.pid)}`
    copyFileSync(fileOf(dataFolder, name), draft)
    renameSync(draft, shared(name))
  }
  return learnt.includes(silence)
}

/** Asks the package manager once for all: a server that is ended before it was answered leaves nothing, and the next one would ask again. */
export async function learnMachine(): Promise<void> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'probant-machine-'))
  inheritMachine(dataFolder)
  await createUpdateMemory({ folder: join(dataFolder, 'servers'), clock: systemClock })(AbortSignal.timeout(60_000))
  bequeathMachine(dataFolder)
  rmSync(dataFolder, { recursive: true, force: true })
}
