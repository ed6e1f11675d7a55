/** The far end of a shaped line: what arrives there goes to a socket of the machine. `pass-out.test-program.ts PATH` */
import { connect, createServer } from 'node:net'
import { joinSockets } from './join-sockets.ts'

const [path = ''] = process.argv.slice(2)
createServer((socket) => joinSockets(socket, connect(path))).listen(7000, '10.9.0.1', () => process.stdout.write('out\n'))
// Its standard input ends with the line.
process.stdin.on('end', () => process.exit(0)).resume()
