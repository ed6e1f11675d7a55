/** Machines on one machine: each is a network namespace with an address of its own, on one bridge. Root; what it makes ends with `close`. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'

export type Machine = {
  readonly name: string
  readonly address: string
  /** Starts a program there, and again whenever it ends by itself, as a process manager does. */
  run(argv: readonly string[], env: NodeJS.ProcessEnv): void
  /** Runs a program there to its end. @returns what it printed */
  command(argv: readonly string[], env: NodeJS.ProcessEnv): string
  /** SIGKILL to whatever runs there. */
  kill(): void
  /** Its packets are dropped from now on, in both directions, and nobody is told. */
  cutOff(): void
  joinAgain(): void
  /** Whatever runs there is killed and stays away, and so does the address. */
  powerOff(): void
  /** Its port at the switch is shut: nothing of it is heard, address resolution included. What runs goes on. */
  fence(): void
  /** The port is opened again. */
  release(): void
  /** An address that others know, besides its own: taken from now on, and the neighbours are told. */
  takeAddress(address: string): void
  giveAddress(address: string): void
  /** Asks what runs there to end, and does not start it again. */
  stop(): Promise<void>
}

export type Network = { readonly host: string; add(name: string): Machine; close(): Promise<void> }

const restartMs = 500
const stopMs = 70_000

const ip = (...argv: string[]) => void execFileSync('ip', argv, { stdio: ['ignore', 'ignore', 'pipe'] })
const inside = (space: string, ...argv: string[]) => execFileSync('ip', ['netns', 'exec', space, ...argv], { encoding: 'utf8' })

/** @param tag of at most six letters: two drills at a time do not meet */
export function openNetwork(tag: string, subnet: string): Network {
  const hub = `${tag}-hub`
  const host = `${subnet}.1`
  const spaces = [hub]
  const machines: Machine[] = []
  ip('netns', 'add', hub)
  ip('-n', hub, 'link', 'add', 'bridge', 'type', 'bridge')
  ip('-n', hub, 'link', 'set', 'bridge', 'up')
  ip('link', 'add', `${tag}-host`, 'type', 'veth', 'peer', 'name', 'host', 'netns', hub)
  ip('-n', hub, 'link', 'set', 'host', 'master', 'bridge', 'up')
  ip('addr', 'add', `${host}/24`, 'dev', `${tag}-host`)
  ip('link', 'set', `${tag}-host`, 'up')

  function add(name: string): Machine {
    const space = `${tag}-${name}`
    const number = spaces.length + 1
    const address = `${subnet}.${String(number)}`
    ip('netns', 'add', space)
    spaces.push(space)
    const port = `to${String(number)}`
    ip('-n', hub, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
    ip('-n', hub, 'link', 'set', port, 'master', 'bridge', 'up')
    ip('-n', space, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
    ip('-n', space, 'link', 'set', 'lo', 'up')
    ip('-n', space, 'link', 'set', 'eth0', 'up')
    let child: ChildProcess | undefined
    let stopping = false
    const machine: Machine = {
      name,
      address,
      run(argv, env) {
        const started = spawn('ip', ['netns', 'exec', space, 'setpriv', '--pdeathsig', 'KILL', ...argv], {
          env,
          stdio: ['ignore', 'ignore', 'inherit'],
        })
        child = started
        started.once('exit', () => {
          if (!stopping) setTimeout(() => !stopping && machine.run(argv, env), restartMs)
        })
      },
      command: (argv, env) =>
        execFileSync('ip', ['netns', 'exec', space, ...argv], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
      kill() {
        for (const pid of execFileSync('ip', ['netns', 'pids', space], { encoding: 'utf8' }).split('\n').filter(Boolean))
          try {
            process.kill(Number(pid), 'SIGKILL')
          } catch (error) {
            // It ended between the look and the kill.
            if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
          }
      },
      cutOff() {
        const chain = (hook: string, own: string) =>
          `add chain inet cut ${hook} { type filter hook ${hook} priority 0; policy drop; }; add rule inet cut ${hook} ${own} lo accept`
        inside(space, 'nft', `add table inet cut; ${chain('input', 'iif')}; ${chain('output', 'oif')}`)
      },
      joinAgain: () => void inside(space, 'nft', 'delete table inet cut'),
      powerOff() {
        stopping = true
        machine.kill()
        machine.fence()
      },
      fence: () => ip('-n', hub, 'link', 'set', port, 'down'),
      release: () => ip('-n', hub, 'link', 'set', port, 'up'),
      takeAddress(taken) {
        ip('-n', space, 'addr', 'add', `${taken}/24`, 'dev', 'eth0')
        // As keepalived announces an address that moved.
        inside(space, 'arping', '-q', '-U', '-c', '2', '-I', 'eth0', taken)
      },
      giveAddress: (given) => ip('-n', space, 'addr', 'del', `${given}/24`, 'dev', 'eth0'),
      async stop() {
        stopping = true
        if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await Promise.race([ended, wait(stopMs, undefined, { ref: false })])
        machine.kill()
        await ended
      },
    }
    machines.push(machine)
    return machine
  }

  return {
    host,
    add,
    async close() {
      // The database, which was added first, goes last.
      for (const machine of machines.toReversed()) await machine.stop()
      ip('link', 'del', `${tag}-host`)
      for (const space of spaces) ip('netns', 'del', space)
    },
  }
}
