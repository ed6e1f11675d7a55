import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { processStart } from '../../../platform/browser/process-tree.ts'
import { makeCaptureFolder, sweepCaptureFolders } from './capture-folders.ts'

test('what killed capture processes left goes at a start, under a number that was given again too; what a living one owns stays', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'capture-folders-'))
  const other = spawn('sleep', ['600'], { stdio: 'ignore' })
  try {
    await once(other, 'spawn')
    const pid = other.pid ?? 0
    const own = await makeCaptureFolder(folder)
    const begun = `${pid}-${await processStart(pid)}`
    const names = [begun, `${pid}-1`, String(pid), `${process.pid}-1`, String(process.pid), 'notes']
    for (const name of names) {
      await mkdir(join(folder, name, 'ready'), { recursive: true })
      await writeFile(join(folder, name, 'ready', 'page.png'), 'x')
    }
    const left = async () => (await readdir(folder)).map((name) => join(folder, name)).toSorted()
    expect(await sweepCaptureFolders(folder)).toBe(3)
    const stay = [own, join(folder, 'notes')]
    expect(await left()).toEqual([...stay, join(folder, begun), join(folder, String(pid))].toSorted())
    other.kill('SIGKILL')
    await once(other, 'exit')
    expect(await sweepCaptureFolders(folder)).toBe(2)
    expect(await left()).toEqual(stay.toSorted())
    expect(await sweepCaptureFolders(join(folder, 'absent'))).toBe(0)
  } finally {
    other.kill('SIGKILL')
    await rm(folder, { recursive: true })
  }
})
