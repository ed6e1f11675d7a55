import { expect, test, vi } from 'vitest'
import { CdpTimeout, type CdpSession } from '../../../../../platform/browser/cdp-connection.ts'
import { createPageLeaving } from './leave-page.ts'
import type { Tab } from '../tabs/tab.ts'
import type { Timeline } from '../timeline/timeline.ts'

/** A page that answers once this was done to it. */
function held(by: 'nothing' | 'script' | 'graphics' | 'dialogs' | 'a slow machine' | 'a flood of news') {
  const done: string[] = []
  const used = { graphics: 0, pages: 0 }
  const lines: unknown[] = []
  const crashed = Promise.withResolvers<void>()
  const frees = {
    nothing: '',
    script: 'Runtime.terminateExecution',
    graphics: 'restart',
    dialogs: 'Page.crash',
    'a slow machine': 'Page.crash',
    'a flood of news': 'the busiest',
  }[by]
  const tab = {
    number: 1,
    crashed: null as string | null,
    dialog: by === 'dialogs' ? { type: 'alert', message: '' } : null,
    leaving: false,
    endedToLeave: false,
    page: { dialogs: 0, scriptsEnded: 0 },
    untilCrashed: () => crashed.promise,
    session: {
      send: (method: string) => {
        if (method === 'Runtime.evaluate')
          return frees === '' || done.includes(frees) ? Promise.resolve({}) : Promise.reject(new CdpTimeout(method))
        done.push(method)
        if (method === 'Page.crash') crashed.resolve()
        return Promise.resolve({})
      },
    } as unknown as CdpSession,
  }
  const leaving = createPageLeaving({
    timeline: { add: (_type: string, { code }: { code: string }) => void lines.push(code) } as unknown as Timeline,
    used: () => {
      used.graphics += by === 'graphics' ? 1 : 0.02
      used.pages += by === 'a slow machine' ? 0.1 : 0
      return Promise.resolve({ ...used })
    },
    restartGraphics: vi.fn<() => Promise<unknown>>(() => {
      done.push('restart')
      return Promise.resolve()
    }),
    browserAnswers: () => Promise.resolve(by !== 'a flood of news'),
    endBusiest: () => {
      done.push('the busiest')
      crashed.resolve()
      return Promise.resolve(true)
    },
    quietly: (work) => void work.catch(() => undefined),
  })
  return { tab: tab as unknown as Tab, leaving, done, lines }
}

test.each([
  ['nothing', [], []],
  ['script', ['Runtime.terminateExecution'], ['script_ended']],
  ['graphics', ['Runtime.terminateExecution', 'restart'], ['script_ended', 'graphics_restarted']],
  // What other pages have drawn is left alone where it is not drawing that holds this one.
  ['a slow machine', ['Runtime.terminateExecution', 'Page.crash'], ['script_ended', 'page_ended']],
  ['dialogs', ['Page.handleJavaScriptDialog', 'Runtime.terminateExecution', 'Page.crash'], ['script_ended', 'page_ended']],
  // The browser never comes to what it was asked: its process is ended without it.
  ['a flood of news', ['Runtime.terminateExecution', 'the busiest'], ['script_ended', 'page_ended']],
] as const)('C-30: a page that is held by %s is left by what is gentle first', async (by, did, said) => {
  const { tab, leaving, done, lines } = held(by)
  await leaving.leave(tab)
  expect([done, lines]).toEqual([did, said])
})

test('C-30: at the end of a visit a page is freed, never ended; its dialog is left to be recorded', async () => {
  const graphics = held('graphics')
  await graphics.leaving.free(graphics.tab)
  expect(graphics.lines).toEqual(['script_ended', 'graphics_restarted'])
  const dialogs = held('dialogs')
  await dialogs.leaving.free(dialogs.tab)
  expect(dialogs.done).toEqual([])
})
