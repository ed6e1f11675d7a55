/** What a recording is made of, in the form that rrweb replays (rrweb.io, types of version 2). */
type Element = {
  readonly type: 2
  readonly id: number
  readonly tagName: string
  readonly attributes: Readonly<Record<string, string | boolean>>
  readonly childNodes: readonly RecordedNode[]
  readonly isSVG?: true
}
export type RecordedNode =
  | { readonly type: 0; readonly id: number; readonly childNodes: readonly RecordedNode[] }
  | { readonly type: 1; readonly id: number; readonly name: string; readonly publicId: ''; readonly systemId: '' }
  | Element
  | { readonly type: 3; readonly id: number; readonly textContent: string }

export type Happening =
  | { readonly type: 2; readonly data: { readonly node: RecordedNode; readonly initialOffset: { left: number; top: number } } }
  | { readonly type: 3; readonly data: Readonly<Record<string, unknown>> & { readonly source: number } }
  | { readonly type: 4; readonly data: { readonly href: string; readonly width: number; readonly height: number } }
export type RecordedEvent = Happening & { readonly timestamp: number }

/** Of events of type 3. */
export const sources = { mutation: 0, mouse: 2, scroll: 3, resize: 4 } as const
/** Of `sources.mouse`. */
export const click = 2
