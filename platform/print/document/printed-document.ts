import type { ShownDocument } from '../../../kernel/document/blocks.ts'

export type AttachedFile = {
  /** ASCII. */
  readonly name: string
  readonly mediaType: string
  readonly description: string
  readonly bytes: Uint8Array
  /** What it is to the document (ISO 19005-3 Annex E): more of what it says, or the same in another form. */
  readonly relationship?: 'supplement' | 'alternative'
}

/** What paper has besides what a screen shows. Its mark stands across every page and at its foot. */
export type PrintedDocument = ShownDocument & {
  readonly subject: string
  /** The document's own date, so that the same facts give the same bytes. */
  readonly date: Date
  readonly look: 'report' | 'certificate' | 'invoice' | 'letter'
  /** What stands on every page; `pageOf` holds `{page}` and `{pages}`. */
  readonly running: {
    readonly head: readonly [left: string, right: string] | null
    readonly foot: string
    readonly pageOf: string
    /** Of references: holds `{page}`. */
    readonly onPage: string
    /** At the end, where characters had to be shown by their code; holds `{count}`. */
    readonly byCode: string
    /** Whether the first page is a cover, which has nothing of this. */
    readonly cover: boolean
  }
  readonly attachments: readonly AttachedFile[]
  /** Drawings (SVG) and images that blocks name: as they are, or the path of a file that stays as it is meanwhile. */
  readonly files: readonly { readonly name: string; readonly content: Uint8Array | string }[]
}
