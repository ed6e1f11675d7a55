/** Words of a page, names of files and what a server says may hold what moves a terminal's cursor or turns the direction of writing. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\u{FFFD}')
