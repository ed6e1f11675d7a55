import { opusChannels, type LiveFrame } from '../picture/codec.ts'
import workletAddress from './sound.worklet.ts?worker&url'

const rate = 48_000

export const soundIsPossible = (): boolean => typeof AudioDecoder !== 'undefined' && typeof AudioWorkletNode !== 'undefined'

/** The session's sound, silent until `unmute` is called from a gesture: browsers let nothing be heard before one. */
export function playSound() {
  let head: Uint8Array<ArrayBuffer> | null = null
  let output: { readonly context: AudioContext; readonly node: AudioWorkletNode; readonly gain: GainNode } | null = null
  let decoder: AudioDecoder | null = null
  let muted = true
  let volume = 1

  function start(): void {
    if (decoder !== null && decoder.state !== 'closed') decoder.close()
    decoder = null
    const channels = head === null ? null : opusChannels(head)
    if (head === null || channels === null || output === null || muted) return
    const { node } = output
    decoder = new AudioDecoder({
      output(data) {
        const blocks = Array.from({ length: data.numberOfChannels }, (_, planeIndex) => {
          const samples = new Float32Array(data.numberOfFrames)
          data.copyTo(samples, { planeIndex, format: 'f32-planar' })
          return samples
        })
        data.close()
        node.port.postMessage(
          blocks,
          blocks.map((block) => block.buffer),
        )
      },
      error: () => {
        decoder = null
      },
    })
    decoder.configure({ codec: 'opus', sampleRate: rate, numberOfChannels: channels, description: head })
  }

  async function open(): Promise<void> {
    const context = new AudioContext({ sampleRate: rate, latencyHint: 'interactive' })
    await context.audioWorklet.addModule(workletAddress)
    const node = new AudioWorkletNode(context, 'session-sound', { outputChannelCount: [2] })
    const gain = new GainNode(context, { gain: volume })
    node.connect(gain).connect(context.destination)
    output = { context, node, gain }
  }

  return {
    config(bytes: Uint8Array<ArrayBuffer>): void {
      head = bytes.slice()
      start()
    },
    packet(frame: LiveFrame): void {
      if (decoder === null || decoder.state !== 'configured') return
      decoder.decode(new EncodedAudioChunk({ type: 'key', timestamp: frame.time, data: frame.bytes }))
    },
    /** @returns whether something can now be heard */
    async setMuted(wanted: boolean): Promise<boolean> {
      muted = wanted
      if (!muted && output === null) await open()
      if (output !== null) {
        if (muted) await output.context.suspend()
        else await output.context.resume()
        output.node.port.postMessage(null, [])
      }
      start()
      return !muted && output?.context.state === 'running'
    },
    /** 0 to 1. */
    setVolume(wanted: number): void {
      volume = wanted
      output?.gain.gain.setTargetAtTime(wanted, output.context.currentTime, 0.02)
    },
    close(): void {
      if (decoder !== null && decoder.state !== 'closed') decoder.close()
      decoder = null
      void output?.context.close()
      output = null
    },
  }
}
