import { expect, test } from 'vitest'
import { silentLog } from '../../../../../platform/log/log.ts'
import { liveFrame } from '../../../contract/live.ts'
import type { Viewer } from '../viewers/viewer.ts'
import { openFanOut } from './fan-out.ts'

test('S-37: sound is sent to who listens alone, each time with what describes it first', async () => {
  const fanOut = openFanOut({ now: () => 0, log: silentLog })
  const got: number[] = []
  const viewer: Viewer = {
    id: 'one',
    role: 'controller',
    witness: null,
    wants: { video: null, audio: false, touch: false },
    send: () => undefined,
    sendBytes: (bytes) => {
      got.push(bytes[0] ?? 0)
      return 0
    },
    waiting: () => 0,
    close: () => undefined,
  }
  const packet = () => fanOut.sample({ kind: 'audio', bytes: Buffer.from([1]), timeUs: 0, durationUs: 20_000, key: true })
  fanOut.configure({ video: Buffer.alloc(1), audio: Buffer.alloc(1) } as never)
  fanOut.join(viewer)
  packet()
  fanOut.hear(viewer, true)
  fanOut.hear(viewer, true)
  packet()
  fanOut.hear(viewer, false)
  packet()
  fanOut.hear(viewer, true)
  fanOut.leave(viewer)
  packet()
  expect(got).toEqual([liveFrame.audioConfig, liveFrame.audio, liveFrame.audioConfig])
  await fanOut.close()
})
