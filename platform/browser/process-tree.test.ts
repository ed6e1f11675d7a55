import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { followMemory, killTree, processTree } from './process-tree.ts'

const still = 512 * 1024

test('a tree that grows and shrinks is followed: its memory is that of every process of it at each look', async () => {
  // Of each line that it is sent a shell starts a process below another, and says so.
  const shell = spawn('sh', ['-c', "while read line; do sh -c 'sleep 1000 & echo $$; wait' & done"])
  const lines = createInterface(shell.stdout)
  const root = shell.pid ?? 0
  const memory = followMemory(root)
  const whole = async () => {
    const tree = await processTree(root)
    return { processes: tree.length, bytes: tree.reduce((sum, { bytes }) => sum + bytes, 0) }
  }
  try {
    const started: number[] = []
    // More looks than one for which everything is asked anew.
    for (let i = 0; i < 23; i += 1) {
      const told = once(lines, 'line')
      shell.stdin.write('\n')
      const [line] = (await told) as [string]
      started.push(Number(line))
      const { processes, bytes } = await whole()
      expect(processes).toBe(1 + 2 * started.length)
      expect(bytes).toBeGreaterThan(0)
      // The newest two may still be taking up their work between the two looks.
      expect(Math.abs((await memory()) - bytes)).toBeLessThan(still)
    }
    const before = await memory()
    expect(before).toBeGreaterThan(4 * still)
    await Promise.all(started.slice(0, 20).map((pid) => killTree(pid)))
    const { bytes } = await whole()
    expect(bytes).toBeLessThan(before)
    expect(Math.abs((await memory()) - bytes)).toBeLessThan(still)
  } finally {
    await killTree(root)
  }
  expect(await memory()).toBe(0)
})
