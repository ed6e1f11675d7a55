/** What was asked for besides the address, as it is kept with the evidence; a retry asks the same. */
export type CaptureOptions = {
  readonly closeCookies: boolean
  /** The recipe's text as it stood when it was chosen, and the values of its fields; null: none was asked for. */
  readonly scenario: { readonly id: string; readonly text: string; readonly input: Readonly<Record<string, string>> } | null
}
