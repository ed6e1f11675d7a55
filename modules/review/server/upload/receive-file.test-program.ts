/** Receives a file on its standard input into the folder named, and never finishes by itself: for whoever kills it. */
import { receiveFile } from './receive-file.ts'

await receiveFile(process.argv[2] ?? '', process.stdin)
