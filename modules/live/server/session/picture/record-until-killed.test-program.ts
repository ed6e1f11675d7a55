/** Records made-up pictures at the pace of an encoder and says how many were given, until it is killed. Argument: the folder. */
import { setTimeout as wait } from 'node:timers/promises'
import { recordSamples } from './record-samples.ts'

const [folder = ''] = process.argv.slice(2)
const recorder = await recordSamples({
  folder,
  now: () => performance.now(),
  onGroup: () => undefined,
  onGap: () => undefined,
  onFailed: () => process.exit(1),
})
const video = Buffer.from('0142c01effe100046742c01e01000468ce3c80', 'hex')
await recorder.configure({ video, codec: 'avc1.42c01e', width: 1280, height: 840, audio: null, originMs: 0 })
for (let i = 0; ; i += 1) {
  const bytes = Buffer.alloc(5_000, `picture ${i} `)
  recorder.sample({ kind: 'video', bytes, timeUs: i * 40_000, durationUs: 40_000, key: i % 75 === 0 })
  process.stdout.write(`${i + 1}\n`)
  await wait(5)
}
