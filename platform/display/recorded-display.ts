/**
 * A private display, its sound, and the one encoder of both (design: interactive §2), all inside the session's jail. What is
 * encoded once is what is recorded and what viewers are sent.
 */

/** One encoded picture or packet, in the order of the encoder. The same bytes go into the recording. */
export type MediaSample = {
  readonly kind: 'video' | 'audio'
  /** H.264 access unit with four octets of length before each unit (ISO/IEC 14496-15), or an Opus packet. */
  readonly bytes: Uint8Array
  /** Microseconds since the first picture. */
  readonly timeUs: number
  /** Of sound as it was measured; of a picture one 25th of a second: how long it was shown is known when the next comes, at the latest after a fifth. */
  readonly durationUs: number
  /** Can be decoded by itself. */
  readonly key: boolean
}

export type MediaConfig = {
  /** AVCDecoderConfigurationRecord. */
  readonly video: Uint8Array
  /** RFC 6381. */
  readonly codec: string
  readonly width: number
  readonly height: number
  /** OpusHead; null without sound. */
  readonly audio: Uint8Array | null
  /** When `timeUs` is 0: the moment at which the first picture of the recording was taken from the screen, on this process's `performance.now()`. */
  readonly originMs: number
}

/** Programs of the display besides the encoder. Without `display` there is no session; without `sound` it is silent; `pointer` comes back by itself. */
export type DisplayPart = 'display' | 'sound' | 'pointer'

export type RecordedDisplay = {
  /** Rows at the top that the browser shows; below them the burnt-in strip. */
  readonly picture: { readonly width: number; readonly height: number; readonly pageHeight: number }
  /** Begins to encode; settles with the first picture. Called again after `encoderEnded`, a new encoder begins with a key picture. */
  startEncoder(sink: EncoderSink): Promise<MediaConfig>
  /** What the strip says beside time and session; plain text, one line. Appears with the next picture. */
  setStrip(text: string): Promise<void>
  /** What the strip calls the session, beside the time. The next encoder to start shows it: a display that was made ready is named when it is taken. */
  setSession(id: string): Promise<void>
  /** Real mouse events of the X server (XTEST). Pixels of the picture. */
  pointer: {
    move(x: number, y: number): Promise<void>
    down(button: number): Promise<void>
    up(button: number): Promise<void>
  }
  /** Real keys of the X server, for what is the browser's own and no page's: its dialogs. */
  keys: {
    /** `KeyboardEvent.key`: a character, or the name of one of `Enter`, `Escape`, `Tab`, `Backspace`, `Delete`, `Home`, `End`, arrows; others do nothing. */
    press(key: string): Promise<void>
    /** Control characters are left out; at most 1,000 characters. */
    type(text: string): Promise<void>
  }
  /** Sets the clipboard of the display; settled when it can be pasted. */
  setClipboard(text: string): Promise<void>
  /**
   * From here on the picture keeps what the screen showed, whatever the browser draws, until `releaseScreen`; the strip and the pointer go on.
   * @throws Error when it cannot; nothing is held then
   */
  holdScreen(): Promise<void>
  /** Idempotent. */
  releaseScreen(): Promise<void>
  /** Ends the encoder in order: what it has is flushed. */
  stopEncoder(): Promise<void>
  /** Told when one of them ends by itself, and of those that ended before. `status`: of its process. Returns a function that stops listening. */
  onPartEnded(listener: (part: DisplayPart, status: string) => void): () => void
}

export type EncoderSink = {
  /** Called in order, never awaited: whoever is slow must not slow the encoder. */
  sample(sample: MediaSample): void
  /**
   * Of the times at which the screen was to be looked at since this encoder began, at how many it was not: what they showed nobody knows. Told
   * once a second; looks that come late are not missing, so it may become less. A look that showed nothing new gives no picture, and is none.
   */
  missed(count: number): void
  /** The encoder ended without being asked. */
  ended(reason: string): void
}
