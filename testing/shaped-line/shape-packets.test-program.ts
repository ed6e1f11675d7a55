/**
 * The line itself, and its near end: `shape-packets.test-program.ts NEAR FAR PATH DELAY-MS LOSS BYTES-PER-SECOND SEED`. NEAR and FAR are descriptors of
 * TUN devices: one read is one IP packet. Ends with its standard input; a line of it asks for the counts.
 */
import { read, writeSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { joinSockets } from './join-sockets.ts'

const [near = 0, far = 0, , delayMs = 0, loss = 0, bytesPerSecond = Infinity, seed = 1] = process.argv.slice(2).map(Number)
const path = process.argv[4] ?? ''
/** What a router holds, in milliseconds of its rate; what comes on top is lost too. */
const queueMs = 300
let [passed, lost] = [0, 0]
let state = seed >>> 0
/** Mulberry32. */
const random = (): number => {
  state = (state + 0x6d_2b_79_f5) >>> 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

function carry(from: number, to: number): void {
  const queue: { readonly at: number; readonly packet: Buffer }[] = []
  let freeAt = 0
  let timer: NodeJS.Timeout | undefined
  const deliver = (): void => {
    timer = undefined
    for (let [next] = queue; next !== undefined && next.at <= performance.now(); [next] = queue) {
      queue.shift()
      passed += 1
      try {
        writeSync(to, next.packet)
      } catch {
        // The device's queue is full: lost, as on any line.
      }
    }
    const [next] = queue
    if (next !== undefined) timer = setTimeout(deliver, next.at - performance.now())
  }
  const buffer = Buffer.alloc(4096)
  const take = (): void =>
    read(from, buffer, 0, buffer.length, null, (error, length) => {
      if (error !== null) process.kill(process.pid, 'SIGKILL')
      const now = performance.now()
      const sentAt = Math.max(now, freeAt) + (length / bytesPerSecond) * 1000
      if (random() < loss || sentAt - now > queueMs) lost += 1
      else {
        freeAt = sentAt
        queue.push({ at: sentAt + delayMs, packet: Buffer.from(buffer.subarray(0, length)) })
        timer ??= setTimeout(deliver, sentAt + delayMs - now)
      }
      take()
    })
  take()
}
carry(near, far)
carry(far, near)

createServer((socket) => joinSockets(socket, connect(7000, '10.9.0.1'))).listen(path, () => process.stdout.write('in\n'))
createInterface({ input: process.stdin })
  .on('line', () => process.stdout.write(`counts ${passed} ${lost}\n`))
  // A thread still reads a device: an end in order would wait for it.
  .on('close', () => process.kill(process.pid, 'SIGKILL'))
