import type { Delivery, World } from './world.ts'

/** The merchant has so long to answer, and is asked so often. */
const patience = 2_000
const tries = 4
const pause = 600

/** Takes hooks to where they were asked for: unsigned GETs, as the provider sends them. */
export class Courier {
  readonly #world: World
  #running: Promise<void> = Promise.resolve()

  constructor(world: World) {
    this.#world = world
  }

  /** Whatever is due leaves, one after the other. */
  async deliver(): Promise<void> {
    if (this.#world.state.hooks.hold) return
    const now = this.#world.now()
    await this.#send(this.#world.state.deliveries.filter(({ at }) => at <= now))
  }

  /** What was held leaves, in the order that is given, or in its own. */
  async release(order: readonly number[] | undefined): Promise<void> {
    const held = this.#world.state.deliveries
    const chosen =
      order === undefined ? held : order.map((id) => held.find((one) => one.id === id)).filter((one) => one !== undefined)
    await this.#send([...chosen])
  }

  async #send(deliveries: readonly Delivery[]): Promise<void> {
    const before = this.#running
    const run = async (): Promise<void> => {
      await before
      for (const delivery of this.#world.state.hooks.reversed ? deliveries.toReversed() : deliveries) await this.#one(delivery)
    }
    this.#running = run()
    await this.#running
  }

  async #one(delivery: Delivery): Promise<void> {
    const { deliveries } = this.#world.state
    if (!deliveries.includes(delivery)) return
    if (await this.#ask(delivery)) {
      deliveries.splice(deliveries.indexOf(delivery), 1)
      return
    }
    delivery.tries += 1
    delivery.at = this.#world.now() + pause
    if (delivery.tries < tries) return
    deliveries.splice(deliveries.indexOf(delivery), 1)
    const hook = this.#world.list('hook').find(({ EventType }) => EventType === delivery.event.EventType)
    if (hook !== undefined) hook.Validity = 'INVALID'
  }

  async #ask({ url, event }: Delivery): Promise<boolean> {
    const address = new URL(url)
    address.searchParams.set('EventType', event.EventType)
    address.searchParams.set('RessourceId', event.ResourceId)
    address.searchParams.set('Date', String(event.Date))
    try {
      const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(patience) })
      await answer.body?.cancel()
      return answer.status === 200
    } catch {
      return false
    }
  }
}
