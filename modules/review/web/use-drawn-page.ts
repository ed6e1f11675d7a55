import { useEffect, useRef, useState, type RefObject } from 'react'
import { serverNow } from '../../../ui/api/server-clock.ts'
import type { Size } from './picture-view.ts'

/** Who looks and when, over the whole picture and in it: a copy of what is on the screen says whose screen it was. */
function stamp(pen: CanvasRenderingContext2D, { width, height }: Size, words: string): void {
  const size = Math.max(14, Math.round(Math.max(width, height) / 45))
  pen.save()
  pen.font = `600 ${size}px sans-serif`
  pen.textAlign = 'center'
  pen.lineWidth = Math.max(1, size / 14)
  pen.strokeStyle = 'rgb(255 255 255 / 35%)'
  pen.fillStyle = 'rgb(120 20 40 / 28%)'
  pen.translate(width / 2, height / 2)
  pen.rotate(-Math.PI / 8)
  const wide = pen.measureText(words).width + size * 4
  const reach = Math.hypot(width, height) / 2
  for (let y = -reach; y <= reach; y += size * 7) {
    for (let x = -reach; x <= reach; x += wide) {
      pen.strokeText(words, x, y)
      pen.fillText(words, x, y)
    }
  }
  pen.restore()
}

/** Draws a page into its canvas, with the watermark. @returns its size once it is there */
export function useDrawnPage(
  blob: Blob | undefined,
  watermark: string,
): { readonly canvas: RefObject<HTMLCanvasElement | null>; readonly size: Size | null; readonly failed: boolean } {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [drawn, setDrawn] = useState<{ readonly of: Blob; readonly size: Size | null } | null>(null)
  useEffect(() => {
    let gone = false
    if (blob === undefined) return undefined
    const draw = async () => {
      const picture = await createImageBitmap(blob)
      const element = canvas.current
      const pen = element?.getContext('2d') ?? null
      if (gone || element === null || pen === null) {
        picture.close()
        return
      }
      const size = { width: picture.width, height: picture.height }
      element.width = size.width
      element.height = size.height
      pen.drawImage(picture, 0, 0)
      picture.close()
      stamp(pen, size, `${watermark} · ${new Date(serverNow()).toISOString().slice(0, 16).replace('T', ' ')} UTC`)
      setDrawn({ of: blob, size })
    }
    draw().catch(() => {
      if (!gone) setDrawn({ of: blob, size: null })
    })
    return () => {
      gone = true
    }
  }, [blob, watermark])
  // What was drawn before is not what is asked for now.
  const now = drawn !== null && drawn.of === blob ? drawn : null
  return { canvas, size: now?.size ?? null, failed: now !== null && now.size === null }
}
