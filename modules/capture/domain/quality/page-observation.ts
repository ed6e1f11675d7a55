/** What was seen of the page, in a world apart from the page's scripts. Texts are hostile; every list is bounded. */
export type PageObservation = {
  /** `lang` of the document's element. */
  readonly language: string
  /** First heading that is shown. */
  readonly heading: string
  /** Characters of rendered text, white space collapsed; shadow trees and frames of the same origin included. */
  readonly textLength: number
  /** The first of it. */
  readonly textStart: string
  /** Pictures, canvases, videos, frames and embedded objects that are laid out. */
  readonly mediaCount: number
  /** Images laid out; `missing` are broken, never loaded, or still stand-ins of a pixel for an address that nothing read. */
  readonly images: { readonly total: number; readonly missing: readonly string[] }
  /** Addresses of pictures that styles, posters and drawings of laid-out elements name. */
  readonly backgrounds: readonly string[]
  readonly passwordFields: number
  /** Fields for an e-mail address or a user's name. */
  readonly identifierFields: number
  /** Other fields that one fills in. */
  readonly otherFields: number
  /** A heading, label or button asks to log in. */
  readonly asksToLogIn: boolean
  readonly links: number
  /** Frames that are laid out, with their share of the viewport, 0–1. */
  readonly frames: readonly { readonly url: string; readonly share: number }[]
  /** Elements that only challenge pages and their makers' widgets have. */
  readonly challengeMarks: readonly string[]
  /** Fixed or sticky boxes, dialogs and frames in the viewport that ask for consent: share of the viewport, 0–1. */
  readonly consentShare: number
  readonly consentText: string
  /** The text speaks of cookies or consent and a button accepts or refuses. */
  readonly consentButtons: boolean
  /** Boxes over the page that ask to log in or to register: share of the viewport, 0–1. */
  readonly loginShare: number
  readonly paywall: {
    /** Boxes over the page that ask to subscribe: share of the viewport, 0–1. */
    readonly share: number
    readonly text: string
    /** The page's own metadata says that it is not free to read (schema.org `isAccessibleForFree`). */
    readonly declared: boolean
    /** The text, wherever it stands, asks to subscribe so as to read on. */
    readonly words: boolean
  }
  /** Placeholders of content that has not come: their share of the viewport, and turning wheels. */
  readonly loading: { readonly skeletonShare: number; readonly spinners: number }
  /** Largest box that scrolls by itself and takes most of the window, in CSS pixels; zeros when there is none. */
  readonly innerScroll: { readonly visible: number; readonly height: number }
  /** Width that a visitor can scroll to, in CSS pixels. */
  readonly pageWidth: number
  /** False when the page has more elements than are looked at. */
  readonly allSeen: boolean
}
