/** Of the Shape Detection API, which not every browser has. */
type Detector = { detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]> }
type DetectorClass = {
  new (options: { formats: readonly string[] }): Detector
  getSupportedFormats(): Promise<readonly string[]>
}

const detectorClass = (): DetectorClass | undefined => (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector

/** Whether this browser reads QR codes and has a camera that it may be asked for. */
export async function mayScan(): Promise<boolean> {
  try {
    const media: MediaDevices | undefined = navigator.mediaDevices
    const formats = (await detectorClass()?.getSupportedFormats()) ?? []
    if (!formats.includes('qr_code') || media === undefined) return false
    return (await media.enumerateDevices()).some(({ kind }) => kind === 'videoinput')
  } catch {
    return false
  }
}

/** Shows the camera in `video` until it sees a code, and ends it. @throws when the camera is refused, or the element is taken away */
export async function scanCode(video: HTMLVideoElement): Promise<string> {
  const Class = detectorClass()
  if (Class === undefined) throw new Error('no detector')
  const detector = new Class({ formats: ['qr_code'] })
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  try {
    video.srcObject = stream
    await video.play()
    while (video.isConnected) {
      const [code] = await detector.detect(video)
      // A code may hold an address with it.
      const found = code === undefined ? null : /[0-9a-f]{64}/i.exec(code.rawValue)
      if (found !== null) return found[0]
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    throw new Error('taken away')
  } finally {
    for (const track of stream.getTracks()) track.stop()
  }
}
