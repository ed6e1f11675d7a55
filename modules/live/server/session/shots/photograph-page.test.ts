import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { CdpTimeout, type CdpSession } from '../../../../../platform/browser/cdp-connection.ts'
import { openPhotographer, type Photograph } from './photograph-page.ts'
import type { Tab } from '../tabs/tab.ts'
import { timelineOf, withVisits } from '../../visit/visits.test-data.ts'

const run = promisify(execFile)
const visits = withVisits()

/** Of each recorded picture but the first, how far the page's 1280×800 pixels are from those of the picture before: 0 the same, 255 all the other way round. */
async function stepsOf(video: string): Promise<readonly { readonly ms: number; readonly step: number }[]> {
  const filter = 'crop=1280:800:0:0,tblend=all_mode=difference,signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-'
  const { stdout } = await run(
    'ffmpeg',
    ['-v', 'error', '-i', video, '-an', '-vf', filter, '-vsync', 'passthrough', '-f', 'null', '-'],
    {
      maxBuffer: 64 << 20,
    },
  )
  return [...stdout.matchAll(/pts_time:([\d.]+)\s+lavfi\.signalstats\.YAVG=([\d.e-]+)/g)].map(([, time, step]) => ({
    ms: Number(time) * 1000,
    step: Number(step),
  }))
}

describe.each(['desktop', 'mobile'] as const)('on a %s', (device) => {
  test(
    'C-36 C-37: screenshots of both kinds leave no trace in the recording of a page that stands still',
    { timeout: 120_000 },
    async () => {
      // Fifty of them were taken for the record of decision 0305; each is like the others.
      const shots = Array.from({ length: device === 'desktop' ? 5 : 3 }, (_, i) =>
        i % 2 === 0 ? ('viewport' as const) : ('full_page' as const),
      )
      const live = await visits.start('/live/scroll/', { input: { device } })
      await live.tab(({ title, loading }) => title.startsWith('Scroll') && !loading)
      for (const [id, kind] of shots.entries()) {
        live.send({ type: 'screenshot', kind, id })
        const { screenshot } = await live.told('screenshot', (one) => one.id === id)
        expect(screenshot.thumbnail.length).toBeGreaterThan(500)
      }
      live.send({ type: 'quit' })
      const { files, facts } = await live.result
      const taken = facts.interactive?.screenshots ?? []
      expect(taken.map(({ kind }) => kind)).toEqual([...shots, 'viewport', 'full_page'])
      // By the second one it stands.
      const first = taken[1]?.ms ?? 0
      const steps = await stepsOf(files.find(({ path }) => path === facts.interactive?.video?.path)?.file ?? '')
      // The comparison sees a page that comes.
      expect(Math.max(...steps.filter(({ ms }) => ms < first).map(({ step }) => step))).toBeGreaterThan(1)
      const last = taken.at(-1)?.held?.at(-1)?.to_ms ?? 0
      const during = steps.filter(({ ms }) => ms >= first && ms <= last)
      expect(during.length).toBeGreaterThan(shots.length)
      expect(during.filter(({ step }) => step > 0.25)).toEqual([])

      // When the picture was kept is said where the screenshot is: of a whole page once for each image, of a window only where it is not the picture's own size.
      for (const { kind, paths, held = [], disturbed, ms } of taken) {
        expect(disturbed).toBeUndefined()
        expect(held.length).toBe(kind === 'full_page' || device === 'mobile' ? paths.length : 0)
        for (const { from_ms, to_ms } of held) expect([from_ms >= ms, to_ms > from_ms]).toEqual([true, true])
      }
      const lines = (await timelineOf(live)).entries.filter(({ type }) => type === 'screenshot')
      expect(lines.map(({ data }) => data['held'])).toEqual(taken.map(({ held }) => held))
    },
  )
})

describe('a page that is slow to draw', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  /** Draws for so long; its script thread answers, or does not. */
  const photograph = async (drawsMs: number, answers: boolean, hold = () => Promise.resolve()) => {
    const told: string[] = []
    const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
    const session = {
      send: async (method: string, params: { fromSurface?: boolean }, { timeoutMs }: { timeoutMs: number }) => {
        const takes = method === 'Runtime.evaluate' ? (answers ? 10 : Infinity) : params.fromSurface === false ? 10 : drawsMs
        await after(Math.min(takes, timeoutMs))
        if (takes > timeoutMs) throw new CdpTimeout(method)
        return { data: 'AAAA' }
      },
    } as unknown as CdpSession
    const take = openPhotographer({
      display: {
        holdScreen: async () => {
          await hold()
          told.push('held')
        },
        releaseScreen: () => Promise.resolve(void told.push('released')),
      },
      timeline: { ms: () => performance.now() },
      device: () => ({ kind: 'desktop' }),
      onUnheld: () => void told.push('unheld'),
    })
    const began = performance.now()
    const taken: Promise<Photograph | Error> = take({ session, zoom: 100 } as Tab, { y: 0, width: 1, height: 1 }).catch(
      (error: unknown) => error as Error,
    )
    await vi.runAllTimersAsync()
    return { taken: await taken, told, tookMs: performance.now() - began }
  }

  it('is waited for as long as it shows signs of life', async () => {
    const { taken, told, tookMs } = await photograph(100_000, true)
    expect(taken).toMatchObject({ png: Buffer.from('AAAA', 'base64') })
    expect(told.slice(0, 2)).toEqual(['held', 'released'])
    expect(tookMs).toBeGreaterThan(100_000)
  })

  it('is given up when it shows none, and at last whatever it shows; the picture is released', async () => {
    for (const [draws, answers] of [
      [100_000, false],
      [Infinity, true],
    ] as const) {
      const { taken, told } = await photograph(draws, answers)
      expect(taken).toBeInstanceOf(CdpTimeout)
      expect(told.slice(0, 2)).toEqual(['held', 'released'])
    }
  })

  it('is photographed also where the picture cannot be held, which is said', async () => {
    const { taken, told } = await photograph(100, true, () => Promise.reject(new Error('the display is gone')))
    expect(taken).toMatchObject({ held: null })
    expect(told).toEqual(['unheld'])
  })
})
