/**
 * A document as data: what stands in it, in order, with its words in their language. Whoever owns a document makes it of these, purely;
 * paper (`platform/print/typeset`) and screen (`ui/document`) show the same.
 */

/** Of text from outside: what shows as it is, or the name of a code point that would not be seen. */
export type SafePart = { readonly text: string } | { readonly code: string }

export type Tone = 'good' | 'doubtful' | 'bad' | 'quiet'

export type Inline =
  | string
  | { readonly kind: 'strong' | 'soft'; readonly of: Inlines }
  /** In a colour of its own, which says nothing that its words do not. */
  | { readonly kind: 'toned'; readonly tone: Tone; readonly of: Inlines }
  /** Digests, addresses, names of files: every character as it is, broken anywhere. */
  | { readonly kind: 'code'; readonly text: string; readonly tone?: Tone }
  /** Text from outside, which neither turns nor ends what stands round it; what cannot be seen in it is shown. */
  | { readonly kind: 'outside'; readonly parts: readonly SafePart[]; readonly leftOut: string | null; readonly mono: boolean }
  | { readonly kind: 'line-break' }
  /** To a heading of this document, by its id; paper adds the page where that is another one. */
  | { readonly kind: 'reference'; readonly to: string; readonly text: string }

export type Inlines = Inline | readonly Inlines[]

export type Column = {
  readonly head: string
  /** Of the width of the text, in hundredths; absent: what is left, in equal parts. */
  readonly share?: number
  readonly figures?: boolean
}

/** Files of the job, by name. */
export type Picture = {
  readonly file: string
  readonly alt: string
  /** What a screen has in its place: rows of images that stay where they are, 1-based and both included, top to bottom. */
  readonly from?: {
    /** In pixels. */
    readonly width: number
    readonly height: number
    readonly rows: readonly { readonly path: string; readonly firstRow: number; readonly lastRow: number }[]
  }
}

export type Cell = Inlines | { readonly blocks: readonly Block[] }

export type Block =
  | {
      readonly kind: 'heading'
      readonly level: 1 | 2 | 3
      readonly text: Inlines
      /** A letter in the annexes. */
      readonly number?: number | string
      /** What references name. */
      readonly id?: string
      /** In the contents, as each of level 2 is. */
      readonly listed?: boolean
    }
  /** Where each heading that is listed stands. */
  | { readonly kind: 'contents'; readonly title: string }
  | { readonly kind: 'paragraph'; readonly text: Inlines; readonly look?: 'lead' | 'annex' | 'grave' | 'small' }
  /** Stands out: read this too, or beware. */
  | { readonly kind: 'callout'; readonly tone: 'note' | 'alert'; readonly text: Inlines }
  /** Words of somebody else. */
  | { readonly kind: 'quote'; readonly text: Inlines }
  /** What is called so, is this. */
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [name: string, value: Cell])[]; readonly look?: 'dense' }
  | {
      readonly kind: 'table'
      readonly columns: readonly Column[]
      readonly rows: readonly (readonly Cell[])[]
      readonly size?: 'small' | 'tiny'
    }
  /** What amounts come to, under each other at the right; that which matters stands out. */
  | {
      readonly kind: 'sums'
      readonly rows: readonly { readonly name: string; readonly amount: string; readonly result?: boolean }[]
    }
  | {
      readonly kind: 'list'
      readonly ordered: boolean
      readonly items: readonly (readonly Block[])[]
      readonly size?: 'small'
    }
  /** Lines as they are typed. */
  | { readonly kind: 'lines'; readonly text: string }
  /** `width` in millimetres; absent: as wide as there is room. */
  | {
      readonly kind: 'figure'
      readonly picture: Picture
      readonly caption?: Inlines
      readonly width?: number
      /** With a thin line round it: what is white at its edge ends there. */
      readonly framed?: boolean
    }
  | { readonly kind: 'boxes'; readonly boxes: readonly (readonly Block[])[] }
  /** Side by side; `shares` in hundredths of the width. */
  | { readonly kind: 'columns'; readonly columns: readonly (readonly Block[])[]; readonly shares: readonly number[] }
  /** On one page, where it fits on one. */
  | { readonly kind: 'together'; readonly blocks: readonly Block[] }
  | { readonly kind: 'brand' }
  /** As much of the page as is left: what follows stands at its foot. */
  | { readonly kind: 'fill' }
  | { readonly kind: 'page-break' }

/** What a screen shows of a document; paper has more (`PrintedDocument`). */
export type ShownDocument = {
  /** BCP 47. */
  readonly language: string
  readonly title: string
  /** This is not the document itself: stands wherever one looks. */
  readonly mark: string | null
  readonly blocks: readonly Block[]
}
