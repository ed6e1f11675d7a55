import { apiAddress } from './api-address.ts'

/** Above this a file goes straight from the network to the disk: a phone must not hold a gigabyte in memory. */
const inMemory = 64_000_000

function press(href: string, name: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.rel = 'noopener'
  document.body.append(link)
  link.click()
  link.remove()
}

/** C-73, C-74: fetched and saved under its name; when that fails, or the file is large, the browser opens its address. */
export async function saveFile(file: { url: string; name: string; bytes: number }): Promise<void> {
  const url = apiAddress(file.url)
  if (file.bytes > inMemory) {
    press(url, file.name)
    return
  }
  let blob: Blob
  try {
    const response = await fetch(url, { credentials: 'omit' })
    if (!response.ok) throw new Error(`status ${response.status}`)
    blob = await response.blob()
  } catch {
    press(url, file.name)
    return
  }
  saveBlob(blob, file.name)
}

/** Saves what the page has already. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  press(address, name)
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
