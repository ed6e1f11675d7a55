import type { ChildProcess } from 'node:child_process'
import type { Duplex } from 'node:stream'
import { headfulPolicies } from '../browser/browser-flags.ts'
import { startBrowser, type LaunchedBrowser, type LaunchOptions } from '../browser/launch-browser.ts'
import { createReadableFolder } from '../browser/session-folder.ts'
import { openDisplay } from './open-display.ts'
import type { RecordedDisplay } from './recorded-display.ts'
import { descriptors, stage, stageEnvironment, stageFolder, stagePipes, stageScript } from './stage-script.ts'

export type LaunchedHeadfulBrowser = LaunchedBrowser & { readonly display: RecordedDisplay }

/**
 * Chromium on a display of its own, with sound, a pointer and an encoder, all in the one jail of the session (decision 0201). It fills the
 * display's 1280×800 pixels. `sessionId` stands in the strip: letters, digits and hyphens.
 * @throws IsolationUnavailable (also where `isolation` is `override`: without namespaces there is no such session), LaunchFailed, or the signal's reason
 */
export async function launchHeadfulBrowser(
  options: Omit<LaunchOptions, 'window'> & { readonly sessionId: string },
): Promise<LaunchedHeadfulBrowser> {
  const folder = await createReadableFolder()
  let display: ReturnType<typeof openDisplay> | undefined
  let finish = (): void => undefined
  const finished = new Promise<void>((resolve) => (finish = resolve))
  try {
    const browser = await startBrowser(
      { ...options, window: { width: stage.width, height: stage.pageHeight } },
      {
        headless: false,
        policies: headfulPolicies,
        files: { 'start.sh': stageScript },
        jail: {
          shell: '/bin/bash',
          // Debian keeps links to libraries of the encoder there.
          readOnly: [
            ['/etc/alternatives', '/etc/alternatives'],
            [folder.path, stageFolder],
          ],
          environment: stageEnvironment,
        },
        pipes: stagePipes,
        needsJail: true,
        started: (child) => {
          display = openDisplay({
            pipe: pipesOf(child),
            root: () => child.pid ?? null,
            folder: folder.path,
            sessionId: options.sessionId,
          })
        },
        whyEnded: async () => {
          const why = (await display?.close()) ?? null
          await folder.remove()
          finish()
          return why
        },
      },
    )
    if (display === undefined) throw new Error('the browser came up without its display')
    return { ...browser, display: display.display }
  } catch (error) {
    if (display === undefined) await folder.remove()
    else await finished
    throw error
  }
}

const pipesOf =
  (child: ChildProcess) =>
  (descriptor: number): Duplex => {
    const pipe = child.stdio[descriptor as 0] as unknown
    if (pipe === null || pipe === undefined)
      throw new Error(`no pipe ${String(descriptor)} of ${String(descriptors.firstEncoder)}…`)
    return pipe as Duplex
  }
