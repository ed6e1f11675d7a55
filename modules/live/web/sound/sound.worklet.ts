/**
 * Plays what comes, a little behind: 60 ms so that an uneven network is not heard, at most 240 ms so that sound and picture stay
 * together. Runs in the audio thread.
 */
declare const sampleRate: number
declare function registerProcessor(name: string, processor: unknown): void
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}

const wanted = Math.round(sampleRate * 0.06)
const most = Math.round(sampleRate * 0.24)

class SessionSound extends AudioWorkletProcessor {
  private waiting: Float32Array[][] = []
  private length = 0
  private at = 0
  private playing = false

  constructor() {
    super()
    this.port.addEventListener('message', ({ data }: MessageEvent<Float32Array[] | null>) => {
      if (data === null) {
        this.waiting = []
        this.length = 0
        this.at = 0
        return
      }
      this.waiting.push(data)
      this.length += data[0]?.length ?? 0
      // Too far behind: the oldest is let go.
      while (this.length - this.at > most && this.waiting.length > 1) {
        this.length -= this.waiting.shift()?.[0]?.length ?? 0
        this.at = 0
      }
    })
    this.port.start()
  }

  process(_: unknown, [output]: [Float32Array[]]): boolean {
    const left = output[0]
    if (left === undefined) return true
    if (!this.playing && this.length - this.at < wanted) return true
    this.playing = true
    for (let i = 0; i < left.length; i += 1) {
      const block = this.waiting[0]
      if (block === undefined) {
        this.playing = false
        break
      }
      for (const [channel, samples] of output.entries()) samples[i] = (block[channel] ?? block[0])?.[this.at] ?? 0
      this.at += 1
      if (this.at >= (block[0]?.length ?? 0)) {
        this.length -= block[0]?.length ?? 0
        this.waiting.shift()
        this.at = 0
      }
    }
    return true
  }
}

registerProcessor('session-sound', SessionSound)
