/** Runs one ffmpeg over pictures that never come, says so, and waits to be killed. Argument: the decoder configuration, hexadecimal. */
import { runFfmpeg } from './run-ffmpeg.ts'

const [avcC = ''] = process.argv.slice(2)
const decoder = runFfmpeg(Buffer.from(avcC, 'hex'), ['-c:v', 'mjpeg', '-f', 'mpjpeg'], () => undefined)
process.stdout.write('running\n')
await decoder.ended
