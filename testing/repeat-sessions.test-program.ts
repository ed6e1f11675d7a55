/**
 * Many short sessions, each ended at a random point by a random death; then what is left of them. `node repeat-sessions.test-program.ts COUNT AT-A-TIME SEED`.
 * Prints one line of JSON; exits 1 when anything is left.
 */
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { repeatSessions } from './repeat-sessions.ts'

const [count = '1000', atATime = '2', seed = '1'] = process.argv.slice(2)
const before = (await readdir(tmpdir())).length
const outcome = await repeatSessions({ count: Number(count), atATime: Number(atATime), seed: Number(seed) })
await pause(1_000)
const left = { ...outcome, temporary: (await readdir(tmpdir())).length - before }
process.stdout.write(`${JSON.stringify(left)}\n`)
process.exitCode = left.processes + left.folders + left.sockets === 0 ? 0 : 1
