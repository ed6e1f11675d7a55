/** When the account that was closed in this page is erased, as the server said; null: none was. In memory alone. */
let eraseAfter: string | null = null

export function noteClosed(at: string): void {
  eraseAfter = at
}

export const closedUntil = (): string | null => eraseAfter
