/** The viewer of the bench in a browser of its own, and what it can be asked for. */
import { chromium, type Page } from 'playwright-core'
import { chromiumPath } from '../../platform/browser/browser-flags.ts'

export type Watched = {
  readonly ms: number
  readonly pictures: number
  readonly bytes: number
  readonly gaps: readonly number[]
  /** Milliseconds from the recorder's clock to a drawn picture; only differences mean anything. */
  readonly lag: readonly number[]
  readonly levels: readonly string[]
}
type InPage = {
  connect(address: string): Promise<number>
  clicks(count: number): Promise<number[]>
  watch(ms: number): Promise<Watched>
  send(message: object): void
}

export type ViewerPage = {
  /** @returns milliseconds from the open socket to the first picture of the present, drawn */
  connect(): Promise<number>
  clicks(count: number): Promise<number[]>
  watch(ms: number): Promise<Watched>
  send(message: object): Promise<void>
}

/** @param at host and port of a side */
export async function openViewer(page: Page, at: string): Promise<ViewerPage> {
  await page.goto(`http://${at}/`)
  return {
    connect: async () => await page.evaluate((to) => (globalThis as unknown as InPage).connect(to), `ws://${at}/`),
    clicks: async (count) => await page.evaluate((n) => (globalThis as unknown as InPage).clicks(n), count),
    watch: async (ms) => await page.evaluate((n) => (globalThis as unknown as InPage).watch(n), ms),
    send: async (message) => await page.evaluate((one) => (globalThis as unknown as InPage).send(one), message),
  }
}

/** @param executablePath another program that starts the browser, e.g. elsewhere on the network */
export const launchViewer = async (executablePath = chromiumPath, args: readonly string[] = []) =>
  await chromium.launch({ executablePath, args: ['--no-sandbox', ...args] })
