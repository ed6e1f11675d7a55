import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { endBusiestPage } from './end-busiest-page.ts'

const busy = `process.stdout.write('runs');for(;;){}`
const idle = `process.stdout.write('runs');setInterval(()=>{},1e6)`

/** A process below ours that is, by its arguments, of a browser. */
async function start(script: string, ...args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', script, '--', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

test('C-30: of the processes that draw pages the one that works is ended; what draws none, or rests, goes on', async () => {
  const others = await Promise.all([
    start(idle, '--type=renderer'),
    start(busy, '--type=gpu-process'),
    start(busy, '--type=renderer', '--top-chrome-webui'),
  ])
  const page = await start(busy, '--type=renderer')
  const ended = once(page, 'exit')
  try {
    expect(await endBusiestPage(process.pid)).toBe(true)
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(others.map(({ exitCode, signalCode }) => [exitCode, signalCode])).toEqual(others.map(() => [null, null]))
    expect(await endBusiestPage(others[1]?.pid ?? 0)).toBe(false)
  } finally {
    for (const each of [...others, page]) each.kill('SIGKILL')
  }
})
