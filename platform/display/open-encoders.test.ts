import { once } from 'node:events'
import { duplexPair, type Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { flvOf } from '../../testing/mux-samples.ts'
import { openEncoders } from './open-encoders.ts'
import { encoderDescriptors } from './stage-script.ts'

const video = Uint8Array.from(Buffer.from('01640020ffe100016701000168', 'hex'))

/** A stage whose programs are played by the test. */
function stage(options: { sound?: boolean } = {}) {
  const pairs = new Map<number, readonly [Duplex, Duplex]>()
  const pair = (descriptor: number): readonly [Duplex, Duplex] => {
    const found = pairs.get(descriptor) ?? duplexPair()
    pairs.set(descriptor, found)
    return found
  }
  const commands: string[] = []
  const files = new Map<string, string>()
  const statuses = new Map<number, string>()
  const state = { sound: options.sound ?? false, killed: 0 }
  const encoders = openEncoders({
    pipe: (descriptor) => pair(descriptor)[0],
    command: (line) => void commands.push(line),
    write: async (name, text) => void files.set(name, text),
    sound: () => state.sound,
    statusOf: (number) => statuses.get(number),
    kill: async () => {
      state.killed += 1
    },
  })
  /** What the program of that number has of its pipe of pictures. */
  const program = (number: number): Duplex => pair(encoderDescriptors(number).video)[1]
  const sound = (number: number): Duplex => pair(encoderDescriptors(number).audio)[1]
  /** Settles when that program may look at the screen; it then puts out one picture of now. */
  const shows = async (number: number): Promise<void> => {
    const own = program(number)
    own.resume()
    if (!own.readableEnded) await once(own, 'end')
    const origin = Number(/setpts=PTS-(\d+)/.exec(files.get(`encoder-${String(number)}`) ?? '')?.[1])
    const picture = { kind: 'video', bytes: Uint8Array.of(0, 0, 0, 1, 0x65), durationUs: 40_000, key: true } as const
    own.write(flvOf({ video }, [{ ...picture, timeUs: (Date.now() - origin * 1000) * 1000 }]))
  }
  const looks = (number: number): Duplex => pair(encoderDescriptors(number).looks)[1]
  return { encoders, commands, files, statuses, state, program, sound, looks, shows }
}
const sink = { sample: () => undefined, missed: () => undefined, ended: () => undefined }

test('one that waits looks at nothing until it is asked, and is the one that is taken', async () => {
  const { encoders, commands, files, program, shows, state } = stage()
  await encoders.ready()
  expect(commands).toEqual(['encoder 0'])
  // Its first input is the pipe whose end it waits for, before the screen.
  const options = (files.get('encoder-0') ?? '').split('\n')
  const inputs = options.flatMap((option, at) => (option === '-i' ? [options[at + 1]] : []))
  expect(inputs).toEqual([`async:pipe:${String(encoderDescriptors(0).video)}`, ':0'])
  expect(program(0).readableEnded || program(0).readableLength > 0).toBe(false)
  const asked = performance.now()
  const [config] = await Promise.all([encoders.start(sink), shows(0)])
  expect(commands).toEqual(['encoder 0'])
  expect(state.killed).toBe(0)
  // Clocks are read to a few milliseconds.
  expect(config.originMs).toBeGreaterThan(asked - 5)
  await expect(encoders.start(sink)).rejects.toThrow('runs already')
})

test('one that ended while it waited, or that was made for sound that is gone, is not taken', async () => {
  const dead = stage()
  await dead.encoders.ready()
  dead.statuses.set(0, '137')
  await Promise.all([dead.encoders.start(sink), dead.shows(1)])
  expect(dead.commands).toEqual(['encoder 0', 'encoder 1'])
  const silent = stage({ sound: true })
  await silent.encoders.ready()
  silent.state.sound = false
  const [config] = await Promise.all([silent.encoders.start(sink), silent.shows(1)])
  expect(config.audio).toBeNull()
  expect(silent.state.killed).toBe(1)
  expect(silent.files.get('encoder-1')).not.toContain('pulse')
})

test('who is told of the end of one may ask for the next at once', async () => {
  const { encoders, commands, program, sound, looks, shows } = stage()
  const again = Promise.withResolvers<unknown>()
  const ended = () => again.resolve(encoders.start(sink))
  await Promise.all([encoders.start({ ...sink, ended }), shows(0)])
  for (const end of [program(0), sound(0), looks(0)]) end.end()
  await Promise.all([again.promise, shows(1)])
  expect(commands).toEqual(['encoder 0', 'encoder 1'])
})
