/** Started by a test, which kills it: launches a browser on a display that is recorded, says where, and waits. */
import { createSessionFolder } from '../browser/session-folder.ts'
import { launchHeadfulBrowser } from './launch-headful-browser.ts'

const folder = await createSessionFolder()
const browser = await launchHeadfulBrowser({
  folder,
  writeKeyLog: false,
  language: 'en-US',
  timeZone: 'UTC',
  memoryBytes: 3e9,
  isolation: 'required',
  signal: new AbortController().signal,
  sessionId: 'held',
})
await browser.display.startEncoder({ sample: () => undefined, missed: () => undefined, ended: () => undefined })
process.stdout.write(`${JSON.stringify({ pid: browser.pid, path: folder.path })}\n`)
