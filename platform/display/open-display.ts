import { writeFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'
import { processTree } from '../browser/process-tree.ts'
import { clockText, stripFiles } from './encoder-arguments.ts'
import { openScreenHold } from './hold-screen.ts'
import { openEncoders } from './open-encoders.ts'
import { openPointer } from './open-pointer.ts'
import type { DisplayPart, EncoderSink, RecordedDisplay } from './recorded-display.ts'
import { descriptors, stage } from './stage-script.ts'
import { stripLine } from './strip-line.ts'

/** A clipboard takes as much. */
export const maxClipboardBytes = 4 * 1024 * 1024
const clipboardMs = 20_000

/** The display cannot do it: it is gone, or what was asked is past its bounds. */
export class DisplayFailed extends Error {
  override readonly name = 'DisplayFailed'
}

export type OpenDisplay = {
  readonly display: RecordedDisplay
  /** After the end of the jail: fails what waits. Settles with `display_ended` when the X server ended first. */
  close(): Promise<'display_ended' | null>
}

/** Letters and signs of the one layout that the display has, and names of keys (UI Events). */
const isOnKeyboard = (text: string): boolean => /^[ -~]*$/.test(text)

/** This side of the stage: speaks to the programs in the jail over the pipes they inherited. */
export function openDisplay(options: {
  readonly pipe: (descriptor: number) => Duplex
  /** Process whose descendants are the jail. */
  readonly root: () => number | null
  /** Read by the jail, written by us. */
  readonly folder: string
  readonly sessionId: string
}): OpenDisplay {
  const { pipe, folder } = options
  const commands = pipe(descriptors.commands)
  const events = pipe(descriptors.events)
  const clipboard = pipe(descriptors.clipboard)
  for (const stream of [commands, events, clipboard]) stream.on('error', () => undefined)
  const ended = new Map<string, string>()
  const listeners = new Set<(part: DisplayPart, status: string) => void>()
  const parts: [DisplayPart, string][] = []
  const copies = new Map<number, (status: string) => void>()
  let copied = 0
  let gone = false
  let sound = false
  let soundKnown = (): void => undefined
  const soundDecided = new Promise<void>((resolve) => (soundKnown = resolve))

  const tell = (part: DisplayPart, status: string): void => {
    parts.push([part, status])
    for (const listener of listeners) listener(part, status)
  }
  const command = (line: string): void => void commands.write(`${line}\n`)
  const screen = openScreenHold(() => {
    command('screen')
    return pipe(descriptors.screen)
  })
  const pointer = openPointer({ stdin: pipe(descriptors.pointerIn), stdout: pipe(descriptors.pointerOut) })

  const hear = (line: string): void => {
    const [word, name = '', status = ''] = line.slice(0, 100).split(' ')
    if (word === 'clipboard') copies.get(Number(name))?.(status)
    else if (word === 'ended') {
      ended.set(name, status)
      if (name === 'sounding') {
        sound = status === '0' && !ended.has('sound')
        soundKnown()
      } else if (name === 'sound') {
        sound = false
        soundKnown()
        tell('sound', status)
      } else if (name === 'display') tell('display', status)
      else if (name === 'pointer') {
        tell('pointer', status)
        pointer.restarted()
        command('pointer')
      }
    }
  }
  const lines = createInterface({ input: events, crlfDelay: Infinity })
  lines.on('line', hear)
  const heard = new Promise<void>((resolve) => void lines.once('close', resolve))

  // Renamed into place: the encoder reads it for each picture, and half a file would end it.
  let written: Promise<void> = Promise.resolve()
  const write = (name: string, text: string): Promise<void> => {
    const next = written.then(async () => {
      await writeFile(join(folder, `${name}.next`), text, { mode: 0o644 })
      await rename(join(folder, `${name}.next`), join(folder, name))
    })
    written = next.catch(() => undefined)
    return next
  }
  const rewrite = async (name: string, text: string): Promise<void> => {
    if (gone) throw new DisplayFailed('the display is gone')
    await write(name, stripLine(text))
  }
  const prepared = Promise.all([
    write(stripFiles.line, ' '),
    write(stripFiles.clock, clockText),
    write(stripFiles.session, stripLine(options.sessionId)),
  ])
  prepared.catch(() => undefined)

  const killEncoder = async (): Promise<void> => {
    const root = options.root()
    if (root === null) return
    for (const { name, pid } of await processTree(root)) {
      if (name !== 'ffmpeg') continue
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It ended between the two calls.
      }
    }
  }

  const encoders = openEncoders({
    pipe,
    command,
    write,
    sound: () => sound,
    statusOf: (number) => ended.get(`encoder-${String(number)}`),
    kill: killEncoder,
  })
  const known = Promise.all([prepared, Promise.race([soundDecided, heard])])
  // Who asks for an encoder is told what there is to tell.
  known.then(async () => (gone ? undefined : await encoders.ready())).catch(() => undefined)
  const startEncoder = async (sink: EncoderSink) => {
    await known
    if (gone) throw new DisplayFailed('the display is gone')
    return await encoders.start(sink)
  }

  const setClipboard = async (text: string): Promise<void> => {
    const bytes = Buffer.from(text, 'utf8')
    if (bytes.length > maxClipboardBytes) throw new DisplayFailed('the text is too long for the clipboard')
    if (gone) throw new DisplayFailed('the display is gone')
    copied += 1
    const number = copied
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const late = setTimeout(() => reject(new DisplayFailed('the clipboard did not answer')), clipboardMs)
    copies.set(number, (status) => (status === '0' ? resolve() : reject(new DisplayFailed('the clipboard was not set'))))
    command(`clipboard ${String(number)} ${String(bytes.length)}`)
    clipboard.write(bytes)
    try {
      await promise
    } finally {
      clearTimeout(late)
      copies.delete(number)
    }
  }
  /** Characters that no key has: the X server would be given a key for each, and a program that is slow to learn of it loses some. */
  const pasteText = async (text: string): Promise<void> => {
    await setClipboard(text.slice(0, 1_000))
    await pointer.paste()
  }

  const display: RecordedDisplay = {
    picture: { width: stage.width, height: stage.height, pageHeight: stage.pageHeight },
    startEncoder,
    stopEncoder: async () => {
      await encoders.stop()
    },
    setStrip: (text) => rewrite(stripFiles.line, text),
    setSession: (id) => rewrite(stripFiles.session, id),
    pointer: pointer.pointer,
    keys: {
      press: (key) => (isOnKeyboard(key) ? pointer.keys.press(key) : pasteText(key)),
      type: (text) => (isOnKeyboard(text) ? pointer.keys.type(text) : pasteText(text)),
    },
    setClipboard,
    holdScreen: screen.hold,
    releaseScreen: screen.release,
    onPartEnded: (listener) => {
      for (const [part, status] of parts) listener(part, status)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  return {
    display,
    close: async () => {
      gone = true
      await heard
      pointer.close()
      screen.close()
      for (const settle of copies.values()) settle('gone')
      await encoders.close()
      commands.destroy()
      clipboard.destroy()
      await written
      return ended.has('display') ? 'display_ended' : null
    },
  }
}
