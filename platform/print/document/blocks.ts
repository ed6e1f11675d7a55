/**
 * A printed document as data: what stands in it, in order, with its words in their language. Whoever owns a document makes it of these,
 * purely; paper (`typeset/`) and screen show the same.
 */
import type { SafePart } from '../hostile-text.ts'

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

export type Inlines = Inline | readonly Inlines[]

export type Column = {
  readonly head: string
  /** Of the width of the text, in hundredths; absent: what is left, in equal parts. */
  readonly share?: number
  readonly figures?: boolean
}

/** Files of the job, by name. */
export type Picture = { readonly file: string; readonly alt: string }

export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: Inlines; readonly number?: number }
  | { readonly kind: 'paragraph'; readonly text: Inlines; readonly look?: 'lead' | 'annex' | 'grave' | 'small' }
  /** What is called so, is this. */
  | {
      readonly kind: 'facts'
      readonly rows: readonly (readonly [name: string, value: Inlines | { readonly blocks: readonly Block[] }])[]
    }
  | {
      readonly kind: 'table'
      readonly columns: readonly Column[]
      readonly rows: readonly (readonly Inlines[])[]
      readonly size?: 'small' | 'tiny'
    }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Block[])[] }
  /** Lines as they are typed. */
  | { readonly kind: 'lines'; readonly text: string }
  | { readonly kind: 'figure'; readonly picture: Picture; readonly caption?: Inlines; readonly width?: number }
  | { readonly kind: 'boxes'; readonly boxes: readonly (readonly Block[])[] }
  /** Side by side; `shares` in hundredths of the width. */
  | { readonly kind: 'columns'; readonly columns: readonly (readonly Block[])[]; readonly shares: readonly number[] }
  /** On one page, where it fits on one. */
  | { readonly kind: 'together'; readonly blocks: readonly Block[] }
  | { readonly kind: 'brand' }
  | { readonly kind: 'page-break' }

export type AttachedFile = {
  /** ASCII. */
  readonly name: string
  readonly mediaType: string
  readonly description: string
  readonly bytes: Uint8Array
}

export type PrintedDocument = {
  /** BCP 47. */
  readonly language: string
  readonly title: string
  readonly subject: string
  /** The document's own date, so that the same facts give the same bytes. */
  readonly date: Date
  readonly look: 'report' | 'certificate'
  /** What stands on every page; `pageOf` holds `{page}` and `{pages}`. */
  readonly running: {
    readonly head: readonly [left: string, right: string] | null
    readonly foot: string
    readonly pageOf: string
  }
  readonly blocks: readonly Block[]
  readonly attachments: readonly AttachedFile[]
  /** Drawings (SVG) and images that blocks name. */
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[]
}
