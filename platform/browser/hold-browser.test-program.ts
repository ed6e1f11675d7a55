/** Started by a test, which kills it: launches a browser, says where, and waits. */
import { launchBrowser } from './launch-browser.ts'
import { createSessionFolder } from './session-folder.ts'

const folder = await createSessionFolder()
const browser = await launchBrowser({
  folder,
  writeKeyLog: false,
  language: 'en-US',
  timeZone: 'UTC',
  window: { width: 800, height: 600 },
  memoryBytes: 2e9,
  isolation: 'required',
  signal: new AbortController().signal,
})
process.stdout.write(`${JSON.stringify({ pid: browser.pid, path: folder.path })}\n`)
