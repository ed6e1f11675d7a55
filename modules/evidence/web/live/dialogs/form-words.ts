/** Of a text field; a file, which none of our forms has, is no words. */
export function wordsOf(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}
